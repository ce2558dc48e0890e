/** Steps that run at intervals on every pod. They lock the rows that they change, so pods share the work. */
import { Cause, Clock, Context, type Duration, Effect, Schedule } from "effect"
import { plain } from "../database/Connections.ts"
import { millisOf } from "../Monotonic.ts"
import * as FailureLog from "./FailureLog.ts"

/** What is done with the runs of steps; `done` is the number of rows, emails or files. */
export interface StepReport {
  readonly ran: (name: string, interval: Duration.Duration, tookMillis: number, done: number) => void
  readonly failed: (name: string, interval: Duration.Duration, error: string) => void
}

export const CurrentStepReport = Context.Reference<StepReport>(
  "interview-invitations/platform/queue/CurrentStepReport",
  { defaultValue: () => ({ ran: () => {}, failed: () => {} }) },
)

/** Repeats `step` at once while it returns more than 0, at most 100 times. Logs failures and continues. */
export const run = (name: string, interval: Duration.Duration, step: Effect.Effect<number>) =>
  Effect.flatMap(Effect.all([CurrentStepReport, Clock.Clock]), ([report, clock]) => {
    const failures = FailureLog.make(name)
    return Effect.suspend(() => {
      const startedAt = millisOf(clock)
      let total = 0
      return step.pipe(
        Effect.map((done) => {
          total += done
          return done
        }),
        Effect.repeat({ while: (done) => done > 0, times: 100 }),
        Effect.andThen(Effect.sync(() => report.ran(name, interval, millisOf(clock) - startedAt, total))),
        Effect.andThen(failures.worked),
        Effect.catchCause((cause) => {
          report.failed(name, interval, plain(Cause.squash(cause)))
          return failures.report(cause)
        }),
      )
    }).pipe(Effect.repeat(Schedule.spaced(interval)), Effect.withTracerEnabled(false), Effect.forkScoped)
  })
