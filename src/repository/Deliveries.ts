/** The queue of webhook deliveries, and the endpoints' failure counters that move with it. */
import { Context, type Duration, Effect, Layer } from "effect"
import type { Attempt, DeliveryState } from "../domain/Delivery.ts"
import type { EndpointId, EventId, OrganizationId } from "../domain/Ids.ts"
import { Database, recordset } from "./Database.ts"
import * as Queue from "./Queue.ts"

/** A claimed delivery with all that one attempt needs. */
export interface DeliveryJob extends Queue.Claimed {
  readonly organization_id: OrganizationId
  readonly endpoint_id: EndpointId
  readonly event_id: EventId
  readonly url: string
  readonly body: string
  /** Encrypted; the previous one only while it still signs. */
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
  /** Inactive when the endpoint was deactivated while this delivery was being written: park it, do not send it. */
  readonly endpoint_status: "active" | "inactive"
}

export interface DeliverySettlement extends Queue.Settlement {
  readonly endpoint_id: EndpointId
  readonly state: DeliveryState
  readonly attempt: Attempt
}

export interface DeliveryRow {
  readonly id: string
  readonly event_id: EventId
  readonly state: DeliveryState
  readonly attempts: number
  readonly attempt_log: ReadonlyArray<Attempt>
  readonly due_at: Date | null
}

/** An endpoint that a settlement made inactive. */
export interface Deactivated {
  readonly id: EndpointId
  readonly organization_id: OrganizationId
  readonly name: string
  readonly url: string
}

export class Deliveries extends Context.Service<
  Deliveries,
  {
    /**
     * Claims what is due, of each endpoint no more than fill its places: `most` less the requests that are open to it.
     * Nothing is claimed that could not be sent at once, so a slow endpoint never takes another one's place.
     */
    readonly claim: (
      claim: Queue.Claim & { readonly most: number; readonly open: ReadonlyMap<EndpointId, number> },
    ) => Effect.Effect<ReadonlyArray<DeliveryJob>>
    /**
     * Settles attempts, moves the endpoints' counters, deactivates at `deactivateAfter` failures in a row and parks
     * what waits for a deactivated endpoint: one transaction. Returns the endpoints that this very call deactivated.
     */
    readonly settle: (
      settlements: ReadonlyArray<DeliverySettlement>,
      deactivateAfter: number,
    ) => Effect.Effect<ReadonlyArray<Deactivated>>
    /** Keeps claimed deliveries for later without an attempt. */
    readonly park: (claims: ReadonlyArray<Queue.Claimed>) => Effect.Effect<void>
    readonly release: (claims: ReadonlyArray<Queue.Claimed>, after: Duration.Duration) => Effect.Effect<void>
    /** An endpoint's deliveries, newest first. */
    readonly list: (
      organization: OrganizationId,
      endpoint: EndpointId,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<DeliveryRow>>
  }
>()("interview-invitations/repository/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database
      return Deliveries.of({
        claim: Effect.fnUntraced(function* ({ most, open, ...claim }) {
          const at = yield* now
          const requests = [...open].map(([endpoint_id, count]) => ({ endpoint_id, count }))
          const full = requests.filter(({ count }) => count >= most).map(({ endpoint_id }) => endpoint_id)
          // the oldest rows, some times as many as are wanted, so that those of one endpoint do not hide the others';
          // due_at is asked again of the locked row, which another worker may have claimed since it was seen
          const due = sql`
            select d.id from webhook_delivery d where d.due_at <= ${at} and d.id = any(array(
              select w.id from (
                select id, endpoint_id, due_at, row_number() over (partition by endpoint_id order by due_at, id) as place
                from (
                  select id, endpoint_id, due_at from webhook_delivery
                  where due_at is not null and due_at <= ${at} and endpoint_id <> all(${full}::uuid[])
                  order by due_at limit ${claim.limit * 10}::int
                ) oldest
              ) w left join ${recordset(sql, requests, "endpoint_id uuid, count int")} on r.endpoint_id = w.endpoint_id
              where w.place <= ${most}::int - coalesce(r.count, 0)
              order by w.due_at, w.id limit ${claim.limit}::int
            )) for update skip locked`
          return yield* sql<DeliveryJob>`
            with claimed as (${Queue.claim(sql, "webhook_delivery", claim, at, due)})
            select c.id::text as id, c.claim_id, c.attempts, c.organization_id, c.endpoint_id, c.event_id, e.url, v.body,
              e.status as endpoint_status, e.secret,
              case when e.previous_secret_until > ${at} then e.previous_secret end as previous_secret
            from claimed c join webhook_endpoint e on e.id = c.endpoint_id join webhook_event v on v.id = c.event_id
            order by c.id`
        }, Effect.orDie),
        settle: Effect.fnUntraced(
          function* (settlements, deactivateAfter) {
            const at = yield* now
            const endpoints = [...new Set(settlements.map(({ endpoint_id }) => endpoint_id))]
            // Endpoints before deliveries, in one order: two workers that settle for the same endpoints queue up here
            // and can not deadlock, although the last statement below touches rows that others hold.
            yield* sql`
            select id from webhook_endpoint where id = any(${endpoints}::uuid[]) order by id for no key update`
            const outcomes = yield* sql<{ endpoint_id: EndpointId; failed: boolean; at: string }>`
            with settled as (${Queue.settle(sql, "webhook_delivery", settlements, at, {
              columns: "attempt jsonb",
              set: sql`attempt_log = q.attempt_log || jsonb_build_array(r.attempt),
                finished_at = case when r.state <> 'queued' then ${at} end`,
            })})
            select endpoint_id, state <> 'delivered' as failed, attempt_log -> -1 ->> 'at' as at from settled`
            const tallies = tally(outcomes)
            const counted = yield* sql<{ id: EndpointId; status: string; due: boolean }>`
            update webhook_endpoint e set
              consecutive_failures = case when r.succeeded then r.failures else e.consecutive_failures + r.failures end,
              last_success_at = case when r.succeeded then ${at} else e.last_success_at end
            from ${recordset(sql, tallies, "endpoint_id uuid, succeeded bool, failures int")}
            where e.id = r.endpoint_id
            returning e.id, e.status, e.consecutive_failures >= ${deactivateAfter}::int as due`
            const gone = counted.filter(({ due, status }) => due || status === "inactive").map(({ id }) => id)
            if (gone.length === 0) return []
            // guarded by the status it changes: of all callers that see the limit reached, one gets the row back
            const deactivated = yield* sql<Deactivated>`
            update webhook_endpoint set status = 'inactive', deactivated_at = ${at}
            where id = any(${gone}::uuid[]) and status = 'active' and consecutive_failures >= ${deactivateAfter}::int
            returning id, organization_id, name, url`
            // claim_id stays: an attempt that is still open settles its own row, and a success counts
            yield* sql`
            update webhook_delivery set state = 'parked', due_at = null
            where endpoint_id = any(${gone}::uuid[]) and state = 'queued'`
            return deactivated
          },
          transaction,
          Effect.orDie,
        ),
        park: Effect.fnUntraced(function* (claims) {
          yield* sql`
            update webhook_delivery d set state = 'parked', due_at = null, claim_id = null
            from ${recordset(sql, claims, "id bigint, claim_id uuid")} where d.id = r.id and d.claim_id = r.claim_id`
        }, Effect.orDie),
        release: Effect.fnUntraced(function* (claims, after) {
          yield* Queue.release(sql, "webhook_delivery", claims, after, yield* now)
        }, Effect.orDie),
        list: Effect.fnUntraced(function* (organization, endpoint, limit) {
          return yield* sql<DeliveryRow>`
            select id::text as id, event_id, state, attempts, attempt_log, due_at from webhook_delivery
            where organization_id = ${organization}::int and endpoint_id = ${endpoint}::uuid
            order by id desc limit ${limit}::int`
        }, Effect.orDie),
      })
    }),
  )
}

/**
 * What a batch did to each endpoint, in the order the attempts began: whether any succeeded, and how many failed since
 * the last success (or at all).
 */
const tally = (outcomes: ReadonlyArray<{ endpoint_id: EndpointId; failed: boolean; at: string }>) => {
  const tallies = new Map<EndpointId, { endpoint_id: EndpointId; succeeded: boolean; failures: number }>()
  for (const { endpoint_id, failed } of outcomes.toSorted((a, b) => a.at.localeCompare(b.at))) {
    const before = tallies.get(endpoint_id) ?? { endpoint_id, succeeded: false, failures: 0 }
    tallies.set(
      endpoint_id,
      failed ? { ...before, failures: before.failures + 1 } : { ...before, succeeded: true, failures: 0 },
    )
  }
  return [...tallies.values()]
}
