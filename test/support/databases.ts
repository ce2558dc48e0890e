/** URLs, copies and statements of test databases. */
import { randomBytes } from "node:crypto"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, FileSystem, Path, Redacted } from "effect"

const sqlDirectory = join(import.meta.dirname, "../../sql")

/** Names of the migrations, in order. */
export const schemaFiles = readdirSync(sqlDirectory)
  .map((file) => file.replace(".sql", ""))
  .sort()

/** A directory with the files of sql/ and one more migration, 99_test. */
export const withMigration = Effect.fnUntraced(function* (text: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = yield* fs.makeTempDirectoryScoped({ prefix: "interview-sql-" })
  yield* fs.copy(sqlDirectory, directory, { overwrite: true })
  yield* fs.writeFileString(path.join(directory, "99_test.sql"), text)
  return yield* path.toFileUrl(directory)
})

export const atDatabase = (url: string, database: string): string => {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

/** The database must have no connections. */
export const copyOf = Effect.fnUntraced(function* (url: string) {
  const original = new URL(url).pathname.slice(1)
  const copy = `${original}_${randomBytes(3).toString("hex")}`
  const server = atDatabase(url, "postgres")
  yield* Effect.acquireRelease(execute(server, `create database ${copy} template ${original}`), () =>
    Effect.ignore(execute(server, `drop database if exists ${copy} with (force)`)),
  )
  return atDatabase(url, copy)
})

/** Runs one statement outside any transaction. */
export const execute = (url: string, statement: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql.unsafe(statement).unprepared
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))

/** Without nulls. */
export const textsOf = (url: string, query: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const rows = yield* sql.unsafe<Record<string, string | null>>(query).unprepared
    return rows.flatMap((row) => Object.values(row)).filter((text) => text !== null)
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
