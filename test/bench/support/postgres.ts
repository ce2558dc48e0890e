/**
 * Postgres for a bench: the server at DATABASE_URL, else a temporary embedded one. The embedded one flushes nothing to
 * disk, so the disk's speed does not count.
 */
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { embeddedPostgres } from "../../../src/dev/EmbeddedPostgres.ts"
import { atDatabase, execute } from "../../support/databases.ts"
import { usageOf } from "./processUsage.ts"

export const server = Effect.gen(function* () {
  const given = process.env["DATABASE_URL"]
  if (given !== undefined) return given
  const dataDir = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "interview-bench-")))
  return Redacted.value(yield* embeddedPostgres({ dataDir, database: "postgres", temporary: true }))
})

/** Creates a database, empty or a copy of `template`, and returns its URL. Drops it when the scope closes. */
export const database = Effect.fnUntraced(function* (url: string, name: string, template?: string) {
  const own = `interview_bench_${process.pid}_${name}`
  const from = template === undefined ? "" : ` template ${new URL(template).pathname.slice(1)}`
  yield* Effect.acquireRelease(execute(url, `create database ${own}${from}`), () =>
    Effect.ignore(execute(url, `drop database if exists ${own} with (force)`)),
  )
  return atDatabase(url, own)
})

/** Returns the first row of a query, over a new connection. */
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

/** Milliseconds of CPU time that the server has used, also in processes that have exited. NaN if it is not on this machine. */
export const cpuMillis = Effect.fnUntraced(function* (url: string) {
  const { pid } = yield* query<{ pid: string }>(
    url,
    "select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid",
  )
  const name = yield* Effect.promise(() => readFile(`/proc/${pid}/comm`, "utf8").catch(() => ""))
  return name.startsWith("postgres") ? (yield* usageOf(pid)).cpuMillis : Number.NaN
})
