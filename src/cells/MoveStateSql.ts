/** The state of a move in the database of a cell, and the pause of writes (sql/11_cells.sql). */
import { Effect } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { run } from "./MoveTablesSql.ts"

export type MoveState = "copying" | "verifying" | "draining" | "paused" | "moved" | "arriving" | "arrived"

export interface Move {
  readonly state: MoveState
  readonly otherCell: number | null
  /** Whether the organization once came from another cell. */
  readonly hasArrived: boolean
  readonly hasEnded: boolean
}

/** Whether a move from this cell has begun. */
export const isBegun = (move: Move | undefined) =>
  move !== undefined && move.state !== "arrived" && move.state !== "arriving"

export const moveOf = (sql: Client, organization: OrganizationId) =>
  Effect.map(
    sql<Move>`
      select state, other_cell as "otherCell", arrived_at is not null as "hasArrived", ended_at is not null as "hasEnded"
      from organization_move where organization_id = ${organization}::int`,
    ([row]) => row,
  )

/** The states from which each state is reached while a move goes on; `begin`, `pause` and `leave` set the others. */
const former = {
  copying: ["verifying", "draining", "paused"],
  verifying: ["copying"],
  draining: ["verifying", "paused"],
  arrived: ["arriving"],
} satisfies Partial<Record<MoveState, ReadonlyArray<MoveState>>>

/** Sets the state. Returns false if the present state is not one from which that is reached: another command has changed it. */
export const setState = (sql: Client, organization: OrganizationId, state: keyof typeof former) =>
  Effect.map(
    sql`
      update organization_move set state = ${state}, arrived_at = case when ${state} = 'arrived' then now() else arrived_at end
      where organization_id = ${organization}::int and state = any(${former[state]})
      returning 1`,
    (rows) => rows.length > 0,
  )

/**
 * Begins a move, or begins it again: from then on, no migration is applied (platform/database/Migrations.ts, which locks the table).
 * Waits for one that is being applied. Returns false if the cell has another state by now than one from which a move begins.
 */
export const begin = (sql: Client, organization: OrganizationId, state: "copying" | "arriving", otherCell: number) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* run(sql, "lock table schema_migrations in share mode")
      const begun = yield* sql`
        insert into organization_move (organization_id, state, other_cell) values (${organization}::int, ${state}, ${otherCell}::int)
        on conflict (organization_id) do update set state = excluded.state, other_cell = excluded.other_cell, ended_at = null,
          started_at = case when organization_move.ended_at is null then organization_move.started_at else now() end
        where organization_move.state = any(${
          state === "copying" ? ["arrived", "copying", ...former.copying] : ["moved", "arriving"]
        })
        returning 1`
      return begun.length > 0
    }),
  )

/** The source has the organization again, after 'moved' and before 'arrived' in the target. */
export const comeBack = (sql: Client, organization: OrganizationId) =>
  sql`
    update organization_move set state = 'copying', moved_at = null, ended_at = null
    where organization_id = ${organization}::int and state = 'moved'`

/** Sets 'moved' without a switch: the rows here are an old copy. `otherCell` has the organization. */
export const discard = (sql: Client, organization: OrganizationId, otherCell: number) =>
  sql.withTransaction(
    Effect.andThen(
      lockWriters(sql, organization),
      sql`
        insert into organization_move (organization_id, state, moved_at, other_cell)
        values (${organization}::int, 'moved', now(), ${otherCell}::int)
        on conflict (organization_id) do update set state = 'moved', moved_at = now(), ended_at = null, other_cell = excluded.other_cell`,
    ),
  )

/** Restores the state before the move: 'arrived' if the organization came from another cell, otherwise no row. */
export const forget = (sql: Client, organization: OrganizationId) =>
  sql.withTransaction(
    Effect.andThen(
      sql`
        update organization_move set state = 'arrived', ended_at = now()
        where organization_id = ${organization}::int and state <> 'arriving' and arrived_at is not null`,
      sql`delete from organization_move where organization_id = ${organization}::int and state <> 'arrived'`,
    ),
  )

/** The move is no longer open. */
export const end = (sql: Client, organization: OrganizationId) =>
  sql`
    update organization_move set ended_at = now()
    where organization_id = ${organization}::int and state in ('moved', 'arrived') and ended_at is null`

/**
 * Takes the lock of moves in the cell, until the scope closes. The lock is that of a session, so it ends with the process. Returns
 * an effect that fails when the session has ended, or undefined if another process has the lock.
 */
export const lock = Effect.fnUntraced(function* (sql: Client) {
  const connection = yield* sql.reserve
  const key = "hashtextextended(current_schema() || ' organization move', 0)"
  const query = (statement: string) => connection.executeUnprepared(statement, [], undefined)
  const [row] = yield* query(`select pg_try_advisory_lock(${key}) as locked`)
  if (!row?.locked) return undefined
  yield* Effect.addFinalizer(() => Effect.ignore(query(`select pg_advisory_unlock(${key})`)))
  return query("select")
})

/** Waits until the transactions of all current writers have ended. Later writers wait until this transaction has ended. */
const lockWriters = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  yield* run(sql, "set local lock_timeout = '2s'")
  yield* sql`select pg_advisory_xact_lock(moving_organization_lock(), ${organization}::int)`
})

/**
 * Refuses writes for `seconds` at most. Returns false if the state was not 'draining'. Fails with a lock timeout when a writer's
 * transaction does not end in 2 seconds.
 */
export const pause = (sql: Client, organization: OrganizationId, seconds: number) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* lockWriters(sql, organization)
      const paused = yield* sql`
        update organization_move set state = 'paused', paused_until = clock_timestamp() + make_interval(secs => ${seconds})
        where organization_id = ${organization}::int and state = 'draining'
        returning 1`
      return paused.length > 0
    }),
  )

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
