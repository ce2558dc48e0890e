/**
 * The order in which events are read, so that a reader with a cursor follows while others write, and misses none.
 *
 * Numbers that are given at insert do not become visible in their order: a transaction that took 5 may commit after one
 * that took 6, and a reader that went on behind 6 would never see 5. So an event is stored with
 *
 *     xid = offset + max(own transaction, newest transaction that had ended when the event was published)
 *
 * and read in the order (xid, seq), only while xid < offset + the oldest transaction that still runs. Why it holds:
 * - Nothing is missed. Whoever still runs, or has yet to begin, has a number at or above the oldest that runs, and so has
 *   all that it stores: below that line nothing is added any more, and what was rolled back blocks nothing.
 * - What follows comes later. An event that is published after another was committed stands behind it: the other's
 *   transaction had ended, so the xid is no lower, and seq decides a tie. The own number alone would turn two events of a
 *   submission around when the later one's transaction had begun to write first and then waited for the row. Events of
 *   transactions that did not wait for each other stand in either order, the same for every reader.
 *
 * The price is delay, never loss: a transaction that has written or locked anything and stays open, in any database of the
 * server, holds back what is published after it until it ends. Those that only read, as pg_dump does, hold back nothing.
 * The service's own are cut off when they hang or idle for 15 s (Database.layer).
 *
 * The offset is for restores: a dump carries the stored numbers to a server whose own may be lower. Then old events would
 * be hidden for a long time, and new ones would stand before a reader's cursor; see continueOrder.
 */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** How far the offset is raised above the highest number stored: beyond cursors that were given out after the dump. */
const leap = (2n ** 40n).toString()

/** The xid of events that are stored by this statement. */
export const nextXid = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`(
    select (xid_offset + greatest(
      pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1))::text::xid8
    from event_order
  )`)

/** Events with a lower xid are final: none will be added, and each is visible. */
export const finalBelow = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`(
    select (xid_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 from event_order
  )`)

/** The highest xid stored; one step down the index for each organization. */
const highest = `(
  select coalesce(max(newest.xid::text::bigint), 0)
  from organization o cross join lateral (
    select e.xid from webhook_event e where e.organization_id = o.id order by e.xid desc, e.seq desc limit 1
  ) newest
)`

/** True when what is stored stands where this server's own transactions have yet to come. */
const isBehind = `${highest} >= xid_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`

/**
 * Goes on behind the highest stored xid when the server's transactions count from lower on, which is what a restored dump
 * looks like; otherwise changes nothing. Run at every start: stop all pods before a restore and start them afterwards.
 * Safe beside pods that start or write at the same time: raising waits for whoever has published, holds back who is about
 * to, and these take their number after it. Raised twice, it is only farther on.
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
