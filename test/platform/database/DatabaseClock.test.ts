import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { DatabaseClock, timed } from "../../../src/platform/database/DatabaseClock.ts"
import * as RateLimit from "../../../src/platform/http/RateLimit.ts"

const minute = 60_000
const day = 86_400_000
const start = Date.UTC(2026, 10, 27)

/** A machine whose clock is `wrong` milliseconds ahead of the database's, with a monotonic clock of its own. */
const machine = (wrong: number) => {
  const at = { wall: start + wrong, monotonic: 5 * minute, database: start }
  const clock: Clock.Clock = {
    ...Clock.Clock.defaultValue(),
    currentTimeMillisUnsafe: () => at.wall,
    monotonicTimeNanosUnsafe: () => BigInt(at.monotonic * 1e6),
  }
  const pass = (millis: number) => {
    at.wall += millis
    at.monotonic += millis
    at.database += millis
  }
  /** The answer takes `there` and `back` milliseconds. */
  const read = (of: DatabaseClock, there: number, back: number) =>
    Effect.sync(() => {
      pass(there)
      const time = at.database
      pass(back)
      return time
    }).pipe(timed, Effect.provideService(Clock.Clock, of), Effect.flatMap(of.correct))
  return { at, clock, pass, read }
}

describe("DatabaseClock", () => {
  it.effect.each([10 * minute, -31 * day, 0])("has the database's time on a machine that is %s ms ahead", (wrong) =>
    Effect.gen(function* () {
      const { at, clock: own, pass, read } = machine(wrong)
      const clock = new DatabaseClock(own)
      assert.strictEqual(clock.currentTimeMillisUnsafe(), start + wrong)
      yield* read(clock, 1, 3)
      assert.strictEqual(clock.currentTimeMillisUnsafe(), at.database - 1, "within half of the round trip")
      assert.isAtMost(Math.abs(clock.difference + wrong), 1)
      yield* read(clock, 200, 4_000)
      assert.isAtMost(Math.abs(clock.currentTimeMillisUnsafe() - at.database), 6, "a slow reading does no harm")
      pass(30_000)
      yield* read(clock, 1, 1)
      assert.isAtMost(Math.abs(clock.currentTimeMillisUnsafe() - at.database), 1)
    }),
  )

  it.effect("goes on when the machine's clock is set, and reports it", () =>
    Effect.gen(function* () {
      const { at, clock: own, pass, read } = machine(0)
      const clock = new DatabaseClock(own)
      yield* read(clock, 1, 1)
      const jump = yield* Effect.forkChild(clock.untilJump)
      pass(minute)
      at.wall -= 60 * minute
      assert.strictEqual(clock.currentTimeMillisUnsafe(), at.database)
      yield* Fiber.join(jump)
      const limit = RateLimit.make(1)
      const count = Effect.provideService(limit("key"), Clock.Clock, clock)
      yield* count
      at.wall -= 60 * minute
      at.database -= 60 * minute
      yield* read(clock, 1, 1)
      assert.deepInclude(yield* count, { isAllowed: false, resetAfter: 60 })
    }),
  )

  it.effect("follows another database server at once", () =>
    Effect.gen(function* () {
      const { at, clock: own, read } = machine(0)
      const clock = new DatabaseClock(own)
      yield* read(clock, 1, 1)
      at.database += minute
      yield* read(clock, 1, 1)
      assert.strictEqual(clock.currentTimeMillisUnsafe(), at.database)
    }),
  )
})
