/**
 * Webhook deliveries: the queue (webhook_delivery) and finished ones (webhook_delivery_history, one partition a day).
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { CandidateFields } from "../../candidates/Candidate.ts"
import { clock, Database, first, later } from "../../platform/database/Database.ts"
import { when } from "../../platform/database/Paging.ts"
import type { Sql } from "../../platform/database/Sql.ts"
import { QueueNotifier } from "../../platform/queue/QueueNotifier.ts"
import * as Queue from "../../platform/queue/QueueSql.ts"
import type { DeliveryId, EndpointId, EventId, OrganizationId, SubmissionId } from "../../values/Ids.ts"
import type { EventType } from "../events/WebhookEvent.ts"
import { type Attempt, type DeliveryState, maxSearched } from "./Delivery.ts"
import type { HourCount } from "./DeliverySettlementRepository.ts"

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
  const inPartitions = when(sql, since, (value) => sql`d.finished_at >= ${value}::timestamptz`)
  const isBefore = when(sql, until, (value) => sql`d.id < ${idAfter(sql, organization, endpoint, value)}`)
  const inHistory = state === "queued" || state === "parked" ? sql`false` : sql`${inPartitions} and ${isBefore}`
  // with `=` instead of `between`, the planner may take the primary key for the order and read other endpoints' rows
  const of = (table: Statement.Fragment, also: Statement.Fragment) => sql`(
    select * from (${table}) d
    where d.endpoint_id between ${endpoint}::uuid and ${endpoint}::uuid and d.organization_id = ${organization}::int
      and ${when(sql, before, (id) => sql`d.id < ${id}::bigint`)}
      and ${when(sql, state, (value) => sql`d.state = ${value}`)} and ${also}
      and ${when(sql, since, (value) => sql`d.created_at >= ${value}::timestamptz`)}
      and ${when(sql, until, (value) => sql`d.created_at < ${value}::timestamptz`)}
    order by d.endpoint_id desc, d.id desc limit ${limit}::int)`
  return sql`select * from (${of(queued(sql), sql`true`)} union all ${of(finished(sql), inHistory)}) d
    order by d.id desc limit ${limit}::int`
}

/** Failed deliveries that were not sent again and whose event is stored. */
export interface FailedFilter {
  /** When the last attempt ended. Inclusive. */
  readonly since: Date
  /** Exclusive. */
  readonly until?: Date | undefined
  readonly event_types?: ReadonlyArray<EventType> | undefined
}

export interface Pace {
  readonly limit: number
  /** Milliseconds. */
  readonly spacing: number
}

export interface OffsetPace extends Pace {
  /** Milliseconds. */
  readonly offset: number
}

export class DeliveryRepository extends Context.Service<DeliveryRepository>()(
  "interview-invitations/webhooks/deliveries/DeliveryRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* QueueNotifier

      const countParked = Effect.fnUntraced(function* (organization: OrganizationId, endpoint: EndpointId) {
        const rows = yield* sql<{ parked: number }>`
          select count(*)::int as parked from webhook_delivery
          where endpoint_id = ${endpoint}::uuid and state = 'parked' and organization_id = ${organization}::int`
        return first(rows)?.parked ?? 0
      })

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

      const wakeIf = (isQueued: boolean) => (isQueued ? wake("webhook_delivery") : Effect.void)

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

      const failed = (
        organization: OrganizationId,
        endpoint: EndpointId,
        { event_types, since, until }: FailedFilter,
      ) => sql`
        webhook_delivery_history o
        where endpoint_id = ${endpoint}::uuid and organization_id = ${organization}::int and state = 'failed'
          and resent_at is null and finished_at >= ${since}::timestamptz
          and ${when(sql, until, (value) => sql`finished_at < ${value}::timestamptz`)}
          and exists (select from webhook_event v where v.id = o.event_id
            and ${when(sql, event_types, (types) => sql`v.event_type = any(${[...types]}::text[])`)})`

      const countFailed = Effect.fnUntraced(function* (
        organization: OrganizationId,
        endpoint: EndpointId,
        filter: FailedFilter,
      ) {
        const rows = yield* sql<{ failed: number }>`
          select count(*)::int as failed from ${failed(organization, endpoint, filter)}`
        return first(rows)?.failed ?? 0
      })

      const hasFailed = Effect.fnUntraced(function* (
        organization: OrganizationId,
        endpoint: EndpointId,
        filter: FailedFilter,
      ) {
        const rows = yield* sql`select id from ${failed(organization, endpoint, filter)} limit 1`
        return rows.length > 0
      })

      /**
       * Sends the oldest `limit` of them again, `spacing` apart. The first one follows the last delivery that waits for its first
       * attempt, so that repeated calls keep the pace.
       */
      const resendFailed = Effect.fnUntraced(function* (
        organization: OrganizationId,
        endpoint: EndpointId,
        filter: FailedFilter,
        { limit, spacing }: Pace,
      ) {
        const at = yield* now
        const rows = yield* sql`
          with failed as materialized (
            select id, finished_at, event_id from ${failed(organization, endpoint, filter)}
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
            update webhook_event v set resent_at = ${at} from again a where v.id = a.event_id
          ), queued as (
            insert into webhook_delivery (organization_id, endpoint_id, event_id, created_at, due_at)
            select organization_id, endpoint_id, event_id, ${at},
              coalesce((
                select d.due_at + ${spacing}::float8 * interval '1 millisecond' from webhook_delivery d
                where d.endpoint_id between ${endpoint}::uuid and ${endpoint}::uuid and least(d.attempts, 1) = 0
                  and d.due_at > ${at} and d.organization_id = ${organization}::int
                order by d.endpoint_id desc, least(d.attempts, 1) desc, d.due_at desc limit 1
              ), ${at}) + ${spacing}::float8 * (row_number() over (order by id) - 1) * interval '1 millisecond'
            from again order by id
          )
          select id from again`
        yield* wakeIf(rows.length > 0)
        return rows.length
      })

      const sendParked = Effect.fnUntraced(function* (
        organization: OrganizationId,
        endpoint: EndpointId,
        { limit, offset, spacing }: OffsetPace,
      ) {
        const at = yield* now
        const rows = yield* sql`
          update webhook_delivery d set state = 'queued', claim_id = null, unended_attempts = 0, alone = null,
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
        activity,
        countFailed,
        countParked,
        find,
        hasFailed,
        isClaimed,
        list,
        organizationOf,
        resend,
        resendFailed,
        searchedUntil,
        sendNow,
        sendParked,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
