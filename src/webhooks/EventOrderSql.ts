/**
 * The order of events for readers with a cursor: none is missed while others are written.
 *
 * Transaction 5 may commit after 6; a reader that has read 6 would miss 5. So an event is stored (`publish_events` in
 * sql/31_publish_and_invite.sql) with
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
 * A server that lost committed transactions gives their numbers again, below the cursors of readers that have read the lost
 * events: a server restored to an earlier moment, an asynchronous standby that was promoted, a copy of an older disk, a
 * server that a dump was restored on. Each of these was started after the offset was set, or is another server. So the offset
 * is stored with the start of the server, and the first statement that publishes an event on a server with another start
 * raises it (`continue_event_order` in sql/28_event_order.sql), also while processes stay up. An ordinary restart raises
 * it, too:
 * - New numbers begin at the database's clock, in microseconds since 1970. A server runs fewer than a million transactions a
 *   second, so numbers stay below the clock, and a raise exceeds every number given before, here or on a server that is
 *   lost. If the clock is not above the stored numbers, the raise is a leap of 2^40 above those.
 * - No transaction publishes with an earlier offset on a started server: until the raise is committed, each one waits for
 *   it. So readers, which may still see the earlier offset, miss nothing. Transactions that deadlock then are aborted as ever,
 *   and retried.
 *
 * To raise the offset of a server that has not restarted, lock `event_order` in access exclusive mode: a transaction that
 * publishes holds the lock of its readers until it ends, so no event with the earlier offset is committed after the raise.
 *
 * The timeline of the write-ahead log as a part of each number would need no stored state, but a copied disk keeps it and a
 * dump can lower it. Processes of the previous version add the stored offset, too, so both versions can run side by side.
 */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** Events below are final: all are visible and none will be added. */
export const finalBelow = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`(
    select (xid_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 from event_order
  )`)

/** Raises the offset on a server with another start, before a pod starts. */
export const continueOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select continue_event_order()`
}).pipe(Effect.withSpan("EventOrder.continueOrder"))
