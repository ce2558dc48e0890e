import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { SecretBox } from "../../src/platform/crypto/SecretBox.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { leasesOnly } from "../../src/platform/queue/QueueSql.ts"
import { People } from "../../src/privacy/People.ts"
import { ClaimId } from "../../src/values/Ids.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { DeliveryClaimRepository } from "../../src/webhooks/deliveries/DeliveryClaimRepository.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
import { DeliverySettlementRepository } from "../../src/webhooks/deliveries/DeliverySettlementRepository.ts"
import { formatSecret } from "../../src/webhooks/deliveries/Signature.ts"
import type { OutboundResult } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { findWebhookFault } from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Pod from "../support/Pod.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Webhooks from "../support/Webhooks.ts"

const { answered } = Pod
const {
  begin,
  deactivationMails,
  down,
  endpointOf,
  expectEndpoint,
  requests,
  round,
  rows,
  script,
  start,
  states,
  times,
} = Webhooks

const fail = (count: number): ReadonlyArray<number> => Array.from({ length: count }, () => 0)

describe("retries", () => {
  it.effect("makes six attempts at the Schedule's delays, each with a new signature of the same body", () =>
    Effect.gen(function* () {
      const { secret } = yield* begin(1)
      assert.strictEqual(yield* round, 1)
      for (const minutes of [2, 4, 8, 16, 32]) {
        const delay = Duration.toMillis(Duration.minutes(minutes))
        yield* TestClock.adjust(delay - 1)
        assert.strictEqual(yield* round, 0, `nothing before ${minutes} minutes`)
        yield* TestClock.adjust(delay * 0.1 + 1)
        assert.strictEqual(yield* round, 1, `one attempt after ${minutes} minutes and 10 %`)
      }
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* round, 0)
      const sent = yield* requests
      const [row] = yield* rows
      assert.deepInclude({ ...row }, { state: "failed", attempts: 6, due_at: null })
      const at = row?.attempt_log.map((attempt) => Date.parse(attempt.at) / 1000) ?? []
      assert.deepStrictEqual(
        sent.map(({ headers }) => headers["x-webhook-signature"]?.split(",")[0]),
        at.map((seconds) => `t=${Math.floor(seconds)}`),
      )
      assert.strictEqual(new Set(sent.map(({ headers }) => headers["webhook-timestamp"])).size, 6)
      for (const [i, { body, headers }] of sent.entries()) {
        assert.deepStrictEqual(body, sent[0]?.body)
        const header = headers["x-webhook-signature"] ?? ""
        assert.isUndefined(findWebhookFault({ secrets: [secret], header, body, now: at[i] ?? 0 }))
      }
    }).pipe(Pod.provide({ receive: script(down) })),
  )

  it.effect("sends the stored body as JSON with the event id and the user agent", () =>
    Effect.gen(function* () {
      const { events } = yield* begin(1)
      yield* round
      const { sql } = yield* Database
      const [event] = yield* sql<{ body: string }>`select body from webhook_event`
      const [request] = yield* requests
      assert.strictEqual(request?.url, "https://receiver.example/hook")
      assert.strictEqual(new TextDecoder().decode(request?.body), event?.body)
      assert.deepInclude(request?.headers, {
        "content-type": "application/json",
        "user-agent": "interview-invitations/1",
        "webhook-id": String(events[0]),
      })
    }).pipe(Pod.provide({})),
  )

  it.effect.each([200, 201, 204, 299])("accepts %s as an acknowledgement, also at the last attempt", (status) =>
    Effect.gen(function* () {
      const { endpoint } = yield* begin(1)
      for (let attempt = 1; attempt <= 6; attempt++) {
        assert.strictEqual(yield* round, 1)
        if (attempt < 6) yield* expectEndpoint(endpoint, "active", attempt)
        yield* TestClock.adjust("1 hour")
      }
      const [row] = yield* rows
      assert.deepInclude({ ...row }, { state: "delivered", attempts: 6, due_at: null })
      assert.deepStrictEqual(yield* endpointOf(endpoint), [
        { status: "active", failures: 0, last_success_at: new Date(start + 5 * 3_600_000), deactivated_at: null },
      ])
      assert.strictEqual(yield* round, 0)
    }).pipe(Pod.provide({ receive: script(...times(5, down), answered(status)) })),
  )

  const failed = (cause: "timeout" | "refused" | "connect", message: string): OutboundResult => ({
    _tag: "Failed",
    cause,
    message,
    durationMs: 10_000,
  })
  it.effect.each([
    ["500", answered(500, "oops"), { status: 500, error: "The receiver answered 500", answer: "oops" }],
    ["404", answered(404), { status: 404, error: "The receiver answered 404", answer: "" }],
    [
      "a redirect",
      { ...answered(302, "moved"), location: "https://elsewhere.example/" },
      {
        status: 302,
        error: "The receiver answered 302, a redirect to https://elsewhere.example/; redirects are not followed",
        answer: "moved",
      },
    ],
    [
      "a redirect without Location",
      answered(304),
      { status: 304, error: "The receiver answered 304, a redirect; redirects are not followed", answer: "" },
    ],
    ["a timeout", failed("timeout", "No answer in 10 s"), { status: null, error: "No answer in 10 s", answer: null }],
    ["a refused address", failed("refused", "Not public"), { status: null, error: "Not public", answer: null }],
    [
      "a refused connection",
      failed("connect", "Connection refused"),
      { status: null, error: "Connection refused", answer: null },
    ],
  ] as const)("counts %s as a failure and stores the attempt", ([, result, kept]) =>
    Effect.gen(function* () {
      const { endpoint } = yield* begin(1)
      yield* round
      const [row] = yield* rows
      assert.deepInclude({ ...row }, { state: "queued", attempts: 1 })
      const common = { at: "2026-01-01T00:00:00.000Z", duration_ms: result.durationMs }
      assert.deepStrictEqual(row?.attempt_log, [{ ...common, ...kept }])
      yield* expectEndpoint(endpoint, "active", 1)
    }).pipe(Pod.provide({ receive: script(result) })),
  )

  it.effect("ignores the settlement of a worker whose lease has ended, also for the endpoint's counter", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* begin(1)
      const { queue } = yield* DeliveryQueue
      const late = yield* Effect.flatMap(queue.claim(10), Effect.forEach(queue.perform))
      assert.strictEqual(late.length, 1)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* round, 1)
      yield* queue.settle(late)
      assert.deepStrictEqual(yield* states, { "delivered 1": 1 })
      yield* expectEndpoint(endpoint, "active", 0)
    }).pipe(Pod.provide({ receive: script(down, answered(200)) })),
  )

  it.effect(
    "ignores the success of a worker whose lease has ended, also in a batch with that of the current claim",
    () =>
      Effect.gen(function* () {
        yield* begin(2)
        const { queue } = yield* DeliveryQueue
        const attempt = Effect.flatMap(queue.claim(10), Effect.forEach(queue.perform))
        const late = yield* attempt
        yield* TestClock.adjust("1 minute")
        const current = yield* attempt
        assert.lengthOf([...late, ...current], 4)
        yield* queue.settle(late)
        assert.deepStrictEqual(yield* states, { "queued 0": 2 })
        yield* queue.settle([...late.slice(0, 1), ...current, ...late.slice(1)])
        assert.deepStrictEqual(yield* states, { "delivered 1": 2 })
        assert.deepStrictEqual(
          (yield* rows).map(({ attempt_log }) => attempt_log.map(({ at }) => Date.parse(at) - start)),
          [[60_000], [60_000]],
        )
      }).pipe(Pod.provide()),
  )
})

describe("deactivation", () => {
  const one = { WEBHOOK_CONCURRENCY: "1", WEBHOOK_PROBE_FIRST: "0" }

  it.effect("happens once at the 15th failure in a row and mails owners and admins", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization } = yield* begin(20)
      const other = yield* Scenario.organization({}, "Other")
      yield* Webhooks.addMembers(organization.id, "acme.example")
      yield* Webhooks.addMembers(other.id, "other.example")
      for (let failures = 1; failures < 15; failures++) {
        assert.strictEqual(yield* round, 1)
        yield* expectEndpoint(endpoint, "active", failures)
      }
      assert.deepStrictEqual(yield* deactivationMails, [])
      yield* round
      assert.deepStrictEqual(yield* endpointOf(endpoint), [
        { status: "inactive", failures: 15, last_success_at: null, deactivated_at: new Date(start) },
      ])
      assert.deepStrictEqual(yield* states, { "parked 1": 15, "parked 0": 5 })
      assert.deepStrictEqual(yield* deactivationMails, ["admin@acme.example", "owner@acme.example"])
      yield* Scenario.publish(candidate)
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* round, 0)
      assert.strictEqual((yield* requests).length, 15)
      assert.deepStrictEqual(yield* states, { "parked 1": 15, "parked 0": 6 })
    }).pipe(Pod.provide({ receive: script(down), settings: one })),
  )

  it.effect("happens once when more than 15 fail in one batch", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(40)
      yield* Webhooks.addMembers(organization.id, "acme.example")
      assert.strictEqual(yield* round, 40)
      yield* expectEndpoint(endpoint, "inactive", 40)
      assert.deepStrictEqual(yield* states, { "parked 1": 40 })
      assert.strictEqual((yield* deactivationMails).length, 2)
    }).pipe(
      Pod.provide({
        receive: script(down),
        settings: { WEBHOOK_ENDPOINT_CONCURRENCY: "100", WEBHOOK_PROBE_FIRST: "0" },
      }),
    ),
  )

  it.effect("happens once when two processes settle at the same time, and loses no delivery", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(20)
      yield* Webhooks.addMembers(organization.id, "acme.example")
      const pods = yield* Effect.all([1, 2].map(() => Pod.start({ receive: script(down), settings: one })))
      const settlements = yield* Effect.forEach(pods, (pod) =>
        Effect.gen(function* () {
          const { queue } = Context.get(pod, DeliveryQueue)
          const outcomes = yield* Effect.flatMap(queue.claim(10), Effect.forEach(queue.perform))
          return outcomes.map((outcome) => queue.settle([outcome]))
        }),
      )
      assert.deepStrictEqual(
        settlements.map(({ length }) => length),
        [10, 10],
      )
      yield* Effect.all(settlements.flat(), { concurrency: "unbounded" })
      yield* expectEndpoint(endpoint, "inactive", 20)
      assert.deepStrictEqual(yield* states, { "parked 1": 20 })
      assert.strictEqual((yield* deactivationMails).length, 2)
    }).pipe(Pod.provide({})),
  )

  /** Settles a success while a failure of another process is counted and not committed. */
  const successBesideFailure = Effect.gen(function* () {
    const { queue } = yield* DeliveryQueue
    const outcomes = yield* Effect.flatMap(queue.claim(2), Effect.forEach(queue.perform))
    const [failed, ok] = outcomes.map((outcome) => queue.settle([outcome]))
    assert.deepStrictEqual(
      outcomes.map(({ state }) => state),
      ["queued", "delivered"],
    )
    yield* overtaken(failed ?? Effect.void, ok ?? Effect.void)
  })

  it.effect("counts a failure that ends at the moment of another success: neither waits for the other", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* begin(3)
      const { queue } = yield* DeliveryQueue
      yield* Effect.flatMap(Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform)), queue.settle)
      yield* expectEndpoint(endpoint, "active", 0)
      yield* successBesideFailure
      yield* expectEndpoint(endpoint, "active", 1)
    }).pipe(Pod.provide({ receive: script(answered(200), down, answered(200)) })),
  )

  it.effect("sets a counter to zero at a success that waits for the failure before it", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* begin(3)
      const { queue } = yield* DeliveryQueue
      yield* Effect.flatMap(Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform)), queue.settle)
      yield* expectEndpoint(endpoint, "active", 1)
      yield* successBesideFailure
      yield* expectEndpoint(endpoint, "active", 0)
    }).pipe(Pod.provide({ receive: script(down, down, answered(200)) })),
  )

  it.effect("resets the counter at a success", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* begin(30)
      for (let i = 0; i < 29; i++) yield* round
      yield* expectEndpoint(endpoint, "active", 14)
      yield* round
      yield* expectEndpoint(endpoint, "inactive", 15)
    }).pipe(Pod.provide({ receive: script(...times(14, down), answered(200), down), settings: one })),
  )

  it.effect.each([
    ["before a success", [...fail(15), 200], "inactive", 0],
    ["after a success", [200, ...fail(15)], "inactive", 15],
    ["around a success", [...fail(14), 200, ...fail(14)], "active", 14],
  ] as const)("follows the order in which a batch's attempts ended: 15 failures %s", ([, ends, status, failures]) =>
    Effect.gen(function* () {
      const { endpoint } = yield* begin(ends.length)
      const { queue } = yield* DeliveryQueue
      const jobs = yield* queue.claim(100)
      const settlements = jobs.map(({ claim_id, endpoint_id, id }, i) => {
        // the pod's clock runs backwards: the order of the list counts
        const at = new Date(start - i * 1000).toISOString()
        const error = ends[i] === 200 ? null : "no answer"
        const attempt = { at, status: null, duration_ms: 5, error, answer: null }
        const delay = error === null ? undefined : Duration.minutes(2)
        return { id, claim_id, endpoint_id, attempt, delay, state: error === null ? "delivered" : "queued" } as const
      })
      yield* queue.settle(settlements)
      yield* expectEndpoint(endpoint, status, failures)
    }).pipe(Pod.provide({ settings: { WEBHOOK_ENDPOINT_CONCURRENCY: "100" } })),
  )

  it.effect("parks deliveries that are being published at that time, without an attempt", () =>
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const { candidate, endpoint } = yield* begin(1)
      const [published, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const publishing = yield* transaction(
        Scenario.publish(candidate).pipe(
          Effect.andThen(Deferred.succeed(published, undefined)),
          Effect.andThen(Deferred.await(commit)),
        ),
      ).pipe(Effect.forkChild)
      yield* Deferred.await(published)
      yield* round
      yield* expectEndpoint(endpoint, "inactive", 1)
      yield* Deferred.succeed(commit, undefined)
      yield* Fiber.join(publishing)
      assert.deepStrictEqual(yield* states, { "parked 1": 1, "queued 0": 1 })
      assert.strictEqual(yield* round, 0)
      assert.deepStrictEqual(yield* states, { "parked 1": 1, "parked 0": 1 })
      assert.strictEqual((yield* requests).length, 1)
    }).pipe(Pod.provide({ receive: script(down), settings: { WEBHOOK_DEACTIVATE_AFTER: "1" } })),
  )
})

describe("an attempt in flight", () => {
  const open = Effect.gen(function* () {
    const { queue } = yield* DeliveryQueue
    const [job] = yield* queue.claim(1)
    return yield* queue.perform(yield* Effect.fromNullishOr(job))
  })

  it.effect.each([
    ["succeeds is delivered and sets the counter to zero", answered(200), { "delivered 1": 1, "parked 1": 1 }, 0],
    ["fails is parked with the other deliveries", down, { "parked 1": 2 }, 2],
  ] as const)("that ends after the deactivation and %s", ([, result, expected, failures]) =>
    Effect.gen(function* () {
      const { endpoint } = yield* begin(2)
      const { queue } = yield* DeliveryQueue
      const late = yield* open
      assert.strictEqual(yield* round, 1)
      yield* expectEndpoint(endpoint, "inactive", 1)
      yield* queue.settle([late])
      assert.deepStrictEqual(yield* states, expected)
      yield* expectEndpoint(endpoint, "inactive", failures)
      assert.strictEqual(yield* round, 0)
    }).pipe(Pod.provide({ receive: script(result, down), settings: { WEBHOOK_DEACTIVATE_AFTER: "1" } })),
  )

  it.effect("that fails after the endpoint was disabled is parked at once", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { endpoint } = yield* begin(1)
      const late = yield* open
      yield* sql`update webhook_endpoint set status = 'inactive'`
      yield* (yield* DeliveryQueue).queue.settle([late])
      assert.deepStrictEqual(yield* states, { "parked 1": 1 })
      yield* expectEndpoint(endpoint, "inactive", 1)
      assert.deepStrictEqual(yield* deactivationMails, [])
    }).pipe(Pod.provide({ receive: script(down) })),
  )
})

describe("a person who is erased while an attempt is in flight", () => {
  it.effect.each([
    ["an answer that repeats the request", answered(200, "got Jane"), null],
    ["a refusal that repeats the request", answered(422, "Jane?"), "The receiver answered 422"],
    [
      "a redirect",
      { ...answered(302, "Jane"), location: "https://receiver.example/?of=Jane" },
      "The receiver answered 302, a redirect",
    ],
    [
      "a redirect without a body",
      { ...answered(302), location: "https://receiver.example/?of=Jane" },
      "The receiver answered 302, a redirect",
    ],
  ] as const)("leaves nothing of %s in the log", ([, result, error]) =>
    Effect.gen(function* () {
      const { candidate, organization } = yield* begin(1)
      const { queue } = yield* DeliveryQueue
      const jobs = yield* queue.claim(1)
      yield* (yield* People).erase(operator(organization.id), candidate.subject.candidate_id)
      yield* queue.settle(yield* Effect.forEach(jobs, queue.perform))
      const [row] = yield* rows
      assert.deepStrictEqual(
        row?.attempt_log.map((attempt) => [attempt.answer, attempt.error]),
        [[null, error]],
      )
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* sql`select id from webhook_endpoint where last_error like '%Jane%'`, [])
    }).pipe(Pod.provide({ receive: script(result) })),
  )

  it.effect.each([
    ["a success", answered(200, "got Jane")],
    ["a failure", answered(500, "no Jane")],
  ] as const)("or while the settlement of %s waits for its endpoint leaves nothing of the answer", ([, result]) =>
    Effect.gen(function* () {
      const { candidate, organization } = yield* begin(1)
      const { sql, transaction } = yield* Database
      const { queue } = yield* DeliveryQueue
      const outcomes = yield* Effect.forEach(yield* queue.claim(1), queue.perform)
      const [isHeld, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        transaction(
          sql`select id from webhook_endpoint for no key update`.pipe(
            Effect.andThen(Deferred.succeed(isHeld, undefined)),
            Effect.andThen(Deferred.await(mayEnd)),
          ),
        ),
      )
      yield* Deferred.await(isHeld)
      const settling = yield* Effect.forkChild(queue.settle(outcomes))
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      yield* Effect.repeat(waiting, { until: ({ length }) => length > 0 })
      yield* (yield* People).erase(operator(organization.id), candidate.subject.candidate_id)
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(holder)
      yield* Fiber.join(settling)
      assert.deepStrictEqual(
        (yield* rows).flatMap((row) => row.attempt_log.map((attempt) => attempt.answer)),
        [null],
      )
    }).pipe(Pod.provide({ receive: script(result) })),
  )
})

describe("the settlement of a delivery with an answer", () => {
  it.effect("stores a text that Postgres does not take without what it refuses", () =>
    Effect.gen(function* () {
      yield* begin(2)
      const { queue } = yield* DeliveryQueue
      yield* queue.settle(yield* Effect.forEach(yield* queue.claim(2), queue.perform))
      assert.deepStrictEqual((yield* rows).map((row) => row.attempt_log.map((attempt) => attempt.answer)).toSorted(), [
        ["ab"],
        ["a\ufffd"],
      ])
    }).pipe(Pod.provide({ receive: script(answered(200, "a\0b"), answered(200, "a\ud83d")) })),
  )

  it.effect("reads each submission and candidate at most once, also with a plan of empty tables", () =>
    Effect.gen(function* () {
      const others = 300
      const { organization } = yield* begin(7)
      const { sql, transaction } = yield* Database
      const { queue } = yield* DeliveryQueue
      const settlements = yield* Effect.forEach(yield* queue.claim(7), queue.perform)
      const rowsRead = Effect.map(
        sql<{ rows: number }>`select sum(seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
          where relname in ('submission', 'candidate')`,
        ([row]) => row?.rows ?? 0,
      )
      const read = transaction(
        Effect.gen(function* () {
          yield* sql`analyze submission, candidate, webhook_event, webhook_delivery`
          // after five executions, Postgres keeps a plan
          yield* Effect.forEach(settlements.slice(1), (settlement) => queue.settle([settlement]))
          yield* sql`
            with person as (
              insert into candidate (id, organization_id)
              select gen_random_uuid(), ${organization.id}::int from generate_series(1, ${others}::int) returning id
            )
            insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at)
            select gen_random_uuid(), ${organization.id}::int, ${organization.set.id}::uuid, id, 'interview',
              'need_interview', now()
            from person`
          const before = yield* rowsRead
          yield* queue.settle(settlements.slice(0, 1))
          return (yield* rowsRead) - before
        }),
      )
      assert.isAtMost(yield* read, 2 * (1 + others))
      assert.deepStrictEqual(yield* states, { "delivered 1": 7 })
    }).pipe(Pod.provide({ receive: script(answered(200, "ok")) })),
  )
})

describe("an endpoint that is enabled again", () => {
  const claimedOff = Effect.gen(function* () {
    const { endpoint, organization } = yield* begin(2)
    const endpoints = yield* Endpoints
    const repository = yield* DeliverySettlementRepository
    const { sql } = yield* Database
    // the claim comes between disabling and enabling: it sees the endpoint inactive
    yield* sql`update webhook_endpoint set status = 'inactive'`
    const claimId = ClaimId.make("00000000-0000-7000-8000-000000000001")
    const claims = yield* (yield* DeliveryClaimRepository).claim({
      limit: 10,
      lease: Duration.minutes(1),
      claimId,
      claimer: leasesOnly,
      maxPerEndpoint: 10,
      startable: 10,
      inFlight: new Map(),
    })
    assert.deepStrictEqual(
      claims.map(({ endpoint }) => endpoint.status),
      ["inactive", "inactive"],
    )
    yield* endpoints.enable(operator(organization.id), endpoint)
    return { claims, repository }
  })

  it.effect("gets deliveries that were claimed while it was inactive and not parked yet", () =>
    Effect.gen(function* () {
      const { claims, repository } = yield* claimedOff
      yield* repository.park(claims)
      assert.deepStrictEqual(yield* states, { "queued 0": 2 })
      assert.strictEqual(yield* round, 2)
      assert.deepStrictEqual(yield* states, { "delivered 1": 2 })
    }).pipe(Pod.provide()),
  )

  it.effect("gets a delivery in flight once, though all parked deliveries are sent", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(3)
      const { queue } = yield* DeliveryQueue
      const endpoints = yield* Endpoints
      const [job] = yield* queue.claim(1)
      yield* endpoints.disable(operator(organization.id), endpoint)
      assert.deepStrictEqual(yield* states, { "queued 0": 1, "parked 0": 2 })
      yield* endpoints.enable(operator(organization.id), endpoint)
      assert.strictEqual(yield* (yield* Deliveries).sendParked(operator(organization.id), endpoint), 2)
      const late = yield* queue.perform(yield* Effect.fromNullishOr(job))
      yield* TestClock.adjust("1 second")
      yield* round
      yield* queue.settle([late])
      assert.strictEqual(yield* round, 0)
      assert.deepStrictEqual(yield* states, { "delivered 1": 3 })
      assert.lengthOf(yield* requests, 3)
    }).pipe(Pod.provide()),
  )
})

describe("signing", () => {
  it.effect("uses the current secret alone when no key decrypts the previous one", () =>
    Effect.gen(function* () {
      yield* begin(1)
      const { sql } = yield* Database
      yield* sql`update webhook_endpoint set previous_secret = ${new Uint8Array(60)},
        previous_secret_until = ${new Date(start + 60_000)}::timestamptz`
      yield* round
      assert.deepStrictEqual(yield* states, { "delivered 1": 1 })
      const [request] = yield* requests
      assert.lengthOf((request?.headers["x-webhook-signature"] ?? "").split("v1="), 2)
    }).pipe(Pod.provide()),
  )

  it.effect("uses both secrets until the previous one expires, then the current one only", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, secret } = yield* begin(1)
      const { sql } = yield* Database
      const bytes = new Uint8Array(32).fill(7)
      const sealed = yield* (yield* SecretBox).encrypt(bytes, `webhook_endpoint ${endpoint}`)
      yield* sql`update webhook_endpoint set previous_secret = ${sealed},
        previous_secret_until = ${new Date(start + 60_000)}::timestamptz`
      yield* round
      yield* TestClock.adjust("1 minute")
      yield* Scenario.publish(candidate)
      yield* round
      const headers = (yield* requests).map(({ headers }) => headers["x-webhook-signature"] ?? "")
      assert.deepStrictEqual(
        headers.map((header) => header.split("v1=").length - 1),
        [2, 1],
      )
      const [during, after] = yield* requests
      const accepts = (secret: string, request = during) =>
        findWebhookFault({
          secrets: [secret],
          header: request?.headers["x-webhook-signature"] ?? "",
          body: request?.body ?? bytes,
          now: start / 1000,
        }) === undefined
      assert.deepStrictEqual(
        [accepts(secret), accepts(formatSecret(bytes)), accepts(secret, after), accepts(formatSecret(bytes), after)],
        [true, true, true, false],
      )
    }).pipe(Pod.provide()),
  )
})

describe("the concurrency of an endpoint", () => {
  const settings = { WEBHOOK_ENDPOINT_CONCURRENCY: "1" }

  it.effect("limits its claimed deliveries; others stay unclaimed", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* begin(3)
      const { queue } = yield* DeliveryQueue
      assert.strictEqual((yield* queue.claim(10)).length, 1)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* queue.claim(10, new Map([[endpoint, { count: 1, max: 1 }]])), [])
      const leases = (yield* rows).map(({ leased_until }) => leased_until?.getTime())
      assert.deepStrictEqual(leases, [start + 60_000, undefined, undefined])
    }).pipe(Pod.provide({ settings })),
  )
})
