/** Makes a base backup of a running server without `pg_basebackup`, which the embedded Postgres lacks. */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"

export const run = (program: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => promisify(execFile)(program, [...args]))

/** Copies tablespaces to directories beside their own, which exist until the scope closes. */
const copyTablespaces = Effect.fnUntraced(function* (links: string) {
  for (const name of yield* Effect.promise(() => readdir(links))) {
    const link = join(links, name)
    const original = yield* Effect.promise(() => readlink(link))
    const copy = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(`${original}-`)),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
    )
    yield* run("cp", "-a", `${original}/.`, copy)
    yield* Effect.promise(async () => {
      await rm(link)
      await symlink(copy, link)
    })
  }
})

/**
 * Copies the server's files in `data` to the new directory `to` (Postgres documentation, "Making a Base Backup Using the Low
 * Level API"). `url`: of a superuser. Files keep their owner, except `backup_label`.
 */
export const baseBackup = (url: string, data: string, to: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql`select from pg_backup_start('test', true)`
    yield* run("cp", "-a", data, to)
    yield* copyTablespaces(join(to, "pg_tblspc"))
    yield* run("rm", "-f", join(to, "postmaster.pid"))
    const [label] = yield* sql<{ text: string }>`select labelfile as text from pg_backup_stop(false)`
    yield* Effect.promise(() => writeFile(join(to, "backup_label"), label?.text ?? ""))
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
