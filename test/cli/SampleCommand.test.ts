/** The command that adds the sample organization to a server, with the evaluator and the CV reader of the service. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as cli from "../support/cli.ts"
import { onFreshDatabase } from "./onFreshDatabase.ts"

/** The number of rows of each table that has any, but for what the database itself keeps. */
const countsOf = (url: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const tables = yield* sql<{ name: string }>`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
    const counts = yield* Effect.forEach(tables, ({ name }) =>
      Effect.map(sql<{ rows: number }>`select count(*)::int as rows from ${sql(name)}`, ([row]) => [
        name,
        row?.rows ?? 0,
      ]),
    )
    return Object.fromEntries(counts.filter(([, rows]) => rows !== 0))
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url) }), { local: true }))

describe("sample commands", () => {
  it.live(
    "add a rated sample, once, and remove it without a trace",
    () =>
      Effect.gen(function* () {
        const { environment, json, refused } = yield* onFreshDatabase
        assert.strictEqual(yield* refused("sample", "remove"), "there is no such sample organization")
        const before = yield* countsOf(environment.DATABASE_URL)
        const { password, ...added } = yield* json("sample", "add")
        assert.deepStrictEqual(added, { organization: 1, candidates: 40, email: "maya.lindqvist@lindhaven.test" })
        assert.match(String(password), /^[\w-]{16}$/)
        const filled = yield* countsOf(environment.DATABASE_URL)
        assert.deepInclude(filled, { organization: 1, member: 4, interview_set: 3, candidate: 40, submission: 40 })
        assert.isAbove(filled["evaluation"] ?? 0, 22)
        assert.strictEqual(yield* refused("sample", "add"), "there is a sample organization already: remove it first")
        // the installation has no organization of its own yet
        assert.strictEqual((yield* cli.run(environment, "setup")).code, 0)
        assert.deepStrictEqual(yield* json("sample", "remove"), { organization: 1, removed: true })
        const { secret_key: _, ...after } = yield* countsOf(environment.DATABASE_URL)
        assert.deepStrictEqual(after, before)
      }),
    120_000,
  )
})
