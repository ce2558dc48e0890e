/** Steps that run at intervals on every pod. They lock the rows that they change, so pods share the work. */
import { type Duration, Effect, Schedule } from "effect"
import * as FailureLog from "./FailureLog.ts"

/** Repeats `step` at once while it returns more than 0, at most 100 times. Logs failures and continues. */
export const run = (name: string, interval: Duration.Duration, step: Effect.Effect<number>) =>
  Effect.suspend(() => {
    const failures = FailureLog.make(name)
    return step.pipe(
      Effect.repeat({ while: (done) => done > 0, times: 100 }),
      Effect.andThen(failures.worked),
      Effect.catchCause(failures.report),
      Effect.repeat(Schedule.spaced(interval)),
      Effect.withTracerEnabled(false),
      Effect.forkScoped,
    )
  })
