/** A long run of evaluations, such as a trial: a process works on it for some seconds at a time, under a claim that it renews. */
import { Duration, Effect, Schedule } from "effect"
import type { EvaluatorUnavailable } from "../evaluations/Evaluator.ts"
import type { FailureLog } from "../platform/queue/FailureLog.ts"

/** A process works on a run for so long, then lets others go first. */
export const sliceTime = Duration.seconds(10)

/** A run of a process that ended is taken over after this time. */
export const lease = Duration.seconds(60)
const renewal = Duration.seconds(15)

export interface RunStep {
  /** The run as logs name it, such as "trial". */
  readonly name: string
  readonly id: string
  /** Evaluates for some time. */
  readonly slice: Effect.Effect<void, EvaluatorUnavailable>
  /** False: it was cancelled or deleted, or another process claimed it. */
  readonly renew: Effect.Effect<boolean>
  /** Tries again later, or ends a run that failed too often, or that no retry helps. */
  readonly fail: (isRetryable: boolean) => Effect.Effect<void>
  readonly failures: FailureLog
}

/** Works until the slice ends or the claim is lost. A defect counts as a failure of the run, and dies. */
export const runStep = ({ fail, failures, id, name, renew, slice }: RunStep) => {
  const lost = renew.pipe(Effect.repeat({ while: (isOwn) => isOwn, schedule: Schedule.spaced(renewal) }), Effect.asVoid)
  return Effect.raceFirst(slice, lost).pipe(
    Effect.catchTag("EvaluatorUnavailable", ({ reason, retryable }) =>
      Effect.andThen(
        failures.warn("unavailable", "the evaluator is unavailable for a run", { [name]: id, reason }),
        fail(retryable),
      ),
    ),
    Effect.catchDefect((defect) => Effect.andThen(fail(true), Effect.die(defect))),
  )
}
