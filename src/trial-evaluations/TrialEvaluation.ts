/** What would change: a stored evaluation beside one with other requirements, weights, texts or evaluator. */
import {
  type Criterion,
  type EvaluationInput,
  type EvaluationRequirement,
  type EvaluationResult,
  type Evidence,
  fewRated,
  narrate,
  withTotal,
  withWarnings,
} from "../evaluations/Evaluation.ts"
import { combineHolistic } from "../evaluations/Holistic.ts"
import type { Person } from "../evaluations/Redaction.ts"
import { type Outcome, outcomeOf } from "../evaluations/Score.ts"
import { importanceOf } from "../interview-sets/Importance.ts"
import type { SubmissionId } from "../values/Ids.ts"

/** `person`: whose name and contacts are still to be redacted; null for an input that was stored redacted. */
export interface TrialInput {
  readonly input: EvaluationInput
  readonly person: Person | null
}

/** The stored evaluation of a CV or of an interview. */
export interface EvaluatedPart extends TrialInput {
  readonly evaluation_type: "cv" | "interview"
  readonly evaluator: string | null
  readonly result: EvaluationResult
}

export interface EvaluatedSubmission {
  readonly submission_id: SubmissionId
  /** A member's score is shown instead of the evaluator's, and stays. */
  readonly has_override: boolean
  /** The newest evaluation of each type; at least one. */
  readonly parts: ReadonlyArray<EvaluatedPart>
}

/** The result of one or two parts, as `submission_score` has it. */
export const resultOf = (
  parts: ReadonlyArray<Pick<EvaluatedPart, "evaluation_type" | "result">>,
): EvaluationResult | undefined => {
  const of = (type: EvaluatedPart["evaluation_type"]) =>
    parts.find(({ evaluation_type }) => evaluation_type === type)?.result
  const [cv, interview] = [of("cv"), of("interview")]
  return cv !== undefined && interview !== undefined ? combineHolistic(cv, interview) : (interview ?? cv)
}

const textsOf = (requirements: ReadonlyArray<EvaluationRequirement>): string =>
  JSON.stringify(requirements.map(({ content, hint, id, title }) => [id, title, content, hint]).toSorted())

/** Whether two lists differ in the importance or the order of requirements only, so that no text needs to be read again. */
export const haveSameTexts = (
  one: ReadonlyArray<EvaluationRequirement>,
  other: ReadonlyArray<EvaluationRequirement>,
): boolean => textsOf(one) === textsOf(other)

/** The same ratings with the importance of `requirements`, which have the same texts (`haveSameTexts`). */
export const reweighed = (
  result: EvaluationResult,
  requirements: ReadonlyArray<EvaluationRequirement>,
): EvaluationResult => {
  const byId = new Map(result.criteria.map((one) => [one.requirement_id, one]))
  const criteria = requirements.flatMap(({ cfg_importance_id, id }): ReadonlyArray<Criterion> => {
    const rated = byId.get(id)
    if (rated === undefined) return []
    const { id: importance, weight } = importanceOf(cfg_importance_id)
    return [{ ...rated, cfg_importance_id: importance, weight }]
  })
  const others = (result.warnings ?? []).filter(({ code }) => code !== "few_rated")
  return withWarnings(withTotal(criteria, narrate(criteria)), [...others, ...fewRated(criteria)])
}

export const directions = ["up", "down", "unchanged", "not_comparable"] as const
export type Direction = (typeof directions)[number]

/** Null: not rated, or not a requirement on that side. */
export interface CriterionChange {
  readonly requirement_id: string
  readonly title: string
  readonly before: number | null
  readonly after: number | null
  readonly outcome_before: Outcome | null
  readonly outcome_after: Outcome | null
  readonly weight_before: number | null
  readonly weight_after: number | null
  /** Quotes that count on one side only. */
  readonly found: ReadonlyArray<Evidence>
  readonly lost: ReadonlyArray<Evidence>
}

export interface EvaluationChange {
  readonly direction: Direction
  readonly before: number | null
  readonly after: number | null
  readonly met_before: number
  readonly met_after: number
  /** Requirements on either side that differ in score, outcome, weight or quotes. */
  readonly criteria: ReadonlyArray<CriterionChange>
}

const directionOf = (before: number | null, after: number | null): Direction => {
  if (before === null || after === null) return "not_comparable"
  return after > before ? "up" : after < before ? "down" : "unchanged"
}

const metIn = ({ criteria }: EvaluationResult): number =>
  criteria.filter(({ score }) => outcomeOf(score) === "met").length

const without = (evidence: ReadonlyArray<Evidence>, other: ReadonlyArray<Evidence>): ReadonlyArray<Evidence> =>
  evidence.filter(
    (one) =>
      !other.some(
        ({ question_id, quote, source }) =>
          quote === one.quote && source === one.source && question_id === one.question_id,
      ),
  )

const criterionChange = (before: Criterion | undefined, after: Criterion | undefined): CriterionChange => ({
  requirement_id: (after ?? before)?.requirement_id ?? "",
  title: (after ?? before)?.title ?? "",
  before: before?.score ?? null,
  after: after?.score ?? null,
  outcome_before: before === undefined ? null : outcomeOf(before.score),
  outcome_after: after === undefined ? null : outcomeOf(after.score),
  weight_before: before?.weight ?? null,
  weight_after: after?.weight ?? null,
  found: without(after?.evidence ?? [], before?.evidence ?? []),
  lost: without(before?.evidence ?? [], after?.evidence ?? []),
})

const isChange = (one: CriterionChange): boolean =>
  one.before !== one.after ||
  one.outcome_before !== one.outcome_after ||
  one.weight_before !== one.weight_after ||
  one.found.length + one.lost.length > 0

/** Pairs requirements by id; those of `after` come first, in its order. */
export const changeOf = (before: EvaluationResult, after: EvaluationResult): EvaluationChange => {
  const old = new Map(before.criteria.map((one) => [one.requirement_id, one]))
  const kept = new Set(after.criteria.map(({ requirement_id }) => requirement_id))
  const criteria = [
    ...after.criteria.map((one) => criterionChange(old.get(one.requirement_id), one)),
    ...before.criteria.flatMap((one) => (kept.has(one.requirement_id) ? [] : [criterionChange(one, undefined)])),
  ]
  return {
    direction: directionOf(before.score, after.score),
    before: before.score,
    after: after.score,
    met_before: metIn(before),
    met_after: metIn(after),
    criteria: criteria.filter(isChange),
  }
}
