/** Probes of endpoints that failures deactivated. */

import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { DeliveryId } from "../../src/values/Ids.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
import { EndpointProbes } from "../../src/webhooks/endpoints/EndpointProbes.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import * as Webhooks from "../support/Webhooks.ts"

const { answered } = Pod
const { begin, down, expectEndpoint, requests, round, rounds, script, start, states, times } = Webhooks

const minutes = (count: number) => count * 60_000

const step = Effect.flatMap(EndpointProbes, (probes) =>
  Effect.repeat(probes.step, { while: (done) => done > 0, times: 100 }),
)

/** Queues and performs what is due. */
const work = Effect.andThen(step, Effect.andThen(rounds, step))

const mails = Effect.gen(function* () {
  const { sql } = yield* Database
  const found = yield* sql<{ text: string }>`
    select kind || ' ' || recipient as text from email where kind like 'endpoint%' order by created_at, kind, recipient`
  return found.map(({ text }) => text)
})

const actions = (organization: Parameters<typeof Settings.audit>[0]) =>
  Effect.map(Settings.audit(organization), (log) =>
    log.flatMap(({ action }) =>
      /^webhook_endpoint\.(deactivate|recover|resume|end_probes|enable|disable)$/.test(action)
        ? [action.slice("webhook_endpoint.".length)]
        : [],
    ),
  )

const settings = { WEBHOOK_DEACTIVATE_AFTER: "3", WEBHOOK_ENDPOINT_CONCURRENCY: "100" }

/** An endpoint that the failures of `count` deliveries have deactivated. */
const deactivated = Effect.fnUntraced(function* (count = 3) {
  const begun = yield* begin(count)
  yield* Webhooks.addMembers(begun.organization.id, "acme.example")
  yield* rounds
  yield* expectEndpoint(begun.endpoint, "inactive", count)
  const { organization } = begun
  const view = Effect.flatMap(Endpoints, (endpoints) => endpoints.show(operator(organization.id), begun.endpoint))
  return { ...begun, view }
})

describe("a receiver that restarts", () => {
  it.effect("gets one probe, and then everything that waited, oldest first and paced; no member is mailed", () =>
    Effect.gen(function* () {
      const { endpoint, organization, view } = yield* deactivated(60)
      assert.deepInclude(yield* view, {
        inactive_reason: "failures",
        failed_probes: 0,
        next_probe_at: new Date(start + minutes(2)),
      })
      yield* TestClock.adjust(minutes(2) - 1)
      yield* work
      assert.lengthOf(yield* requests, 60)
      yield* TestClock.adjust(1)
      yield* step
      assert.isTrue((yield* view).is_probed)
      assert.strictEqual(yield* round, 1)
      yield* expectEndpoint(endpoint, "active", 0)
      assert.deepStrictEqual(yield* states, { "delivered 2": 1, "parked 1": 59 })
      yield* step
      const { sql } = yield* Database
      const due = yield* sql<{ due_at: Date }>`select due_at from webhook_delivery order by id`
      assert.deepStrictEqual(
        due.map(({ due_at }) => due_at.getTime() - start - minutes(2)),
        Array.from({ length: 59 }, (_, i) => i * 20),
      )
      assert.deepInclude(yield* view, { inactive_reason: null, next_probe_at: null, is_resuming: false })
      yield* TestClock.adjust("2 seconds")
      yield* rounds
      assert.deepStrictEqual(yield* states, { "delivered 2": 60 })
      assert.lengthOf(yield* requests, 120)
      assert.deepStrictEqual(yield* mails, [])
      assert.deepStrictEqual(yield* actions(organization.id), ["deactivate", "recover", "resume"])
    }).pipe(
      Pod.provide({
        receive: script(...times(60, down), answered(204)),
        settings: { WEBHOOK_ENDPOINT_CONCURRENCY: "100" },
      }),
    ),
  )
})

describe("a receiver that restarts after more events than a batch", () => {
  it.effect("gets the next batch after the first, at the same pace", () =>
    Effect.gen(function* () {
      yield* deactivated()
      const { sql } = yield* Database
      yield* sql`
        insert into webhook_delivery (organization_id, endpoint_id, event_id, state, due_at)
        select organization_id, endpoint_id, event_id, 'parked', null from webhook_delivery, generate_series(1, 1700)`
      yield* TestClock.adjust(minutes(2))
      yield* step
      assert.strictEqual(yield* round, 1)
      yield* step
      const [paced] = yield* sql`
        select count(*)::int as count, count(distinct due_at)::int as moments, min(due_at) as first, max(due_at) as last
        from webhook_delivery where state = 'queued'`
      const count = 3 + 3 * 1700 - 1
      assert.deepStrictEqual<unknown>(paced, {
        count,
        moments: count,
        first: new Date(start + minutes(2)),
        last: new Date(start + minutes(2) + (count - 1) * 20),
      })
    }).pipe(Pod.provide({ receive: script(...times(3, down), answered(204)), settings })),
  )
})

describe("a receiver that stays down", () => {
  it.effect("is probed with doubling delays up to 2 hours, for WEBHOOK_PROBE_FOR", () =>
    Effect.gen(function* () {
      // two more than WEBHOOK_DEACTIVATE_AFTER: they were in flight
      const { endpoint, organization, view } = yield* deactivated(5)
      for (const [failed, delay] of [2, 4, 8, 16, 32, 64, 120, 120].entries()) {
        yield* TestClock.adjust(minutes(delay) - 1)
        yield* work
        assert.strictEqual((yield* view).failed_probes, failed)
        yield* TestClock.adjust(1)
        yield* work
        assert.strictEqual((yield* view).failed_probes, failed + 1)
        assert.deepStrictEqual(yield* mails, [
          "endpoint_deactivated admin@acme.example",
          "endpoint_deactivated owner@acme.example",
        ])
      }
      assert.lengthOf(yield* requests, 13)
      // one attempt of each delivery: probes are none
      assert.deepStrictEqual(yield* states, { "parked 1": 5 })
      yield* expectEndpoint(endpoint, "inactive", 5)
      const { sql } = yield* Database
      const texts = yield* sql<{ text: string }>`select text from email where kind = 'endpoint_deactivated'`
      for (const { text } of texts) assert.include(text, "failed 5 times in a row and was deactivated")
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("1 hour"), work), { times: 30 })
      const sent = (yield* requests).length
      assert.deepInclude(yield* view, { next_probe_at: null, inactive_reason: "failures", status: "inactive" })
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("1 day"), work), { times: 3 })
      assert.lengthOf(yield* requests, sent)
      assert.deepStrictEqual(yield* actions(organization.id), ["deactivate", "end_probes"])
      assert.lengthOf(yield* mails, 2)
    }).pipe(Pod.provide({ receive: script(down), settings: { ...settings, WEBHOOK_PROBE_FOR: "1 day" } })),
  )

  it.effect("and recovers later: admins are mailed again, and the delivery keeps its attempts", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* deactivated()
      for (const delay of [2, 4]) {
        yield* TestClock.adjust(minutes(delay))
        yield* work
      }
      yield* expectEndpoint(endpoint, "active", 0)
      yield* TestClock.adjust("1 second")
      yield* rounds
      assert.deepStrictEqual(yield* states, { "delivered 2": 3 })
      assert.deepStrictEqual(yield* mails, [
        "endpoint_deactivated admin@acme.example",
        "endpoint_deactivated owner@acme.example",
        "endpoint_recovered admin@acme.example",
        "endpoint_recovered owner@acme.example",
      ])
      const { sql } = yield* Database
      const log = yield* sql<{ length: number }>`
        select jsonb_array_length(attempt_log) as length from webhook_delivery_history order by id`
      assert.deepStrictEqual(
        log.map(({ length }) => length),
        [2, 2, 2],
      )
    }).pipe(Pod.provide({ receive: script(...times(4, down), answered(200)), settings })),
  )

  it.effect("is not probed before its Retry-After", () =>
    Effect.gen(function* () {
      const { view } = yield* deactivated()
      yield* TestClock.adjust(minutes(2))
      yield* work
      assert.deepStrictEqual((yield* view).next_probe_at, new Date(start + minutes(32)))
    }).pipe(
      Pod.provide({
        receive: script(...times(3, down), { ...answered(503), retryAfter: "1800" } as typeof down),
        settings,
      }),
    ),
  )

  it.effect("is never probed when WEBHOOK_PROBE_FIRST is 0: admins are mailed at once", () =>
    Effect.gen(function* () {
      const { view } = yield* deactivated()
      assert.lengthOf(yield* mails, 2)
      assert.isNull((yield* view).next_probe_at)
      yield* TestClock.adjust("1 day")
      yield* work
      assert.lengthOf(yield* requests, 3)
    }).pipe(Pod.provide({ receive: script(down), settings: { ...settings, WEBHOOK_PROBE_FIRST: "0" } })),
  )
})

describe("a probe", () => {
  it.effect("is sent once by several pods", () =>
    Effect.gen(function* () {
      yield* deactivated(5)
      yield* TestClock.adjust(minutes(2))
      const pods = yield* Effect.all([1, 2, 3].map(() => Pod.start({ receive: script(down), settings })))
      yield* Effect.all(
        pods.map((pod) => Context.get(pod, EndpointProbes).step),
        { concurrency: "unbounded" },
      )
      const sent = yield* Effect.all(
        pods.map((pod) => runOnce(Context.get(pod, DeliveryQueue).queue)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(
        sent.reduce((sum, one) => sum + one, 0),
        1,
      )
      assert.deepStrictEqual(yield* states, { "parked 1": 5 })
    }).pipe(Pod.provide({ receive: script(down), settings })),
  )

  it.effect("is sent by another pod when its process is killed, and counts once", () =>
    Effect.gen(function* () {
      const { view } = yield* deactivated()
      yield* TestClock.adjust(minutes(2))
      yield* step
      assert.lengthOf(yield* Effect.flatMap(DeliveryQueue, ({ queue }) => queue.claim(10)), 1)
      yield* TestClock.adjust(minutes(4))
      // its time has come again, but the delivery of the first probe is still queued
      yield* step
      assert.strictEqual(yield* round, 1)
      assert.strictEqual((yield* view).failed_probes, 1)
      assert.lengthOf(yield* requests, 4)
    }).pipe(Pod.provide({ receive: script(down), settings })),
  )

  it.effect("waits for an event when none waits", () =>
    Effect.gen(function* () {
      const { candidate, view } = yield* deactivated(3)
      const { sql } = yield* Database
      yield* sql`delete from webhook_delivery`
      yield* TestClock.adjust(minutes(2))
      yield* work
      assert.lengthOf(yield* requests, 3)
      assert.deepInclude(yield* view, { failed_probes: 0, is_probed: false })
      yield* Scenario.publish(candidate)
      yield* rounds
      assert.deepStrictEqual(yield* states, { "parked 0": 1 })
      yield* TestClock.adjust("30 seconds")
      yield* work
      assert.deepStrictEqual(yield* states, { "delivered 1": 1 })
      assert.strictEqual((yield* view).status, "active")
    }).pipe(Pod.provide({ receive: script(...times(3, down), answered(200)), settings })),
  )

  it.effect("is never due when no event comes: admins are mailed at the end", () =>
    Effect.gen(function* () {
      yield* deactivated(3)
      const { sql } = yield* Database
      yield* sql`delete from webhook_delivery`
      yield* TestClock.adjust("2 days")
      yield* work
      assert.deepStrictEqual(yield* mails, [])
      yield* TestClock.adjust("1 day")
      yield* work
      assert.lengthOf(yield* mails, 2)
    }).pipe(Pod.provide({ receive: script(down), settings })),
  )

  it.effect("that fails while a person activates the endpoint is followed by an attempt", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* deactivated()
      yield* TestClock.adjust(minutes(2))
      yield* step
      const { queue } = yield* DeliveryQueue
      const outcomes = yield* Effect.flatMap(queue.claim(10), Effect.forEach(queue.perform))
      yield* (yield* Endpoints).enable(operator(organization.id), endpoint)
      yield* queue.settle(outcomes)
      yield* expectEndpoint(endpoint, "active", 0)
      assert.deepStrictEqual(yield* states, { "queued 1": 1, "parked 1": 2 })
      assert.deepStrictEqual(yield* mails, [])
    }).pipe(Pod.provide({ receive: script(down), settings })),
  )

  it.effect("is due at once when a member's single delivery is accepted", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* deactivated()
      yield* (yield* Deliveries).sendNow(operator(organization.id), DeliveryId.make("1"))
      yield* rounds
      yield* work
      yield* expectEndpoint(endpoint, "active", 0)
    }).pipe(Pod.provide({ receive: script(...times(3, down), answered(200)), settings })),
  )
})

describe("an endpoint that a person deactivated", () => {
  it.effect("is never probed, also when the service had deactivated it before", () =>
    Effect.gen(function* () {
      const { endpoint, organization, view } = yield* deactivated()
      yield* TestClock.adjust(minutes(2))
      yield* work
      yield* (yield* Endpoints).disable(operator(organization.id), endpoint)
      assert.deepInclude(yield* view, { inactive_reason: "manual", next_probe_at: null, deactivated_at: null })
      yield* TestClock.adjust("1 day")
      yield* work
      assert.lengthOf(yield* requests, 4)
    }).pipe(Pod.provide({ receive: script(down), settings })),
  )

  it.effect("stays inactive when the probe in flight is accepted", () =>
    Effect.gen(function* () {
      const { endpoint, organization, view } = yield* deactivated()
      yield* TestClock.adjust(minutes(2))
      yield* step
      const { queue } = yield* DeliveryQueue
      const outcomes = yield* Effect.flatMap(queue.claim(10), Effect.forEach(queue.perform))
      yield* (yield* Endpoints).disable(operator(organization.id), endpoint)
      yield* queue.settle(outcomes)
      yield* work
      assert.deepInclude(yield* view, { status: "inactive", inactive_reason: "manual", next_probe_at: null })
      assert.deepStrictEqual(yield* states, { "delivered 2": 1, "parked 1": 2 })
      assert.deepStrictEqual(yield* actions(organization.id), ["deactivate", "disable"])
    }).pipe(Pod.provide({ receive: script(...times(3, down), answered(200)), settings })),
  )
})

describe("410 Gone", () => {
  it.effect("is followed by no probe, also when one was planned before a person activated the endpoint", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization, view } = yield* deactivated()
      yield* (yield* Endpoints).enable(operator(organization.id), endpoint)
      assert.deepInclude(yield* view, { inactive_reason: null, next_probe_at: null })
      yield* Scenario.publish(candidate)
      yield* rounds
      assert.deepInclude(yield* view, { inactive_reason: "gone", next_probe_at: null })
      yield* TestClock.adjust("1 day")
      yield* work
      assert.lengthOf(yield* requests, 4)
    }).pipe(Pod.provide({ receive: script(...times(3, down), answered(410)), settings })),
  )

  it.effect("deactivates at once with that reason, without probes, and mails admins", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(3)
      yield* Webhooks.addMembers(organization.id, "acme.example")
      assert.strictEqual(yield* round, 1)
      yield* expectEndpoint(endpoint, "inactive", 1)
      assert.deepStrictEqual(yield* states, { "parked 0": 2, "parked 1": 1 })
      const view = yield* (yield* Endpoints).show(operator(organization.id), endpoint)
      assert.deepInclude(view, { inactive_reason: "gone", next_probe_at: null })
      assert.lengthOf(yield* mails, 2)
      yield* TestClock.adjust("1 day")
      yield* work
      assert.lengthOf(yield* requests, 1)
    }).pipe(Pod.provide({ receive: script(answered(410)), settings: { ...settings, WEBHOOK_CONCURRENCY: "1" } })),
  )

  it.effect("of a probe ends the probes", () =>
    Effect.gen(function* () {
      const { organization, view } = yield* deactivated()
      yield* TestClock.adjust(minutes(2))
      yield* work
      assert.deepInclude(yield* view, { inactive_reason: "gone", next_probe_at: null, failed_probes: 1 })
      assert.lengthOf(yield* mails, 2)
      assert.deepStrictEqual(yield* actions(organization.id), ["deactivate", "deactivate"])
    }).pipe(Pod.provide({ receive: script(...times(3, down), answered(410)), settings })),
  )
})
