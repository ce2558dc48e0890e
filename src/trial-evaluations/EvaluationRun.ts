/** A long run of evaluations, such as a trial: a process works on it for some seconds at a time, under a claim that it renews. */
import { Duration, Effect } from "effect"
import type { EvaluatorUnavailable } from "../evaluations/Evaluator.ts"
import type { FailureLog } from "../platform/queue/FailureLog.ts"
import { type LongRun, whileClaimed } from "../platform/queue/LongRun.ts"

/** A process works on a run for so long, then lets others go first. */
export const sliceTime = Duration.seconds(10)

/** `slice` evaluates for some time. */
export interface RunStep extends LongRun<EvaluatorUnavailable> {
  /** The run as logs name it, such as "trial". */
  readonly name: string
  readonly id: string
  /** Tries again later, or ends a run that failed too often, or that no retry helps. */
  readonly fail: (isRetryable: boolean) => Effect.Effect<void>
  readonly failures: FailureLog
}

/** Works until the slice ends or the claim is lost. A defect counts as a failure of the run, and dies. */
export const runStep = ({ fail, failures, id, name, renew, slice }: RunStep) =>
  whileClaimed({ slice, renew }).pipe(
    Effect.catchTag("EvaluatorUnavailable", ({ reason, retryable }) =>
      Effect.andThen(
        failures.warn("unavailable", "the evaluator is unavailable for a run", { [name]: id, reason }),
        fail(retryable),
      ),
    ),
    Effect.catchDefect((defect) => Effect.andThen(fail(true), Effect.die(defect))),
  )
