/** Installations that share a database, each in its own schema. */
import { randomBytes } from "node:crypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Queue, Redacted } from "effect"
import { InviteRepository } from "../../../src/invitations/InviteRepository.ts"
import { migrate } from "../../../src/migrate.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import { QueueStatistics } from "../../../src/platform/queue/QueueStatistics.ts"
import { emptyDatabase } from "../../support/cli.ts"
import { execute, schemaFiles, textsOf } from "../../support/databases.ts"
import * as Pod from "../../support/Pod.ts"
import * as Scenario from "../../support/Scenario.ts"

const optionsOf = (url: string, schema: string) => ({ url: Redacted.make(url), schema })

const installation = (url: string, schema: string) =>
  Layer.build(
    Pod.services().pipe(
      Layer.provideMerge(QueueStatistics.layer),
      Layer.provideMerge(QueueNotifier.layer),
      Layer.provideMerge(Database.layer({ ...optionsOf(url, schema), maxConnections: 4 })),
    ),
  )

const twoSchemas = Effect.gen(function* () {
  const url = yield* emptyDatabase
  const starts = ["first", "second", "first", "second", "first"].map((schema) => migrate(optionsOf(url, schema)))
  const applied = yield* Effect.all(starts, { concurrency: "unbounded" })
  assert.deepStrictEqual(yield* migrate(optionsOf(url, "second")), [])
  return { url, applied: applied.flat().sort() }
}).pipe(Effect.provide(NodeServices.layer))

describe("DATABASE_SCHEMA", () => {
  it.live("is created with all tables by one of the pods that start together, beside other schemas", () =>
    Effect.gen(function* () {
      const { applied, url } = yield* twoSchemas
      assert.deepStrictEqual(applied, [...schemaFiles, ...schemaFiles].sort())
      const namesIn = (schema: string) =>
        textsOf(url, `select relname from pg_class where relnamespace = '${schema}'::regnamespace order by 1`)
      const names = yield* namesIn("first")
      assert.include(names, "schema_migrations")
      assert.deepStrictEqual(yield* namesIn("second"), names)
      assert.deepStrictEqual(yield* namesIn("public"), [])
    }).pipe(Effect.scoped),
  )

  it.live("is not created by a role without the right; the error says what to run", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const role = `interview_role_${randomBytes(6).toString("hex")}`
      yield* Effect.acquireRelease(execute(url, `create role ${role} login password 'secret'`), () =>
        Effect.orDie(Effect.andThen(execute(url, `drop owned by ${role} cascade`), execute(url, `drop role ${role}`))),
      )
      const options = optionsOf(Object.assign(new URL(url), { username: role, password: "secret" }).href, "first")
      const error = yield* Effect.flip(migrate(options))
      assert.include(
        error.message,
        'the role may not create the schema "first": let an administrator run create schema',
      )
      yield* execute(url, `create schema first authorization ${role}`)
      assert.deepStrictEqual(yield* migrate(options), schemaFiles)
    }).pipe(Effect.provide(NodeServices.layer), Effect.scoped),
  )

  it.live("has its own organizations, locks and counts of connections", () =>
    Effect.gen(function* () {
      const { url } = yield* twoSchemas
      const first = yield* installation(url, "first")
      const second = yield* installation(url, "second")
      const acme = yield* Effect.provide(Scenario.organization(), first)
      const other = yield* Effect.provide(Scenario.organization(), second)
      assert.strictEqual(other.id, acme.id)

      // an invitation that holds the lock of the first organization
      const [locked, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.gen(function* () {
        const { transaction } = yield* Database
        const { begin } = yield* InviteRepository
        yield* transaction(
          begin(acme.id, { set: acme.set.id, project: undefined, jobPost: undefined }).pipe(
            Effect.andThen(Deferred.succeed(locked, undefined)),
            Effect.andThen(Deferred.await(finish)),
          ),
        )
      }).pipe(Effect.provide(first), Effect.forkScoped)
      yield* Deferred.await(locked)
      yield* Effect.provide(Scenario.invited(other), second)
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(holder)

      const emails = (schema: string) => textsOf(url, `select count(*)::text from ${schema}.email`)
      assert.deepStrictEqual([yield* emails("first"), yield* emails("second")], [["0"], ["1"]])

      yield* Effect.gen(function* () {
        const own = "select count(*)::text from pg_stat_activity where application_name = 'interview-invitations_first'"
        const isCounted = Effect.gen(function* () {
          const { connections } = yield* (yield* QueueStatistics).read
          const { active, idle, in_transaction } = connections
          return (yield* textsOf(url, own)).includes(String(active + idle + in_transaction))
        })
        // the pool may open a connection between the two counts
        assert.isTrue(yield* Effect.repeat(isCounted, { until: (so) => so, times: 20 }))
      }).pipe(Effect.provide(first))
    }).pipe(Effect.scoped),
  )

  it.live(
    "is part of the name of the channel that wakes workers, also for triggers in a session with another search_path",
    () =>
      Effect.gen(function* () {
        const { url } = yield* twoSchemas
        const first = yield* installation(url, "first")
        yield* Effect.gen(function* () {
          const sql = yield* PgClient.PgClient
          const ofFirst = yield* sql.listen("interview_invitations_due_first")
          const ofSecond = yield* sql.listen("interview_invitations_due_second")
          yield* Effect.provide(
            Effect.flatMap(QueueNotifier, ({ wake }) => wake("email")),
            first,
          )
          assert.strictEqual((yield* Queue.take(ofFirst)).payload, "email")
          yield* execute(url, "select first.notify_of_due('ats_report')")
          assert.strictEqual((yield* Queue.take(ofFirst)).payload, "ats_report")
          // Postgres delivers in the order of commits, so nothing of the first came here
          yield* execute(url, "select second.notify_of_due('last')")
          assert.strictEqual((yield* Queue.take(ofSecond)).payload, "last")
        }).pipe(
          Effect.scoped,
          Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 3 }), { local: true }),
        )
      }).pipe(Effect.scoped),
  )

  it.live("is the search_path of its functions", () =>
    Effect.gen(function* () {
      const { url } = yield* twoSchemas
      const functions = yield* textsOf(
        url,
        // immutable functions and set_updated_at name no table
        `select proname from pg_proc where pronamespace = 'second'::regnamespace and provolatile <> 'i'
           and proname <> 'set_updated_at' and 'search_path=second' <> all(coalesce(proconfig, '{}'))`,
      )
      assert.deepStrictEqual(functions, [])
    }).pipe(Effect.scoped),
  )
})
