/** A trial: one run over the submissions of a set with other requirements, and the scores before and after. */
import type { Requirement } from "../interview-sets/InterviewSet.ts"
import type { InterviewSetId, MemberId, SubmissionId, TrialId } from "../values/Ids.ts"
import { changeOf, type Direction, type EvaluatedSubmission, resultOf } from "./TrialEvaluation.ts"

export type TrialState = "running" | "done" | "cancelled" | "failed"

export interface Trial {
  readonly id: TrialId
  readonly set: InterviewSetId
  readonly requirements: ReadonlyArray<Requirement>
  /** Null: all submissions. */
  readonly sample: number | null
  /** That it has to evaluate. */
  readonly submissions: number
  /** That it has evaluated. */
  readonly evaluated: number
  readonly state: TrialState
  readonly adopted_set: InterviewSetId | null
  readonly created_at: Date
  readonly ended_at: Date | null
  readonly member: { readonly id: MemberId; readonly name: string } | null
}

/** Out of 10; null: not rated. Absent: not a requirement on that side. */
export interface StoredCriterion {
  readonly id: string
  readonly before?: number | null
  readonly after?: number | null
}

export interface TrialOutcome {
  readonly submission_id: SubmissionId
  readonly direction: Direction
  readonly before: number | null
  readonly after: number | null
  readonly met_before: number
  readonly met_after: number
  /** Of requirements whose score differs. */
  readonly criteria: ReadonlyArray<StoredCriterion>
  readonly reason: string | null
  readonly is_other_evaluator: boolean
}

/** Trials of a set that are kept; a new one deletes the oldest. */
export const maxTrials = 10

/** Days until an ended trial is deleted. */
export const trialsKeptDays = 30

/** Submissions that a trial evaluates by default if the evaluator sends requests to a server. */
export const defaultSample = 20
export const maxSample = 500

/** Without a new score: of a submission whose texts were deleted, or whose evaluation failed. */
export const notComputed = (submission: EvaluatedSubmission, reason: string): TrialOutcome => {
  const before = resultOf(submission.parts)
  return {
    submission_id: submission.submission_id,
    direction: "not_comparable",
    before: before?.score ?? null,
    after: null,
    met_before: 0,
    met_after: 0,
    criteria: [],
    reason,
    is_other_evaluator: false,
  }
}

/** Of a submission that was evaluated as `parts`. */
export const outcomeOf = (
  submission: EvaluatedSubmission,
  parts: ReadonlyArray<Parameters<typeof resultOf>[0][number] & { readonly evaluator: string | null }>,
): TrialOutcome => {
  const [before, after] = [resultOf(submission.parts), resultOf(parts)]
  if (before === undefined || after === undefined) return notComputed(submission, "There is no evaluation.")
  const change = changeOf(before, after)
  const evaluators = new Map(submission.parts.map(({ evaluation_type, evaluator }) => [evaluation_type, evaluator]))
  return {
    submission_id: submission.submission_id,
    direction: change.direction,
    before: change.before,
    after: change.after,
    met_before: change.met_before,
    met_after: change.met_after,
    criteria: change.criteria.flatMap((one): ReadonlyArray<StoredCriterion> => {
      if (one.weight_before === null) return [{ id: one.requirement_id, after: one.after }]
      if (one.weight_after === null) return [{ id: one.requirement_id, before: one.before }]
      return one.before === one.after ? [] : [{ id: one.requirement_id, before: one.before, after: one.after }]
    }),
    reason:
      change.direction !== "not_comparable"
        ? null
        : change.before === null
          ? "It has no score now."
          : "It would have no score.",
    is_other_evaluator: parts.some(({ evaluation_type, evaluator }) => {
      const stored = evaluators.get(evaluation_type) ?? null
      return evaluator !== null && stored !== null && evaluator !== stored
    }),
  }
}
