/** Connections through PgBouncer in transaction mode. SessionState.test.ts checks statements that do not run through it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { Database } from "../../../src/platform/database/Database.ts"
import * as cli from "../../support/cli.ts"
import * as PgBouncer from "../../support/PgBouncer.ts"
import { freshDatabase, urlsOf } from "../../support/TestDatabase.ts"

describe.skipIf(inject("postgres").pooler === null)("PgBouncer in transaction mode (npm run test:pgbouncer)", () => {
  it.live("is refused without timeouts, and the error says what to run", () =>
    Effect.gen(function* () {
      const direct = yield* freshDatabase
      const url = yield* PgBouncer.start(direct, { hasTimeouts: false })
      const urls = { url: Redacted.make(url), directUrl: Redacted.make(direct) }
      const error = yield* Effect.flip(Layer.build(Database.layer({ ...urls, maxConnections: 2 })))
      assert.include(error.message, "connections of the pooler have no statement_timeout, lock_timeout")
      assert.include(error.message, "alter role postgres set statement_timeout = '15s'")
    }).pipe(Effect.scoped),
  )

  it.live("is refused without DATABASE_DIRECT_URL, and the error names the setting and the guide", () =>
    Effect.gen(function* () {
      const { url } = urlsOf(yield* freshDatabase)
      const output = yield* cli.run({ DATABASE_URL: Redacted.value(url) }, "migrate")
      assert.match(
        output.stderr,
        /unsupported startup parameter: \w+\. This is a connection pooler: set DATABASE_DIRECT_URL .*scale\.md#connection-poolers says\.\n$/,
      )
    }),
  )

  it.live("is refused with another schema than DATABASE_SCHEMA", () =>
    Effect.gen(function* () {
      const urls = urlsOf(yield* freshDatabase)
      const error = yield* Effect.flip(Layer.build(Database.layer({ ...urls, schema: "second", maxConnections: 2 })))
      assert.include(
        error.message,
        'connections of the pooler use public instead of second: run alter role postgres set search_path = "second"',
      )
    }).pipe(Effect.scoped),
  )

  it.live("is refused with options in the address that it refuses or ignores, and the error names them", () =>
    Effect.gen(function* () {
      const direct = yield* freshDatabase
      const failure = (url: string) => {
        const urls = {
          url: Redacted.make(`${url}?options=-c%20search_path%3Dsecond`),
          directUrl: Redacted.make(direct),
        }
        return Effect.map(
          Effect.flip(Layer.build(Database.layer({ ...urls, schema: "second", maxConnections: 2 }))),
          ({ message }) => message,
        )
      }
      assert.include(yield* failure(yield* PgBouncer.start(direct)), "unsupported startup parameter: options")
      assert.match(
        yield* failure(yield* PgBouncer.start(direct, { ignored: "options" })),
        /: run alter role postgres set search_path = "second", .*The pooler ignores search_path in options of the address$/,
      )
    }).pipe(Effect.scoped),
  )

  it.live("serves transactions whose statements are of one session, and other statements of any", () =>
    Effect.gen(function* () {
      const urls = urlsOf(yield* freshDatabase)
      yield* Effect.gen(function* () {
        const { sql, transaction } = yield* Database
        const pidOf = Effect.map(sql<{ pid: number }>`select pg_backend_pid() as pid`, ([row]) => row?.pid)
        const one = transaction(
          Effect.gen(function* () {
            yield* sql`select set_config('interview.test', 'kept', true)`
            const [row] = yield* sql<{ value: string }>`select current_setting('interview.test', true) as value`
            const pids = new Set([yield* pidOf, yield* pidOf])
            return row?.value === "kept" && pids.size === 1
          }),
        )
        const all = yield* Effect.all(
          Array.from({ length: 200 }, () => one),
          { concurrency: 8 },
        )
        assert.isTrue(all.every((held) => held))
        // one statement many times, in any session
        const sums = yield* Effect.forEach(
          Array.from({ length: 200 }, (_, n) => n),
          (n) => Effect.map(sql<{ sum: number }>`select ${n}::int + 1 as sum`, ([row]) => row?.sum === n + 1),
          { concurrency: 8 },
        )
        assert.isTrue(sums.every((right) => right))
      }).pipe(Effect.provide(Database.layer({ ...urls, maxConnections: 8 }), { local: true }))
    }).pipe(Effect.scoped),
  )
})
