/** The holistic evaluation of a CV and an interview (docs/evaluation.md). */
import {
  type Criterion,
  distinct,
  type EvaluationResult,
  type EvaluationWarning,
  evaluationWarning,
  fewRated,
  narrate,
  withTotal,
  withWarnings,
} from "./Evaluation.ts"

/** The parts' warnings, except `few_rated`: the other part may have rated more. */
const warningsOf = ({ warnings = [] }: EvaluationResult): ReadonlyArray<EvaluationWarning> =>
  warnings.filter(({ code }) => code !== "few_rated")

const isBetter = (one: Criterion, other: Criterion): boolean => {
  const byScore = (one.score ?? -1) - (other.score ?? -1)
  if (byScore !== 0) return byScore > 0
  const byEvidence = one.evidence.length - other.evidence.length
  return byEvidence === 0 ? one.score_status === "cannot_evaluate" : byEvidence > 0
}

/** Each requirement takes the higher score, of equal scores the one with more quotes. Keeps the quotes of both. */
export const combineHolistic = (cv: EvaluationResult, interview: EvaluationResult): EvaluationResult => {
  const fromCv = new Map(cv.criteria.map((criterion) => [criterion.requirement_id, criterion]))
  const known = new Set(interview.criteria.map((criterion) => criterion.requirement_id))
  const both = interview.criteria.map((criterion): Criterion => {
    const other = fromCv.get(criterion.requirement_id)
    if (other === undefined) return criterion
    const [better, origin] = isBetter(other, criterion) ? [other, "CV"] : [criterion, "Interview"]
    const { score, score_status } = better
    const rationale = score === null ? better.rationale : `${origin}: ${better.rationale}`
    const evidence = distinct([...better.evidence, ...criterion.evidence, ...other.evidence])
    return { ...criterion, score, score_status, rationale, evidence }
  })
  const criteria = [...both, ...cv.criteria.filter((criterion) => !known.has(criterion.requirement_id))]
  const { summary, ...narrative } = narrate(criteria)
  const isFromOne = (cv.score_status === "scored") !== (interview.score_status === "scored")
  const [scored, other] = cv.score_status === "scored" ? ["CV", "interview"] : ["interview", "CV"]
  const own = isFromOne
    ? [evaluationWarning("one_part_scored", `This rests on the ${scored} alone: the ${other} has no score.`)]
    : []
  const result = withTotal(criteria, {
    ...narrative,
    summary: [summary, ...own.map(({ message }) => message)].join("\n"),
  })
  return withWarnings(result, [...own, ...fewRated(criteria), ...warningsOf(cv), ...warningsOf(interview)])
}
