/** Settles webhook deliveries: their attempts, their endpoints' health, parked deliveries of inactive endpoints. */
import { Context, Duration, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { clock, Database, later, recordset } from "../../platform/database/Database.ts"
import type { PersonalTable } from "../../platform/database/PersonalData.ts"
import type { Sql } from "../../platform/database/Sql.ts"
import * as Queue from "../../platform/queue/QueueSql.ts"
import type { EndpointId, OrganizationId } from "../../values/Ids.ts"
import { countFailures } from "../endpoints/EndpointHealth.ts"
import { type Attempt, type DeliveryState, withoutAnswer } from "./Delivery.ts"
import type { DeliveryJob } from "./DeliveryClaimRepository.ts"

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

/** A delivery claimed again after its lease can be in a batch twice; only its latest claim can still hold the row. */
const latestById = (settlements: ReadonlyArray<DeliverySettlement>): ReadonlyMap<string, DeliverySettlement> => {
  const latest = new Map<string, DeliverySettlement>()
  for (const settlement of settlements) {
    const other = latest.get(settlement.id)
    if (other === undefined || other.claim_id < settlement.claim_id) latest.set(settlement.id, settlement)
  }
  return latest
}

/**
 * SQL for the settlements of a batch, in a statement that begins with `with ${outcomes}`. Selects rows by an array of ids, not by a join: when the statistics were collected on
 * an empty queue, a join compares each row of a backlog with each settlement, 4 s for 500 settlements of 20,000 rows.
 */
const settled = (sql: Sql, settlements: ReadonlyArray<DeliverySettlement>) => {
  const latest = latestById(settlements)
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

const maxParked = 5000

export interface HourCount {
  readonly endpoint_id: EndpointId
  /** The beginning of an hour. */
  readonly hour: Date
  readonly delivered: number
  readonly failed: number
}

/** The error without the target of a redirect, as `withoutAnswer` in Delivery.ts. */
const withoutTarget = (error: string) =>
  `split_part(replace(${error}, ', a redirect to ', ', a redirect' || chr(31)), chr(31), 1)`

/** Removes the answers to deliveries of events about these submissions. */
export const dropAnswers = Effect.fnUntraced(function* (
  { sql }: Pick<Database["Service"], "sql">,
  organization: OrganizationId,
  submissions: ReadonlyArray<string>,
) {
  const rows = yield* sql<{ id: string }>`
    select id from webhook_event where submission_id = any(${submissions}::uuid[]) and organization_id = ${organization}::int`
  const events = rows.map(({ id }) => id)
  const withoutAnswers = sql.literal(`attempt_log = (
    select coalesce(jsonb_agg(t.attempt || jsonb_build_object('answer', null,
      'error', ${withoutTarget("t.attempt ->> 'error'")}) order by t.place), '[]')
    from jsonb_array_elements(attempt_log) with ordinality as t (attempt, place))`)
  // deliveries have an index of retries, but none by event
  yield* sql`
    update webhook_delivery set ${withoutAnswers}
    where ((least(attempts, 1) = 1 and due_at is not null and attempts >= 0) or state = 'parked')
      and event_id = any(${events}::uuid[]) and organization_id = ${organization}::int and attempt_log <> '[]'`
  // one look-up for each event: the history's index of events cannot search a list; a day, because clocks of servers differ
  yield* sql`
    update webhook_delivery_history h set ${withoutAnswers}
    from webhook_event v
    where v.id = any(${events}::uuid[]) and h.event_id = v.id
      and h.finished_at >= ${later(sql, sql`v.created_at`, sql`interval '-24 hours'`)}
      and h.organization_id = ${organization}::int and attempt_log <> '[]'`
})

/** What receivers answered may repeat a person's data. Later settlements drop the answers themselves (`withoutErased`). */
export const personalDeliveries: ReadonlyArray<PersonalTable> = [
  {
    table: "webhook_endpoint",
    kept: [
      ...[
        "description",
        "events",
        "format",
        "header_names",
        "headers",
        "inactive_reason",
        "name",
        "previous_secret",
        "secret",
      ],
      ...["status", "url"],
    ],
    personal: ["last_error"],
    // lock order of settlements: endpoints by id, then deliveries
    run: ({ sql }, { organization }) => sql`
        update webhook_endpoint set last_error = ${sql.literal(withoutTarget("last_error"))}
        where id = any(array(select id from webhook_endpoint
          where organization_id = ${organization}::int and last_error like '%, a redirect to %'
          order by id for no key update))`,
  },
  {
    table: "webhook_delivery",
    kept: ["alone", "state"],
    personal: ["attempt_log"],
    run: (database, { organization, submissions }) => dropAnswers(database, organization, submissions),
  },
  { table: "webhook_delivery_history", kept: ["state"], personal: ["attempt_log"] },
]

export class DeliverySettlementRepository extends Context.Service<DeliverySettlementRepository>()(
  "interview-invitations/webhooks/deliveries/DeliverySettlementRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database

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
        const withAnswers = settlements.filter(
          ({ attempt }) => attempt.answer || attempt.error?.includes(", a redirect to "),
        )
        if (withAnswers.length === 0) return settlements
        // Step by step, each table by its primary key: a plan that was made while the tables were empty joins by organization, and
        // then reads each delivery with all submissions of its organization, for more than the statement's time limit.
        const rows = yield* sql<{ id: string }>`
          with sent as materialized (
            select d.id, v.submission_id from webhook_delivery d join webhook_event v on v.id = d.event_id
            where d.id = any(${withAnswers.map(({ id }) => id)}::bigint[])
          ), about as materialized (
            select b.id, b.candidate_id from submission b where b.id = any(array(select submission_id from sent))
          )
          select s.id::text as id from sent s join about b on b.id = s.submission_id
          where b.candidate_id = any(array(
            select c.id from candidate c where c.id = any(array(select candidate_id from about)) and c.erased_at is not null))`
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
            update webhook_delivery q set state = 'queued', attempts = q.attempts + 1, unended_attempts = 0, alone = null,
              claim_id = null,
              due_at = ${later(sql, at, sql`(${outcome} ->> 'delay_ms')::float8 * interval '1 millisecond'`)},
              attempt_log = q.attempt_log || (${outcome} -> 'attempt')
            where ${isHeld(idsOf(again))}
            returning q.id
          )
          select id::text as id from finished union all select id::text from again`
        const ids = new Set(written.map(({ id }) => id))
        return settlements.filter((settlement) => ids.has(settlement.id) && latest.get(settlement.id) === settlement)
      })

      /**
       * Returns the endpoints of the finished deliveries. Sends places instead of names, and each claim once: writing to the
       * socket of Postgres costs by the length, 2 µs of a delivery's 85 less than with the form of `settled`. A success has no
       * error (DeliverySender.ts).
       */
      const finishDelivered = Effect.fnUntraced(function* (settlements: ReadonlyArray<DeliverySettlement>) {
        const at = yield* now
        const latest = latestById(settlements)
        const claims = [...new Set(settlements.map(({ claim_id }) => claim_id))]
        const placeOf = new Map(claims.map((claim, place) => [claim, place]))
        const byId: Record<string, ReadonlyArray<unknown>> = {}
        for (const [id, { attempt, claim_id }] of latest) {
          byId[id] = [placeOf.get(claim_id), attempt.at, attempt.duration_ms, attempt.status, attempt.answer]
        }
        return yield* sql<{ endpoint_id: EndpointId }>`
          with outcomes as materialized (
            select ${JSON.stringify(byId)}::text::jsonb as by_id, ${JSON.stringify(claims)}::text::jsonb as claims
          ), finished as (
            delete from webhook_delivery q where q.id = any(${[...latest.keys()]}::bigint[])
              and q.claim_id = ((select claims from outcomes) ->> ((select by_id from outcomes) -> q.id::text ->> 0)::int)::uuid
            returning q.id, q.organization_id, q.endpoint_id, q.event_id, q.attempt_log, q.created_at, q.attempts,
              (select by_id from outcomes) -> q.id::text as outcome
          ), kept as (
            insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at,
              finished_at, state, attempts)
            select id, organization_id, endpoint_id, event_id, attempt_log || jsonb_build_object('at', outcome -> 1,
              'duration_ms', outcome -> 2, 'status', outcome -> 3, 'error', null, 'answer', outcome -> 4),
              created_at, ${at}, 'delivered', attempts + 1
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
        const at = yield* now
        const endpoints = [...new Set(all.map(({ endpoint_id }) => endpoint_id))]
        const old = Duration.toMillis(successInterval)
        const changing = sql`id = any(${endpoints}::uuid[]) and (consecutive_failures > 0
          or coalesce(last_success_at < ${at} - ${old}::float8 * interval '1 millisecond', true))`
        const changed = yield* sql`select id from webhook_endpoint where ${changing} limit 1`
        if (changed.length === 0) {
          yield* finishDelivered(yield* withoutErased(all))
          return
        }
        yield* transaction(
          Effect.gen(function* () {
            const locked = yield* sql<{ id: EndpointId }>`
              select id from webhook_endpoint where ${changing} order by id for no key update`
            const settlements = yield* withoutErased(all)
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
      const settleAttempts = Effect.fnUntraced(function* (
        all: ReadonlyArray<DeliverySettlement>,
        deactivateAfter: number,
      ) {
        const at = yield* now
        const endpoints = yield* lockEndpoints([...new Set(all.map(({ endpoint_id }) => endpoint_id))])
        const settlements = yield* withoutErased(all)
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
            ${sql.literal(Queue.uncounted)}, single_attempt = null,
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

      return { settleAttempts, settleDelivered, park, parkWaiting, countAttempts }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
