import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

/** Runs an effect that waits for the clock after other work; the clock passes, a second at a time, until it ends. */
export const passingTime = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  const second = Effect.andThen(TestClock.adjust("1 second"), TestClock.withLive(Effect.sleep("2 millis")))
  yield* Effect.repeat(second, { until: () => fiber.pollUnsafe() !== undefined })
  return yield* Fiber.join(fiber)
})
