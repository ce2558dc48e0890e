/**
 * The order of events for readers with a cursor: they miss no event while others are published.
 *
 * Transaction 5 may commit after 6; a reader that has read 6 would miss 5. So an event is stored (`new_event_xid` in
 * sql/09_webhooks.sql) with
 *
 *     xid = offset + max(own transaction, newest transaction that had ended when the event was published)
 *
 * and read in the order (xid, seq), only while xid < offset + the oldest running transaction:
 * - No event is missed: nothing is added below the oldest running transaction. Rollbacks block nothing.
 * - An event published after another one was committed comes after it: its xid is not lower, and seq decides a tie. With only
 *   the transaction's own number, two events of a submission would be swapped when the later transaction began to write first
 *   and then waited for the row. Concurrent events have any order, the same for every reader.
 *
 * An open transaction that has written or locked anything, in any database of the server, delays events published after
 * it; the service cancels its own after 15 s.
 *
 * These servers may lack committed transactions: a server restored to an earlier moment or from a dump, a promoted asynchronous
 * standby, and a copy of an older disk. They assign the numbers of the lost transactions again, so new events would come before
 * the cursors of readers that have read the lost events. Such a server was started after the offset was set, or it is another
 * server: its start time differs. So the offset is stored with the start time of the server, and the first statement that
 * publishes an event on a server with another start time raises the offset (`continue_event_order` in sql/09_webhooks.sql).
 * Processes need no restart. An ordinary restart of the server raises the offset, too:
 * - New numbers begin at the database's clock, in microseconds since 1970. A server runs fewer than a million transactions a
 *   second, so numbers stay below the clock, and those after a raise are above all earlier ones, also above those of a lost
 *   server. If the clock is not above the stored numbers, new numbers begin 2^40 above these.
 * - After a start of the server, no transaction publishes with the earlier offset: each waits until the raise is committed. So
 *   readers miss nothing, although they may still see the earlier offset. When such a wait ends in a deadlock, Postgres aborts
 *   a transaction, and it is retried as usual.
 *
 * To raise the offset of a server that was not restarted, lock `event_order` in access exclusive mode: a publishing transaction
 * has read the table and holds the lock of readers until it ends, so no event with the earlier offset is committed after the
 * raise.
 *
 * With the timeline of the write-ahead log in each number, no state would be stored. But a copied disk keeps its timeline, and
 * a restored dump may get a lower one. Processes of the previous version also add the stored offset, so both versions can run
 * side by side.
 */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Fragments } from "../../platform/database/Sql.ts"

/** Events below are final: all are visible and none will be added. */
export const finalBelow = (sql: Fragments): Statement.Fragment =>
  sql.literal(`(
    select (xid_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 from event_order
  )`)

/** Raises the offset if the server was started again. Runs before a pod starts. */
export const continueOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select continue_event_order()`
}).pipe(Effect.withSpan("EventOrder.continueOrder"))
