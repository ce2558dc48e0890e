/** What migrations and commands do while an organization is being moved, and after it was moved. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { raiseEventOrder } from "../../src/cells/MoveEventOrderSql.ts"
import * as State from "../../src/cells/MoveStateSql.ts"
import * as Tables from "../../src/cells/MoveTablesSql.ts"
import * as Triggers from "../../src/cells/MoveTriggersSql.ts"
import { migrate } from "../../src/migrate.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { MigrationRefused } from "../../src/platform/database/Migrations.ts"
import { postfix } from "../support/bounces.ts"
import * as cli from "../support/cli.ts"
import { execute, textsOf, withMigration } from "../support/databases.ts"
import { setMoveState } from "../support/MoveState.ts"
import * as Scenario from "../support/Scenario.ts"
import { freshDatabase } from "../support/TestDatabase.ts"
import { inCell } from "../system/cells/stage.ts"
import { until } from "../system/faults/stage.ts"

const isApplied = (url: string) =>
  Effect.map(textsOf(url, "select name from schema_migrations where migration_id = 99"), (found) => found.length > 0)

/** An organization that another cell has, before its rows are deleted here. */
const movedFrom = (url: string) =>
  inCell(url)(
    Effect.gen(function* () {
      const { id } = yield* Scenario.organization()
      const { client: sql } = yield* Database
      yield* Triggers.addGuards(sql, yield* Tables.tables(sql), id)
      yield* setMoveState(sql, id, "moved")
      return id
    }),
  )

describe("migrate", () => {
  it.live("applies nothing while an organization is being moved, in the source and in the target", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const apply = (directory?: URL) => migrate({ url: Redacted.make(url) }, directory)
      const directory = yield* withMigration("create table later (id integer)")
      for (const state of ["copying", "paused", "arriving"]) {
        yield* execute(url, `insert into organization_move (organization_id, state) values (7, '${state}')`)
        const error = yield* Effect.flip(apply(directory))
        assert.instanceOf(error, MigrationRefused)
        assert.strictEqual(
          error.message,
          "organization 7 is being moved to or from this database: complete the move with organization move, or undo it with --undo; then apply the new migrations",
        )
        assert.isFalse(yield* isApplied(url))
        // a restart of the same version
        assert.deepStrictEqual(yield* apply(), [])
        yield* execute(url, "delete from organization_move")
      }
      yield* execute(
        url,
        "insert into organization_move (organization_id, state, ended_at) values (7, 'moved', now()), (8, 'arrived', now())",
      )
      assert.deepStrictEqual(yield* apply(directory), ["99_test"])
    }).pipe(Effect.provide(NodeServices.layer), Effect.scoped),
  )

  it.live("reports in one line that a move must be finished before a migration writes its rows", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const directory = yield* withMigration("update interview_set set title = title")
      yield* movedFrom(url)
      const error = yield* Effect.flip(migrate({ url: Redacted.make(url) }, directory))
      assert.instanceOf(error, MigrationRefused)
      assert.match(
        error.message,
        /^a migration writes rows of an organization that was moved .* --finish, and try again$/,
      )
      assert.isFalse(yield* isApplied(url))
    }).pipe(Effect.provide(NodeServices.layer), Effect.scoped),
  )
})

describe("a command", () => {
  it.live("that writes to an organization that was moved fails with one line", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const organization = yield* movedFrom(url)
      const { code, stderr, stdout } = yield* cli.run(
        { DATABASE_URL: url, SECRET_KEY: cli.secretKey },
        ...["key", "create", "--organization", String(organization)],
      )
      assert.deepStrictEqual(
        [code, stdout, stderr],
        [
          1,
          "",
          "error: the organization is being moved to another cell, or was moved: try again in a few seconds, or run the command in that cell\n",
        ],
      )
    }).pipe(Effect.scoped),
  )
})

describe("a move", () => {
  it.live("begins when a migration that is being applied has ended", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* inCell(url)(
        Effect.gen(function* () {
          const { id } = yield* Scenario.organization()
          const { client: sql, transaction } = yield* Database
          const [locked, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          // as the migrator does
          yield* transaction(
            sql`lock table schema_migrations in access exclusive mode`.pipe(
              Effect.andThen(Deferred.succeed(locked, undefined)),
              Effect.andThen(Deferred.await(finish)),
            ),
          ).pipe(Effect.forkScoped)
          yield* Deferred.await(locked)
          const begun = yield* Effect.forkScoped(State.begin(sql, id, "copying", 1))
          const waiting =
            "select pid::text from pg_locks where relation = 'schema_migrations'::regclass and not granted"
          yield* until(
            "the move waits",
            Effect.map(textsOf(url, waiting), (pids) => pids.length > 0),
          )
          assert.isUndefined(yield* State.moveOf(sql, id))
          yield* Deferred.succeed(finish, undefined)
          yield* Fiber.join(begun)
          assert.strictEqual((yield* State.moveOf(sql, id))?.state, "copying")
        }),
      )
    }).pipe(Effect.scoped),
  )
})

describe("the order of events", () => {
  it.live("is raised while a backup has locked its table, without keeping others waiting", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const order = textsOf(url, "select xid_offset::text from event_order")
      const [before] = yield* order
      yield* inCell(url)(
        Effect.gen(function* () {
          const { client: sql, transaction } = yield* Database
          const [locked, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          yield* transaction(
            sql`lock table event_order in access share mode`.pipe(
              Effect.andThen(Deferred.succeed(locked, undefined)),
              Effect.andThen(Deferred.await(finish)),
            ),
          ).pipe(Effect.forkScoped)
          yield* Deferred.await(locked)
          const raised = yield* Effect.forkScoped(raiseEventOrder(sql, String(2n ** 60n)))
          yield* until(
            "the raise waits",
            Effect.map(
              textsOf(url, "select pid::text from pg_locks where relation = 'event_order'::regclass and not granted"),
              (pids) => pids.length > 0,
            ),
          )
          assert.deepStrictEqual(yield* order, [before])
          yield* Deferred.succeed(finish, undefined)
          yield* Fiber.join(raised)
          assert.notDeepEqual(yield* order, [before])
        }),
      )
    }).pipe(Effect.scoped),
  )
})

describe("email bounce", () => {
  it.live("exits with 75 until the organization has arrived, so that the mail server tries again", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const { id, organization } = yield* inCell(url)(
        Effect.gen(function* () {
          const { organization } = yield* Scenario.invited(yield* Scenario.organization())
          const { client: sql } = yield* Database
          const [email] = yield* sql<{ id: string }>`select id from email`
          yield* Triggers.addGuards(sql, yield* Tables.tables(sql), organization)
          return { id: email?.id ?? assert.fail("no email"), organization }
        }),
      )
      const bounce = cli.pipe({ DATABASE_URL: url }, postfix({ id }), "email", "bounce")
      yield* execute(url, `insert into organization_move (organization_id, state) values (${organization}, 'arriving')`)
      const refused = yield* bounce
      assert.deepStrictEqual([refused.code, refused.stdout], [75, ""])
      assert.match(refused.stderr, /^error: the organization is being moved [^\n]*\n$/)
      yield* execute(url, "update organization_move set state = 'arrived'")
      assert.strictEqual((yield* bounce).code, 0)
      assert.deepStrictEqual(yield* textsOf(url, "select kind from email_event"), ["bounce"])
    }).pipe(Effect.scoped),
  )
})
