/**
 * Webhook deliveries: the queue (webhook_delivery) and finished ones (webhook_delivery_history, one partition a day).
 */

import { Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { CandidateFields } from "../candidates/Candidate.ts"
import { clock, Database, first, later, recordset } from "../platform/database/Database.ts"
import { when } from "../platform/database/Paging.ts"
import type { Sql } from "../platform/database/Sql.ts"
import * as FailureLog from "../platform/queue/FailureLog.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import * as Queue from "../platform/queue/QueueSql.ts"
import { type DeliveryId, EndpointId, type EventId, type OrganizationId, type SubmissionId } from "../values/Ids.ts"
import { ClaimPlan, hasRoom, type InFlight, type Limits } from "./ClaimPlan.ts"
import { ClaimWatermark, type Look, QuickLook, RunLook, type Straggler, type Watermark } from "./ClaimWatermark.ts"
import { type Attempt, type DeliveryState, maxSearched, withoutAnswer } from "./Delivery.ts"
import * as DueDeliverySql from "./DueDeliverySql.ts"
import { countFailures } from "./EndpointHealth.ts"
import type { Admission, Rate } from "./EndpointRate.ts"
import type { EventType } from "./WebhookEvent.ts"

// Claim

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

interface Asked extends Rate {
  readonly endpoint_id: EndpointId
  readonly wanted: number
}

// Settle

export interface DeliverySettlement extends Queue.Settlement {
  readonly endpoint_id: EndpointId
  readonly state: Exclude<DeliveryState, "parked">
  readonly attempt: Attempt
}

export interface Deactivated {
  readonly id: EndpointId
  readonly organization_id: OrganizationId
  readonly name: string
  readonly url: string
  readonly last_error: string | null
  readonly inactive_reason: "failures" | "gone"
  /** Grows beyond WEBHOOK_DEACTIVATE_AFTER by attempts in flight. */
  readonly consecutive_failures: number
}

/**
 * SQL for the settlements of a batch, in a statement that begins with `with ${outcomes}`. Selects rows by an array of ids, not by a join: when the statistics were collected on
 * an empty queue, a join compares each row of a backlog with each settlement, 4 s for 500 settlements of 20,000 rows.
 */
const settled = (sql: Sql, settlements: ReadonlyArray<DeliverySettlement>) => {
  // a delivery claimed again after its lease can be in a batch twice; only its latest claim can still hold the row
  const latest = new Map<string, DeliverySettlement>()
  for (const settlement of settlements) {
    const other = latest.get(settlement.id)
    if (other === undefined || other.claim_id < settlement.claim_id) latest.set(settlement.id, settlement)
  }
  const byId = Object.fromEntries(
    [...latest].map(([id, { attempt, claim_id, delay, state }]) => [
      id,
      { claim_id, state, attempt: [attempt], delay_ms: delay === undefined ? 0 : Duration.toMillis(delay) },
    ]),
  )
  const outcome = sql`(select by_id from outcomes) -> q.id::text`
  return {
    latest,
    // bound and parsed once: a batch has up to 12 MB of answers
    outcomes: sql`outcomes as materialized (select ${JSON.stringify(byId)}::text::jsonb as by_id)`,
    outcome,
    /** True for rows of `q` that still have the claim of their settlement. */
    isHeld: (ids: ReadonlyArray<string>) =>
      sql`q.id = any(${ids}::bigint[]) and q.claim_id = (${outcome} ->> 'claim_id')::uuid`,
  }
}

/** Settlements write `last_success_at` only when it is older: each write locks the endpoint. */
const successInterval = Duration.seconds(5)

/** After a success, such as that of an attempt that was in flight at the deactivation, the next probe is due. */
const probedNow = (sql: Sql, now: Statement.Fragment) =>
  sql`case when next_probe_at > ${now} then ${now} else next_probe_at end`

// Park

const maxParked = 5000

// List

export interface DeliveryRow {
  readonly id: DeliveryId
  readonly endpoint_id: EndpointId
  readonly event_id: EventId
  /** Null: the event was deleted. */
  readonly event_type: EventType | null
  readonly event_status: string | null
  readonly state: DeliveryState
  readonly attempts: number
  readonly attempt_log: ReadonlyArray<Attempt>
  readonly created_at: Date
  readonly due_at: Date | null
  readonly finished_at: Date | null
  readonly resent_at: Date | null
  readonly submission_id: SubmissionId | null
  /** Null: the event or its submission was deleted. */
  readonly candidate: DeliveryCandidate | null
}

export interface DeliveryCandidate extends Pick<CandidateFields, "name" | "firstname" | "lastname" | "email"> {
  readonly is_erased: boolean
}

export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly event_type?: EventType | undefined
  /** Requires event_type. */
  readonly event_status?: string | undefined
  /** Inclusive. */
  readonly since?: Date | undefined
  /** Exclusive. */
  readonly until?: Date | undefined
  readonly before?: DeliveryId | undefined
}

const queued = (sql: Sql) =>
  sql`select id, organization_id, endpoint_id, event_id, state, attempts, attempt_log, created_at, due_at,
    null::timestamptz as finished_at, null::timestamptz as resent_at from webhook_delivery`
const finished = (sql: Sql) =>
  sql`select id, organization_id, endpoint_id, event_id, state, attempts, attempt_log, created_at,
    null::timestamptz as due_at, finished_at, resent_at from webhook_delivery_history`

const columns = (sql: Sql) =>
  sql`d.id::text as id, d.endpoint_id, d.event_id, v.event_type, v.status as event_status, d.state,
    d.attempts, d.attempt_log, d.created_at, d.due_at, d.finished_at, d.resent_at, v.submission_id,
    (select jsonb_build_object('name', c.name, 'firstname', c.firstname, 'lastname', c.lastname,
        'email', coalesce(c.email, c.cv_email), 'is_erased', c.erased_at is not null)
      from submission b join candidate c on c.id = b.candidate_id
      where b.id = v.submission_id and b.organization_id = d.organization_id) as candidate`

const searchEnd = 100

/**
 * Finished deliveries from this id on were created at `until` or later. Transactions run less than an hour, so ids
 * created an hour apart are in order.
 */
const idAfter = (sql: Sql, organization: OrganizationId, endpoint: EndpointId, until: Date) => {
  const one = (from: Statement.Fragment, order: "asc" | "desc") => sql`
    select d.id, d.created_at from webhook_delivery_history d
    where d.endpoint_id between ${endpoint}::uuid and ${endpoint}::uuid and d.organization_id = ${organization}::int
      and ${from} order by ${sql.literal(`d.endpoint_id ${order}, d.id ${order}`)} limit 1`
  const isOlder = sql`d.created_at < ${until}::timestamptz + interval '1 hour'`
  return sql`(
    with recursive span (low, high) as (
      select coalesce((select id from (${one(sql`true`, "asc")}) f), 0), coalesce((select id from (${one(sql`true`, "desc")}) l), 0) + 1
      union all
      select case when ${isOlder} then d.id + 1 else s.low end, case when ${isOlder} then s.high else s.middle end
      from (select low, high, (low + high) / 2 as middle from span where high - low > ${searchEnd}::int) s,
        lateral (${one(sql`d.id >= s.middle`, "asc")}) d
    ) select min(high) from span)`
}

const newest = (
  sql: Sql,
  organization: OrganizationId,
  endpoint: EndpointId,
  { before, since, state, until }: DeliveryFilter,
  limit: number,
) => {
  // created_at <= finished_at, so `since` limits the partitions that are read
  const inPartitions = when(sql, since, (since) => sql`d.finished_at >= ${since}::timestamptz`)
  const isBefore = when(sql, until, (until) => sql`d.id < ${idAfter(sql, organization, endpoint, until)}`)
  const inHistory = state === "queued" || state === "parked" ? sql`false` : sql`${inPartitions} and ${isBefore}`
  // with `=` instead of `between`, the planner may take the primary key for the order and read other endpoints' rows
  const of = (table: Statement.Fragment, also: Statement.Fragment) => sql`(
    select * from (${table}) d
    where d.endpoint_id between ${endpoint}::uuid and ${endpoint}::uuid and d.organization_id = ${organization}::int
      and ${when(sql, before, (id) => sql`d.id < ${id}::bigint`)}
      and ${when(sql, state, (state) => sql`d.state = ${state}`)} and ${also}
      and ${when(sql, since, (since) => sql`d.created_at >= ${since}::timestamptz`)}
      and ${when(sql, until, (until) => sql`d.created_at < ${until}::timestamptz`)}
    order by d.endpoint_id desc, d.id desc limit ${limit}::int)`
  return sql`select * from (${of(queued(sql), sql`true`)} union all ${of(finished(sql), inHistory)}) d
    order by d.id desc limit ${limit}::int`
}

// Send again

export interface Pace {
  readonly limit: number
  /** Milliseconds. */
  readonly spacing: number
  /** Milliseconds. */
  readonly offset: number
}

// Activity

export interface HourCount {
  readonly endpoint_id: EndpointId
  /** The beginning of an hour. */
  readonly hour: Date
  readonly delivered: number
  readonly failed: number
}

export class DeliveryRepository extends Context.Service<DeliveryRepository>()(
  "interview-invitations/webhooks/DeliveryRepository",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const { now, sql, transaction } = database
      const queueNotifier = yield* QueueNotifier

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
        const endpoints =
          typeof text === "string" ? yield* Effect.orDie(Schema.decodeEffect(ClaimedEndpoints)(text)) : []
        const known = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
        return rows.flatMap(({ endpoints: _, ...row }): ReadonlyArray<DeliveryJob> => {
          const endpoint = known.get(row.endpoint_id)
          return endpoint === undefined ? [] : [{ ...row, endpoint }]
        })
      })

      /** Starts the looks that set the watermark, in parallel with claims (ClaimWatermark.ts). */
      const watermarkLooks = Effect.gen(function* () {
        const { wake } = queueNotifier
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

      // Admit

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

      /** Lock order against deadlocks: endpoints by id, then deliveries. */
      const lockEndpoints = Effect.fnUntraced(function* (endpoints: ReadonlyArray<EndpointId>) {
        return yield* sql<{ id: EndpointId; consecutive_failures: number }>`
    select id, consecutive_failures from webhook_endpoint where id = any(${[...endpoints]}::uuid[])
    order by id for no key update`
      })

      /**
       * Drops the receiver's answers about persons who were erased after the attempt began: an erasure removes the answers of
       * attempts that were settled before.
       */
      const withoutErased = Effect.fnUntraced(function* (settlements: ReadonlyArray<DeliverySettlement>) {
        const told = settlements.filter(({ attempt }) => attempt.answer || attempt.error?.includes(", a redirect to "))
        if (told.length === 0) return settlements
        const rows = yield* sql<{ id: string }>`
    select d.id::text as id from webhook_delivery d
      join webhook_event v on v.id = d.event_id
      join submission b on b.id = v.submission_id and b.organization_id = d.organization_id
      join candidate c on c.id = b.candidate_id and c.organization_id = d.organization_id
    where d.id = any(${told.map(({ id }) => id)}::bigint[]) and c.erased_at is not null`
        if (rows.length === 0) return settlements
        const erased = new Set(rows.map(({ id }) => id))
        return settlements.map((settlement) =>
          erased.has(settlement.id) ? { ...settlement, attempt: withoutAnswer(settlement.attempt) } : settlement,
        )
      })

      const writeAttempts = Effect.fnUntraced(function* (
        settlements: ReadonlyArray<DeliverySettlement>,
        at: Statement.Fragment,
      ) {
        const { isHeld, latest, outcome, outcomes } = settled(sql, settlements)
        const { again = [], finished = [] } = Object.groupBy(latest.values(), ({ state }) =>
          state === "queued" ? "again" : "finished",
        )
        const idsOf = (some: ReadonlyArray<DeliverySettlement>) => some.map(({ id }) => id)
        const written = yield* sql<{ id: string }>`
    with ${outcomes}, finished as (
      delete from webhook_delivery q where ${isHeld(idsOf(finished))}
      returning q.*, ${outcome} as outcome
    ), kept as (
      insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at,
        finished_at, state, attempts)
      select id, organization_id, endpoint_id, event_id, attempt_log || (outcome -> 'attempt'), created_at, ${at},
        outcome ->> 'state', attempts + 1
      from finished
    ), again as (
      update webhook_delivery q set state = 'queued', attempts = q.attempts + 1, started_attempts = 0, claim_id = null,
        due_at = ${later(sql, at, sql`(${outcome} ->> 'delay_ms')::float8 * interval '1 millisecond'`)},
        attempt_log = q.attempt_log || (${outcome} -> 'attempt')
      where ${isHeld(idsOf(again))}
      returning q.id
    )
    select id::text as id from finished union all select id::text from again`
        const ids = new Set(written.map(({ id }) => id))
        return settlements.filter((settlement) => ids.has(settlement.id) && latest.get(settlement.id) === settlement)
      })

      const finishDelivered = Effect.fnUntraced(function* (settlements: ReadonlyArray<DeliverySettlement>) {
        const at = yield* now
        const { isHeld, latest, outcome, outcomes } = settled(sql, settlements)
        return yield* sql<{ endpoint_id: EndpointId }>`
    with ${outcomes}, finished as (
      delete from webhook_delivery q where ${isHeld([...latest.keys()])}
      returning q.id, q.organization_id, q.endpoint_id, q.event_id, q.attempt_log, q.created_at, q.attempts,
        ${outcome} -> 'attempt' as attempt
    ), kept as (
      insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at,
        finished_at, state, attempts)
      select id, organization_id, endpoint_id, event_id, attempt_log || attempt, created_at, ${at}, 'delivered', attempts + 1
      from finished
    )
    select distinct endpoint_id from finished`
      })

      /**
       * Settles successes to endpoints that have no failure in the same batch. An endpoint is written only when its failures
       * end or its last success is old; otherwise it is not even locked: a failure that another transaction counts meanwhile
       * counts after these successes.
       */
      const settleDelivered = Effect.fnUntraced(function* (all: ReadonlyArray<DeliverySettlement>) {
        const settlements = yield* withoutErased(all)
        const at = yield* now
        const endpoints = [...new Set(settlements.map(({ endpoint_id }) => endpoint_id))]
        const old = Duration.toMillis(successInterval)
        const changing = sql`id = any(${endpoints}::uuid[]) and (consecutive_failures > 0
    or coalesce(last_success_at < ${at} - ${old}::float8 * interval '1 millisecond', true))`
        const changed = yield* sql`select id from webhook_endpoint where ${changing} limit 1`
        if (changed.length === 0) {
          yield* finishDelivered(settlements)
          return
        }
        yield* transaction(
          Effect.gen(function* () {
            const locked = yield* sql<{ id: EndpointId }>`
        select id from webhook_endpoint where ${changing} order by id for no key update`
            const finished = new Set((yield* finishDelivered(settlements)).map(({ endpoint_id }) => endpoint_id))
            const succeeded = locked.flatMap(({ id }) => (finished.has(id) ? [id] : []))
            yield* sql`
        update webhook_endpoint set consecutive_failures = 0, last_success_at = clock.now,
          next_probe_at = ${probedNow(sql, sql`clock.now`)}
        from ${clock(sql, at)} where id = any(${succeeded}::uuid[])`
          }),
        )
      })

      /**
       * `settlements` are in the order of their ends; those whose claim has ended are ignored. Returns the endpoints it
       * deactivated.
       */
      const settle = Effect.fnUntraced(function* (all: ReadonlyArray<DeliverySettlement>, deactivateAfter: number) {
        const settlements = yield* withoutErased(all)
        const at = yield* now
        const endpoints = yield* lockEndpoints([...new Set(settlements.map(({ endpoint_id }) => endpoint_id))])
        const counters = new Map(endpoints.map(({ consecutive_failures, id }) => [id, consecutive_failures]))
        const counts = countFailures(counters, yield* writeAttempts(settlements, at), deactivateAfter)
        const counted = yield* sql<{ id: EndpointId; status: string }>`
      update webhook_endpoint e set
        consecutive_failures = r.consecutive_failures,
        last_success_at = case when r.succeeded then clock.now else e.last_success_at end,
        next_probe_at = case when r.succeeded then ${probedNow(sql, sql`clock.now`)} else e.next_probe_at end,
        last_failure_at = case when r.error is null then e.last_failure_at else clock.now end,
        last_error = coalesce(r.error, e.last_error)
      from ${recordset(sql, counts, "endpoint_id uuid, consecutive_failures int, succeeded bool, error text")},
        ${clock(sql, at)}
      where e.id = r.endpoint_id
      returning e.id, e.status`
        const gone = counts.flatMap(({ endpoint_id, isGone }) => (isGone ? [endpoint_id] : []))
        const exhausted = counts.flatMap(({ endpoint_id, isExhausted, isGone }) =>
          isExhausted || isGone ? [endpoint_id] : [],
        )
        const inactive = counted.flatMap(({ id, status }) => (status === "inactive" ? [id] : []))
        if (exhausted.length + inactive.length === 0) return []
        const deactivated = yield* sql<Deactivated>`
      update webhook_endpoint set status = 'inactive', deactivated_at = ${at}, resume_at = null, failed_probes = 0,
        inactive_reason = case when id = any(${gone}::uuid[]) then 'gone' else 'failures' end
      where id = any(${exhausted}::uuid[]) and status = 'active'
      returning id, organization_id, name, url, last_error, inactive_reason, consecutive_failures`
        yield* parkDue([...exhausted, ...inactive])
        return deactivated
      }, transaction)

      /** True: there may be more. Deliveries in flight keep their claim, so their attempts are settled. */
      const parkDue = Effect.fnUntraced(function* (endpoints: ReadonlyArray<EndpointId>) {
        const rows = yield* sql`
    update webhook_delivery set state = 'parked', due_at = null where id = any(array(
      select id from webhook_delivery where endpoint_id = any(${[...endpoints]}::uuid[]) and due_at is not null
        and (claim_id is null or coalesce(leased_until <= ${yield* now}, true))
        and single_attempt is distinct from attempts
      limit ${maxParked}::int for update skip locked
    )) returning id`
        return rows.length === maxParked
      })

      /** The locks delay enabling until the transaction ends. */
      const lockInactive = Effect.fnUntraced(function* (endpoints: ReadonlyArray<EndpointId>) {
        const rows = yield* sql<{ id: EndpointId }>`
    select id from webhook_endpoint where id = any(${[...endpoints]}::uuid[]) and status = 'inactive'
    order by id for no key update`
        return rows.map(({ id }) => id)
      })

      /** Releases deliveries of endpoints enabled meanwhile. */
      const park = Effect.fnUntraced(function* (
        claims: ReadonlyArray<Pick<DeliveryJob, "id" | "claim_id" | "endpoint_id">>,
      ) {
        const inactive = yield* lockInactive([...new Set(claims.map(({ endpoint_id }) => endpoint_id))])
        yield* sql`
      update webhook_delivery d set state = case when i.id is null then 'queued' else 'parked' end, claim_id = null,
        started_attempts = ${sql.literal(Queue.uncounted)}, single_attempt = null,
        due_at = case when i.id is null then clock.now end
      from ${recordset(sql, claims, "id bigint, claim_id uuid, endpoint_id uuid")}
        left join unnest(${inactive}::uuid[]) as i(id) on i.id = r.endpoint_id, ${clock(sql, yield* now)}
      where d.id = r.id and d.claim_id = r.claim_id`
        if (inactive.length > 0) yield* parkDue(inactive)
      }, transaction)

      const parkWaiting = Effect.fnUntraced(function* (endpoints: ReadonlyArray<EndpointId>) {
        const inactive = yield* lockInactive(endpoints)
        return inactive.length > 0 && (yield* parkDue(inactive))
      }, transaction)

      const countParked = Effect.fnUntraced(function* (organization: OrganizationId, endpoint: EndpointId) {
        const rows = yield* sql<{ parked: number }>`
    select count(*)::int as parked from webhook_delivery
    where endpoint_id = ${endpoint}::uuid and state = 'parked' and organization_id = ${organization}::int`
        return first(rows)?.parked ?? 0
      })

      const release = Effect.fnUntraced(function* (...[claims, after, as]: Parameters<Queue.Release>) {
        yield* Queue.release(database, "webhook_delivery")(claims, after, as)
        if (Duration.isZero(after)) yield* queueNotifier.wake("webhook_delivery")
      })

      const startAlone = Queue.startAlone(database, "webhook_delivery")

      /** A filter by event searches the first `maxSearched` matches of the other filters. */
      const list = Effect.fnUntraced(function* (
        organization: OrganizationId,
        endpoint: EndpointId,
        filter: DeliveryFilter,
        limit: number,
      ) {
        const { event_status, event_type } = filter
        const rows = newest(sql, organization, endpoint, filter, event_type === undefined ? limit : maxSearched)
        return yield* sql<DeliveryRow>`
    select ${columns(sql)} from (${rows}) d left join webhook_event v on v.id = d.event_id
    where ${when(sql, event_type, (type) => sql`v.event_type = ${type}`)}
      and ${when(sql, event_status, (status) => sql`v.status = ${status}`)}
    order by d.id desc limit ${limit}::int`
      })

      /** Undefined: `list` searches all deliveries. */
      const searchedUntil = Effect.fnUntraced(function* (
        organization: OrganizationId,
        endpoint: EndpointId,
        filter: DeliveryFilter,
      ) {
        const rows = yield* sql<{ id: DeliveryId }>`
    select id::text as id from (${newest(sql, organization, endpoint, filter, maxSearched)}) d
    order by d.id desc offset ${maxSearched - 1}::int`
        return first(rows)?.id
      })

      const find = Effect.fnUntraced(function* (organization: OrganizationId, id: DeliveryId) {
        const one = (table: Statement.Fragment) => sql`
    select ${columns(sql)} from (${table}) d left join webhook_event v on v.id = d.event_id
    where d.id = ${id}::bigint and d.organization_id = ${organization}::int`
        return first(yield* sql<DeliveryRow>`${one(queued(sql))} union all ${one(finished(sql))}`)
      })

      const organizationOf = Effect.fnUntraced(function* (id: DeliveryId) {
        const rows = yield* sql<{ organization_id: OrganizationId }>`
    select organization_id from webhook_delivery where id = ${id}::bigint
    union all select organization_id from webhook_delivery_history where id = ${id}::bigint`
        return first(rows)?.organization_id
      })

      const wakeIf = (isQueued: boolean) => (isQueued ? queueNotifier.wake("webhook_delivery") : Effect.void)

      /** Undefined: not finished, the event was deleted, or resent_at is not `seen`. */
      const resend = Effect.fnUntraced(function* (organization: OrganizationId, id: DeliveryId, seen: Date | null) {
        const at = yield* now
        // Updating the event keeps it: retention rechecks changed rows. Lock order against deadlocks, as in resendFailed:
        // events, then history.
        const rows = yield* sql<{ id: DeliveryId }>`
    with kept as (
      update webhook_event v set resent_at = ${at} from webhook_delivery_history h
      where h.id = ${id}::bigint and h.organization_id = ${organization}::int and v.id = h.event_id
      returning v.id
    ), again as (
      update webhook_delivery_history h set resent_at = ${at} from kept
      where h.id = ${id}::bigint and h.event_id = kept.id
        and date_trunc('milliseconds', h.resent_at at time zone 'UTC')
          is not distinct from ${seen}::timestamptz at time zone 'UTC'
      returning h.organization_id, h.endpoint_id, h.event_id
    )
    insert into webhook_delivery (organization_id, endpoint_id, event_id, created_at, due_at)
    select organization_id, endpoint_id, event_id, ${at}, ${at} from again
    returning id::text as id`
        yield* wakeIf(rows.length > 0)
        return first(rows)?.id
      })

      const failedSince = Effect.fnUntraced(function* (
        organization: OrganizationId,
        endpoint: EndpointId,
        since: Date,
      ) {
        const rows = yield* sql<{ failed: number }>`
    select count(*)::int as failed from webhook_delivery_history o
    where endpoint_id = ${endpoint}::uuid and organization_id = ${organization}::int and state = 'failed'
      and resent_at is null and finished_at >= ${since}::timestamptz
      and exists (select from webhook_event v where v.id = o.event_id)`
        return first(rows)?.failed ?? 0
      })

      const resendFailed = Effect.fnUntraced(function* (
        organization: OrganizationId,
        endpoint: EndpointId,
        since: Date,
        { limit, offset, spacing }: Pace,
      ) {
        const at = yield* now
        const rows = yield* sql`
    with failed as materialized (
      select id, finished_at, event_id from webhook_delivery_history o
      where endpoint_id = ${endpoint}::uuid and organization_id = ${organization}::int and state = 'failed'
        and resent_at is null and finished_at >= ${since}::timestamptz
        and exists (select from webhook_event v where v.id = o.event_id)
      order by finished_at, id limit ${limit}::int
    ), again as (
      update webhook_delivery_history h set resent_at = ${at} from failed f
      where h.endpoint_id = ${endpoint}::uuid and h.state = 'failed' and h.resent_at is null
        and h.finished_at = f.finished_at and h.id = f.id
        and f.event_id = any(array(
          select id from webhook_event where id in (select event_id from failed) order by id for no key update
        ))
      returning h.id, h.organization_id, h.endpoint_id, h.event_id
    ), kept as (
      update webhook_event v set resent_at = ${at} from again a where v.id = a.event_id returning v.id
    ), queued as (
      insert into webhook_delivery (organization_id, endpoint_id, event_id, created_at, due_at)
      select a.organization_id, a.endpoint_id, a.event_id, ${at},
        ${at} + (${offset}::float8 + ${spacing}::float8 * (row_number() over (order by a.id) - 1)) * interval '1 millisecond'
      from again a join kept on kept.id = a.event_id
    )
    select id from again`
        yield* wakeIf(rows.length > 0)
        return rows.length
      })

      const sendParked = Effect.fnUntraced(function* (
        organization: OrganizationId,
        endpoint: EndpointId,
        { limit, offset, spacing }: Pace,
      ) {
        const at = yield* now
        const rows = yield* sql`
    update webhook_delivery d set state = 'queued', claim_id = null, started_attempts = 0,
      due_at = ${later(sql, at, sql`(${offset}::float8 + ${spacing}::float8 * (p.place - 1)) * interval '1 millisecond'`)}
    from (
      select id, row_number() over (order by id) as place from (
        select id from webhook_delivery where endpoint_id = ${endpoint}::uuid and state = 'parked'
          and organization_id = ${organization}::int
        order by id limit ${limit}::int for update
      ) oldest
    ) p, webhook_endpoint e
    where d.id = p.id and e.id = d.endpoint_id and e.status = 'active' and e.deleted_at is null
    returning d.id`
        yield* wakeIf(rows.length > 0)
        return rows.length
      })

      /**
       * Makes a parked delivery, or one that waits for a later attempt, due now. At an inactive endpoint it gets one attempt.
       * Undefined: it does not wait, or a claim holds it.
       */
      const sendNow = Effect.fnUntraced(function* (organization: OrganizationId, id: DeliveryId) {
        const at = yield* now
        const rows = yield* sql<{ id: DeliveryId; is_single: boolean }>`
    update webhook_delivery d set state = 'queued', due_at = ${at}, claim_id = null,
      single_attempt = case when e.status = 'inactive' then d.attempts end
    from webhook_endpoint e, ${clock(sql, at)}
    where d.id = ${id}::bigint and d.organization_id = ${organization}::int and e.id = d.endpoint_id and e.deleted_at is null
      and (d.state = 'parked' or d.due_at > clock.now) and ${Queue.isFree(sql, "d", sql`clock.now`, [])}
    returning d.id::text as id, d.single_attempt is not null as is_single`
        yield* wakeIf(rows.length > 0)
        return first(rows)
      })

      /** Whether a claim holds the delivery. */
      const isClaimed = Effect.fnUntraced(function* (organization: OrganizationId, id: DeliveryId) {
        const rows = yield* sql`
    select d.id from webhook_delivery d where d.id = ${id}::bigint and d.organization_id = ${organization}::int
      and d.due_at is not null and not ${Queue.isFree(sql, "d", yield* now, [])}`
        return rows.length > 0
      })

      /** Adds attempts to the counts of their hours. */
      const countAttempts = Effect.fnUntraced(function* (counts: ReadonlyArray<HourCount>) {
        yield* sql`
    insert into webhook_endpoint_hour as h (endpoint_id, hour, delivered, failed)
    select endpoint_id, hour, delivered, failed
    from ${recordset(sql, counts, "endpoint_id uuid, hour timestamptz, delivered int, failed int")}
    order by endpoint_id, hour
    on conflict (endpoint_id, hour) do update
      set delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed`
      })

      /** Attempts by hour since `since`, of the organization's endpoints among `endpoints`. */
      const activity = Effect.fnUntraced(function* (
        organization: OrganizationId,
        endpoints: ReadonlyArray<EndpointId>,
        since: Date,
      ) {
        return yield* sql<HourCount>`
    select h.endpoint_id, h.hour, h.delivered, h.failed from webhook_endpoint_hour h
      join webhook_endpoint e on e.id = h.endpoint_id and e.organization_id = ${organization}::int
    where h.endpoint_id = any(${[...endpoints]}::uuid[]) and h.hour >= ${since}::timestamptz
    order by h.endpoint_id, h.hour`
      })

      return {
        claim,
        admit,
        unclaim,
        sendNow,
        isClaimed,
        countAttempts,
        activity,
        settle,
        settleDelivered,
        park,
        parkWaiting,
        countParked,
        release,
        startAlone,
        list,
        searchedUntil,
        find,
        organizationOf,
        resend,
        failedSince,
        resendFailed,
        sendParked,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
