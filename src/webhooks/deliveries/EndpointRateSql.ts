/**
 * The rate of an endpoint with max_per_minute, over all processes: parts of the statement that claims deliveries
 * (DeliveryClaimRepository.ts), by the names that they have there.
 *
 * A rate is a token bucket (GCRA) with the time of the next slot on the endpoint's row: each attempt moves it on by
 * `spacing`, and it may lead the present by at most `burst` spacings. With m = max_per_minute, `burst` is 1 + m / 60, one
 * second's share, and `spacing` 61 s / (m - m / 60), so that at most burst - 1 + 61 s / spacing, which is m, are claimed in
 * any 61 seconds (m / 60 is rounded down, `spacing` up). Those claimed start within a second, except that a pod without a
 * free slot claims one of the endpoint and starts it later. A crash after the claim wastes the slots.
 */
import { Duration } from "effect"
import type { Statement } from "effect/sql"
import { clock, later } from "../../platform/database/Database.ts"
import type { Sql } from "../../platform/database/Sql.ts"
import type { EndpointId } from "../../values/Ids.ts"

const burst = "1 + max_per_minute / 60"
const spacing = "(60999999 + max_per_minute - max_per_minute / 60)::bigint / (max_per_minute - max_per_minute / 60)"

/** Locks the endpoints of `wanted` with a rate, unless another transaction has the lock: a claim takes nothing of those. */
export const rated = (sql: Sql) => sql`
            select e.id as endpoint_id, e.max_per_minute, e.next_slot_at from webhook_endpoint e
            where e.id = any(array(select endpoint_id from wanted where max_per_minute is not null))
              and e.organization_id <> all(array(select id from suspended_organization))
            for no key update skip locked`

/** Of each endpoint of `rated`, `room`: how many deliveries may be claimed. Times are microseconds. */
export const buckets = (sql: Sql, at: Statement.Fragment, startable: number) => sql`
            select b.*, greatest(0, least(b.burst - (b.lead + b.spacing - 1) / b.spacing,
              greatest(${startable}::int / count(*) over (), 1 - coalesce(l.count, 0)))) as room
            from (
              select r.*, greatest(0, least(r.burst * r.spacing,
                coalesce(extract(epoch from r.next_slot_at - ${at}) * 1000000, 0)::bigint)) as lead
              from (
                select endpoint_id, next_slot_at, ${sql.literal(burst)} as burst, ${sql.literal(spacing)} as spacing
                from rated
              ) r
            ) b left join load l on l.endpoint_id = b.endpoint_id`

/** What `claimed` takes of each of the buckets. */
export const spent = (sql: Sql) => sql`
            select b.*, b.lead + coalesce(c.count, 0) * b.spacing as lead_after, coalesce(c.count, 0) as count
            from bucket b left join (select endpoint_id, count(*) as count from claimed group by endpoint_id) c
              on c.endpoint_id = b.endpoint_id`

/** Writes the next slots. One that is too far in the future, by another rate or clock, is moved back. */
export const writeSlots = (sql: Sql, at: Statement.Fragment) => {
  const slotAfter = later(sql, at, sql`s.lead_after::float8 * interval '1 microsecond'`)
  return sql`
            update webhook_endpoint e
            set next_slot_at = ${slotAfter}
            from spent s where e.id = s.endpoint_id and (s.count > 0 or s.next_slot_at > ${slotAfter})`
}

/** Microseconds until the rate of an endpoint allows the next attempt, as an object of JSON; `busy`: of one that was locked. */
export const pauses = (sql: Sql, busy: Duration.Duration) => sql`(select json_object_agg(p.endpoint_id, p.pause) from (
                select s.endpoint_id, greatest(0, s.lead_after - (s.burst - 1) * s.spacing) as pause
                from spent s join wanted w on w.endpoint_id = s.endpoint_id where s.count = s.room and s.room < w.quota
                union all
                select w.endpoint_id, ${Duration.toMillis(busy) * 1000}::int from wanted w
                where w.max_per_minute is not null and w.endpoint_id <> all(array(select endpoint_id from rated))
              ) p)`

/**
 * Takes the slots of `count` attempts that start at once, or none. Returns the microseconds until there are as many, 0: they are
 * taken; no row: the endpoint has no rate. More than a burst are never free.
 */
export const takeSlots = (sql: Sql, at: Statement.Fragment, endpoint: EndpointId, count: number) => sql<{
  readonly pause: number
}>`
  with wanted as (
    select e.id, e.next_slot_at, ${sql.literal(burst)} as burst, ${sql.literal(spacing)} as spacing
    from webhook_endpoint e where e.id = ${endpoint}::uuid and e.max_per_minute is not null for no key update
  ), bucket as (
    select w.id, w.spacing, l.lead, greatest(0, l.lead - (w.burst - ${count}::int) * w.spacing) as pause
    from wanted w cross join ${clock(sql, at)} cross join lateral (
      select greatest(0, least(w.burst * w.spacing, coalesce(extract(epoch from w.next_slot_at - clock.now) * 1000000, 0)::bigint)) as lead
    ) l
  ), taken as (
    update webhook_endpoint e
    set next_slot_at = ${later(sql, sql`clock.now`, sql`(b.lead + ${count}::int * b.spacing)::float8 * interval '1 microsecond'`)}
    from bucket b, ${clock(sql, at)} where e.id = b.id and b.pause = 0
  )
  select pause::float8 as pause from bucket`
