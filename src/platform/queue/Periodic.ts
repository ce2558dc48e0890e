/** Work that comes with the clock, on every pod: rows are locked, so that pods share it and nothing is done twice. */
import { type Duration, Effect, Schedule } from "effect"
import * as Failures from "./Failures.ts"

/**
 * Runs `step` every `interval` for as long as the scope is open, again at once while it finds a full batch. A step
 * that fails is logged and runs again at its next time.
 */
export const run = (name: string, interval: Duration.Duration, step: Effect.Effect<number>) =>
  Effect.suspend(() => {
    const failures = Failures.make()
    return step.pipe(
      Effect.repeat({ while: (done) => done > 0, times: 100 }),
      Effect.map(failures.worked),
      Effect.catchCause((cause) => failures.report(`${name} failed`, cause)),
      Effect.repeat(Schedule.spaced(interval)),
      // not traced: no request started it, and most steps find nothing to do
      Effect.withTracerEnabled(false),
      Effect.forkScoped,
    )
  })
