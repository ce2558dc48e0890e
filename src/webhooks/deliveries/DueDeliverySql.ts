/**
 * Selects and locks due deliveries for a claim (DeliveryClaimsSql.ts).
 *
 * First attempts and retries are two lanes of one index. While few deliveries are due, a claim reads the oldest of both
 * lanes. While many are due, these could all belong to a few endpoints: a claim then reads the endpoints that have due
 * deliveries, as many of each as its quota, and the ends of the first lane for deliveries of other endpoints.
 */
import type { Statement } from "effect/sql"
import { recordset } from "../../platform/database/Database.ts"
import type { Sql } from "../../platform/database/Sql.ts"
import { isFree } from "../../platform/queue/QueueSql.ts"
import type { DeliveryId, EndpointId } from "../../values/Ids.ts"
import type { InFlight, Quota } from "./ClaimPlan.ts"
import { type Lane, maxStragglers, slack, type Watermark } from "./ClaimWatermark.ts"

export interface Due {
  readonly sql: Sql
  readonly now: Statement.Fragment
  /** Processes whose claims are free. */
  readonly ended: ReadonlyArray<number>
}

export interface Selection extends Due {
  /** Undefined: claims read from the beginning. */
  readonly watermark: Watermark | undefined
  /** Due deliveries below the watermark. */
  readonly stragglers: ReadonlyArray<DeliveryId>
  readonly limit: number
  readonly inFlight: InFlight
  readonly maxPerEndpoint: number
}

const isDue = ({ ended, now, sql }: Due): Statement.Fragment =>
  sql`d.due_at is not null and d.due_at <= ${now} and ${isFree(sql, "d", now, ended)}`

const isIn = (sql: Sql, lane: Lane): Statement.Fragment =>
  sql.literal(`least(d.attempts, 1) = ${lane === "first" ? 0 : 1}`)

/** Due deliveries of a lane, at or after the watermark; for statements that select one endpoint. */
const isDueIn = (selection: Due & Pick<Selection, "watermark">, lane: Lane): Statement.Fragment => {
  const { sql, watermark } = selection
  const isFrom = watermark === undefined ? sql`` : sql`and d.due_at >= ${watermark[lane]}::timestamptz`
  return sql`${isIn(sql, lane)} and ${isDue(selection)} ${isFrom}`
}

/** The same for all endpoints: `attempts >= 0` permits the lane's index (sql/09_webhooks.sql). */
const isDueInAny = (selection: Due & Pick<Selection, "watermark">, lane: Lane): Statement.Fragment =>
  selection.sql`d.attempts >= 0 and ${isDueIn(selection, lane)}`

const oldestOf = (selection: Selection, lane: Lane, limit: number, end: "oldest" | "newest" = "oldest") => {
  const { sql } = selection
  return sql`(
    select d.id, d.endpoint_id, d.due_at, ${sql.literal(lane === "first" ? "0" : "1")} as lane from webhook_delivery d
    where ${isDueInAny(selection, lane)}
    order by d.due_at ${sql.literal(end === "oldest" ? "" : "desc")} limit ${limit}::int)`
}

/**
 * A `union` with the due stragglers; empty without stragglers. Those of an endpoint come on top of its quota; WorkerSlots
 * limits what runs.
 */
const orStragglers = (selection: Selection): Statement.Fragment => {
  const { sql, stragglers } = selection
  if (stragglers.length === 0) return sql``
  return sql`union (
    select d.id, d.endpoint_id, d.due_at, least(d.attempts, 1) as lane from webhook_delivery d
    where (${isDue(selection)}) is true and d.id = any(${[...stragglers]}::bigint[]))`
}

/**
 * At most `limit` of the rows `due` (id, endpoint_id, due_at, lane), of an endpoint at most its room. Endpoints with the
 * fewest in flight come first; the lanes alternate.
 */
const fairlyOf = ({ inFlight, limit, maxPerEndpoint, sql }: Selection, due: Statement.Fragment) => {
  const entries = [...inFlight].map(([in_flight_id, { count, max }]) => ({ in_flight_id, count, own_max: max }))
  return sql`
    select id from (
      select id, lane, row_number() over (partition by lane order by share, due_at, id) as turn from (
        select own.*, own.place + coalesce(r.count, 0) as share, coalesce(r.own_max, ${maxPerEndpoint}::int) as most from (
          select *, row_number() over (partition by endpoint_id order by turn, lane) as place from (
            select *, row_number() over (partition by endpoint_id, lane order by due_at, id) as turn
            from (${due}) due
          ) lanes
        ) own left join ${recordset(sql, entries, "in_flight_id uuid, count int, own_max int")} on r.in_flight_id = own.endpoint_id
      ) shares where share <= most
    ) t order by turn, lane limit ${limit}::int`
}

/** Rechecks the locked rows. `is true` keeps the planner from an index scan of all due rows: 300 ms with 200,000. */
const locked = (selection: Selection, ids: Statement.Fragment): Statement.Fragment => {
  const { sql } = selection
  return sql`select d.ctid from webhook_delivery d where (${isDue(selection)}) is true and d.id = any(array(${ids}))
    for update skip locked`
}

/** For a queue in which few deliveries are due. */
export const oldest = (selection: Selection): Statement.Fragment =>
  locked(
    selection,
    fairlyOf(
      selection,
      selection.sql`${oldestOf(selection, "first", selection.limit)} union all ${oldestOf(selection, "retry", selection.limit)}
        ${orStragglers(selection)}`,
    ),
  )

/** Rows read from each end of the first lane for endpoints without a quota. */
const rowsPerEnd = 100

/**
 * For a queue in which many deliveries are due. Takes the quota of each endpoint, and first attempts of endpoints that
 * are not `known`. `odd` alternates which lane gets the odd row.
 */
export const ofEndpoints = (
  selection: Selection,
  quotas: ReadonlyArray<Quota>,
  known: ReadonlyArray<EndpointId>,
  odd: 0 | 1,
): Statement.Fragment => {
  const { limit, sql } = selection
  const half = sql`(w.quota + ${odd}::int) / 2`
  // a subquery, because a branch of a union cannot lock rows
  const ofLane = (lane: Lane, rows: Statement.Fragment) => sql`select ctid from (
    select d.ctid from webhook_delivery d where d.endpoint_id = w.endpoint_id and ${isDueIn(selection, lane)}
    order by d.due_at ${rows} for update skip locked) ${sql.literal(lane)}_lane`
  const others = sql`
    select id, endpoint_id, due_at, lane from (
      ${oldestOf(selection, "first", rowsPerEnd)} union ${oldestOf(selection, "first", rowsPerEnd, "newest")}
    ) ends where endpoint_id <> all(${[...known]}::uuid[])
    ${orStragglers(selection)}`
  return sql`
    select ctid from (${locked(selection, fairlyOf({ ...selection, limit: Math.ceil(limit / 4) }, others))}) others
    union all
    select due.ctid from unnest(${quotas.map(({ endpoint_id }) => endpoint_id)}::uuid[],
      ${quotas.map(({ quota }) => quota)}::int[]) as w(endpoint_id, quota) cross join lateral (
      ${ofLane("retry", sql`limit ${half}`)} union all ${ofLane("first", sql`limit w.quota`)}
      union all ${ofLane("retry", sql`offset ${half} limit w.quota`)}
      limit w.quota
    ) due
    limit ${limit}::int`
}

/** Selects the next watermark: each lane's oldest due delivery, but at the latest `slack` before now. */
export const nextWatermark = (due: Due & Pick<Selection, "watermark">): Statement.Fragment => {
  const { now, sql } = due
  const of = (lane: Lane) => sql`least(${now} - ${slack}::float8 * interval '1 millisecond', (
    select d.due_at from webhook_delivery d where ${isDueInAny(due, lane)} order by d.due_at limit 1))`
  return sql`select ${of("first")} as first, ${of("retry")} as retry`
}

/** Selects the oldest due deliveries below the watermark, at most `maxStragglers` of each lane. */
export const stragglersBelow = (due: Due, watermark: Watermark): Statement.Fragment => {
  const { sql } = due
  const of = (lane: Lane) => sql`(
    select d.id::text as id, ${sql.literal(`'${lane}'`)} as lane, d.due_at from webhook_delivery d
    where ${isDueInAny({ ...due, watermark: undefined }, lane)} and d.due_at < ${watermark[lane]}::timestamptz
    order by d.due_at limit ${maxStragglers}::int)`
  return sql`${of("first")} union all ${of("retry")} order by due_at`
}

/** Queued deliveries at or after the watermark, including those due later: the scan visits their endpoints. */
export const isWaiting = ({ sql, watermark }: Pick<Selection, "sql" | "watermark">): Statement.Fragment => {
  if (watermark === undefined) return sql`d.due_at is not null`
  const from = watermark.first < watermark.retry ? watermark.first : watermark.retry
  return sql`d.due_at is not null and d.due_at >= ${from}::timestamptz`
}

/** Whether the endpoint `v.endpoint_id` has a due delivery. `order by` makes the planner use the index, not the table. */
export const hasDue = (due: Due & Pick<Selection, "watermark">): Statement.Fragment => {
  const { sql } = due
  const of = (lane: Lane) => sql`(select true from webhook_delivery d where d.endpoint_id = v.endpoint_id
    and ${isDueIn(due, lane)} order by d.due_at limit 1)`
  return sql`coalesce(${of("first")}, ${of("retry")}, false)`
}
