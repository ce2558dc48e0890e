/**
 * Which due deliveries a claim takes. Of each endpoint no more than its entry in `held` leaves, or `most` where it has none:
 * its places, and as many again that may wait in the pod for an endpoint that is quick. Whoever holds least comes first, so
 * that slow endpoints with a long backlog leave the next free place to the others; first attempts and retries take turns,
 * so that a storm of either leaves half to the other.
 */

import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import type { Statement } from "effect/sql"
import { recordset } from "../platform/database/Database.ts"
import type { EndpointId } from "../values/Ids.ts"

/** Endpoints that one walk visits: ten milliseconds of work for the database, however many there are. */
const walkMost = 500
/** Rows that a look at either end of a lane sees. */
const endMost = 200
const noEndpoint = "00000000-0000-0000-0000-000000000000"
/** After endpoints were visited in vain, the next walk waits so many times what that took. */
const rest = 9n

/** Endpoints that have deliveries in this pod, claimed and not ended: how many, and the most that this may be. */
export type Held = ReadonlyMap<EndpointId, { readonly count: number; readonly max: number }>

/** How many more may be claimed of an endpoint. */
export const roomOf = (held: Held, endpoint: EndpointId, most: number): number => {
  const entry = held.get(endpoint)
  return entry === undefined ? most : entry.max - entry.count
}

/** Locks the ids of `due` rows (id, endpoint_id, due_at, lane) that fit. */
export const fitting = (
  sql: PgClient.PgClient,
  due: Statement.Fragment,
  held: Held,
  { limit, most }: { readonly limit: number; readonly most: number },
  now: Statement.Fragment,
): Statement.Fragment => {
  const entries = [...held].map(([held_id, { count, max }]) => ({ held_id, count, held_most: max }))
  // due_at is asked again of the locked row, which another worker may have claimed since it was seen. `is true`: as a
  // condition of an index, a planner that expects little to be due reads all that is, 300 ms with 200,000 rows
  return sql`
    select d.id from webhook_delivery d where (d.due_at <= ${now}) is true and d.id = any(array(
      select id from (
        select id, lane, row_number() over (partition by lane order by share, due_at, id) as turn from (
          select own.*, own.place + coalesce(r.count, 0) as share, coalesce(r.held_most, ${most}::int) as most from (
            select *, row_number() over (partition by endpoint_id order by turn, lane) as place from (
              select *, row_number() over (partition by endpoint_id, lane order by due_at, id) as turn
              from (${due}) due
            ) lanes
          ) own left join ${recordset(sql, entries, "held_id uuid, count int, held_most int")} on r.held_id = own.endpoint_id
        ) shares where share <= most
      ) t order by turn, lane limit ${limit}::int
    )) for update skip locked`
}

/** The rows that are due longest, or shortest, so many of each lane. */
export const inLanes = (
  sql: PgClient.PgClient,
  limit: number,
  now: Statement.Fragment,
  end: "longest" | "shortest",
): Statement.Fragment => {
  const lane = (number: 0 | 1) => sql`(
    select id, endpoint_id, due_at, ${sql.literal(String(number))} as lane from webhook_delivery
    where due_at is not null and least(attempts, 1) = ${sql.literal(String(number))} and due_at <= ${now}
    order by due_at ${sql.literal(end === "longest" ? "" : "desc")} limit ${limit}::int)`
  return sql`${lane(0)} union all ${lane(1)}`
}

/**
 * A few rows that are due longest and a few that have just fallen due: what is full has its backlog before those, and what
 * happens now is found at once, wherever a walk may be.
 */
export const fromBothEnds = (sql: PgClient.PgClient, now: Statement.Fragment): Statement.Fragment =>
  sql`${inLanes(sql, endMost, now, "longest")} union ${inLanes(sql, endMost, now, "shortest")}`

/** Of each of these endpoints the rows that are due longest. */
export const ofEndpoints = (
  sql: PgClient.PgClient,
  endpoints: ReadonlyArray<EndpointId>,
  most: number,
  now: Statement.Fragment,
): Statement.Fragment => sql`
  select d.id, d.endpoint_id, d.due_at, least(d.attempts, 1) as lane
  from unnest(${[...endpoints]}::uuid[]) as w(endpoint_id) cross join lateral (
    select * from webhook_delivery d where d.endpoint_id = w.endpoint_id and d.due_at is not null and d.due_at <= ${now}
    order by d.due_at limit ${most}::int
  ) d`

/**
 * A walk over the endpoints that have anything in the queue, some at a time and on from there at the next call: finds those
 * with something due, but for those that `isFull`. After a piece in vain, calls find nothing for a while.
 */
export const makeWalk = (sql: PgClient.PgClient) => {
  let after = noEndpoint
  let restsUntil = 0n
  // the first in order, not whether there is any: for that, a planner that takes the endpoint for all of the table reads all
  const piece = Effect.fnUntraced(function* (now: Statement.Fragment) {
    const visited = yield* sql<{ endpoint_id: EndpointId; is_due: boolean }>`
      with recursive visited(endpoint_id, number) as (
        (select endpoint_id, 1 from webhook_delivery where due_at is not null and endpoint_id > ${after}::uuid
          order by endpoint_id limit 1)
        union all
        select (select d.endpoint_id from webhook_delivery d where d.due_at is not null and d.endpoint_id > v.endpoint_id
          order by d.endpoint_id limit 1), number + 1
        from visited v where v.endpoint_id is not null and number < ${walkMost}::int
      )
      select v.endpoint_id, (select d.due_at from webhook_delivery d where d.endpoint_id = v.endpoint_id
        and d.due_at is not null order by d.due_at limit 1) <= ${now} as is_due
      from visited v where v.endpoint_id is not null order by number`
    const last = visited[walkMost - 1]
    after = last === undefined ? noEndpoint : last.endpoint_id
    return visited
  })
  return Effect.fnUntraced(function* (now: Statement.Fragment, isFull: (endpoint: EndpointId) => boolean) {
    // a clock that nobody sets
    const began = yield* Clock.monotonicTimeNanos
    if (began < restsUntil) return []
    const visited = yield* piece(now)
    const due = visited.flatMap(({ endpoint_id, is_due }) => (is_due && !isFull(endpoint_id) ? [endpoint_id] : []))
    const ended = yield* Clock.monotonicTimeNanos
    if (due.length === 0) restsUntil = ended + (ended - began) * rest
    return due
  })
}
