/** Effects that run ten times at once, or against a lock. */
import { Deferred, Effect, Fiber } from "effect"
import { Database } from "../../src/platform/database/Database.ts"

export const many = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: 10 }, () => effect),
    { concurrency: "unbounded" },
  )

/**
 * Runs `first` in a transaction that goes on with `last` and commits once `second` waits for a lock or has ended; returns
 * `second`'s result.
 */
export const overtaken = Effect.fnUntraced(function* <A, E, R, E2, R2, E3 = never, R3 = never>(
  first: Effect.Effect<unknown, E2, R2>,
  second: Effect.Effect<A, E, R>,
  last: Effect.Effect<unknown, E3, R3> = Effect.void,
) {
  const { sql, transaction } = yield* Database
  const firstDone = yield* Deferred.make<void>()
  const release = yield* Deferred.make<void>()
  const holder = yield* Effect.forkChild(
    transaction(
      first.pipe(
        Effect.andThen(Deferred.succeed(firstDone, undefined)),
        Effect.andThen(Deferred.await(release)),
        Effect.andThen(last),
      ),
    ),
  )
  yield* Deferred.await(firstDone)
  const waiter = yield* Effect.forkChild(Effect.result(second))
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.pipe(
    Effect.map((rows) => rows.length > 0 || waiter.pollUnsafe() !== undefined),
    Effect.orDie,
  )
  yield* Effect.repeat(waiting, { until: (done) => done })
  yield* Deferred.succeed(release, undefined)
  yield* Fiber.join(holder)
  return yield* Fiber.join(waiter)
})
