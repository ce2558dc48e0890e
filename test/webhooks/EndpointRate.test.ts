/** The rate of an endpoint: at most `max_per_minute` attempts start in any 60 seconds, across pods. */

import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Random, Result } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Pod from "../support/Pod.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import { amount } from "../support/thorough.ts"
import { down, requests, round, rows, script, start, states } from "../support/Webhooks.ts"

const url = "https://throttled.example/hook"

/** Milliseconds at which attempts at the throttled endpoint started. */
const startsOf = Effect.gen(function* () {
  const { sql } = yield* Database
  const found = yield* sql<{ at: string }>`
    select a ->> 'at' as at from (
      select endpoint_id, attempt_log from webhook_delivery
      union all select endpoint_id, attempt_log from webhook_delivery_history
    ) d join webhook_endpoint e on e.id = d.endpoint_id and e.url = ${url}, jsonb_array_elements(d.attempt_log) a`
  return found.map(({ at }) => Date.parse(at)).toSorted((a, b) => a - b)
})

/** The most starts in a window of 60 seconds. */
const mostInMinute = (starts: ReadonlyArray<number>) =>
  starts.reduce((most, from, i) => Math.max(most, starts.slice(i).filter((at) => at < from + 60_000).length), 0)

const throttled = Effect.fnUntraced(function* (max_per_minute: number, count: number) {
  yield* TestClock.setTime(start)
  const organization = yield* Scenario.organization()
  const candidate = yield* Scenario.invited(organization)
  const endpoint = yield* (yield* Endpoints).create(operator(organization.id), {
    ...{ name: "Throttled", url, events: ["interview.status.update"], max_per_minute },
  })
  yield* Scenario.publish(candidate, count)
  return { organization, candidate, endpoint: endpoint.id }
})

describe("a throttled endpoint", () => {
  it.effect.each([
    [1, 7],
    [5, 1],
    [60, 2],
    [600, 3],
  ] as const)("gets at most %d attempts in any minute from several pods with random pauses (seed %d)", ([max, seed]) =>
    Effect.gen(function* () {
      const minutes = amount(max < 600 ? 2 : 1.2, 4)
      yield* throttled(max, Math.min(max * minutes * 2, 3000))
      const pods = yield* Effect.all([0, 1, 2].map(() => Pod.start({ receive: script(Pod.answered(200)) })))
      const queues = pods.map((pod) => Context.get(pod, DeliveryQueue).queue)
      let elapsed = 0
      while (elapsed < minutes * 60_000) {
        // at the same time, so that they compete for the bucket
        yield* Effect.forEach(queues, (queue) => runOnce(queue), { concurrency: "unbounded" })
        const pause = yield* Random.nextIntBetween(1, (yield* Random.nextBoolean) ? 100 : max < 600 ? 4000 : 1000)
        elapsed += pause
        yield* TestClock.adjust(pause)
      }
      const starts = yield* startsOf
      assert.isAtMost(mostInMinute(starts), max)
      assert.isAtLeast(starts.length, Math.min(max * minutes * 0.7, 3000), "the rate is used")
    }).pipe(Random.withSeed(`throttle ${seed}`), Pod.provide({})),
  )

  it.effect("counts retries, and claims of a process that was killed", () =>
    Effect.gen(function* () {
      yield* throttled(6, 5)
      const { queue } = yield* DeliveryQueue
      // admitted and never performed
      const lost = yield* queue.claim(1)
      assert.lengthOf(lost, 1)
      for (let second = 0; second < 30 * 60; second += 5) {
        yield* runOnce(queue)
        yield* TestClock.adjust("5 seconds")
      }
      const starts = yield* startsOf
      assert.isAtMost(mostInMinute(starts), 6)
      assert.deepStrictEqual(yield* states, { "queued 4": 5 })
    }).pipe(Pod.provide({ receive: script(down), settings: { WEBHOOK_DEACTIVATE_AFTER: "100" } })),
  )

  it.effect("does not delay deliveries to other endpoints", () =>
    Effect.gen(function* () {
      const { candidate, organization } = yield* throttled(1, 400)
      yield* Scenario.endpoint(organization.id)
      yield* round
      yield* TestClock.adjust("1 second")
      yield* Scenario.publish(candidate, 30)
      for (let i = 0; i < 6; i++) yield* round
      const sent = (yield* requests).map((request) => request.url)
      assert.lengthOf(
        sent.filter((one) => one === url),
        1,
      )
      assert.lengthOf(
        sent.filter((one) => one !== url),
        30,
      )
    }).pipe(Pod.provide({})),
  )

  it.effect("is not written by a claim that its rate admits nothing of", () =>
    Effect.gen(function* () {
      yield* throttled(1, 5)
      const { sql } = yield* Database
      const version = sql`select xmin::text as xmin from webhook_endpoint where url = ${url}`
      yield* round
      assert.deepStrictEqual(yield* states, { "delivered 1": 1, "queued 0": 4 })
      const before = yield* version
      // the pod asks again after five seconds, because max_per_minute may have changed
      yield* TestClock.adjust("6 seconds")
      yield* round
      assert.deepStrictEqual(yield* version, before)
      yield* TestClock.adjust("1 minute")
      yield* round
      assert.notDeepEqual(yield* version, before)
    }).pipe(Pod.provide({ receive: script(Pod.answered(200)) })),
  )

  it.effect("leaves its other deliveries due, unclaimed and in order, without a write to an index", () =>
    Effect.gen(function* () {
      yield* throttled(1, 12)
      const { sql } = yield* Database
      const before = yield* rows
      assert.strictEqual(yield* round, 1)
      const waiting = yield* sql<{ claim_id: string | null; unended_attempts: number }>`
        select claim_id, unended_attempts from webhook_delivery order by id`
      assert.deepStrictEqual(
        waiting,
        Array.from({ length: 11 }, () => ({ claim_id: null, unended_attempts: 0 })),
      )
      assert.deepStrictEqual(
        (yield* rows).slice(1).map(({ due_at }) => due_at),
        before.slice(1).map(({ due_at }) => due_at),
      )
    }).pipe(Pod.provide({})),
  )

  it.effect("gets its deliveries from a process whose slots are taken, though they wait for seconds there", () =>
    Effect.gen(function* () {
      const { candidate, organization } = yield* throttled(30, 20)
      const other = yield* Scenario.endpoint(organization.id)
      yield* Scenario.publish(candidate, 1)
      const { queue } = yield* DeliveryQueue
      const inFlight = new Map([[other.id, { count: queue.concurrency, max: queue.concurrency }]])
      for (let i = 0; i < 60; i++) {
        const jobs = yield* queue.claim(20, inFlight)
        yield* TestClock.adjust("1500 millis")
        yield* queue.settle(yield* Effect.forEach(jobs, (job) => queue.perform(job)))
        yield* TestClock.adjust("1500 millis")
      }
      const starts = yield* startsOf
      assert.lengthOf(starts, 21)
      assert.isAtMost(mostInMinute(starts), 30)
    }).pipe(Pod.provide({})),
  )

  it.effect("follows a change of the rate within seconds, and its removal", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* throttled(1, 40)
      yield* round
      assert.strictEqual(yield* round, 0)
      const endpoints = yield* Endpoints
      yield* endpoints.update(operator(organization.id), endpoint, { max_per_minute: 600 })
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* round, 0, "the bucket is full, by the new rate")
      yield* TestClock.adjust("1 second")
      assert.isAtLeast(yield* round, 5)
      yield* endpoints.update(operator(organization.id), endpoint, { max_per_minute: 0 })
      yield* TestClock.adjust("5 seconds")
      yield* Effect.repeat(round, { times: 8 })
      assert.deepStrictEqual(yield* states, { "delivered 1": 40 })
    }).pipe(Pod.provide({})),
  )

  it.effect("is not blocked for long after the clock of the database was set back", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* throttled(60, 3)
      const { sql } = yield* Database
      yield* round
      yield* sql`update webhook_endpoint set next_slot_at = next_slot_at + interval '1 day' where id = ${endpoint}::uuid`
      yield* TestClock.adjust("5 seconds")
      yield* round
      yield* TestClock.adjust("5 seconds")
      yield* round
      assert.deepStrictEqual(yield* states, { "delivered 1": 3 })
    }).pipe(Pod.provide({})),
  )

  it.effect("gives claims at the same moment one second's share together, and waits for no other claim", () =>
    Effect.gen(function* () {
      yield* throttled(600, 100)
      const { queue } = yield* DeliveryQueue
      assert.lengthOf(yield* queue.claim(1), 1)
      const during = yield* overtaken(queue.claim(4), queue.claim(50))
      assert.deepStrictEqual(Result.getOrThrow(during), [])
      // the pod then leaves the endpoint to the other claim for a moment
      assert.lengthOf(yield* queue.claim(50), 0)
      yield* TestClock.adjust("100 millis")
      assert.lengthOf(yield* queue.claim(50), 6)
    }).pipe(Pod.provide({})),
  )

  it.effect("gives a process without a free slot one delivery at a time", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization } = yield* throttled(600, 100)
      const other = yield* Scenario.endpoint(organization.id)
      yield* Scenario.publish(candidate, 1)
      const { queue } = yield* DeliveryQueue
      const busy = [other.id, { count: queue.concurrency, max: queue.concurrency }] as const
      assert.lengthOf(yield* queue.claim(50, new Map([busy])), 1)
      const waiting = [endpoint, { count: 1, max: 20 }] as const
      yield* TestClock.adjust("1 second")
      assert.lengthOf(yield* queue.claim(50, new Map([busy, waiting])), 0)
      assert.lengthOf(yield* queue.claim(50), 11)
    }).pipe(Pod.provide({})),
  )
})
