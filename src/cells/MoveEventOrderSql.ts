/** The order of events of a moved organization (webhooks/events/EventOrderSql.ts). */
import { Effect } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import { brieflyAtMost } from "./MoveTablesSql.ts"

/** The number of the next event in a cell is at least this (webhooks/events/EventOrderSql.ts). */
const nextEvent = "(select xid_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1 from event_order)"

export const nextEventNumber = (sql: Client) =>
  Effect.flatMap(sql.unsafe<{ next: string }>(`select ${nextEvent}::text as next`), ([row]) =>
    Effect.fromNullishOr(row?.next).pipe(Effect.orDie),
  )

/**
 * Makes the target's next events come after the source's. A cursor may be above the source's newest event, so this compares
 * with `sourceNext`, not with stored events as `continue_event_order` does. Like that function, it continues with the clock, or
 * above `sourceNext` by 2^40 if the clock is not above it. For the lock see webhooks/events/EventOrderSql.ts: a
 * backup also holds it, and publishing waits behind this statement, so it gives up with a lock timeout.
 */
export const raiseEventOrder = Effect.fnUntraced(function* (target: Client, sourceNext: string) {
  const isBehind = `${nextEvent} <= ${BigInt(sourceNext)}`
  if ((yield* target.unsafe(`select where ${isBehind}`)).length === 0) return
  yield* brieflyAtMost(
    target,
    "lock table event_order in access exclusive mode",
    `update event_order set xid_offset = case when known.clock > known.used then known.clock
      else known.used + (1::bigint << 40) end - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as clock, ${BigInt(sourceNext)} as used) known
    where ${isBehind}`,
  )
})
