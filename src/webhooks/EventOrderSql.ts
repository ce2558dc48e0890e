/**
 * The order of events for readers with a cursor: none is missed while others are written.
 *
 * Transaction 5 may commit after 6; a reader that has read 6 would miss 5. So an event is stored with
 *
 *     xid = offset + max(own transaction, newest transaction that had ended when the event was published)
 *
 * and read in the order (xid, seq), only while xid < offset + the oldest running transaction:
 * - No event is missed: nothing is added below the oldest running transaction. Rollbacks block nothing.
 * - An event published after another one was committed comes after it: its xid is not lower, and seq decides a tie. With the own
 *   number only, two events of a submission are swapped when the later transaction began to write first and then waited for the
 *   row. Concurrent events have any order, the same for every reader.
 *
 * An open transaction that has written or locked anything, in any database of the server, delays events published after
 * it; the service cancels its own after 15 s.
 *
 * The offset is for restores: a server with lower numbers than the stored ones would hide old events and put new ones
 * before a reader's cursor.
 */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** Above every cursor returned after the dump. */
const leap = (2n ** 40n).toString()

export const nextXid = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`(
    select (xid_offset + greatest(
      pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1))::text::xid8
    from event_order
  )`)

/** Events below are final: all are visible and none will be added. */
export const finalBelow = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`(
    select (xid_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 from event_order
  )`)

const highest = `(
  select coalesce(max(newest.xid::text::bigint), 0)
  from organization o cross join lateral (
    select e.xid from webhook_event e where e.organization_id = o.id order by e.xid desc, e.seq desc limit 1
  ) newest
)`

/** Stored numbers are not below this server's future transaction numbers. */
const isBehind = `${highest} >= xid_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`

/**
 * Raises the offset after a restore. Runs when a pod starts, so stop all pods before a restore. The table lock excludes
 * publishing transactions.
 */
export const continueOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from event_order where ${sql.literal(isBehind)}`
  if (found.length === 0) return
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`lock table webhook_event in share row exclusive mode`
      yield* sql`update event_order set xid_offset = ${sql.literal(`${highest} + ${leap}`)}`
    }),
  )
}).pipe(Effect.withSpan("EventOrder.continueOrder"))
