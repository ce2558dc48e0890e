import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Schedule, Schema } from "effect"
import * as RetryPolicy from "../../src/values/RetryPolicy.ts"

const webhook = { first: Duration.minutes(2), cap: Duration.hours(2), times: 5 }

const minutes = (...values: ReadonlyArray<number>) => values.map((value) => Duration.toMillis(Duration.minutes(value)))
const millisOf = (options: RetryPolicy.RetryOptions) =>
  Effect.map(RetryPolicy.delays(RetryPolicy.schedule(options)), (delays) => delays.map(Duration.toMillis))

describe("schedule", () => {
  it.effect.each([
    ["webhooks: 2 minutes doubling, five retries", webhook, minutes(2, 4, 8, 16, 32)],
    ["capped at 2 hours", { ...webhook, times: 9 }, minutes(2, 4, 8, 16, 32, 64, 120, 120, 120)],
    [
      "another first delay, cap and number of retries",
      { first: Duration.seconds(1), cap: Duration.seconds(3), times: 4 },
      [1000, 2000, 3000, 3000],
    ],
    ["a first delay above the cap", { first: Duration.hours(3), cap: Duration.hours(2), times: 2 }, minutes(120, 120)],
    ["no retries", { ...webhook, times: 0 }, []],
  ] as const)("%s", ([, options, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* millisOf(options), [...expected])
    }),
  )
})

describe("delays", () => {
  it.effect("limits a schedule that never stops", () =>
    Effect.gen(function* () {
      const found = yield* RetryPolicy.delays(Schedule.spaced("1 second"), 3)
      assert.deepStrictEqual(found.map(Duration.toMillis), [1000, 1000, 1000])
    }),
  )
})

describe("nextDelay", () => {
  it.effect("returns the delay of an attempt, and undefined after the last", () =>
    Effect.gen(function* () {
      const nextDelay = yield* RetryPolicy.nextDelay(RetryPolicy.schedule(webhook))
      const found = yield* Effect.forEach([0, 1, 2, 3, 4, 5, 6, 7, 1000], nextDelay)
      assert.deepStrictEqual(
        found.map((delay) => delay !== undefined),
        [false, true, true, true, true, true, false, false, false],
      )
    }),
  )

  const options = Schema.Struct({
    first: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 600_000 })),
    cap: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7_200_000 })),
    times: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })),
  })
  it.effect.prop("adds 0 to 10 % to each delay of the schedule", [options], ([given]) =>
    Effect.gen(function* () {
      const policy = { first: Duration.millis(given.first), cap: Duration.millis(given.cap), times: given.times }
      const planned = yield* millisOf(policy)
      const nextDelay = yield* RetryPolicy.nextDelay(RetryPolicy.schedule(policy))
      assert.strictEqual(planned.length, given.times)
      for (const [index, plan] of planned.entries()) {
        assert.strictEqual(plan, Math.min(given.first * 2 ** index, given.cap))
        const delay = yield* nextDelay(index + 1)
        assert.isDefined(delay)
        const millis = Duration.toMillis(delay ?? Duration.zero)
        assert.isAtLeast(millis, plan)
        assert.isAtMost(millis, Math.round(plan * 1.1))
      }
      assert.isUndefined(yield* nextDelay(given.times + 1))
    }),
  )

  it.effect("differs between failures, so that jobs that failed together do not return together", () =>
    Effect.gen(function* () {
      const nextDelay = yield* RetryPolicy.nextDelay(RetryPolicy.schedule(webhook))
      const found = yield* Effect.forEach(Array.from({ length: 50 }), () => nextDelay(1))
      assert.isAbove(new Set(found.map((delay) => Duration.toMillis(delay ?? Duration.zero))).size, 10)
    }),
  )
})
