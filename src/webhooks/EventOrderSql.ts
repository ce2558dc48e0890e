/**
 * The order of events for readers with a cursor, such that no reader misses an event while others are written.
 *
 * Numbers that are given at insert do not become visible in their order: the transaction with number 5 may commit after the one
 * with number 6, and a reader that has read 6 would never see 5. So an event is stored with
 *
 *     xid = offset + max(own transaction, newest transaction that had ended when the event was published)
 *
 * and read in the order (xid, seq), only while xid < offset + the oldest running transaction. Why this is correct:
 * - No event is missed: running and future transactions have numbers at or above the oldest running one, so nothing is added
 *   below it. Transactions that were rolled back block nothing.
 * - An event that is published after another one was committed comes after it: the other's transaction had ended, so the xid is
 *   not lower, and seq decides a tie. With the own number only, two events of a submission would be swapped when the later one's
 *   transaction began to write first and then waited for the row. Events of concurrent transactions have any order, the same for
 *   every reader.
 *
 * The cost is delay: an open transaction that has written or locked anything, in any database of the server, holds back events
 * published after it. Transactions that only read, such as pg_dump, do not. The service's own transactions are cancelled after
 * 15 s (Database.layer).
 *
 * The offset is for restores: a dump carries the stored numbers to a server whose own numbers may be lower. Old events would be
 * hidden for long, and new ones would come before a reader's cursor; see continueOrder.
 */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** Added to the highest stored number by continueOrder: more than the cursors that were returned after the dump. */
const leap = (2n ** 40n).toString()

/** The xid of events that this statement stores. */
export const nextXid = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`(
    select (xid_offset + greatest(
      pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1))::text::xid8
    from event_order
  )`)

/** Events with a lower xid are final: all are visible and none will be added. */
export const finalBelow = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`(
    select (xid_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 from event_order
  )`)

/** The highest stored xid; one index lookup per organization. */
const highest = `(
  select coalesce(max(newest.xid::text::bigint), 0)
  from organization o cross join lateral (
    select e.xid from webhook_event e where e.organization_id = o.id order by e.xid desc, e.seq desc limit 1
  ) newest
)`

/** True when stored numbers are not below this server's future transaction numbers. */
const isBehind = `${highest} >= xid_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`

/**
 * Raises the offset when the server's transaction numbers are below the stored ones, as after a restore. Runs at every start:
 * stop all pods before a restore and start them afterwards. Safe while other pods start or publish: the table lock waits for
 * open publishing transactions and blocks new ones until the offset is raised.
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
