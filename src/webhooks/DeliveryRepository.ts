/**
 * The queue of webhook deliveries, and the endpoints' failure counters that move with it. What is finished leaves the
 * queue for the history (repository/DeliveryHistory.ts).
 */

import { Context, Duration, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database, recordset } from "../platform/database/Database.ts"
import * as Queue from "../platform/queue/Queue.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import type { ClaimId, EndpointId, EventId, OrganizationId } from "../values/Ids.ts"
import type { Attempt, DeliveryState } from "./Delivery.ts"
import { fitting, fromBothEnds, type Held, inLanes, makeWalk, ofEndpoints, roomOf } from "./DeliveryClaimsSql.ts"
import { failureStreaks } from "./EndpointHealth.ts"

/** Deliveries of an endpoint that one statement parks: more would hold up whoever settles for it. */
const parkMost = 5000

/** A claimed delivery with all that one attempt needs. */
export interface DeliveryJob extends Queue.Claimed {
  readonly endpoint_id: EndpointId
  readonly event_id: EventId
  readonly url: string
  readonly body: string
  /** Encrypted; the previous one only while it still signs. */
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
  /** Inactive: park it, do not send it. */
  readonly endpoint_status: "active" | "inactive"
  /** By the database's clock; milliseconds since 1970. */
  readonly claimed_at: number
}

export interface DeliverySettlement extends Queue.Settlement {
  readonly endpoint_id: EndpointId
  readonly state: Exclude<DeliveryState, "parked">
  readonly attempt: Attempt
}

/** An endpoint that a settlement made inactive. */
export interface Deactivated {
  readonly id: EndpointId
  readonly organization_id: OrganizationId
  readonly name: string
  readonly url: string
  readonly last_error: string | null
}

export class DeliveryRepository extends Context.Service<
  DeliveryRepository,
  {
    /**
     * Claims what is due and fits (webhooks/DeliveryClaimsSql.ts): of each endpoint no more than `most`, or for one that is
     * held in this pod already, than what its entry leaves.
     */
    readonly claim: (
      claim: Queue.Claim & { readonly most: number; readonly held: Held },
    ) => Effect.Effect<ReadonlyArray<DeliveryJob>>
    /**
     * Settles attempts, in the order in which they ended; moves the endpoints' counters, deactivates at `deactivateAfter`
     * failures in a row and parks what waits for a deactivated endpoint: one transaction. Returns the endpoints that this
     * very call deactivated.
     */
    readonly settle: (
      settlements: ReadonlyArray<DeliverySettlement>,
      deactivateAfter: number,
    ) => Effect.Effect<ReadonlyArray<Deactivated>>
    /**
     * Keeps claimed deliveries of inactive endpoints for later without an attempt, and what else waits for those. Claims of
     * an endpoint that was enabled meanwhile are given back.
     */
    readonly park: (claims: ReadonlyArray<Pick<DeliveryJob, "id" | "claim_id" | "endpoint_id">>) => Effect.Effect<void>
    /** Parks what waits for those of the endpoints that are inactive, some thousand deliveries; true when there may be more. */
    readonly parkWaiting: (endpoints: ReadonlyArray<EndpointId>) => Effect.Effect<boolean>
    readonly release: Queue.Release
    /** Counts the third attempt of a job that is performed alone. Returns false when another claim holds the job. */
    readonly startAlone: (claim: Queue.Claimed) => Effect.Effect<boolean>
  }
>()("interview-invitations/webhooks/DeliveryRepository") {
  static readonly layer = Layer.effect(
    DeliveryRepository,
    Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database
      const { wake } = yield* QueueNotifier

      const walk = makeWalk(sql)
      /** The last claim was filled: more is due than places are free, and what is due longest may be all of a few endpoints. */
      let crowded = false

      /** Claims of `due` rows those that fit, and reads what an attempt needs. */
      const take = Effect.fnUntraced(function* (
        claim: Queue.Claim & { readonly most: number },
        held: Held,
        due: Statement.Fragment,
        at: Statement.Fragment,
      ) {
        const claimed = Queue.claim(sql, "webhook_delivery", claim, at, fitting(sql, due, held, claim, at))
        return yield* sql<DeliveryJob>`
          with claimed as (${claimed})
          select c.id::text as id, c.claim_id, c.attempts, c.started_attempts, c.endpoint_id, c.event_id, e.url, v.body, v.traceparent,
            e.status as endpoint_status, e.secret,
            case when e.previous_secret_until > ${at} then e.previous_secret end as previous_secret,
            (extract(epoch from ${at}) * 1000)::float8 as claimed_at
          from claimed c join webhook_endpoint e on e.id = c.endpoint_id join webhook_event v on v.id = c.event_id
          order by c.id`
      })

      /** Whoever enables these endpoints waits until this transaction is over; of them those that are inactive. */
      const lockInactive = Effect.fnUntraced(function* (endpoints: ReadonlyArray<EndpointId>) {
        const rows = yield* sql<{ id: EndpointId }>`
          select id from webhook_endpoint where id = any(${[...endpoints]}::uuid[]) and status = 'inactive'
          order by id for no key update`
        return rows.map(({ id }) => id)
      })

      // What is under way stays as it is, and what took longer than its lease keeps its claim: an attempt that ends later
      // settles its own row, and a success counts. What another worker is claiming in this instant is passed over; it is
      // parked when it comes back.
      const parkWaiting = Effect.fnUntraced(function* (endpoints: ReadonlyArray<EndpointId>) {
        const rows = yield* sql`
          update webhook_delivery set state = 'parked', due_at = null where id = any(array(
            select id from webhook_delivery where endpoint_id = any(${[...endpoints]}::uuid[]) and due_at is not null
              and (claim_id is null or due_at <= ${yield* now})
            limit ${parkMost}::int for update skip locked
          )) returning id`
        return rows.length === parkMost
      })

      return DeliveryRepository.of({
        claim: Effect.fnUntraced(function* ({ held, ...claim }) {
          const at = yield* now
          const isFull = (endpoint: EndpointId) => roomOf(held, endpoint, claim.most) <= 0
          const anyFull = [...held.keys()].some(isFull)
          const look = anyFull ? fromBothEnds(sql, at) : inLanes(sql, claim.limit * (crowded ? 1 : 2), at, "longest")
          const others = anyFull || crowded ? yield* walk(at, isFull) : []
          const due = others.length === 0 ? look : sql`${look} union ${ofEndpoints(sql, others, claim.most * 2, at)}`
          const claimed = yield* take(claim, held, due, at)
          crowded = claimed.length >= claim.limit
          return claimed
        }, Effect.orDie),
        settle: Effect.fnUntraced(
          function* (settlements, deactivateAfter) {
            const at = yield* now
            const endpoints = [...new Set(settlements.map(({ endpoint_id }) => endpoint_id))]
            // Endpoints before deliveries, in one order: two workers that settle for the same endpoints queue up here
            // and can not deadlock, although the last statement below touches rows that others hold.
            yield* sql`
            select id from webhook_endpoint where id = any(${endpoints}::uuid[]) order by id for no key update`
            const settled = yield* sql<{ id: string; settled_claim: ClaimId }>`
            with r as (
              select * from ${recordset(
                sql,
                settlements.map(({ delay, ...row }) => ({
                  ...row,
                  delay_ms: delay === undefined ? null : Duration.toMillis(delay),
                })),
                "id bigint, claim_id uuid, state text, delay_ms float8, attempt jsonb",
              )}
            ), finished as (
              delete from webhook_delivery q using r
              where q.id = r.id and q.claim_id = r.claim_id and r.state <> 'queued'
              returning q.*, r.claim_id as settled_claim, r.state as outcome, r.attempt
            ), kept as (
              insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at,
                finished_at, state, attempts)
              select id, organization_id, endpoint_id, event_id, attempt_log || jsonb_build_array(attempt), created_at,
                ${at}, outcome, attempts + 1
              from finished
            ), again as (
              update webhook_delivery q set state = 'queued', attempts = q.attempts + 1, started_attempts = 0, claim_id = null,
                due_at = ${at} + coalesce(r.delay_ms, 0) * interval '1 millisecond',
                attempt_log = q.attempt_log || jsonb_build_array(r.attempt)
              from r where q.id = r.id and q.claim_id = r.claim_id and r.state = 'queued'
              returning q.id, r.claim_id as settled_claim
            )
            select settled_claim, id::text as id from finished union all select settled_claim, id::text from again`
            // by claim, not by delivery alone: an attempt whose lease has ended may be settled beside the one that took over
            const done = new Set(settled.map(({ id, settled_claim }) => `${id} ${settled_claim}`))
            const streaks = failureStreaks(settlements.filter(({ claim_id, id }) => done.has(`${id} ${claim_id}`)))
            // before: as it stood when it was locked above
            const counted = yield* sql<{ id: EndpointId; status: string; due: boolean }>`
            update webhook_endpoint e set
              consecutive_failures = case when r.succeeded then 0 else e.consecutive_failures end + r.failures,
              last_success_at = case when r.succeeded then ${at} else e.last_success_at end,
              last_failure_at = case when r.error is null then e.last_failure_at else ${at} end,
              last_error = coalesce(r.error, e.last_error)
            from ${recordset(sql, streaks, "endpoint_id uuid, succeeded bool, first int, longest int, failures int, error text")}
              join webhook_endpoint before on before.id = r.endpoint_id
            where e.id = r.endpoint_id
            returning e.id, e.status,
              greatest(before.consecutive_failures + r.first, r.longest) >= ${deactivateAfter}::int as due`
            const gone = counted.filter(({ due, status }) => due || status === "inactive").map(({ id }) => id)
            if (gone.length === 0) return []
            const reached = counted.filter(({ due }) => due).map(({ id }) => id)
            // guarded by the status it changes: of all callers that see the limit reached, one gets the row back
            const deactivated = yield* sql<Deactivated>`
            update webhook_endpoint set status = 'inactive', deactivated_at = ${at}
            where id = any(${reached}::uuid[]) and status = 'active'
            returning id, organization_id, name, url, last_error`
            yield* parkWaiting(gone)
            return deactivated
          },
          transaction,
          Effect.orDie,
        ),
        park: Effect.fnUntraced(
          function* (claims) {
            const inactive = yield* lockInactive([...new Set(claims.map(({ endpoint_id }) => endpoint_id))])
            yield* sql`
              update webhook_delivery d set state = case when i.id is null then 'queued' else 'parked' end, claim_id = null,
                started_attempts = ${sql.literal(Queue.uncounted)},
                due_at = case when i.id is null then ${yield* now} end
              from ${recordset(sql, claims, "id bigint, claim_id uuid, endpoint_id uuid")}
                left join unnest(${inactive}::uuid[]) as i(id) on i.id = r.endpoint_id
              where d.id = r.id and d.claim_id = r.claim_id`
            if (inactive.length > 0) yield* parkWaiting(inactive)
          },
          transaction,
          Effect.orDie,
        ),
        parkWaiting: Effect.fnUntraced(
          function* (endpoints) {
            const inactive = yield* lockInactive(endpoints)
            return inactive.length > 0 && (yield* parkWaiting(inactive))
          },
          transaction,
          Effect.orDie,
        ),
        release: Effect.fnUntraced(function* (claims, after, as) {
          yield* Queue.release(sql, "webhook_delivery", yield* now, claims, after, as)
          if (Duration.isZero(after)) yield* wake("webhook_delivery")
        }, Effect.orDie),
        startAlone: Effect.fnUntraced(function* (claim) {
          return (yield* Queue.startAlone(sql, "webhook_delivery", claim)).length > 0
        }, Effect.orDie),
      })
    }),
  )
}
