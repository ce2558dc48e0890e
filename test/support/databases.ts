/** Databases for tests. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"

/** Names of the schema's files, in the order they are applied. */
export const schemaFiles = readdirSync(join(import.meta.dirname, "../../sql"))
  .map((file) => file.replace(".sql", ""))
  .sort()

/** The same server, another database. */
export const atDatabase = (url: string, database: string): string => {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

/** Runs one statement outside any transaction. */
export const execute = (url: string, statement: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql.unsafe(statement).unprepared
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))

/** The texts that a query of one column finds. */
export const textsOf = (url: string, query: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const rows = yield* sql.unsafe<Record<string, string | null>>(query).unprepared
    return rows.flatMap((row) => Object.values(row)).filter((text) => text !== null)
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
