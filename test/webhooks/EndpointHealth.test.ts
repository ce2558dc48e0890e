import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { EndpointId } from "../../src/values/Ids.ts"
import { countFailures, probeDelay } from "../../src/webhooks/endpoints/EndpointHealth.ts"

const endpoint = EndpointId.make("0190b5a2-7c1e-7def-8abc-0123456789ab")

/** The count after attempts in this order: "+" a success, "-" a failure, "g" 410 Gone. */
const count = (before: number, attempts: string, deactivateAfter = 3) => {
  const settled = [...attempts].map((attempt, i) => ({
    endpoint_id: endpoint,
    attempt: {
      error: attempt === "+" ? null : `error ${i}`,
      status: attempt === "+" ? 200 : attempt === "g" ? 410 : 503,
    },
  }))
  return countFailures(new Map([[endpoint, before]]), settled, deactivateAfter)[0]
}

describe("countFailures", () => {
  it.each([
    ["a failure adds 1", 1, "-", { consecutive_failures: 2, isExhausted: false, succeeded: false, error: "error 0" }],
    ["a success resets it", 2, "+", { consecutive_failures: 0, isExhausted: false, succeeded: true, error: null }],
    [
      "the limit is reached",
      1,
      "--",
      { consecutive_failures: 3, isExhausted: true, succeeded: false, error: "error 1" },
    ],
    [
      "reached before a success",
      2,
      "-+",
      { consecutive_failures: 0, isExhausted: true, succeeded: true, error: "error 0" },
    ],
    [
      "reached after a success",
      2,
      "+---",
      { consecutive_failures: 3, isExhausted: true, succeeded: true, error: "error 3" },
    ],
    [
      "a success between",
      0,
      "--+--",
      { consecutive_failures: 2, isExhausted: false, succeeded: true, error: "error 4" },
    ],
    [
      "410 Gone",
      0,
      "g+",
      { consecutive_failures: 0, isExhausted: false, isGone: true, succeeded: true, error: "error 0" },
    ],
  ] as const)("%s", (_, before, attempts, expected) => {
    assert.deepStrictEqual(count(before, attempts), { endpoint_id: endpoint, isGone: false, ...expected })
  })

  it("ignores attempts of unknown endpoints", () => {
    const attempts = [{ endpoint_id: endpoint, attempt: { error: "error", status: null } }]
    assert.deepStrictEqual(countFailures(new Map(), attempts, 3), [])
  })
})

describe("probeDelay", () => {
  it.each([
    ["2 minutes", [2, 4, 8, 16, 32, 64, 120, 120]],
    ["3 hours", [180, 180, 180]],
  ] as const)("doubles %s up to 2 hours", (first, minutes) => {
    const delays = minutes.map((_, failed) => probeDelay(Duration.fromInputUnsafe(first), failed))
    assert.deepStrictEqual(delays.map(Duration.toMinutes), [...minutes])
    assert.strictEqual(
      Duration.toMinutes(probeDelay(Duration.fromInputUnsafe(first), 100_000)),
      Math.max(120, minutes[0]),
    )
  })
})
