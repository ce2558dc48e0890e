/** Claims the due deliveries that a pod sends next; ClaimPlan.ts has the rule, and what the pod remembers. */
import { Clock, Context, Duration, Effect, FiberHandle, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { Database, first, recordset } from "../../platform/database/Database.ts"
import * as FailureLog from "../../platform/queue/FailureLog.ts"
import { QueueNotifier } from "../../platform/queue/QueueNotifier.ts"
import * as Queue from "../../platform/queue/QueueSql.ts"
import { EndpointId, type EventId } from "../../values/Ids.ts"
import {
  type Choice,
  type ClaimLimits,
  ClaimPlan,
  ClaimWatermark,
  type Lane,
  QuickLook,
  RunLook,
  type Watermark,
} from "./ClaimPlan.ts"
import * as Rate from "./EndpointRateSql.ts"

const ClaimedEndpoint = Schema.Struct({
  id: EndpointId,
  url: Schema.String,
  format: Schema.Literals(["event", "slack", "teams"]),
  status: Schema.Literals(["active", "inactive"]),
  /** Encrypted. */
  secret: Schema.Uint8ArrayFromHex,
  /** Null: it no longer signs. */
  previous_secret: Schema.NullOr(Schema.Uint8ArrayFromHex),
  /** Encrypted (StaticHeaders.ts). */
  headers: Schema.NullOr(Schema.Uint8ArrayFromHex),
  max_per_minute: Schema.NullOr(Schema.Int),
  is_deleted: Schema.Boolean,
  /** The delivery that was last queued as a probe (EndpointProbes.ts). */
  probe_delivery_id: Schema.NullOr(Schema.String),
})

/** What a claim found besides its rows. */
const Found = Schema.fromJsonString(
  Schema.Struct({
    endpoints: Schema.NullOr(Schema.Array(ClaimedEndpoint)),
    is_crowded: Schema.Boolean,
    /** Microseconds until the rates of endpoints admit the next attempt. */
    pauses: Schema.NullOr(Schema.Record(EndpointId, Schema.Number)),
  }),
)

export interface DeliveryJob extends Queue.Claimed {
  readonly endpoint_id: EndpointId
  readonly event_id: EventId
  readonly body: string
  readonly endpoint: typeof ClaimedEndpoint.Type
  /** Milliseconds since 1970, by the database's clock. */
  readonly claimed_at: number
  /** Equal to `attempts`: this attempt is made although the endpoint is inactive. */
  readonly single_attempt: number | null
}

interface ClaimedRow extends Omit<DeliveryJob, "endpoint"> {
  readonly id: string
  /** Null except in the first row, which has no job if none was claimed. */
  readonly found: string | null
}

export interface DeliveryClaim extends Queue.Claim, ClaimLimits {
  /** Jobs that the pod can start at once. */
  readonly startable: number
}

/** Milliseconds after `due_at` within which a row is committed: the watermark stays below. */
const slack = 1000
/** Of a look; above the statement timeout. A connection that a firewall dropped answers only after minutes. */
const maxLook = Duration.seconds(20)
/** Endpoints that a scan visits, in about 10 ms of database time. */
const maxScanned = 500
const noEndpoint = "00000000-0000-0000-0000-000000000000"
/** First attempts that a claim by endpoint reads from the newest on. */
const newestRead = 100
/** The shortest pause before the worker is woken for an endpoint whose rate admits the next attempt. */
const minPause = Duration.millis(100)

/** What all statements of a claim read. */
interface Due {
  readonly at: Statement.Fragment
  /** Processes whose claims are free. */
  readonly ended: ReadonlyArray<number>
  readonly watermark: Watermark | undefined
}

export class DeliveryClaimRepository extends Context.Service<DeliveryClaimRepository>()(
  "interview-invitations/webhooks/deliveries/DeliveryClaimRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* QueueNotifier
      const plan = new ClaimPlan()

      /** Due deliveries `d` of a lane, at or after the watermark; for statements that select one endpoint. */
      const isDue = ({ at, ended, watermark }: Due, lane: Lane) => sql`
        least(d.attempts, 1) = ${sql.literal(lane === "first" ? "0" : "1")} and d.due_at is not null and d.due_at <= ${at}
        and ${Queue.isFree(sql, "d", at, ended)}
        ${watermark === undefined ? sql`` : sql`and d.due_at >= ${watermark[lane]}::timestamptz`}`

      /** The same for all endpoints: `attempts >= 0` permits the lane's index (sql/09_webhooks.sql). */
      const isDueInAny = (due: Due, lane: Lane) => sql`d.attempts >= 0 and ${isDue(due, lane)}`

      // The watermark

      const claimWatermark = new ClaimWatermark(yield* QuickLook)
      const runLook = yield* RunLook
      const scope = yield* Effect.scope
      const lookFailures = FailureLog.make("webhook_delivery: looking for the oldest due")

      /** Selects each lane's oldest due delivery, but at the latest `slack` before now. */
      const look = Effect.fnUntraced(
        function* (due: Due) {
          const oldest = (lane: Lane) => sql`least(${due.at} - ${slack}::float8 * interval '1 millisecond', (
            select d.due_at from webhook_delivery d where ${isDueInAny(due, lane)} order by d.due_at limit 1))`
          return first(yield* sql<Watermark>`select ${oldest("first")} as first, ${oldest("retry")} as retry`)
        },
        Effect.timeout(maxLook),
        Effect.tap(lookFailures.worked),
        Effect.catchCause((cause) => Effect.as(lookFailures.report(cause), undefined)),
      )

      /** Starts the look that is due, in parallel with the claim. */
      const startLook = Effect.fnUntraced(function* (due: Due, began: bigint) {
        const next = claimWatermark.begin(began, due.ended)
        if (next === undefined) return
        const looking = Effect.gen(function* () {
          const found = yield* look({ ...due, watermark: next.from })
          if (claimWatermark.end(next.from, found, began, yield* Clock.monotonicTimeNanos))
            yield* wake("webhook_delivery")
        })
        yield* Effect.forkIn(runLook(looking), scope)
      })

      // The scan

      let lastVisited = noEndpoint

      /** Visits the next `maxScanned` endpoints of the queue, including those whose deliveries are due later. */
      const scan = Effect.fnUntraced(function* (due: Due) {
        const from =
          due.watermark && (due.watermark.first < due.watermark.retry ? due.watermark.first : due.watermark.retry)
        const isWaiting = sql`d.due_at is not null ${from === undefined ? sql`` : sql`and d.due_at >= (select ${from}::timestamptz)`}`
        // `order by` makes the planner use the index, not the table
        const hasDue = (lane: Lane) => sql`(select true from webhook_delivery d
          where d.endpoint_id = v.endpoint_id and ${isDue(due, lane)} order by d.due_at limit 1)`
        // A planner that estimates one row reads the whole table for each endpoint: with min() or exists instead of `limit 1`,
        // and with the watermark as a value instead of a subselect, which it cannot estimate (530 ms instead of 3). The order by
        // lane leads it to webhook_delivery_waiting: with another index, dead rows below the watermark are read in the table.
        const byEndpoint = sql`order by d.endpoint_id, least(d.attempts, 1) limit 1`
        const visited = yield* sql<{ endpoint_id: EndpointId; is_due: boolean }>`
          with recursive visited(endpoint_id, number) as (
            (select d.endpoint_id, 1 from webhook_delivery d where ${isWaiting} and d.endpoint_id > ${lastVisited}::uuid
              ${byEndpoint})
            union all
            select (select d.endpoint_id from webhook_delivery d where ${isWaiting} and d.endpoint_id > v.endpoint_id
              ${byEndpoint}), number + 1
            from visited v where v.endpoint_id is not null and number < ${maxScanned}::int
          )
          select v.endpoint_id, coalesce(${hasDue("first")}, ${hasDue("retry")}, false) as is_due
          from visited v where v.endpoint_id is not null order by number`
        lastVisited = visited[maxScanned - 1]?.endpoint_id ?? noEndpoint
        return visited
      })

      // The claim

      /**
       * The due deliveries that the claim sees: the oldest of both lanes, or by endpoint the newest first attempts of
       * endpoints that are not known, at most a quarter of the claim. Each lane has its own limit, so that the index is read
       * to that limit only.
       */
      const seen = (due: Due, limit: number, { isByEndpoint, known, odd }: Choice) => {
        const rows = (lane: Lane, end: "" | "desc", count: number) => sql`(
          select d.endpoint_id, d.due_at, ${sql.literal(lane === "first" ? "0" : "1")} as lane from webhook_delivery d
          where ${isDueInAny(due, lane)} order by d.due_at ${sql.literal(end)} limit ${count}::int)`
        return isByEndpoint
          ? sql`select * from ${rows("first", "desc", newestRead)} n where n.endpoint_id <> all(${[...known]}::uuid[])
              limit ${Math.floor(limit / 4) || odd}::int`
          : sql`${rows("first", "", limit)} union all ${rows("retry", "", limit)}`
      }

      /**
       * Locks at most `quota` due deliveries of the endpoint `w`: half of them retries, if there are as many. In
       * subqueries, because a branch of a union cannot lock rows.
       */
      const ofEndpoint = (due: Due, odd: 0 | 1) => {
        const half = sql`(w.quota + ${odd}::int) / 2`
        const ofLane = (lane: Lane, rows: Statement.Fragment) => sql`select ctid from (
          select d.ctid from webhook_delivery d where d.endpoint_id = w.endpoint_id and ${isDue(due, lane)}
          order by d.due_at ${rows} for update skip locked) ${sql.literal(lane)}_lane`
        return sql`${ofLane("retry", sql`limit ${half}`)} union all ${ofLane("first", sql`limit w.quota`)}
          union all ${ofLane("retry", sql`offset ${half} limit w.quota`)} limit w.quota`
      }

      /** One statement. `wanted` are the endpoints and how many deliveries the claim may take of each. */
      const take = Effect.fnUntraced(function* (wanted: DeliveryClaim, choice: Choice, due: Due) {
        const { inFlight, limit, maxPerEndpoint, startable } = wanted
        const { known, odd, quotas } = choice
        const { at } = due
        const loads = [...inFlight].map(([endpoint_id, { count, max }]) => ({
          endpoint_id,
          count,
          room: Math.max(0, max - count),
        }))
        const rows = yield* sql<ClaimedRow>`
          with load as materialized (
            select * from ${recordset(sql, loads, "endpoint_id uuid, count int, room int")}
          ), seen as materialized (
            ${seen(due, limit, choice)}
          ), wanted as materialized (
            select w.*, (select e.max_per_minute from webhook_endpoint e where e.id = w.endpoint_id) as max_per_minute from (
              (select s.endpoint_id, least(count(*), coalesce(l.room, ${maxPerEndpoint}::int))::int as quota from (
                select * from seen where endpoint_id <> all(${[...known]}::uuid[])
                order by row_number() over (partition by lane order by due_at), lane limit ${limit}::int
              ) s left join load l on l.endpoint_id = s.endpoint_id
              group by s.endpoint_id, l.room order by min(s.due_at), s.endpoint_id)
              union all
              select * from unnest(${quotas.map(({ endpoint_id }) => endpoint_id)}::uuid[],
                ${quotas.map(({ quota }) => quota)}::int[])
            ) w
          ), rated as materialized (
            ${Rate.rated(sql)}
          ), bucket as materialized (
            ${Rate.buckets(sql, at, startable)}
          ), claimed as (
            ${Queue.claimRows(
              sql,
              "webhook_delivery",
              wanted,
              at,
              sql`select due.ctid from (
                  select w.endpoint_id, case when w.max_per_minute is null then w.quota
                    else least(w.quota, coalesce(b.room, 0)) end as quota
                  from wanted w left join bucket b on b.endpoint_id = w.endpoint_id
                ) w cross join lateral (${ofEndpoint(due, odd)}) due limit ${limit}::int`,
            )}
          ), spent as (
            ${Rate.spent(sql)}
          ), slots as (
            ${Rate.writeSlots(sql, at)}
          ), sorted as (
            select c.id, c.claim_id, c.attempts, c.unended_attempts, c.alone, c.single_attempt, c.endpoint_id, c.event_id,
              v.body, v.traceparent, row_number() over (order by b.endpoint_id is null, c.id) as number
            from claimed c join webhook_event v on v.id = c.event_id left join bucket b on b.endpoint_id = c.endpoint_id
          )
          select id::text as id, claim_id, attempts, unended_attempts, alone, single_attempt, endpoint_id, event_id, body,
            traceparent, (extract(epoch from ${at}) * 1000)::float8 as claimed_at,
            case when coalesce(number, 1) = 1 then json_build_object(
              'is_crowded', ${limit}::int = any(array(select count(*) from seen group by lane)),
              'pauses', ${Rate.pauses(sql, minPause)},
              'endpoints', (select json_agg(json_build_object('id', e.id, 'url', e.url, 'format', e.format, 'status', e.status,
                  'secret', encode(e.secret, 'hex'), 'headers', encode(e.headers, 'hex'), 'max_per_minute', e.max_per_minute,
                  'is_deleted', e.deleted_at is not null, 'probe_delivery_id', e.probe_delivery_id::text,
                  'previous_secret', case when e.previous_secret_until > ${at} then encode(e.previous_secret, 'hex') end))
                from webhook_endpoint e where e.id in (select endpoint_id from claimed)))::text end as found
          from (select) one left join sorted on true order by number`
        const { endpoints, is_crowded, pauses } = yield* Effect.orDie(
          Schema.decodeUnknownEffect(Found)(first(rows)?.found),
        )
        const byId = new Map(endpoints?.map((endpoint) => [endpoint.id, endpoint]))
        const jobs = rows.flatMap(({ found: _, ...row }): ReadonlyArray<DeliveryJob> => {
          const endpoint = byId.get(row.endpoint_id)
          return endpoint === undefined ? [] : [{ ...row, endpoint }]
        })
        const nanos = Object.entries(pauses ?? {}).map(
          ([id, micros]) => [EndpointId.make(id), BigInt(Math.ceil(micros)) * 1000n] as const,
        )
        return { jobs, isCrowded: is_crowded, isFull: rows.length >= limit, pauses: new Map(nanos) }
      })

      const resuming = yield* FiberHandle.make()
      /** Wakes the worker when the rate of a paused endpoint admits the next attempt. */
      const wakeLater = Effect.fnUntraced(function* (time: bigint) {
        const at = plan.resumesAt
        if (at === undefined) return
        const pause = Duration.max(Duration.nanos(at > time ? at - time : 0n), minPause)
        yield* FiberHandle.run(resuming, Effect.delay(wake("webhook_delivery"), pause))
      })

      /** At most `claim.limit` deliveries, often fewer although more are due: only an empty claim tells that none is. */
      const claim = Effect.fnUntraced(function* (wanted: DeliveryClaim): Effect.fn.Return<ReadonlyArray<DeliveryJob>> {
        const at = yield* now
        const time = yield* Clock.monotonicTimeNanos
        const due = { at, ended: wanted.claimer.ended, watermark: claimWatermark.current }
        yield* startLook(due, time)
        const limits = plan.limits(wanted, time)
        for (let isOther = false; ; isOther = true) {
          if (plan.needsScan(time, limits)) {
            const began = yield* Clock.monotonicTimeNanos
            plan.scanned(yield* scan(due), limits, began, yield* Clock.monotonicTimeNanos)
          }
          const choice = plan.choose(limits)
          const taken = yield* Effect.onError(take({ ...wanted, ...limits }, choice, due), () =>
            Effect.sync(() => plan.reset()),
          )
          const isInconclusive = plan.claimed(choice, taken, yield* Clock.monotonicTimeNanos)
          if (isOther || !isInconclusive) {
            yield* wakeLater(time)
            return taken.jobs
          }
        }
      })

      return { claim }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
