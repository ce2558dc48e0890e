/**
 * One Postgres for a bench: the server that DATABASE_URL names, else an embedded one that is gone afterwards and flushes
 * nothing to disk, so that programs are measured and not a disk.
 */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { embeddedPostgres } from "../../../src/dev/EmbeddedPostgres.ts"
import { atDatabase, execute } from "../../support/databases.ts"

/** The address of the server. */
export const server = Effect.gen(function* () {
  const given = process.env["DATABASE_URL"]
  if (given !== undefined) return given
  const dataDir = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "interview-bench-")))
  return Redacted.value(yield* embeddedPostgres({ dataDir, database: "postgres", temporary: true }))
})

/** A database of its own, empty or a copy of `template`, dropped when the scope closes; yields its address. */
export const database = Effect.fnUntraced(function* (url: string, name: string, template?: string) {
  const own = `interview_bench_${process.pid}_${name}`
  const from = template === undefined ? "" : ` template ${new URL(template).pathname.slice(1)}`
  yield* Effect.acquireRelease(execute(url, `create database ${own}${from}`), () =>
    Effect.ignore(execute(url, `drop database if exists ${own} with (force)`)),
  )
  return atDatabase(url, own)
})

/** The first row of a query, asked on a connection of its own. */
export const query = <Row extends object>(url: string, statement: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    return yield* Effect.flatMap(sql.unsafe<Row>(statement), ([row]) => Effect.fromNullishOr(row))
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))

/** For example 18.4. */
export const version = (url: string) =>
  Effect.map(query<{ version: string }>(url, "select current_setting('server_version') as version"), (row) =>
    row.version.replace(/ .*/, ""),
  )
