/** Endpoints changed while deliveries to them are in flight. */

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Redacted } from "effect"
import { operator } from "../../../src/accounts/Viewer.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { Deliveries } from "../../../src/webhooks/deliveries/Deliveries.ts"
import { Retention } from "../../../src/webhooks/deliveries/Retention.ts"
import { findWebhookFault } from "../../../src/webhooks/deliveries/WebhookVerification.ts"
import { EndpointSecrets } from "../../../src/webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints } from "../../../src/webhooks/endpoints/Endpoints.ts"
import type { Pod } from "../../support/Processes.ts"
import * as Receiver from "../../support/Receiver.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Webhooks from "../../support/Webhooks.ts"
import { hiringSystem, provide, startPod, stop, tally, timeout, until, untilFinished, untilSync } from "./stage.ts"

/** Retries follow at once; at most two requests to an endpoint are in flight. */
const settings = { WEBHOOK_RETRY_FIRST: "1 millis", WEBHOOK_ENDPOINT_CONCURRENCY: "2" }

/** A receiver whose responses the test sends with `reply`, and a pod that sends to it. */
const begin = Effect.gen(function* () {
  const requests: Array<Deferred.Deferred<number>> = []
  const receiver = yield* Receiver.start({
    answer: ({ path }) => {
      if (path.startsWith("/at-once")) return Effect.succeed(200)
      const request = Deferred.makeUnsafe<number>()
      requests.push(request)
      return Deferred.await(request)
    },
  })
  return {
    receiver,
    pod: yield* startPod(settings),
    untilOpen: (count: number) => untilSync(`${count} requests arrived`, () => requests.length === count),
    /** Responds to a request; the first is 0. */
    reply: (nth: number, status: number) =>
      Effect.flatMap(Effect.fromNullishOr(requests[nth]), (request) => Deferred.succeed(request, status)),
  }
})

/** Stops the pod; it exits with 0 and has logged no error. */
const expectCleanStop = Effect.fnUntraced(function* (pod: Pod) {
  assert.deepStrictEqual(yield* stop(pod), [0])
  assert.notMatch(pod.log(), /"level":"(ERROR|FATAL)"/)
})

describe("with attempts in flight", () => {
  it.live(
    "a new URL receives all later attempts, with the same bytes",
    () =>
      Effect.gen(function* () {
        const { pod, receiver, reply, untilOpen } = yield* begin
        const { endpoint, organization, publish } = yield* hiringSystem(`${receiver.url}/old`)
        yield* publish(1)
        yield* untilOpen(1)
        yield* (yield* Endpoints).update(operator(organization), endpoint, { url: `${receiver.url}/new` })
        yield* reply(0, 500)
        yield* untilOpen(2)
        yield* reply(1, 200)
        yield* untilFinished(1)
        assert.deepStrictEqual(
          receiver.receipts.map(({ path }) => path),
          ["/old", "/new"],
        )
        assert.strictEqual(new Set(receiver.receipts.map(({ body, event }) => `${event} ${body}`)).size, 1)
        assert.deepStrictEqual(yield* Webhooks.states, { "delivered 2": 1 })
        yield* expectCleanStop(pod)
      }).pipe(provide),
    timeout,
  )

  it.live(
    "a new secret signs all later attempts, together with the previous one until that is removed",
    () =>
      Effect.gen(function* () {
        const { pod, receiver, reply, untilOpen } = yield* begin
        const { endpoint, organization, publish, secret } = yield* hiringSystem(receiver.url)
        const endpointSecrets = yield* EndpointSecrets
        yield* publish(1)
        yield* untilOpen(1)
        const renewed = Redacted.value(yield* endpointSecrets.regenerate(operator(organization), endpoint))
        yield* reply(0, 500)
        yield* untilOpen(2)
        yield* endpointSecrets.removePrevious(operator(organization), endpoint)
        yield* reply(1, 500)
        yield* untilOpen(3)
        yield* reply(2, 200)
        yield* untilFinished(1)

        const accepted = (secret: string) =>
          receiver.receipts.map(({ at, body, headers }) => {
            const header = String(headers["x-webhook-signature"])
            return findWebhookFault({ secrets: [secret], header, body, now: at / 1000 }) === undefined
          })
        assert.deepStrictEqual(accepted(secret), [true, true, false])
        assert.deepStrictEqual(accepted(renewed), [false, true, true])
        assert.deepStrictEqual(
          receiver.receipts.map(({ headers }) => String(headers["webhook-signature"]).split(" ").length),
          [1, 2, 1],
        )
        yield* expectCleanStop(pod)
      }).pipe(provide),
    timeout,
  )

  it.live(
    "a disabled endpoint receives only requests in flight, and the parked deliveries once enabled",
    () =>
      Effect.gen(function* () {
        const { pod, receiver, reply, untilOpen } = yield* begin
        const { endpoint, organization, publish } = yield* hiringSystem(receiver.url)
        const endpoints = yield* Endpoints
        yield* publish(5)
        yield* untilOpen(2)
        yield* endpoints.disable(operator(organization), endpoint)
        yield* publish(1)
        yield* reply(0, 200)
        yield* reply(1, 500)
        const isParked = Effect.map(Webhooks.states, (states) => states["parked 0"] === 4 && states["parked 1"] === 1)
        yield* until("the other deliveries are parked", isParked)
        yield* Webhooks.expectEndpoint(endpoint, "inactive", 1)
        assert.strictEqual(receiver.receipts.length, 2)

        yield* endpoints.enable(operator(organization), endpoint)
        assert.strictEqual(yield* (yield* Deliveries).sendParked(operator(organization), endpoint), 5)
        for (let i = 2; i < 7; i++) {
          yield* untilSync("the next request arrived", () => receiver.receipts.length > i)
          yield* reply(i, 200)
        }
        yield* untilFinished(6)
        assert.deepStrictEqual(yield* Webhooks.states, { "delivered 1": 5, "delivered 2": 1 })
        assert.strictEqual(receiver.receipts.length, 7)
        yield* Webhooks.expectEndpoint(endpoint, "active", 0)
        yield* expectCleanStop(pod)
      }).pipe(provide),
    timeout,
  )

  it.live(
    "a deleted endpoint receives only requests in flight, and its rows are removed",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const { pod, receiver, reply, untilOpen } = yield* begin
        const deleted = yield* hiringSystem(`${receiver.url}/deleted`)
        const other = yield* hiringSystem(`${receiver.url}/at-once`)
        const endpoints = yield* Endpoints
        yield* deleted.publish(5)
        yield* untilOpen(2)
        yield* endpoints.remove(operator(deleted.organization), deleted.endpoint)
        yield* deleted.publish(1)
        yield* reply(0, 500)
        yield* until(
          "the other deliveries are parked",
          Effect.map(tally, ({ parked }) => parked === 4),
        )

        // the endpoint's rows are deleted while a request is still open
        const { step } = yield* Retention
        yield* Effect.repeat(step, { until: (rows) => rows === 0 })
        yield* sql`update webhook_endpoint set deleted_at = deleted_at - interval '61 minutes'`
        yield* step
        assert.deepStrictEqual(yield* sql`select id from webhook_endpoint where id = ${deleted.endpoint}::uuid`, [])
        assert.deepInclude(yield* tally, { held: 0, waiting: 0, parked: 0, finished: 0 })
        yield* reply(1, 200)
        yield* other.publish(20)
        yield* untilFinished(20)
        yield* expectCleanStop(pod)
        assert.strictEqual(receiver.receiptsAt("/deleted").length, 2)
        assert.strictEqual(receiver.receiptsAt("/at-once").length, 20)
        assert.deepStrictEqual(yield* Webhooks.states, { "delivered 1": 20 })
      }).pipe(provide),
    timeout,
  )
})

describe("two matching subscriptions of one endpoint", () => {
  it.live(
    "make one delivery; another sub-event makes none",
    () =>
      Effect.gen(function* () {
        const { pod, receiver } = yield* begin
        const parent = "interview.status.update"
        const subscriptions = {
          both: [parent, `${parent}.started`],
          child: [`${parent}.started`],
          other: [`${parent}.completed`],
        }
        const organization = yield* Scenario.organization()
        for (const [path, events] of Object.entries(subscriptions)) {
          yield* Scenario.endpoint(organization.id, { url: `${receiver.url}/at-once?${path}`, events })
        }
        yield* Scenario.publish(yield* Scenario.invited(organization), 3)
        yield* untilFinished(6)
        yield* expectCleanStop(pod)
        const came = Map.groupBy(receiver.receipts, ({ path }) => path)
        assert.deepStrictEqual(
          [...came]
            .sort()
            .map(([path, receipts]) => [path, receipts.length, new Set(receipts.map(({ event }) => event)).size]),
          [
            ["/at-once?both", 3, 3],
            ["/at-once?child", 3, 3],
          ],
        )
      }).pipe(provide),
    timeout,
  )
})
