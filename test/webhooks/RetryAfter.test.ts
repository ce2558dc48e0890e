import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { retryAfter } from "../../src/webhooks/deliveries/RetryAfter.ts"
import type { OutboundResult } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import * as Pod from "../support/Pod.ts"
import { begin, endpointOf, round, rows, script, start } from "../support/Webhooks.ts"

const now = Date.UTC(2026, 0, 1)

describe("Retry-After", () => {
  it.each([
    ["120", 120],
    [" 7 ", 7],
    ["Thu, 01 Jan 2026 00:01:30 GMT", 90],
    ["Thursday, 01-Jan-26 00:02:00 GMT", 120],
    ["Thu Jan  1 00:00:05 2026", 5],
  ])("is read from %s", (text, seconds) => {
    assert.strictEqual(Duration.toSeconds(retryAfter(text, now) ?? Duration.zero), seconds)
  })

  it.each([
    ...["", "soon", "-1", "1.5", "0", "12 s", "1e3", "99999999999", "0x10", "120, 60", "Thu, 99 Foo 2026 00:01:30 GMT"],
    ...["Thu, 01 Jan 2026 00:01:30", "2026-01-01T00:01:30Z", "Wed, 31 Dec 2025 23:59:59 GMT", "NaN", "٣"],
  ])("is ignored as %j", (text) => {
    assert.isUndefined(retryAfter(text, now))
  })
})

const busy = (status: number, retryAfter: string): OutboundResult => ({
  _tag: "Answered",
  ...{ status, body: "", truncated: false, durationMs: 0, retryAfter },
})

const minute = 60_000

describe("after a failed attempt", () => {
  it.effect.each([
    [429, "600", 10 * minute],
    [503, "Thu, 01 Jan 2026 00:30:00 GMT", 30 * minute],
    [500, "3600", 60 * minute],
    [429, "864000", 120 * minute],
  ] as const)(
    "a %d with Retry-After %s delays the next attempt, up to the longest delay of the policy",
    ([status, header, delay]) =>
      Effect.gen(function* () {
        const { endpoint } = yield* begin(1)
        yield* round
        const [row] = yield* rows
        assert.strictEqual(row?.due_at?.getTime(), start + delay)
        assert.include(row?.attempt_log[0]?.error, `The receiver answered ${status}, with Retry-After: ${header}`)
        const [health] = yield* endpointOf(endpoint)
        assert.strictEqual(health?.failures, 1)
        yield* TestClock.adjust(delay - 1)
        assert.strictEqual(yield* round, 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* round, 1)
      }).pipe(Pod.provide({ receive: script(busy(status, header)) })),
  )

  it.effect("a shorter Retry-After does not shorten the delay; one of a success is ignored", () =>
    Effect.gen(function* () {
      yield* begin(1)
      yield* round
      const [row] = yield* rows
      assert.isAtLeast(row?.due_at?.getTime() ?? 0, start + 2 * minute)
      yield* TestClock.adjust("3 minutes")
      yield* round
      assert.strictEqual((yield* rows)[0]?.state, "delivered")
    }).pipe(Pod.provide({ receive: script(busy(429, "1"), busy(200, "3600")) })),
  )

  it.effect("does not add attempts", () =>
    Effect.gen(function* () {
      yield* begin(1)
      for (let i = 0; i < 8; i++) {
        yield* round
        yield* TestClock.adjust("2 hours")
      }
      assert.deepInclude({ ...(yield* rows)[0] }, { state: "failed", attempts: 6 })
    }).pipe(Pod.provide({ receive: script(busy(429, "5000")) })),
  )
})
