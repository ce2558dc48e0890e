/** Computes a candidate's score (docs/evaluation.md). */
import { BigDecimal, Schema } from "effect"
import { ScoreStatus } from "../webhooks/events/WebhookEvent.ts"

export const Level = Schema.Literals(["none", "weak", "partial", "strong", "full"])
export type Level = typeof Level.Type

const step = 2.5
const points: Readonly<Record<Level, number>> = { none: 0, weak: 2.5, partial: 5, strong: 7.5, full: 10 }

export const levelScore = (level: Level): number => points[level]

export const lowestScore = (level: Level): number => Math.max(0, points[level] - step / 2)

/** Returns the level with the nearest score; of two equally near, the higher. */
export const levelOf = (score: number): Level =>
  Level.literals.toReversed().find((level) => score >= lowestScore(level)) ?? "none"

/** Outcomes of a requirement, as pages and summaries show them, best first. */
export const outcomes = ["met", "partly met", "not rated", "no match found"] as const
export type Outcome = (typeof outcomes)[number]

const outcomeOfLevel: Readonly<Record<Level, Outcome>> = {
  none: "no match found",
  weak: "partly met",
  partial: "partly met",
  strong: "met",
  full: "met",
}

/** The lowest score of a met requirement; the view `current_score` in sql/07_evaluations.sql has the same number. */
export const minMetScore = Math.min(
  ...Level.literals.filter((level) => outcomeOfLevel[level] === "met").map(lowestScore),
)

/** Null: not rated. */
export const outcomeOf = (score: number | null): Outcome =>
  score === null ? "not rated" : outcomeOfLevel[levelOf(score)]

/** For example "4 of 6 met, 1 partly met, 1 no match found". */
export const countOutcomes = (scores: ReadonlyArray<{ readonly score: number | null }>): string => {
  const count = (outcome: Outcome) => scores.filter(({ score }) => outcomeOf(score) === outcome).length
  const others = outcomes.slice(1).flatMap((outcome) => (count(outcome) === 0 ? [] : [`${count(outcome)} ${outcome}`]))
  return [`${count("met")} of ${scores.length} met`, ...others].join(", ")
}

export { ScoreStatus }

export interface WeightedScore {
  readonly weight: number
  readonly score: number | null
}

/**
 * Σ weight·score / Σ weight of the rated requirements, rounded half up to one decimal; null: none is rated. Decimal
 * arithmetic: 5.25 gives 5.3.
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

export const scoreStatus = (statuses: ReadonlyArray<ScoreStatus>): ScoreStatus =>
  statuses.includes("scored") ? "scored" : statuses.includes("cannot_evaluate") ? "cannot_evaluate" : "not_scored"
