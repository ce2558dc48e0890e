/** What migrations and commands do about an organization that is being moved, or was moved. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as State from "../../src/cells/MoveStateSql.ts"
import * as Tables from "../../src/cells/MoveTablesSql.ts"
import * as Triggers from "../../src/cells/MoveTriggersSql.ts"
import { migrate } from "../../src/migrate.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { MigrationRefused } from "../../src/platform/database/Migrations.ts"
import * as cli from "../support/cli.ts"
import { execute, textsOf, withMigration } from "../support/databases.ts"
import * as Scenario from "../support/Scenario.ts"
import { freshDatabase } from "../support/TestDatabase.ts"
import { inCell } from "../system/cells/stage.ts"

const isApplied = (url: string) =>
  Effect.map(textsOf(url, "select name from schema_migrations where migration_id = 99"), (found) => found.length > 0)

/** An organization that another cell has, before its rows are deleted here. */
const movedFrom = (url: string) =>
  inCell(url)(
    Effect.gen(function* () {
      const { id } = yield* Scenario.organization()
      const { sql } = yield* Database
      yield* Triggers.addGuards(sql, yield* Tables.tables(sql), id)
      yield* State.setState(sql, id, "moved")
      return id
    }),
  )

describe("migrate", () => {
  it.live("applies nothing while an organization is moved, in the source and in the target", () =>
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
          "organization 7 is being moved to or from this database: finish the move with organization move, or give it up with --undo; then apply the new migrations",
        )
        assert.isFalse(yield* isApplied(url))
        // a restart of the same version
        assert.deepStrictEqual(yield* apply(), [])
        yield* execute(url, "delete from organization_move")
      }
      yield* execute(url, "insert into organization_move (organization_id, state) values (7, 'moved'), (8, 'arrived')")
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
  it.live("that writes an organization which was moved prints one line", () =>
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
          "error: the organization is being moved to another cell, or was moved: try again in some seconds, or run the command in that cell\n",
        ],
      )
    }).pipe(Effect.scoped),
  )
})
