/** Sending a waiting or parked delivery now. */

import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { DeliveryId } from "../../src/values/Ids.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
import { DeliveryRepository } from "../../src/webhooks/deliveries/DeliveryRepository.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Pod from "../support/Pod.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import {
  begin,
  deactivationMails,
  down,
  expectEndpoint,
  forget,
  requests,
  round,
  rows,
  script,
  start,
  states,
  times,
} from "../support/Webhooks.ts"

const { answered } = Pod
const first = DeliveryId.make("1")

const reasonOf = <A, R>(sent: Effect.Effect<A, { readonly _tag: string; readonly reason?: string }, R>) =>
  Effect.map(Effect.flip(sent), ({ _tag, reason }) => reason ?? _tag)

describe("a delivery that waits for a retry", () => {
  it.effect("is attempted at once, as its next attempt, and noted in the audit log", () =>
    Effect.gen(function* () {
      const { organization } = yield* begin(1)
      yield* round
      assert.strictEqual(yield* round, 0)
      const deliveries = yield* Deliveries
      yield* deliveries.sendNow(operator(organization.id), first, { seen: 1 })
      assert.strictEqual((yield* rows)[0]?.due_at?.getTime(), start)
      assert.strictEqual(
        yield* reasonOf(deliveries.sendNow(operator(organization.id), first)),
        "the delivery is already due",
      )
      assert.strictEqual(yield* round, 1)
      assert.strictEqual(yield* round, 0)
      assert.deepStrictEqual(yield* states, { "queued 2": 1 })
      // the same form again
      assert.include(
        yield* reasonOf(deliveries.sendNow(operator(organization.id), first, { seen: 1 })),
        "another attempt was made",
      )
      // the attempts that remain are those of the policy
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("1 hour"), round), { times: 8 })
      assert.deepStrictEqual(yield* states, { "failed 6": 1 })
      assert.include(
        yield* reasonOf(deliveries.sendNow(operator(organization.id), first)),
        "the delivery is already failed",
      )
      const log = yield* Settings.audit(organization.id)
      assert.deepStrictEqual(
        log.filter(({ action }) => action === "webhook_delivery.send_now").map(({ record_id }) => record_id),
        ["1"],
      )
    }).pipe(Pod.provide({ receive: script(down) })),
  )

  it.effect("is refused while an attempt runs, and the attempt's result is kept", () =>
    Effect.gen(function* () {
      const { organization } = yield* begin(1)
      const { queue } = yield* DeliveryQueue
      const deliveries = yield* Deliveries
      const jobs = yield* queue.claim(1)
      assert.include(yield* reasonOf(deliveries.sendNow(operator(organization.id), first)), "an attempt is running")
      yield* queue.settle(yield* Effect.forEach(jobs, queue.perform))
      assert.deepStrictEqual(yield* states, { "delivered 1": 1 })
      assert.lengthOf(yield* requests, 1)
    }).pipe(Pod.provide({})),
  )

  it.effect("is refused when a process whose clock is ahead claims it meanwhile", () =>
    Effect.gen(function* () {
      const { organization } = yield* begin(1)
      yield* round
      const before = yield* rows
      const { sql } = yield* Database
      const claim = sql`
        update webhook_delivery set claim_id = gen_random_uuid(), leased_until = due_at + interval '1 minute'`
      const deliveries = yield* Deliveries
      const sent = yield* overtaken(claim, deliveries.sendNow(operator(organization.id), first))
      assert.strictEqual(Result.isFailure(sent) ? sent.failure._tag : "sent", "Conflict")
      assert.deepStrictEqual((yield* rows)[0]?.due_at, before[0]?.due_at)
      const claimed = yield* sql`select 1 from webhook_delivery where claim_id is not null`
      assert.lengthOf(claimed, 1)
    }).pipe(Pod.provide({ receive: script(down) })),
  )

  it.effect("is not found if it is unknown or another organization's", () =>
    Effect.gen(function* () {
      yield* begin(1)
      yield* round
      const other = yield* Scenario.organization({}, "Other")
      const deliveries = yield* Deliveries
      assert.strictEqual(yield* reasonOf(deliveries.sendNow(operator(other.id), first)), "NotFound")
      assert.strictEqual(yield* reasonOf(deliveries.sendNow(operator(other.id), DeliveryId.make("99"))), "NotFound")
      // the statement itself is limited to the organization, too
      assert.isUndefined(yield* (yield* DeliveryRepository).sendNow(other.id, first))
    }).pipe(Pod.provide({ receive: script(down) })),
  )

  it.effect("is sent once when two requests come at the same time", () =>
    Effect.gen(function* () {
      const { organization } = yield* begin(1)
      yield* round
      const deliveries = yield* Deliveries
      const sent = yield* Effect.all(
        [1, 2, 3].map(() => Effect.exit(deliveries.sendNow(operator(organization.id), first, { seen: 1 }))),
        { concurrency: "unbounded" },
      )
      assert.lengthOf(
        sent.filter(({ _tag }) => _tag === "Success"),
        1,
      )
      yield* round
      assert.deepStrictEqual(yield* states, { "queued 2": 1 })
    }).pipe(Pod.provide({ receive: script(down) })),
  )
})

describe("a parked delivery of an inactive endpoint", () => {
  const parked = Effect.fnUntraced(function* (count: number) {
    const begun = yield* begin(count)
    yield* (yield* Endpoints).disable(operator(begun.organization.id), begun.endpoint)
    assert.deepStrictEqual(yield* states, { "parked 0": count })
    return begun
  })

  it.effect("is sent once; other deliveries and the endpoint do not change", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* parked(3)
      yield* (yield* Deliveries).sendNow(operator(organization.id), first)
      assert.strictEqual(yield* round, 1)
      assert.strictEqual(yield* round, 0)
      assert.deepStrictEqual(yield* states, { "delivered 1": 1, "parked 0": 2 })
      yield* expectEndpoint(endpoint, "inactive", 0)
    }).pipe(Pod.provide({})),
  )

  it.effect("is paused again after a failure, and does not deactivate the endpoint again", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(1)
      yield* Effect.repeat(Effect.andThen(round, TestClock.adjust("1 hour")), { times: 3 })
      assert.deepStrictEqual(yield* states, { "parked 3": 1 })
      const deliveries = yield* Deliveries
      for (const attempts of [4, 5]) {
        yield* deliveries.sendNow(operator(organization.id), first)
        assert.strictEqual(yield* round, 1)
        assert.strictEqual(yield* round, 0)
        assert.deepStrictEqual(yield* states, { [`parked ${attempts}`]: 1 })
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* round, 0)
      }
      // its last attempt
      yield* deliveries.sendNow(operator(organization.id), first)
      yield* round
      assert.deepStrictEqual(yield* states, { "failed 6": 1 })
      yield* expectEndpoint(endpoint, "inactive", 6)
      assert.deepStrictEqual(yield* deactivationMails, [])
    }).pipe(Pod.provide({ receive: script(down), settings: { WEBHOOK_DEACTIVATE_AFTER: "3" } })),
  )

  it.effect("is not parked by a failure of another delivery before its attempt", () =>
    Effect.gen(function* () {
      const { organization } = yield* parked(2)
      const deliveries = yield* Deliveries
      yield* deliveries.sendNow(operator(organization.id), first)
      const { queue } = yield* DeliveryQueue
      const jobs = yield* queue.claim(1)
      yield* deliveries.sendNow(operator(organization.id), DeliveryId.make("2"))
      // settling a failure parks what is due at an inactive endpoint
      yield* queue.settle(yield* Effect.forEach(jobs, queue.perform))
      assert.deepStrictEqual(yield* states, { "parked 1": 1, "queued 0": 1 })
      assert.strictEqual(yield* round, 1)
      assert.deepStrictEqual(yield* states, { "parked 1": 1, "delivered 1": 1 })
    }).pipe(Pod.provide({ receive: script(down, answered(200)) })),
  )

  it.effect("of a killed process is sent after its lease and never lost", () =>
    Effect.gen(function* () {
      const { organization } = yield* parked(1)
      yield* (yield* Deliveries).sendNow(operator(organization.id), first)
      const { queue } = yield* DeliveryQueue
      assert.lengthOf(yield* queue.claim(1), 1)
      assert.strictEqual(yield* round, 0)
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(yield* round, 1)
      assert.deepStrictEqual(yield* states, { "delivered 1": 1 })
    }).pipe(Pod.provide({})),
  )

  it.effect("is not sent to a deleted endpoint", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* parked(1)
      yield* (yield* Deliveries).sendNow(operator(organization.id), first)
      yield* (yield* Endpoints).remove(operator(organization.id), endpoint)
      yield* round
      assert.deepStrictEqual(yield* requests, [])
      const { sql } = yield* Database
      yield* sql`update webhook_delivery set state = 'parked', due_at = null`
      assert.strictEqual(
        (yield* Effect.result((yield* Deliveries).sendNow(operator(organization.id), first)))._tag,
        "Failure",
      )
      assert.deepStrictEqual(yield* states, { "parked 0": 1 })
    }).pipe(Pod.provide({})),
  )

  it.effect("is sent as usual when the endpoint is activated before its attempt", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* parked(2)
      yield* (yield* Deliveries).sendNow(operator(organization.id), first)
      yield* (yield* Endpoints).enable(operator(organization.id), endpoint)
      yield* (yield* Deliveries).sendParked(operator(organization.id), endpoint)
      yield* TestClock.adjust("1 second")
      yield* round
      assert.deepStrictEqual(yield* states, { "delivered 1": 1, "queued 1": 1 })
      yield* TestClock.adjust("3 minutes")
      yield* round
      assert.deepStrictEqual(yield* states, { "delivered 1": 1, "delivered 2": 1 })
    }).pipe(Pod.provide({ receive: script(down, ...times(5, answered(200))) })),
  )
})

describe("attempts by hour", () => {
  it.effect("are counted with retries, without tests, and kept for two days", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(3)
      const deliveries = yield* Deliveries
      const shown = Effect.map(
        Effect.flatMap(Clock.currentTimeMillis, (millis) =>
          deliveries.activity(operator(organization.id), [endpoint], new Date(millis)),
        ),
        (of) =>
          of(endpoint).flatMap(({ delivered, failed, hour }) =>
            delivered + failed === 0 ? [] : [[(hour.getTime() - start) / 3_600_000, delivered, failed]],
          ),
      )
      // written in the background
      const { sql } = yield* Database
      const written = (hours: number) =>
        Effect.repeat(sql`select 1 from webhook_endpoint_hour`, { until: (found) => found.length === hours })
      yield* round
      yield* TestClock.adjust("5 seconds")
      yield* round
      yield* written(1)
      assert.deepStrictEqual(yield* shown, [[0, 2, 1]])
      yield* TestClock.adjust("1 hour")
      yield* round
      yield* TestClock.adjust("5 seconds")
      yield* round
      yield* written(2)
      assert.deepStrictEqual(yield* shown, [
        [0, 2, 1],
        [1, 1, 0],
      ])
      const other = yield* Scenario.organization({}, "Other")
      const foreign = yield* deliveries.activity(operator(other.id), [endpoint], new Date(start))
      assert.isTrue(foreign(endpoint).every(({ delivered, failed }) => delivered + failed === 0))
      yield* TestClock.adjust("23 hours")
      assert.deepStrictEqual(yield* shown, [[1, 1, 0]])
      yield* forget
      assert.lengthOf(yield* sql`select 1 from webhook_endpoint_hour`, 2)
      yield* TestClock.adjust("25 hours")
      yield* forget
      assert.lengthOf(yield* sql`select 1 from webhook_endpoint_hour`, 0)
    }).pipe(Pod.provide({ receive: script(down, answered(200)) })),
  )
})
