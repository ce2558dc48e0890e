/**
 * Deliveries as people look at them, the queue's and the finished ones, and sending them again. Unfinished rows stand in
 * webhook_delivery, finished ones in webhook_delivery_history, a partition for each day (repository/Retention.ts).
 */

import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database, first } from "../platform/database/Database.ts"
import { when } from "../platform/database/Paging.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import type { DeliveryId, EndpointId, EventId, OrganizationId } from "../values/Ids.ts"
import type { Attempt, DeliveryState } from "./Delivery.ts"
import { searched } from "./Delivery.ts"
import type { EventType } from "./WebhookEvent.ts"

export interface DeliveryRow {
  readonly id: DeliveryId
  readonly endpoint_id: EndpointId
  readonly event_id: EventId
  /** null: the event is older than what is kept. */
  readonly event_type: EventType | null
  /** Of the event: names the sub-event. */
  readonly event_status: string | null
  readonly state: DeliveryState
  readonly attempts: number
  readonly attempt_log: ReadonlyArray<Attempt>
  readonly created_at: Date
  /** The next attempt; null when there is none. */
  readonly due_at: Date | null
  readonly finished_at: Date | null
  /** When it was sent again, as another delivery of the same event. */
  readonly resent_at: Date | null
}

/** Which deliveries of an endpoint; what is left out does not matter. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly event_type?: EventType | undefined
  /** With event_type: of this sub-event. */
  readonly event_status?: string | undefined
  /** Made at or after. */
  readonly since?: Date | undefined
  /** Made before. */
  readonly until?: Date | undefined
  /** Older than this one. */
  readonly before?: DeliveryId | undefined
}

/** So many ids are walked through rather than halved once more. */
const near = 100

/** One batch of what is put back into the queue: so many, this far apart, the first one that far from now; milliseconds. */
export interface Pace {
  readonly limit: number
  readonly spacing: number
  readonly offset: number
}

export class DeliveryHistoryRepository extends Context.Service<
  DeliveryHistoryRepository,
  {
    /** An endpoint's deliveries, newest first; those of an event among the first `searched` that the rest of the filter finds. */
    readonly list: (
      organization: OrganizationId,
      endpoint: EndpointId,
      filter: DeliveryFilter,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<DeliveryRow>>
    /** The last one of those, where there are so many: before it nothing was looked at. */
    readonly searchedUntil: (
      organization: OrganizationId,
      endpoint: EndpointId,
      filter: DeliveryFilter,
    ) => Effect.Effect<DeliveryId | undefined>
    readonly find: (organization: OrganizationId, id: DeliveryId) => Effect.Effect<DeliveryRow | undefined>
    /** The organization of a delivery: for commands, which name a delivery and nothing else. */
    readonly organizationOf: (id: DeliveryId) => Effect.Effect<OrganizationId | undefined>
    /**
     * Queues a finished delivery's event once more; undefined when it is not finished, its event is gone, or it was sent
     * again since `seen`, what its resent_at was.
     */
    readonly resend: (
      organization: OrganizationId,
      id: DeliveryId,
      seen: Date | null,
    ) => Effect.Effect<DeliveryId | undefined>
    /** How many deliveries resendFailed would queue. */
    readonly failedSince: (organization: OrganizationId, endpoint: EndpointId, since: Date) => Effect.Effect<number>
    /** The event's body, the bytes of every attempt; undefined: it is older than what is kept. */
    readonly bodyOf: (organization: OrganizationId, id: EventId) => Effect.Effect<string | undefined>
    /** Queues the endpoint's deliveries that failed since then and were not sent again; returns how many. */
    readonly resendFailed: (
      organization: OrganizationId,
      endpoint: EndpointId,
      since: Date,
      pace: Pace,
    ) => Effect.Effect<number>
    /** Puts parked deliveries of an active endpoint back into the queue, oldest first; returns how many. */
    readonly sendParked: (organization: OrganizationId, endpoint: EndpointId, pace: Pace) => Effect.Effect<number>
  }
>()("interview-invitations/webhooks/DeliveryHistoryRepository") {
  static readonly layer = Layer.effect(
    DeliveryHistoryRepository,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* QueueNotifier
      const queue = sql`select id, organization_id, endpoint_id, event_id, state, attempts, attempt_log, created_at, due_at,
        null::timestamptz as finished_at, null::timestamptz as resent_at from webhook_delivery`
      const history = sql`select id, organization_id, endpoint_id, event_id, state, attempts, attempt_log, created_at,
        null::timestamptz as due_at, finished_at, resent_at from webhook_delivery_history`
      const columns = sql`d.id::text as id, d.endpoint_id, d.event_id, v.event_type, v.status as event_status, d.state,
        d.attempts, d.attempt_log, d.created_at, d.due_at, d.finished_at, d.resent_at`

      /**
       * An id from which on all finished deliveries of an endpoint were made at `until` or after. A delivery has the time at
       * which its transaction began, and none runs for an hour: an hour beyond, ids are in the order of time, and halving
       * finds the place without a walk through all that came since.
       */
      const madeUntil = (organization: OrganizationId, endpoint: EndpointId, until: Date) => {
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
            from (select low, high, (low + high) / 2 as middle from span where high - low > ${near}::int) s,
              lateral (${one(sql`d.id >= s.middle`, "asc")}) d
          ) select min(high) from span)`
      }

      /** An endpoint's newest deliveries as far as the filter says it without their events. */
      const newest = (
        organization: OrganizationId,
        endpoint: EndpointId,
        { before, since, state, until }: DeliveryFilter,
        most: number,
      ) => {
        // nothing finishes before it is made: of the history only the days since then are read
        const made = when(sql, since, (since) => sql`d.finished_at >= ${since}::timestamptz`)
        // and for what is not finished none at all
        const finished =
          state === "queued" || state === "parked"
            ? sql`false`
            : sql`${made} and ${when(sql, until, (until) => sql`d.id < ${madeUntil(organization, endpoint, until)}`)}`
        // Between one and the same, so that the order is the endpoint's index's and not the primary key's as well: a planner
        // that takes that one for cheaper walks through all that others were sent since.
        const of = (table: typeof queue, also: Statement.Fragment) => sql`(
          select * from (${table}) d
          where d.endpoint_id between ${endpoint}::uuid and ${endpoint}::uuid and d.organization_id = ${organization}::int
            and ${when(sql, before, (id) => sql`d.id < ${id}::bigint`)}
            and ${when(sql, state, (state) => sql`d.state = ${state}`)} and ${also}
            and ${when(sql, since, (since) => sql`d.created_at >= ${since}::timestamptz`)}
            and ${when(sql, until, (until) => sql`d.created_at < ${until}::timestamptz`)}
          order by d.endpoint_id desc, d.id desc limit ${most}::int)`
        return sql`select * from (${of(queue, sql`true`)} union all ${of(history, finished)}) d order by d.id desc limit ${most}::int`
      }

      return DeliveryHistoryRepository.of({
        list: Effect.fnUntraced(function* (organization, endpoint, filter, limit) {
          const { event_status, event_type } = filter
          const most = event_type === undefined ? limit : searched
          return yield* sql<DeliveryRow>`
            select d.id::text as id, d.endpoint_id, d.event_id, v.event_type, v.status as event_status, d.state, d.attempts,
              d.attempt_log, d.created_at, d.due_at, d.finished_at, d.resent_at
            from (${newest(organization, endpoint, filter, most)}) d left join webhook_event v on v.id = d.event_id
            where ${when(sql, event_type, (type) => sql`v.event_type = ${type}`)}
              and ${when(sql, event_status, (status) => sql`v.status = ${status}`)}
            order by d.id desc limit ${limit}::int`
        }, Effect.orDie),
        searchedUntil: Effect.fnUntraced(function* (organization, endpoint, filter) {
          const rows = yield* sql<{ id: DeliveryId }>`
            select id::text as id from (${newest(organization, endpoint, filter, searched)}) d
            order by d.id desc offset ${searched - 1}::int`
          return first(rows)?.id
        }, Effect.orDie),
        find: Effect.fnUntraced(function* (organization, id) {
          const one = (table: typeof queue) => sql`
            select ${columns} from (${table}) d left join webhook_event v on v.id = d.event_id
            where d.id = ${id}::bigint and d.organization_id = ${organization}::int`
          return first(yield* sql<DeliveryRow>`${one(queue)} union all ${one(history)}`)
        }, Effect.orDie),
        organizationOf: Effect.fnUntraced(function* (id) {
          return first(
            yield* sql<{ organization_id: OrganizationId }>`
              select organization_id from webhook_delivery where id = ${id}::bigint
              union all select organization_id from webhook_delivery_history where id = ${id}::bigint`,
          )?.organization_id
        }, Effect.orDie),
        resend: Effect.fnUntraced(function* (organization, id, seen) {
          const at = yield* now
          // To touch the event keeps it: whoever deletes old events looks again at a row that was changed meanwhile. Events
          // before history here and below, so that two who send the same again can not deadlock.
          const rows = yield* sql<{ id: DeliveryId }>`
            with kept as (
              update webhook_event v set resent_at = ${at} from webhook_delivery_history h
              where h.id = ${id}::bigint and h.organization_id = ${organization}::int and v.id = h.event_id
              returning v.id
            ), again as (
              update webhook_delivery_history h set resent_at = ${at} from kept
              where h.id = ${id}::bigint and h.event_id = kept.id
                and date_trunc('milliseconds', h.resent_at) is not distinct from ${seen}::timestamptz
              returning h.organization_id, h.endpoint_id, h.event_id
            )
            insert into webhook_delivery (organization_id, endpoint_id, event_id, created_at, due_at)
            select organization_id, endpoint_id, event_id, ${at}, ${at} from again
            returning id::text as id`
          if (rows.length > 0) yield* wake("webhook_delivery")
          return first(rows)?.id
        }, Effect.orDie),
        failedSince: Effect.fnUntraced(function* (organization, endpoint, since) {
          const rows = yield* sql<{ failed: number }>`
            select count(*)::int as failed from webhook_delivery_history o
            where endpoint_id = ${endpoint}::uuid and organization_id = ${organization}::int and state = 'failed'
              and resent_at is null and finished_at >= ${since}::timestamptz
              and exists (select from webhook_event v where v.id = o.event_id)`
          return first(rows)?.failed ?? 0
        }, Effect.orDie),
        bodyOf: Effect.fnUntraced(function* (organization, id) {
          const rows = yield* sql<{ body: string }>`
            select body from webhook_event where id = ${id}::uuid and organization_id = ${organization}::int`
          return first(rows)?.body
        }, Effect.orDie),
        resendFailed: Effect.fnUntraced(function* (organization, endpoint, since, { limit, offset, spacing }) {
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
              where h.id = f.id and h.finished_at = f.finished_at and h.resent_at is null
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
          if (rows.length > 0) yield* wake("webhook_delivery")
          return rows.length
        }, Effect.orDie),
        sendParked: Effect.fnUntraced(function* (organization, endpoint, { limit, offset, spacing }) {
          const at = yield* now
          const rows = yield* sql`
            update webhook_delivery d set state = 'queued', claim_id = null, started_attempts = 0,
              due_at = ${at} + (${offset}::float8 + ${spacing}::float8 * (p.place - 1)) * interval '1 millisecond'
            from (
              select id, row_number() over (order by id) as place from (
                select id from webhook_delivery where endpoint_id = ${endpoint}::uuid and state = 'parked'
                  and organization_id = ${organization}::int
                order by id limit ${limit}::int for update
              ) oldest
            ) p, webhook_endpoint e
            where d.id = p.id and e.id = d.endpoint_id and e.status = 'active' and e.deleted_at is null
            returning d.id`
          if (rows.length > 0) yield* wake("webhook_delivery")
          return rows.length
        }, Effect.orDie),
      })
    }),
  )
}
