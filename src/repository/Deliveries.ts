/**
 * The queue of webhook deliveries, and the endpoints' failure counters that move with it. What is finished leaves the
 * queue for the history (repository/DeliveryHistory.ts).
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Attempt, DeliveryState } from "../domain/Delivery.ts"
import type { ClaimId, EndpointId, EventId, OrganizationId } from "../domain/Ids.ts"
import { Database, recordset } from "./Database.ts"
import * as Queue from "./Queue.ts"
import { Wakeups } from "./Wakeups.ts"

/** Deliveries of an endpoint that one statement parks: more would hold up whoever settles for it. */
const parkMost = 5000

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

export class Deliveries extends Context.Service<
  Deliveries,
  {
    /**
     * Claims what is due, of each endpoint no more than fill its places: `most` less the requests that are open to it.
     * Nothing is claimed that could not be sent at once, so a slow endpoint never takes another one's place. First
     * attempts and retries take turns, over all and within an endpoint, so that a storm of either leaves half to the other.
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
    /** Parks what waits for inactive endpoints, at most some thousand deliveries; returns how many. */
    readonly parkWaiting: (endpoints: ReadonlyArray<EndpointId>) => Effect.Effect<number>
    readonly release: (claims: ReadonlyArray<Queue.Claimed>, after: Duration.Duration) => Effect.Effect<void>
  }
>()("interview-invitations/repository/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database
      const { wake } = yield* Wakeups

      /** Claims of `due` rows (id, endpoint_id, due_at, lane) those that fit, and reads what an attempt needs. */
      const take = Effect.fnUntraced(function* (
        claim: Queue.Claim,
        most: number,
        open: ReadonlyMap<EndpointId, number>,
        due: Statement.Fragment,
      ) {
        const at = yield* now
        const requests = [...open].map(([open_id, count]) => ({ open_id, count }))
        // due_at is asked again of the locked row, which another worker may have claimed since it was seen
        const fitting = sql`
          select d.id from webhook_delivery d where d.due_at <= ${at} and d.id = any(array(
            select id from (
              select id, lane, row_number() over (partition by lane order by due_at, id) as turn from (
                select *, row_number() over (partition by endpoint_id order by turn, lane) as place from (
                  select *, row_number() over (partition by endpoint_id, lane order by due_at, id) as turn
                  from (${due}) due
                ) own
              ) w left join ${recordset(sql, requests, "open_id uuid, count int")} on r.open_id = w.endpoint_id
              where w.place <= ${most}::int - coalesce(r.count, 0)
            ) t order by turn, lane limit ${claim.limit}::int
          )) for update skip locked`
        return yield* sql<DeliveryJob>`
          with claimed as (${Queue.claim(sql, "webhook_delivery", claim, at, fitting)})
          select c.id::text as id, c.claim_id, c.attempts, c.organization_id, c.endpoint_id, c.event_id, e.url, v.body,
            e.status as endpoint_status, e.secret,
            case when e.previous_secret_until > ${at} then e.previous_secret end as previous_secret
          from claimed c join webhook_endpoint e on e.id = c.endpoint_id join webhook_event v on v.id = c.event_id
          order by c.id`
      })

      // Claims are kept: an attempt that is still open settles its own row, and a success counts. What another worker is
      // claiming in this instant is passed over; it is parked when it comes back.
      const parkWaiting = Effect.fnUntraced(function* (endpoints: ReadonlyArray<EndpointId>) {
        const rows = yield* sql`
          update webhook_delivery set state = 'parked', due_at = null where id = any(array(
            select id from webhook_delivery where endpoint_id = any(${[...endpoints]}::uuid[]) and due_at is not null
            limit ${parkMost}::int for update skip locked
          )) returning id`
        return rows.length
      }, Effect.orDie)

      return Deliveries.of({
        claim: Effect.fnUntraced(function* ({ most, open, ...claim }) {
          const at = yield* now
          const first = yield* take(claim, most, open, inLanes(sql, claim.limit * 2, at))
          if (first.length >= claim.limit) return first
          const taken = new Map(open)
          for (const { endpoint_id } of first) taken.set(endpoint_id, (taken.get(endpoint_id) ?? 0) + 1)
          // what is due longest may all belong to endpoints that are full: then each endpoint is asked for its own
          if (![...taken.values()].some((count) => count >= most)) return first
          const rest = { ...claim, limit: claim.limit - first.length }
          return [...first, ...(yield* take(rest, most, taken, byEndpoint(sql, most, at)))]
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
              update webhook_delivery q set state = 'queued', attempts = q.attempts + 1, claim_id = null,
                due_at = ${at} + coalesce(r.delay_ms, 0) * interval '1 millisecond',
                attempt_log = q.attempt_log || jsonb_build_array(r.attempt)
              from r where q.id = r.id and q.claim_id = r.claim_id and r.state = 'queued'
              returning q.id, r.claim_id as settled_claim
            )
            select settled_claim, id::text as id from finished union all select settled_claim, id::text from again`
            // by claim, not by delivery alone: an attempt whose lease has ended may be settled beside the one that took over
            const done = new Set(settled.map(({ id, settled_claim }) => `${id} ${settled_claim}`))
            const tallies = tally(settlements.filter(({ claim_id, id }) => done.has(`${id} ${claim_id}`)))
            const counted = yield* sql<{ id: EndpointId; status: string; due: boolean }>`
            update webhook_endpoint e set
              consecutive_failures = case when r.succeeded then r.failures else e.consecutive_failures + r.failures end,
              last_success_at = case when r.succeeded then ${at} else e.last_success_at end,
              last_failure_at = case when r.error is null then e.last_failure_at else ${at} end,
              last_error = coalesce(r.error, e.last_error)
            from ${recordset(sql, tallies, "endpoint_id uuid, succeeded bool, failures int, error text")}
            where e.id = r.endpoint_id
            returning e.id, e.status, e.consecutive_failures >= ${deactivateAfter}::int as due`
            const gone = counted.filter(({ due, status }) => due || status === "inactive").map(({ id }) => id)
            if (gone.length === 0) return []
            // guarded by the status it changes: of all callers that see the limit reached, one gets the row back
            const deactivated = yield* sql<Deactivated>`
            update webhook_endpoint set status = 'inactive', deactivated_at = ${at}
            where id = any(${gone}::uuid[]) and status = 'active' and consecutive_failures >= ${deactivateAfter}::int
            returning id, organization_id, name, url, last_error`
            yield* parkWaiting(gone)
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
        parkWaiting,
        release: Effect.fnUntraced(function* (claims, after) {
          yield* Queue.release(sql, "webhook_delivery", claims, after, yield* now)
          if (Duration.isZero(after)) yield* wake("webhook_delivery")
        }, Effect.orDie),
      })
    }),
  )
}

/** The rows that are due longest, so many of each lane. */
const inLanes = (sql: PgClient.PgClient, limit: number, now: Statement.Fragment) => {
  const lane = (number: 0 | 1) => sql`(
    select id, endpoint_id, due_at, ${sql.literal(String(number))} as lane from webhook_delivery
    where due_at is not null and least(attempts, 1) = ${sql.literal(String(number))} and due_at <= ${now}
    order by due_at limit ${limit}::int)`
  return sql`${lane(0)} union all ${lane(1)}`
}

/** Of each endpoint that has rows in the queue those that are due longest: one look at the index for an endpoint. */
const byEndpoint = (sql: PgClient.PgClient, limit: number, now: Statement.Fragment) => sql`
  with recursive waiting as (
    (select endpoint_id from webhook_delivery where due_at is not null order by endpoint_id limit 1)
    union all
    select (select d.endpoint_id from webhook_delivery d where d.due_at is not null and d.endpoint_id > w.endpoint_id
      order by d.endpoint_id limit 1)
    from waiting w where w.endpoint_id is not null
  )
  select d.id, d.endpoint_id, d.due_at, least(d.attempts, 1) as lane from waiting w cross join lateral (
    select * from webhook_delivery d where d.endpoint_id = w.endpoint_id and d.due_at is not null and d.due_at <= ${now}
    order by d.due_at limit ${limit}::int
  ) d`

/** What a batch did to an endpoint, in the order in which the attempts began. */
interface Tally {
  readonly endpoint_id: EndpointId
  readonly succeeded: boolean
  /** Since the last success, or at all. */
  readonly failures: number
  /** Of the last failure. */
  readonly error: string | null
}

const tally = (settlements: ReadonlyArray<DeliverySettlement>): ReadonlyArray<Tally> => {
  const tallies = new Map<EndpointId, Tally>()
  for (const { attempt, endpoint_id } of settlements.toSorted((a, b) => a.attempt.at.localeCompare(b.attempt.at))) {
    const before = tallies.get(endpoint_id) ?? { endpoint_id, succeeded: false, failures: 0, error: null }
    const { error } = attempt
    tallies.set(
      endpoint_id,
      error === null
        ? { ...before, succeeded: true, failures: 0 }
        : { ...before, failures: before.failures + 1, error },
    )
  }
  return [...tallies.values()]
}
