/** Evaluates submissions with swapped hints beside their own texts, and stores nothing. */
import { Clock, Context, Effect, Layer } from "effect"
import type { EvaluatedSubmission, TrialInput } from "../trial-evaluations/TrialEvaluation.ts"
import { NotComputable, type TrialEvaluation, TrialEvaluations } from "../trial-evaluations/TrialEvaluations.ts"
import { movesOf, type SubmissionOutcome, type SwapOutcome, swapsOf } from "./CounterfactualAudit.ts"
import { askedBy, type SwapKind, type SwapPart, swapped } from "./Swap.ts"

/** Asks the evaluator also for unchanged texts. */
const unchanged = (input: TrialInput): TrialInput => input

const yearOf = Effect.map(Clock.currentTimeMillis, (now) => new Date(now).getUTCFullYear())

/** Null: the texts were stored redacted only, so that no name can be swapped. */
const partsOf = ({ parts }: EvaluatedSubmission): ReadonlyArray<SwapPart> | null => {
  const known = parts.flatMap(({ input, person }) => (person === null ? [] : [{ input, person }]))
  return known.length < parts.length ? null : known
}

const redactedOnly = new NotComputable({ reason: "The candidate's own texts are no longer stored." })

export class SwapEvaluations extends Context.Service<SwapEvaluations>()(
  "interview-invitations/counterfactual/SwapEvaluations",
  {
    make: Effect.gen(function* () {
      const trialEvaluations = yield* TrialEvaluations

      const evaluate = (submission: EvaluatedSubmission) => trialEvaluations.evaluate(submission, { change: unchanged })

      const withParts = (submission: EvaluatedSubmission, parts: ReadonlyArray<SwapPart>): EvaluatedSubmission => ({
        ...submission,
        parts: submission.parts.map((part, at) => ({ ...part, ...parts[at] })),
      })

      const outcomeOf = (
        swap: string,
        own: ReadonlyArray<SwapPart>,
        before: readonly [TrialEvaluation, TrialEvaluation],
        { result }: TrialEvaluation,
      ): SwapOutcome => {
        const asked = new Set(own.flatMap((part) => [...askedBy(swap, part)]))
        const [first] = before
        const moves = movesOf(
          before.map((one) => one.result),
          result,
          asked,
        )
        return { swap, before: first.result.score, after: result.score, moves }
      }

      /**
       * Evaluates the submission's own texts twice, and those of each swap that changes them. The selection's texts must be
       * `current`. Undefined: the texts were deleted, or rating them takes too much memory or time. A swap whose texts take too
       * much is left out.
       */
      const audit = Effect.fn("SwapEvaluations.audit")(
        function* (submission: EvaluatedSubmission, kinds: ReadonlyArray<SwapKind>) {
          const own = partsOf(submission) ?? (yield* redactedOnly)
          const before = [yield* evaluate(submission), yield* evaluate(submission)] as const
          const thisYear = yield* yearOf
          const outcomes: Array<SwapOutcome> = []
          let evaluations = 2
          for (const { id } of swapsOf(kinds)) {
            // lets other work run between computations on long texts
            yield* Effect.yieldNow
            const changed = swapped(id, own, thisYear)
            if (changed === undefined) continue
            evaluations += 1
            const after = yield* evaluate(withParts(submission, changed.parts)).pipe(
              Effect.catchTag("NotComputable", () => Effect.succeed(undefined)),
            )
            if (after !== undefined) outcomes.push(outcomeOf(id, own, before, after))
          }
          const [first, second] = before
          return {
            submission_id: submission.submission_id,
            evaluator: first.parts.find(({ evaluator }) => evaluator !== null)?.evaluator ?? null,
            evaluations: evaluations * submission.parts.length,
            noise: movesOf([first.result], second.result, new Set()),
            swaps: outcomes,
          } satisfies SubmissionOutcome
        },
        Effect.catchTag("NotComputable", () => Effect.succeed(undefined)),
      )

      /** Evaluations that `audit` makes, without making them. */
      const countEvaluations = Effect.fnUntraced(function* (
        submission: EvaluatedSubmission,
        kinds: ReadonlyArray<SwapKind>,
      ) {
        const own = partsOf(submission)
        if (own === null) return 0
        const thisYear = yield* yearOf
        const changing = swapsOf(kinds).filter(({ id }) => swapped(id, own, thisYear) !== undefined)
        return (2 + changing.length) * own.length
      })

      /** Why scores moved: the sentences that a swap changed, and both evaluations. Undefined: the swap changes nothing now. */
      const explain = Effect.fn("SwapEvaluations.explain")(function* (submission: EvaluatedSubmission, swap: string) {
        const own = partsOf(submission)
        const changed = own === null ? undefined : swapped(swap, own, yield* yearOf)
        if (changed === undefined) return undefined
        const { sentences } = changed
        if (trialEvaluations.requests > 0) return { sentences, before: null, after: null }
        const before = yield* evaluate(submission)
        const after = yield* evaluate(withParts(submission, changed.parts))
        return { sentences, before: before.result, after: after.result }
      })

      return { audit, countEvaluations, explain }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
