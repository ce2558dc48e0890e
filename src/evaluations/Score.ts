/**
 * How a candidate's score is computed: the weight of a requirement, the points of a level, the total out of 10 and
 * whether there is a usable number at all. Pure; the rules are those of spec.md, "Requirement item" and
 * "data of interview.evaluation.update", and of contract.md, "Evaluation".
 */
import { BigDecimal, Schema } from "effect"

/** How well a candidate's text supports one requirement, as an evaluator judges it. */
export const Level = Schema.Literals(["none", "weak", "partial", "strong", "full"])
export type Level = typeof Level.Type

const points: Readonly<Record<Level, number>> = { none: 0, weak: 2.5, partial: 5, strong: 7.5, full: 10 }

/** The points of a level, out of 10: 0, 2.5, 5, 7.5 or 10. */
export const levelScore = (level: Level): number => points[level]

/**
 * Whether an evaluation carries a number: `scored` has one; `cannot_evaluate` means that the evaluator ran and could
 * rate nothing, which is not a zero; `not_scored` means that no score exists.
 */
export const ScoreStatus = Schema.Literals(["scored", "cannot_evaluate", "not_scored"])
export type ScoreStatus = typeof ScoreStatus.Type

/** One requirement's part in the total: a positive weight, and a score out of 10 or null when it could not be rated. */
export interface WeightedScore {
  readonly weight: number
  readonly score: number | null
}

/**
 * Total out of 10: Σ weight·score / Σ weight over the rated requirements, rounded half up to one decimal.
 * Null when none is rated. The arithmetic is decimal, so that a half is a half: 5.25 gives 5.3 whatever the weights.
 */
export const totalScore = (scores: ReadonlyArray<WeightedScore>): number | null => {
  let sum = BigDecimal.make(0n, 0)
  let weights = BigDecimal.make(0n, 0)
  for (const { weight, score } of scores) {
    if (score === null) continue
    const exact = BigDecimal.fromNumberUnsafe(weight)
    sum = BigDecimal.sum(sum, BigDecimal.multiply(exact, BigDecimal.fromNumberUnsafe(score)))
    weights = BigDecimal.sum(weights, exact)
  }
  if (!BigDecimal.isPositive(weights)) return null
  const total = BigDecimal.round(BigDecimal.divideUnsafe(sum, weights), { scale: 1, mode: "half-from-zero" })
  return BigDecimal.toNumberUnsafe(total)
}

/**
 * Status of a whole evaluation from that of its requirements: `scored` as soon as one is, else `cannot_evaluate` as soon
 * as one could not be rated, else `not_scored`: the set has no requirements, or the evaluator never ran.
 */
export const scoreStatus = (statuses: ReadonlyArray<ScoreStatus>): ScoreStatus =>
  statuses.includes("scored") ? "scored" : statuses.includes("cannot_evaluate") ? "cannot_evaluate" : "not_scored"
