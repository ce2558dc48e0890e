import { randomBytes } from "node:crypto"
import { createServer } from "node:net"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { migrate } from "../../../src/migrate.ts"
import { Database, DatabaseUnavailable, isOutage } from "../../../src/platform/database/Database.ts"
import { DatabaseClock } from "../../../src/platform/database/DatabaseClock.ts"
import { DatabaseIncompatible } from "../../../src/platform/database/Migrations.ts"
import { atDatabase, execute, schemaFiles, textsOf, withMigration } from "../../support/databases.ts"
import { freshDatabase } from "../../support/TestDatabase.ts"

/** The URL of a database without a schema. */
const emptyDatabase = Effect.gen(function* () {
  const { url } = inject("postgres")
  const name = `interview_empty_${randomBytes(6).toString("hex")}`
  yield* Effect.acquireRelease(execute(url, `create database ${name}`), () =>
    Effect.ignore(execute(url, `drop database if exists ${name} with (force)`)),
  )
  return atDatabase(url, name)
})

/** A port without a listener. */
const closedPort = Effect.promise(
  () =>
    new Promise<number>((resolve, reject) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const address = server.address()
        if (address === null || typeof address === "string") reject(new Error("no port"))
        else server.close(() => resolve(address.port))
      })
    }),
)

const connect = (url: string) => Database.layer({ url: Redacted.make(url), maxConnections: 2 })

describe("migrate", () => {
  it.live.each([3, 12])("applied by %s at the same time leaves one schema, and applies nothing later", (starters) =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const apply = migrate({ url: Redacted.make(url) })
      const applied = yield* Effect.all(
        Array.from({ length: starters }, () => apply),
        { concurrency: "unbounded" },
      )
      // each applied by one of them
      assert.deepStrictEqual(applied.flat().sort(), schemaFiles)
      assert.deepStrictEqual(yield* apply, [])
      const rows = yield* Effect.gen(function* () {
        const { client: sql } = yield* Database
        return yield* sql`
          select (select count(*)::int from language) > 10 as seeded, (select count(*)::int from schema_migrations) as applied,
            to_regclass('webhook_delivery') is not null as has_deliveries`
      }).pipe(Effect.provide(connect(url), { local: true }))
      assert.deepStrictEqual(rows, [{ seeded: true, applied: schemaFiles.length, has_deliveries: true }])
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.live("waits for transactions that hold locks which a migration needs", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      yield* migrate({ url: Redacted.make(url) })
      const directory = yield* withMigration("alter table submission_score add x int; alter table evaluation add x int")
      const connected = yield* Layer.build(connect(url))
      const { sql, transaction } = Context.get(connected, Database)
      const migrating = yield* transaction(
        Effect.gen(function* () {
          yield* sql`lock table evaluation in row exclusive mode`
          const fiber = yield* Effect.forkChild(migrate({ url: Redacted.make(url) }, directory))
          const waits = sql`select from pg_locks where not granted and relation = 'evaluation'::regclass`
          while ((yield* waits).length === 0) yield* Effect.sleep("20 millis")
          // the migration holds this table and waits for the other one: a deadlock without its lock timeout
          yield* sql`lock table submission_score in row exclusive mode`
          yield* execute(url, "do $$ begin set local statement_timeout = '10s'; perform from evaluation; end $$")
          return fiber
        }),
      )
      assert.deepStrictEqual(yield* Fiber.join(migrating), ["99_test"])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )

  it.live.each(["(1, 'schema'), (2, 'read_side')", "(1, 'platform'), (2, 'files'), (3, 'emails'), (4, 'accounts')"])(
    "refuses a database of a pre-release with %s in one line, and changes nothing",
    (names) =>
      Effect.gen(function* () {
        const url = yield* emptyDatabase
        yield* execute(
          url,
          `do $$ begin
           create table schema_migrations (migration_id integer primary key, created_at timestamptz not null default now(), name text not null);
           insert into schema_migrations (migration_id, name) values ${names};
         end $$`,
        )
        const error = yield* Effect.flip(migrate({ url: Redacted.make(url) }))
        assert.instanceOf(error, DatabaseIncompatible)
        assert.strictEqual(
          error.message,
          "the database was created by a pre-release of this service and cannot be upgraded",
        )
        assert.deepStrictEqual(yield* textsOf(url, "select relname from pg_class where relname = 'organization'"), [])
      }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.live("reports a server that does not answer in one line", () =>
    Effect.gen(function* () {
      const url = `postgres://u:p@127.0.0.1:${yield* closedPort}/x`
      const error = yield* Effect.flip(migrate({ url: Redacted.make(url) }))
      assert.instanceOf(error, DatabaseUnavailable)
      assert.match(error.message, /^the schema could not be applied: .*ECONNREFUSED.*$/)
    }).pipe(Effect.provide(NodeServices.layer)),
  )
})

describe("connecting", () => {
  it.live("fails with one line when the server does not answer or the database does not exist", () =>
    Effect.gen(function* () {
      const { url } = inject("postgres")
      const cases = [
        [`postgres://u:p@127.0.0.1:${yield* closedPort}/x`, /ECONNREFUSED/],
        [atDatabase(url, "no_such_database"), /no_such_database/],
      ] as const
      for (const [address, reason] of cases) {
        const error = yield* Effect.flip(Effect.scoped(Layer.build(connect(address))))
        assert.instanceOf(error, DatabaseUnavailable)
        assert.match(error.message, reason)
        assert.notInclude(error.message, "\n")
      }
    }),
  )

  it.live("fails with a wrong address of the pooler's server or the replica, as with a wrong one of the database", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* freshDatabase)
      const wrong = Redacted.make(`${Redacted.value(url)}?sslmod=require`)
      for (const urls of [{ url: wrong }, { url, directUrl: wrong }, { url, replicaUrl: wrong }]) {
        const error = yield* Effect.flip(Effect.scoped(Layer.build(Database.layer({ ...urls, maxConnections: 2 }))))
        assert.instanceOf(error, DatabaseUnavailable)
        assert.match(error.message, /^the address of the database is wrong: .*sslmod/)
      }
    }),
  )

  // a pooler refuses parameters at the start of a connection, so this server, like one, gets none
  it.live("with DATABASE_DIRECT_URL sends no search_path and timeouts, and fails when the role has none", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* freshDatabase)
      const failure = (schema: string) =>
        Effect.map(
          Effect.flip(Effect.scoped(Layer.build(Database.layer({ url, directUrl: url, schema, maxConnections: 2 })))),
          ({ message }) => message,
        )
      assert.include(yield* failure("public"), "connections of the pooler have no statement_timeout, lock_timeout")
      assert.include(yield* failure("second"), "connections of the pooler use public instead of second")
    }),
  )

  it.live("with DATABASE_DIRECT_URL, names parameters in options of the address, which override the role", () =>
    Effect.gen(function* () {
      const direct = yield* freshDatabase
      const failure = (options: string) => {
        const url = Redacted.make(`${direct}?options=${encodeURIComponent(options)}`)
        const layer = Database.layer({ url, directUrl: Redacted.make(direct), maxConnections: 2 })
        return Effect.map(Effect.flip(Effect.scoped(Layer.build(layer))), ({ message }) => message)
      }
      assert.strictEqual(
        yield* failure("-c search_path=pg_catalog"),
        "connections of the pooler use pg_catalog instead of public: remove search_path from options in the address, and set DATABASE_SCHEMA",
      )
      assert.match(
        yield* failure("--statement-timeout=0 -c lock_timeout=9s"),
        /have no statement_timeout, idle_in_transaction_session_timeout: remove statement_timeout from options in the address; run alter role \S+ set idle_in_transaction_session_timeout = '15s'; then reconnect the pooler$/,
      )
    }),
  )

  it.live("gives a process whose machine's clock is wrong the database's time", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const hour = 3_600_000
      const machine = Clock.Clock.defaultValue()
      const wrong = { currentTimeMillisUnsafe: { value: () => Date.now() + hour } }
      const clock = new DatabaseClock(Object.create(machine, wrong) as Clock.Clock)
      yield* Effect.provideService(Layer.build(connect(url)), Clock.Clock, clock)
      assert.approximately(clock.difference, -hour, hour / 10)
    }).pipe(Effect.scoped),
  )

  it.live("answers a ping", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const exit = yield* Effect.flatMap(Database, ({ ping }) => Effect.exit(ping)).pipe(
        Effect.provide(connect(url), { local: true }),
      )
      assert.deepStrictEqual(exit, Exit.void)
    }),
  )
})

describe("a transaction", () => {
  it.live("keeps typed errors, makes database errors defects, and rolls back for both", () =>
    Effect.gen(function* () {
      const { client: sql, transaction } = yield* Database
      const insert = sql`insert into organization (name) values ('a')`
      const failed = yield* Effect.exit(transaction(Effect.andThen(insert, Effect.fail("mine"))))
      assert.deepStrictEqual(failed, Exit.fail("mine"))
      const died = yield* Effect.exit(transaction(Effect.andThen(insert, sql`select 1 / 0`)))
      assert.isTrue(Exit.isFailure(died) && Exit.hasDies(died))
      assert.deepStrictEqual(yield* sql`select count(*)::int as n from organization`, [{ n: 0 }])
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(freshDatabase, connect)), { local: true })),
  )
})

describe("isOutage", () => {
  it.live("is true for errors of a Postgres that fails over or is overloaded, and false for wrong statements", () =>
    Effect.gen(function* () {
      const { client: sql } = yield* Database
      const raised = (code: string) =>
        Effect.map(
          Effect.flip(sql.unsafe(`do $$ begin raise exception using errcode = '${code}', message = 'raised'; end $$`)),
          isOutage,
        )
      const outages = [
        ...["08000", "08006", "08P01", "25006", "25P03", "25P04", "28P01", "3D000", "40001", "40003", "40P01", "53000"],
        ...["53100", "53200", "53300", "53400", "55P03", "57014", "57P01", "57P02", "57P03", "57P04", "57P05"],
        ...["58000", "58030", "58P01", "58P03"],
      ]
      assert.deepStrictEqual(yield* Effect.forEach(outages, raised), Array<boolean>(outages.length).fill(true))
      const codes = ["22012", "23505", "25001", "25P02", "40002", "42601", "XX000", "XX001"]
      assert.deepStrictEqual(yield* Effect.forEach(codes, raised), Array<boolean>(codes.length).fill(false))
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(freshDatabase, connect)), { local: true })),
  )
})

describe("a connection", () => {
  it.live("is replaced after its server refused to write, also within a transaction", () =>
    Effect.gen(function* () {
      const { client: sql, transaction } = yield* Database
      const insert = Effect.orDie(sql`insert into organization (name) values ('a')`)
      for (const write of [insert, transaction(insert)]) {
        yield* sql`set default_transaction_read_only = on`
        const refused = yield* Effect.exit(write)
        assert.isTrue(
          Exit.isFailure(refused) && refused.cause.reasons.some((one) => "defect" in one && isOutage(one.defect)),
        )
        yield* write
      }
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(freshDatabase, connect)), { local: true })),
  )

  it.live("fails a statement that waits for a lock longer than lock_timeout", () =>
    Effect.gen(function* () {
      const { client: sql } = yield* Database
      assert.deepStrictEqual(yield* sql`show lock_timeout`, [{ lock_timeout: "5s" }])
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(freshDatabase, connect)), { local: true })),
  )
})
