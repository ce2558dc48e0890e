/** The state of a move in the database of a cell, and the pause of writes (sql/30_cells.sql). */
import { Effect } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { run } from "./MoveTablesSql.ts"

export type MoveState = "copying" | "verifying" | "draining" | "paused" | "moved" | "arriving" | "arrived"

export const stateOf = (sql: Client, organization: OrganizationId) =>
  Effect.map(
    sql<{ state: MoveState }>`select state from organization_move where organization_id = ${organization}::int`,
    ([row]) => row?.state,
  )

export const setState = (sql: Client, organization: OrganizationId, state: MoveState) =>
  sql`
    insert into organization_move (organization_id, state) values (${organization}::int, ${state})
    on conflict (organization_id) do update set state = excluded.state,
      started_at = case when excluded.state in ('copying', 'arriving') then now() else organization_move.started_at end,
      arrived_at = case when excluded.state = 'arrived' then now() else organization_move.arrived_at end`

/**
 * Begins a move: from then on, no migration is applied (platform/database/Migrations.ts, which locks the table). Waits for one that
 * is being applied.
 */
export const begin = (sql: Client, organization: OrganizationId, state: "copying" | "arriving") =>
  sql.withTransaction(
    Effect.andThen(run(sql, "lock table schema_migrations in share mode"), setState(sql, organization, state)),
  )

/** Restores the state before the move: 'arrived' if the organization came from another cell, otherwise no row. */
export const forget = (sql: Client, organization: OrganizationId) =>
  sql.withTransaction(
    Effect.andThen(
      sql`
        update organization_move set state = 'arrived'
        where organization_id = ${organization}::int and state <> 'arriving' and arrived_at is not null`,
      sql`delete from organization_move where organization_id = ${organization}::int and state <> 'arrived'`,
    ),
  )

/** Waits until the transactions of all current writers have ended. Later writers wait until this transaction has ended. */
const lockWriters = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  yield* run(sql, "set local lock_timeout = '2s'")
  yield* sql`select pg_advisory_xact_lock(moving_organization_lock(), ${organization}::int)`
})

/** Refuses writes for `seconds` at most. Fails with a lock timeout when a writer's transaction does not end in 2 seconds. */
export const pause = (sql: Client, organization: OrganizationId, seconds: number) =>
  sql.withTransaction(
    Effect.andThen(
      lockWriters(sql, organization),
      sql`
        update organization_move set state = 'paused', paused_until = clock_timestamp() + make_interval(secs => ${seconds})
        where organization_id = ${organization}::int`,
    ),
  )

/** Ends a pause without a switch. */
export const resume = (sql: Client, organization: OrganizationId) =>
  sql`update organization_move set state = 'draining' where organization_id = ${organization}::int and state = 'paused'`

/** Sets the source's state 'moved'. Returns false when the pause was over already, so that rows may have changed. */
export const leave = (sql: Client, organization: OrganizationId) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* lockWriters(sql, organization)
      const left = yield* sql`
        update organization_move set state = 'moved', moved_at = now()
        where organization_id = ${organization}::int and state = 'paused' and clock_timestamp() < paused_until
        returning 1`
      return left.length > 0
    }),
  )

export const clearChanges = (sql: Client) => run(sql, "delete from organization_move_change")

/** Keys of the rows that changed since the state 'verifying', by table. */
export const changes = (sql: Client) =>
  Effect.map(
    sql<{ table_name: string; keys: ReadonlyArray<string> }>`
      select table_name, jsonb_agg(distinct key) as keys from organization_move_change group by table_name`,
    (rows) => new Map(rows.map(({ keys, table_name }) => [table_name, keys])),
  )
