/** A long run of evaluations, such as a trial: a process works on it for some seconds at a time, under a claim that it renews. */
import { Clock, Duration, Effect } from "effect"
import type { EvaluatorUnavailable } from "../evaluations/Evaluator.ts"
import { Ids } from "../platform/NewIds.ts"
import type { FailureLog } from "../platform/queue/FailureLog.ts"
import { lease, whileClaimed } from "../platform/queue/LongRun.ts"
import { ClaimId, type SubmissionId } from "../values/Ids.ts"
import type { SubmissionPosition } from "./TrialEvaluationRepository.ts"

/** A process works on a run for so long, then lets others go first. */
const sliceTime = Duration.seconds(10)

/** Times in a row that a run may fail because the evaluator is unavailable or of a defect, and how long it waits after each. */
const maxFailures = 5
const retryDelay = Duration.seconds(30)

/** With the position of the last submission that was evaluated. */
interface ClaimedRun {
  readonly id: string
  readonly read_created: string | null
  readonly read_id: SubmissionId | null
}

/** Runs of one kind. `repository`: LongRunSql.ts has its functions. */
interface Runs<Run extends ClaimedRun> {
  /** The run as logs name it, such as "trial". */
  readonly name: string
  readonly repository: {
    readonly claim: (claim: ClaimId, lease: Duration.Duration) => Effect.Effect<Run | undefined>
    readonly renew: (id: Run["id"], claim: ClaimId, lease: Duration.Duration) => Effect.Effect<boolean>
    readonly release: (id: Run["id"], claim: ClaimId) => Effect.Effect<void>
    readonly fail: (id: Run["id"], claim: ClaimId, max: number, delay: Duration.Duration) => Effect.Effect<void>
  }
  /** Evaluates the next submissions. Returns where to go on; undefined: the run has ended, or is no longer this process's. */
  readonly batch: (
    run: Run,
    claim: ClaimId,
    after: SubmissionPosition | undefined,
  ) => Effect.Effect<{ readonly run: Run; readonly after: SubmissionPosition } | undefined, EvaluatorUnavailable>
  readonly failures: FailureLog
}

/**
 * The step of a worker: claims a run and works on it for some time. Returns 0 when there is none. A run that failed too often,
 * or that no retry helps, ends. A defect counts as a failure of the run, and dies.
 */
export const makeRunStep = Effect.fnUntraced(function* <Run extends ClaimedRun>({
  batch,
  failures,
  name,
  repository,
}: Runs<Run>) {
  const ids = yield* Ids

  const slice = Effect.fnUntraced(function* (claimed: Run, claim: ClaimId) {
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(sliceTime)
    const { read_created, read_id } = claimed
    const after = read_created === null || read_id === null ? undefined : { created: read_created, id: read_id }
    let state = yield* batch(claimed, claim, after)
    while (state !== undefined && (yield* Clock.currentTimeMillis) < until)
      state = yield* batch(state.run, claim, state.after)
    if (state !== undefined) yield* repository.release(claimed.id, claim)
  })

  return Effect.gen(function* () {
    const claim = yield* ids.make(ClaimId)
    const run = yield* repository.claim(claim, lease)
    if (run === undefined) return 0
    const fail = (isRetryable: boolean) => repository.fail(run.id, claim, isRetryable ? maxFailures : 1, retryDelay)
    yield* whileClaimed({ slice: slice(run, claim), renew: repository.renew(run.id, claim, lease) }).pipe(
      Effect.catchTag("EvaluatorUnavailable", ({ reason, retryable }) =>
        Effect.andThen(
          failures.warn("unavailable", "the evaluator is unavailable for a run", { [name]: run.id, reason }),
          fail(retryable),
        ),
      ),
      Effect.catchDefect((defect) => Effect.andThen(fail(true), Effect.die(defect))),
    )
    return 1
  })
})
