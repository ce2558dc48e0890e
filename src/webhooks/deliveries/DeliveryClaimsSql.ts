/** Claims due webhook deliveries, and admits those of endpoints with max_per_minute. */
import { Clock, Duration, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { Database, first, later, recordset } from "../../platform/database/Database.ts"
import type { Sql } from "../../platform/database/Sql.ts"
import * as FailureLog from "../../platform/queue/FailureLog.ts"
import { QueueNotifier } from "../../platform/queue/QueueNotifier.ts"
import * as Queue from "../../platform/queue/QueueSql.ts"
import { EndpointId, type EventId } from "../../values/Ids.ts"
import { ClaimPlan, hasRoom, type InFlight, type Limits } from "./ClaimPlan.ts"
import { ClaimWatermark, type Look, QuickLook, RunLook, type Straggler, type Watermark } from "./ClaimWatermark.ts"
import * as DueDeliverySql from "./DueDeliverySql.ts"
import type { Admission, Rate } from "./EndpointRate.ts"

export interface DeliveryJob extends Queue.Claimed {
  readonly endpoint_id: EndpointId
  readonly event_id: EventId
  readonly body: string
  readonly endpoint: ClaimedEndpoint
  /** Milliseconds since 1970, by the database's clock. */
  readonly claimed_at: number
  /** Equal to `attempts`: this attempt is made although the endpoint is inactive. */
  readonly single_attempt: number | null
  /** Monotonic nanoseconds; only of endpoints with max_per_minute, if it was admitted when it was claimed. */
  readonly admittedAt?: bigint
}

/** Read once per claim. */
export interface ClaimedEndpoint {
  readonly id: EndpointId
  readonly url: string
  readonly status: "active" | "inactive"
  /** Encrypted. */
  readonly secret: Uint8Array
  /** Null: it no longer signs. */
  readonly previous_secret: Uint8Array | null
  /** Encrypted (StaticHeaders.ts). */
  readonly headers: Uint8Array | null
  readonly max_per_minute: number | null
  readonly is_deleted: boolean
  /** The delivery that was last queued as a probe (EndpointProbes.ts). */
  readonly probe_delivery_id?: string | null
}

export interface DeliveryClaim extends Queue.Claim {
  readonly inFlight: InFlight
  readonly maxPerEndpoint: number
  /** A rate limits what the claim takes of an endpoint (EndpointRate.ts). */
  readonly isThrottled?: boolean
}

/** About 10 ms of database time. */
const maxScanned = 500
/** Pause after a scan that found no endpoint with room, in multiples of its duration. */
const scanPause = 9n
const noEndpoint = "00000000-0000-0000-0000-000000000000"

/** Visits the next `maxScanned` endpoints of the queue at each call. */
const endpointScan = (sql: Sql) => {
  let after = noEndpoint
  let pausedUntil = 0n
  // with min() or exists instead of `limit 1`, a planner that estimates one endpoint reads the whole table
  const visit = Effect.fnUntraced(function* (selection: DueDeliverySql.Selection) {
    const isWaiting = DueDeliverySql.isWaiting(selection)
    const visited = yield* sql<{ endpoint_id: EndpointId; is_due: boolean }>`
      with recursive visited(endpoint_id, number) as (
        (select d.endpoint_id, 1 from webhook_delivery d where ${isWaiting} and d.endpoint_id > ${after}::uuid
          order by d.endpoint_id limit 1)
        union all
        select (select d.endpoint_id from webhook_delivery d where ${isWaiting} and d.endpoint_id > v.endpoint_id
          order by d.endpoint_id limit 1), number + 1
        from visited v where v.endpoint_id is not null and number < ${maxScanned}::int
      )
      select v.endpoint_id, ${DueDeliverySql.hasDue(selection)} as is_due
      from visited v where v.endpoint_id is not null order by number`
    const last = visited[maxScanned - 1]
    after = last === undefined ? noEndpoint : last.endpoint_id
    return visited
  })
  return Effect.fnUntraced(function* (selection: DueDeliverySql.Selection) {
    const { inFlight } = selection
    const began = yield* Clock.monotonicTimeNanos
    if (began < pausedUntil) return []
    const visited = yield* visit(selection)
    const ended = yield* Clock.monotonicTimeNanos
    const isUseful = visited.some(({ endpoint_id, is_due }) => is_due && hasRoom(inFlight, endpoint_id))
    if (!isUseful) pausedUntil = ended + (ended - began) * scanPause
    return visited
  })
}

const ClaimedEndpoints = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      id: EndpointId,
      url: Schema.String,
      status: Schema.Literals(["active", "inactive"]),
      secret: Schema.Uint8ArrayFromHex,
      previous_secret: Schema.NullOr(Schema.Uint8ArrayFromHex),
      headers: Schema.NullOr(Schema.Uint8ArrayFromHex),
      max_per_minute: Schema.NullOr(Schema.Int),
      is_deleted: Schema.Boolean,
      probe_delivery_id: Schema.NullOr(Schema.String),
    }),
  ),
)

interface ClaimedRow extends Omit<DeliveryJob, "endpoint"> {
  /** Of all rows; null except in the first row. */
  readonly endpoints: string | null
}

/** Above the statement timeout. */
const maxLook = Duration.seconds(20)

export interface Asked extends Rate {
  readonly endpoint_id: EndpointId
  readonly wanted: number
}

export const makeDeliveryClaims = Effect.gen(function* () {
  const database = yield* Database
  const { now, sql } = database
  const { wake } = yield* QueueNotifier

  const claimSelected = Effect.fnUntraced(function* (
    selected: Statement.Fragment,
    claim: DeliveryClaim,
    at: Statement.Fragment,
  ) {
    const rows = yield* sql<ClaimedRow>`
      with claimed as (${Queue.claim(sql, "webhook_delivery", claim, at, selected)}), sorted as (
        select c.id, c.claim_id, c.attempts, c.started_attempts, c.single_attempt, c.endpoint_id, c.event_id, v.body,
          v.traceparent,
          row_number() over (order by c.id) as number
        from claimed c join webhook_event v on v.id = c.event_id
      )
      select id::text as id, claim_id, attempts, started_attempts, single_attempt, endpoint_id, event_id, body, traceparent,
        (extract(epoch from ${at}) * 1000)::float8 as claimed_at,
        case when number = 1 then (select json_agg(json_build_object('id', e.id, 'url', e.url, 'status', e.status,
            'secret', encode(e.secret, 'hex'), 'headers', encode(e.headers, 'hex'), 'max_per_minute', e.max_per_minute,
            'is_deleted', e.deleted_at is not null, 'probe_delivery_id', e.probe_delivery_id::text,
            'previous_secret', case when e.previous_secret_until > ${at} then encode(e.previous_secret, 'hex') end))::text
          from webhook_endpoint e where e.id in (select endpoint_id from claimed)) end as endpoints
      from sorted order by number`
    const text = rows[0]?.endpoints
    const endpoints = typeof text === "string" ? yield* Effect.orDie(Schema.decodeEffect(ClaimedEndpoints)(text)) : []
    const known = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
    return rows.flatMap(({ endpoints: _, ...row }): ReadonlyArray<DeliveryJob> => {
      const endpoint = known.get(row.endpoint_id)
      return endpoint === undefined ? [] : [{ ...row, endpoint }]
    })
  })

  /** Starts the looks that set the watermark, in parallel with claims (ClaimWatermark.ts). */
  const watermarkLooks = Effect.gen(function* () {
    const watermark = new ClaimWatermark(yield* QuickLook)
    const runLook = yield* RunLook
    const scope = yield* Effect.scope
    const failures = FailureLog.make("webhook_delivery: looking for the oldest due")
    const look = Effect.fnUntraced(
      function* ({ isFull, watermark }: Look, due: DueDeliverySql.Due) {
        const below = isFull && watermark !== undefined ? watermark : undefined
        const stragglers =
          below === undefined ? [] : yield* sql<Straggler>`${DueDeliverySql.stragglersBelow(due, below)}`
        if (below !== undefined) return { next: below, stragglers }
        const next = first(yield* sql<Watermark>`${DueDeliverySql.nextWatermark({ ...due, watermark })}`)
        return next && { next, stragglers }
      },
      // a connection that a firewall dropped answers only after minutes
      Effect.timeout(maxLook),
      Effect.tap(failures.worked),
      Effect.catchCause((cause) => Effect.as(failures.report(cause), undefined)),
    )
    const refresh = Effect.fnUntraced(function* (due: DueDeliverySql.Due) {
      const began = yield* Clock.monotonicTimeNanos
      const next = watermark.begin(began, due.ended)
      if (next === undefined) return
      const looking = Effect.gen(function* () {
        const looked = yield* look(next, due)
        watermark.end(next, looked, began, yield* Clock.monotonicTimeNanos)
        if (watermark.stragglers.length > 0) yield* wake("webhook_delivery")
      })
      yield* Effect.forkIn(runLook(looking), scope)
    })
    return { watermark, refresh }
  })

  const scan = endpointScan(sql)
  const plan = new ClaimPlan()
  const { refresh, watermark } = yield* watermarkLooks

  const claim = Effect.fnUntraced(function* (claim: DeliveryClaim): Effect.fn.Return<ReadonlyArray<DeliveryJob>> {
    const at = yield* now
    const due = { sql, now: at, ended: claim.claimer.ended }
    yield* refresh(due)
    const { stragglers } = watermark
    const selection = { ...claim, ...due, watermark: watermark.watermark, stragglers }
    if (!plan.usesQuotas(claim)) {
      const claimed = yield* claimSelected(DueDeliverySql.oldest(selection), claim, at)
      plan.claimedOldest(claimed.length, claim)
      watermark.claimed(claimed)
      return claimed
    }
    const time = yield* Clock.monotonicTimeNanos
    if (plan.needsScan(time, claim)) plan.scanned(yield* scan(selection), time)
    const take = Effect.fnUntraced(function* (limits: Limits) {
      const { known, odd, quotas } = plan.quotas(limits)
      const selected = DueDeliverySql.ofEndpoints({ ...selection, ...limits }, quotas, known, odd)
      const jobs = yield* claimSelected(selected, claim, at)
      watermark.claimed(jobs)
      return { jobs, left: plan.claimed(jobs, quotas, limits) }
    })
    const { jobs, left } = yield* take(claim)
    if (left === undefined) return jobs
    // the first jobs are claimed, also when the database fails now
    const more = yield* Effect.orElseSucceed(take(left), () => ({ jobs: [] }))
    return [...jobs, ...more.jobs]
  })

  /** Waits for other claims of the same endpoints; locks in the order of their ids against deadlocks. */
  const tryAdmit = Effect.fnUntraced(function* (asked: ReadonlyArray<Asked>) {
    const at = yield* now
    const ids = asked.map(({ endpoint_id }) => endpoint_id)
    // numbers of microseconds; `lead` is how far busy_until is ahead
    return yield* sql<Admission>`
      with locked as materialized (
        select t.endpoint_id, t.busy_until from webhook_throttle t where t.endpoint_id = any(${ids}::uuid[])
        order by t.endpoint_id for update
      ), bucket as (
        select r.*, least(r.burst * r.spacing, greatest(0,
          case when isfinite(l.busy_until) then extract(epoch from l.busy_until - ${at}) * 1000000 else 0 end)) as lead
        from ${recordset(sql, asked, "endpoint_id uuid, wanted bigint, burst bigint, spacing bigint")}
          join locked l on l.endpoint_id = r.endpoint_id
      ), decided as (
        select endpoint_id, lead, spacing, least(wanted, greatest(0, burst - ceil(lead / spacing))) as admitted from bucket
      )
      update webhook_throttle t set admitted = d.admitted,
        busy_until = ${later(sql, at, sql`(d.lead + d.admitted * d.spacing)::float8 * interval '1 microsecond'`)}
      from decided d where t.endpoint_id = d.endpoint_id
      returning t.endpoint_id, t.admitted, (d.lead + d.admitted * d.spacing)::float8 as busy`
  })

  /** Admits attempts at endpoints with max_per_minute (EndpointRate.ts), at most `wanted` of each. */
  const admit = Effect.fnUntraced(function* (asked: ReadonlyArray<Asked>) {
    const admissions = yield* tryAdmit(asked)
    const known = new Set(admissions.map(({ endpoint_id }) => endpoint_id))
    const unknown = asked.filter(({ endpoint_id }) => !known.has(endpoint_id))
    if (unknown.length === 0) return admissions
    yield* sql`
      insert into webhook_throttle (endpoint_id)
      select unnest(${unknown.map(({ endpoint_id }) => endpoint_id).toSorted()}::uuid[]) on conflict do nothing`
    return [...admissions, ...(yield* tryAdmit(unknown))]
  })

  /** Frees claimed deliveries in place: they stay due. */
  const unclaim = Effect.fnUntraced(function* (claims: ReadonlyArray<Pick<DeliveryJob, "id" | "claim_id">>) {
    yield* sql`
      update webhook_delivery d set claim_id = null, started_attempts = ${sql.literal(Queue.uncounted)}
      from ${recordset(sql, claims, "id bigint, claim_id uuid")} where d.id = r.id and d.claim_id = r.claim_id`
  })

  const release = Effect.fnUntraced(function* (...[claims, after, as]: Parameters<Queue.Release>) {
    yield* Queue.release(database, "webhook_delivery")(claims, after, as)
    if (Duration.isZero(after)) yield* wake("webhook_delivery")
  })

  return { claim, admit, unclaim, release, startAlone: Queue.startAlone(database, "webhook_delivery") }
})
