/** Which tables a move copies. A migration that adds a table must decide it, here or by a column `organization_id`. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Checks from "../../src/cells/MoveChecksSql.ts"
import * as Tables from "../../src/cells/MoveTablesSql.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** Tables whose rows stay in the cell when an organization moves, with the reason. */
const staying: Record<string, string> = {
  blob_sweep: "the position of a sweep through all files of the cell",
  cell: "the number of the cell",
  event_order: "the offset of the cell's order of events, which a move raises in the target",
  language: "the same rows in each cell, inserted by a migration",
  organization_move: "the moves of the cell",
  organization_move_change: "the changes during a move",
  schema_migrations: "the migrations of the database, which a move compares",
  secret_key: "fingerprints of the SECRET_KEY of the cell's pods, which a move compares",
  sign_in_attempt: "failed sign-ins of clients and addresses, whose member is unknown",
  worker_process: "the processes of the cell",
  queue_pause: "the queues that are stopped in the cell",
  queue_hour: "counts of the cell's attempts",
  periodic_step: "the steps of the cell's processes",
}

/** Tables whose unique values never occur in two organizations, with the reason. */
const withoutCollision: Record<string, string> = {
  email_event: "ids of reports, which a cell stores only about its own emails",
  guest: "hashes of random tokens",
  organization: "test spaces, which are not moved",
  passkey: "random ids, of 16 bytes or more, that authenticators choose",
  password_link: "hashes of random tokens",
  session: "hashes of random tokens",
  webhook_delivery_history: "numbers of deliveries, which are of the cell's range",
}

layer(TestDatabase.layer)("a table of the schema", (it) => {
  it.effect("is moved with its organization, or is listed as staying in the cell", () =>
    Effect.gen(function* () {
      const { client: sql } = yield* Database
      const all = yield* sql<{ name: string }>`
        select relname as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'f', 'm') and not relispartition`
      const moved = [...(yield* Tables.tables(sql)).map(({ name }) => name), ...Tables.endpointTables]
      assert.deepStrictEqual(all.map(({ name }) => name).sort(), [...moved, ...Object.keys(staying)].sort())
    }),
  )

  it.effect("that is moved has a primary key, and no row without an organization", () =>
    Effect.gen(function* () {
      const { client: sql } = yield* Database
      const tables = (yield* Tables.tables(sql)).filter(({ name }) => name !== "organization")
      assert.deepStrictEqual(
        tables.filter(({ keys }) => keys === null).map(({ name }) => name),
        [],
      )
      const columns = yield* sql<{ name: string }>`
        select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and a.attname = 'organization_id' and a.attnotnull and a.atttypid = 'integer'::regtype
          and c.relname <> 'organization_move'
        order by c.relname`
      assert.deepStrictEqual(
        columns.map(({ name }) => name),
        tables.map(({ name }) => name),
      )
    }),
  )

  it.effect("that is moved has only unique values that a move compares or that cannot collide", () =>
    Effect.gen(function* () {
      const { client: sql } = yield* Database
      const names = (yield* Tables.tables(sql)).map(({ name }) => name)
      // numbers are of the cell's range, and UUIDs are random
      const found = yield* sql<{ name: string }>`
        select distinct c.relname as name from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace = current_schema()::regnamespace and c.relname = any(${names}) and i.indisunique
          and not exists (
            select from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey)
              and (a.attname = 'organization_id' or a.atttypid = 'uuid'::regtype or a.attidentity <> ''))
        order by c.relname`
      const compared = Checks.uniqueValues.map(({ table }) => table)
      assert.deepStrictEqual(
        found.map(({ name }) => name),
        [...compared, ...Object.keys(withoutCollision)].sort(),
      )
    }),
  )
})
