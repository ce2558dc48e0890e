/** Reproduces the common mistakes of docs/webhooks.md with deliveries of this service. */

import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import type { Evaluator } from "../../src/evaluations/Evaluator.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import type { WebhookRequest } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { findWebhookFault } from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { EndpointSecrets } from "../../src/webhooks/endpoints/EndpointSecrets.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { begin, down, requests, round, script, times } from "../support/Webhooks.ts"

const headerOf = ({ headers }: WebhookRequest): string => headers["x-webhook-signature"] ?? ""
const secondsOf = (delivery: WebhookRequest): number => Number(headerOf(delivery).match(/t=(\d+)/)?.[1])
const envelopeOf = ({ body }: WebhookRequest) => JSON.parse(new TextDecoder().decode(body))

/** Verifies only the first v1. */
const acceptsFirstOnly = (secret: string, delivery: WebhookRequest): boolean => {
  const [, t, v1] = /t=(\d+),v1=([0-9a-f]+)/.exec(headerOf(delivery)) ?? []
  return createHmac("sha256", secret.slice("whsec_".length)).update(`${t}.`).update(delivery.body).digest("hex") === v1
}

const acceptsAny = (secret: string, delivery: WebhookRequest): boolean =>
  findWebhookFault({
    secrets: [secret],
    header: headerOf(delivery),
    body: delivery.body,
    now: secondsOf(delivery),
  }) === undefined

const last = Effect.map(requests, (sent) => sent.at(-1) ?? assert.fail("nothing was sent"))

describe("a client that verifies only the first v1", () => {
  it.effect("works with the old secret during a replacement, and with the new secret only after it", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization, secret: old } = yield* begin(1)
      const next = Effect.gen(function* () {
        yield* Scenario.publish(candidate)
        yield* round
        return yield* last
      })
      const both = (delivery: WebhookRequest, secret: string) => [
        acceptsFirstOnly(secret, delivery),
        acceptsAny(secret, delivery),
      ]
      assert.deepStrictEqual(both(yield* next, old), [true, true])

      const { regenerate } = yield* EndpointSecrets
      const fresh = Redacted.value(yield* regenerate(operator(organization.id), endpoint))
      const during = yield* next
      assert.deepStrictEqual(both(during, old), [true, true])
      assert.deepStrictEqual(both(during, fresh), [false, true])

      yield* TestClock.adjust("25 hours")
      const after = yield* next
      assert.deepStrictEqual(both(after, old), [false, false])
      assert.deepStrictEqual(both(after, fresh), [true, true])
    }).pipe(Pod.provide()),
  )
})

describe("a client that checks the age", () => {
  const isTooOld = (sentAt: number, now: number): boolean => Math.abs(now - sentAt) > 300

  it.effect("with Number(timestamp) of the body accepts every delivery; with t, only recent ones", () =>
    Effect.gen(function* () {
      yield* begin(1)
      yield* round
      const delivery = yield* last
      const { timestamp } = envelopeOf(delivery)
      const nextYear = secondsOf(delivery) + 366 * 86_400

      assert.isNaN(Number(timestamp))
      assert.isFalse(isTooOld(Number(timestamp), nextYear))
      assert.isTrue(isTooOld(secondsOf(delivery), nextYear))
      assert.isFalse(isTooOld(secondsOf(delivery), secondsOf(delivery) + 10))
      assert.strictEqual(Number(delivery.headers["webhook-timestamp"]), secondsOf(delivery))
      assert.strictEqual(new Date(timestamp).toISOString(), timestamp)
    }).pipe(Pod.provide()),
  )

  it.effect("with Date.parse(timestamp) rejects retries, which have the event's timestamp and a new t", () =>
    Effect.gen(function* () {
      yield* begin(1)
      yield* round
      const first = yield* last
      for (let attempt = 2; attempt <= 4; attempt++) {
        yield* TestClock.adjust("9 minutes")
        yield* round
      }
      const retry = yield* last
      const now = secondsOf(retry)
      assert.strictEqual(envelopeOf(retry).timestamp, envelopeOf(first).timestamp)
      assert.isTrue(isTooOld(Date.parse(envelopeOf(retry).timestamp) / 1000, now))
      assert.isAtLeast(now - secondsOf(first), 27 * 60)
    }).pipe(Pod.provide({ receive: script(...times(6, down)) })),
  )
})

describe("a client that turns null into 0", () => {
  const withLevel =
    (level: "none" | "strong" | undefined): Evaluator["Service"]["evaluate"] =>
    (input) =>
      Effect.map(Pod.strong(input), (output) => ({
        ...output,
        ratings: level === undefined ? [] : output.ratings.map((rating) => ({ ...rating, level })),
      }))

  /** Rejects candidates below 3 of 10. */
  const careless = (data: { evaluation_score: number | null }) => Number(data.evaluation_score ?? 0) < 3
  const careful = (data: { score_status: string; evaluation_score: number | null }) =>
    data.score_status === "scored" && data.evaluation_score !== null && data.evaluation_score < 3

  it.effect.each([
    { what: "cannot_evaluate", score: null, level: undefined, requirements: true, rejects: [true, false] },
    { what: "not_scored", score: null, level: "strong", requirements: false, rejects: [true, false] },
    { what: "scored", score: 0, level: "none", requirements: true, rejects: [true, true] },
    { what: "scored", score: 7.5, level: "strong", requirements: true, rejects: [false, false] },
  ] as const)(
    "treats a candidate without a score as if the score were 0: $what, $score",
    ({ level, rejects, requirements, score, what }) =>
      Effect.gen(function* () {
        const set = requirements ? {} : { iai_requirements: [] }
        const candidate = yield* Scenario.invited(yield* Scenario.organization(set))
        yield* Scenario.endpoint(candidate.organization, { events: ["interview.evaluation.update"] })
        yield* Scenario.completed(candidate)
        yield* runOnce((yield* EvaluationQueue).queue)
        yield* round
        const { data } = envelopeOf(yield* last)
        assert.deepInclude(data, { score_status: what, evaluation_score: score })
        assert.deepStrictEqual([careless(data), careful(data)], [...rejects])
      }).pipe(Pod.provide({ evaluate: withLevel(level) })),
  )
})

describe("a client that serializes the body again before it verifies", () => {
  it.effect("rejects genuine deliveries when its JSON has other spaces", () =>
    Effect.gen(function* () {
      const { secret } = yield* begin(1)
      yield* round
      const delivery = yield* last
      assert.isTrue(acceptsAny(secret, delivery))
      const again = new TextEncoder().encode(JSON.stringify(envelopeOf(delivery), null, 1))
      assert.isFalse(acceptsAny(secret, { ...delivery, body: again }))
    }).pipe(Pod.provide()),
  )
})
