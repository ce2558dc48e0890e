/** Probes of endpoints that the service deactivated after failures (EndpointProbes.ts). */
import { Context, Duration, Effect, Layer } from "effect"
import { clock, Database, first, later, recordset } from "../../platform/database/Database.ts"
import { QueueNotifier } from "../../platform/queue/QueueNotifier.ts"
import type { ClaimId, EndpointId, OrganizationId } from "../../values/Ids.ts"
import { type Attempt, withoutAnswer } from "../deliveries/Delivery.ts"
import type { Deactivated } from "../deliveries/DeliverySettlementRepository.ts"
import { isGone, probeDelay } from "./EndpointHealth.ts"

/** A probe's attempt that was not acknowledged. */
export interface FailedProbe {
  readonly id: string
  readonly claim_id: ClaimId
  readonly endpoint_id: EndpointId
  readonly attempt: Attempt
  readonly retryAfter: Duration.Duration | undefined
}

export interface ProbeLimits {
  /** WEBHOOK_PROBE_FIRST. */
  readonly first: Duration.Duration
  /** WEBHOOK_PROBE_FOR, from the deactivation. */
  readonly total: Duration.Duration
}

/** `failed_probes`: since the deactivation. */
export interface ProbedEndpoint extends Deactivated {
  readonly failed_probes: number
}

export interface FailedProbeEndpoint extends ProbedEndpoint {
  /** Null: no probe follows. */
  readonly next_probe_at: Date | null
}

/** Endpoints per statement. */
const maxDue = 100

/** An endpoint without a waiting delivery is examined again after this time. */
const withoutDelivery = Duration.seconds(30)

const millis = (duration: Duration.Duration) => Duration.toMillis(duration)

interface Due extends ProbedEndpoint {
  readonly is_over: boolean
}

export interface Resuming {
  readonly id: EndpointId
  readonly organization_id: OrganizationId
  /** Milliseconds until the next delivery may be sent. */
  readonly offset: number
}

export class ProbeRepository extends Context.Service<ProbeRepository>()(
  "interview-invitations/webhooks/endpoints/ProbeRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database
      const queueNotifier = yield* QueueNotifier

      /** Needs the transaction of the deactivation. */
      const schedule = Effect.fnUntraced(function* (endpoints: ReadonlyArray<EndpointId>, after: Duration.Duration) {
        yield* sql`
          update webhook_endpoint set failed_probes = 0, probe_delivery_id = null,
            next_probe_at = ${later(sql, yield* now, sql`${millis(after)}::float8 * interval '1 millisecond'`)}
          where id = any(${[...endpoints]}::uuid[]) and status = 'inactive'`
      })

      /**
       * Queues the oldest parked delivery of each endpoint whose probe is due, for one attempt. Returns the endpoints whose probes
       * have ended, and the number of those that were due. The lock and `next_probe_at` leave it to one pod; a
       * lost probe, for example because its delivery was deleted, is repeated after the time of the next one.
       */
      const queueDue = Effect.fnUntraced(function* ({ first: perEndpoint, total }: ProbeLimits) {
        const at = yield* now
        const due = yield* sql<Due>`
          select e.id, e.organization_id, e.name, e.url, e.last_error, e.inactive_reason, e.consecutive_failures,
            e.failed_probes,
            coalesce(e.deactivated_at <= ${at} - ${millis(total)}::float8 * interval '1 millisecond', true) as is_over
          from webhook_endpoint e
          where e.next_probe_at <= ${at} and e.status = 'inactive' and e.deleted_at is null
            and e.organization_id <> all(array(select id from suspended_organization))
            and not exists (select from webhook_delivery d where d.id = e.probe_delivery_id and d.due_at is not null)
          order by e.id limit ${maxDue}::int for no key update of e skip locked`
        if (due.length === 0) return { due: 0, over: [] }
        const over = due.filter(({ is_over }) => is_over)
        const probed = due
          .filter(({ is_over }) => !is_over)
          .map(({ failed_probes, id, organization_id }) => {
            const delay_ms = millis(probeDelay(perEndpoint, failed_probes + 1))
            return { endpoint_id: id, organization: organization_id, delay_ms }
          })
        yield* sql`
          update webhook_endpoint set next_probe_at = null where id = any(${over.map(({ id }) => id)}::uuid[])`
        const queued = yield* sql<{ id: string; endpoint_id: EndpointId }>`
          update webhook_delivery d set state = 'queued', due_at = clock.now, claim_id = null,
            unended_attempts = 0, alone = null, single_attempt = d.attempts
          from ${clock(sql, at)}
          where d.id = any(array(
            select oldest.id from ${recordset(sql, probed, "endpoint_id uuid, organization int")} cross join lateral (
              select p.id from webhook_delivery p
              where p.endpoint_id = r.endpoint_id and p.organization_id = r.organization and p.state = 'parked'
              order by p.id limit 1 for update skip locked
            ) oldest))
          returning d.id::text as id, d.endpoint_id`
        const probes = new Map(queued.map(({ endpoint_id, id }) => [endpoint_id, id]))
        const scheduled = probed.map(({ delay_ms, endpoint_id }) => {
          const delivery = probes.get(endpoint_id) ?? null
          return { endpoint_id, delivery, delay_ms: delivery === null ? millis(withoutDelivery) : delay_ms }
        })
        yield* sql`
          update webhook_endpoint e set probe_delivery_id = r.delivery,
            next_probe_at = ${later(sql, sql`clock.now`, sql`r.delay_ms * interval '1 millisecond'`)}
          from ${recordset(sql, scheduled, "endpoint_id uuid, delivery bigint, delay_ms float8")}, ${clock(sql, at)}
          where e.id = r.endpoint_id`
        if (queued.length > 0) yield* queueNotifier.wake("webhook_delivery")
        return { due: due.length, over }
      }, transaction)

      /** Lock order against deadlocks: the endpoint, then its delivery. */
      const lock = Effect.fnUntraced(function* (endpoint: EndpointId) {
        const rows = yield* sql<ProbedEndpoint & { readonly status: string; readonly deactivated_at: Date | null }>`
          select id, organization_id, name, url, last_error, inactive_reason, consecutive_failures, failed_probes, status,
            deactivated_at
          from webhook_endpoint where id = ${endpoint}::uuid and deleted_at is null for no key update`
        return first(rows)
      })

      /**
       * Parks the delivery again with its attempts, or queues it if the endpoint was activated meanwhile, and schedules the next
       * probe. Undefined: the claim has ended, or a person activated, deactivated or deleted the endpoint meanwhile.
       */
      const fail = Effect.fnUntraced(function* (
        { attempt, claim_id, endpoint_id, id, retryAfter }: FailedProbe,
        { first: firstDelay, total }: ProbeLimits,
      ) {
        const at = yield* now
        const endpoint = yield* lock(endpoint_id)
        const isActive = endpoint?.status === "active"
        const held = yield* sql`
          update webhook_delivery d set state = ${isActive ? "queued" : "parked"}, claim_id = null,
            unended_attempts = 0, alone = null, single_attempt = null, due_at = case when ${isActive}::bool then clock.now end
          from ${clock(sql, at)} where d.id = ${id}::bigint and d.claim_id = ${claim_id}::uuid returning d.id`
        if (held.length === 0 || endpoint === undefined || isActive || endpoint.deactivated_at === null)
          return undefined
        const delay = Duration.max(probeDelay(firstDelay, endpoint.failed_probes + 1), retryAfter ?? Duration.zero)
        const rows = yield* sql<FailedProbeEndpoint>`
          update webhook_endpoint e set failed_probes = e.failed_probes + 1, probe_delivery_id = null,
            last_error = ${withoutAnswer(attempt).error}, last_failure_at = clock.now,
            inactive_reason = case when ${isGone(attempt)}::bool then 'gone' else e.inactive_reason end,
            next_probe_at = case when not ${isGone(attempt)}::bool
              and clock.next <= ${later(sql, sql`e.deactivated_at`, sql`${millis(total)}::float8 * interval '1 millisecond'`)}
              then clock.next end
          from (
            select ${at} as now, ${later(sql, at, sql`${millis(delay)}::float8 * interval '1 millisecond'`)} as next
          ) clock where e.id = ${endpoint_id}::uuid
          returning e.id, e.organization_id, e.name, e.url, e.last_error, e.inactive_reason, e.consecutive_failures,
            e.failed_probes, e.next_probe_at`
        return first(rows)
      }, transaction)

      /** Activates an endpoint whose probe succeeded. Undefined: a person activated, deactivated or deleted it meanwhile. */
      const recover = Effect.fnUntraced(function* (id: EndpointId) {
        const endpoint = yield* lock(id)
        if (endpoint === undefined || endpoint.status === "active" || endpoint.deactivated_at === null) return undefined
        yield* sql`
          update webhook_endpoint set status = 'active', consecutive_failures = 0, deactivated_at = null, inactive_reason = null,
            next_probe_at = null, failed_probes = 0, probe_delivery_id = null, resume_at = ${yield* now}
          where id = ${id}::uuid`
        return endpoint
      }, transaction)

      /** Locks an endpoint whose parked deliveries are to be sent, until the end of the transaction. */
      const nextResuming = Effect.gen(function* () {
        const at = yield* now
        const rows = yield* sql<Resuming>`
          select e.id, e.organization_id, greatest(0, extract(epoch from e.resume_at - ${at}) * 1000)::float8 as "offset"
          from webhook_endpoint e
          where e.resume_at is not null and e.status = 'active' and e.deleted_at is null
            and e.organization_id <> all(array(select id from suspended_organization))
          order by e.id limit 1 for no key update of e skip locked`
        return first(rows)
      })

      /** `after`: until the next parked delivery may be sent; undefined: none is left. */
      const resumed = Effect.fnUntraced(function* (id: EndpointId, after: Duration.Duration | undefined) {
        const at = yield* now
        yield* sql`
          update webhook_endpoint set resume_at = ${
            after === undefined ? sql`null` : later(sql, at, sql`${millis(after)}::float8 * interval '1 millisecond'`)
          }
          where id = ${id}::uuid`
      })

      return { schedule, queueDue, fail, recover, nextResuming, resumed }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
