/**
 * The input, output and stored result of evaluators (docs/evaluation.md). Every output passes through
 * `evaluationResult`.
 */
import { Schema } from "effect"
import { importanceOf } from "../interview-sets/Importance.ts"
import { integer, outOf10 } from "../values/Fields.ts"
import { type EvaluationWarning, evaluationWarning, evaluationWarnings } from "../values/Warning.ts"
import { EvaluationType } from "../webhooks/events/WebhookEvent.ts"
import {
  countOutcomes,
  type Level,
  levelOf,
  levelScore,
  type Outcome,
  outcomeOf,
  ScoreStatus,
  scoreStatus,
  totalScore,
} from "./Score.ts"

/** For custom evaluators, with the types below. */
export { EvaluationType, type EvaluationWarning, evaluationWarning }

export const Evidence = Schema.Struct({
  quote: Schema.String.annotate({ description: "The candidate's own words, at most 300 characters" }),
  source: Schema.Literals(["cv", "answer"]),
  question_id: Schema.NullOr(Schema.String.annotate({ format: "uuid" })).annotate({
    description: "The answered question; null for a quote from the CV",
  }),
}).annotate({ identifier: "Evidence" })
export type Evidence = typeof Evidence.Type

const Score = Schema.NullOr(outOf10).annotate({
  description: "Out of 10; null unless score_status is scored",
})
const Texts = Schema.Array(Schema.String)

export const Criterion = Schema.Struct({
  requirement_id: Schema.String.annotate({ format: "uuid" }),
  title: Schema.String,
  cfg_importance_id: integer(0),
  weight: integer(1, 4).annotate({ description: "1 to 4, by importance" }),
  score: Score,
  score_status: ScoreStatus,
  rationale: Schema.String.annotate({ description: "Why this score" }),
  evidence: Schema.Array(Evidence).annotate({ description: "Quotes that support the score" }),
}).annotate({ identifier: "Criterion" })
export type Criterion = typeof Criterion.Type

export const EvaluationResult = Schema.Struct({
  score: Score,
  score_status: ScoreStatus,
  summary: Schema.String,
  strengths: Texts,
  gaps: Texts,
  recommendations: Texts,
  criteria: Schema.Array(Criterion),
  warnings: evaluationWarnings,
})
export type EvaluationResult = typeof EvaluationResult.Type

export interface EvaluationRequirement {
  readonly id: string
  readonly title: string | null
  readonly content: string | null
  readonly hint: string | null
  readonly cfg_importance_id: number | null
}

export interface EvaluationSource {
  readonly source: Evidence["source"]
  readonly question_id: string | null
  readonly question: string | null
  readonly text: string
  /** Media type of an uploaded file; `text` lacks its content. */
  readonly file?: string
}

/** Evaluators get it redacted (Redaction.ts). `language`: BCP 47. `missing`: why there is no text. */
export interface EvaluationInput {
  readonly interview_title: string
  readonly position: string | null
  readonly language: string | null
  readonly requirements: ReadonlyArray<EvaluationRequirement>
  readonly sources: ReadonlyArray<EvaluationSource>
  readonly missing?: string
}

export type Rating =
  | {
      readonly requirement_id: string
      readonly level: Level
      /** Out of 10, nearer to this level's score than to another's; otherwise the level's own score counts. */
      readonly score?: number
      readonly rationale: string
      readonly evidence: ReadonlyArray<Evidence>
    }
  | { readonly requirement_id: string; readonly cannot_evaluate: string }

export interface Narrative {
  /** By keywords or holistic: one line that counts the requirements by outcome, then one line per remark. */
  readonly summary: string
  readonly strengths: ReadonlyArray<string>
  readonly gaps: ReadonlyArray<string>
  readonly recommendations: ReadonlyArray<string>
}

/** `evaluator` includes a version; `raw` is the unprocessed output. */
export interface EvaluatorOutput extends Narrative {
  readonly evaluator: string
  readonly model: string | null
  readonly ratings: ReadonlyArray<Rating>
  readonly raw: Schema.Json
  /** What the evaluator did not read. */
  readonly warnings?: ReadonlyArray<EvaluationWarning>
}

/** `evaluator` is the name and version stored with an evaluation. */
export const isByKeywords = (evaluator: string | null): boolean => evaluator?.startsWith("keyword/") ?? false

/** In code points. */
export const quoteLength = 300

const quotesPerSource = 5

/** Cuts at the last blank within `length` code points. */
export const clip = (text: string, length: number): string => {
  if (text.length <= length) return text
  let end = 0
  let count = 0
  for (const char of text) {
    if (count === length) break
    end += char.length
    count += 1
  }
  if (end === text.length) return text
  const blank = text.slice(0, end + 1).search(/\s\S*$/u)
  return text.slice(0, blank > end / 2 ? blank : end)
}

export const isReadable = (sources: ReadonlyArray<EvaluationSource>): boolean =>
  sources.some(({ text }) => /[\p{L}\p{N}]/u.test(text))

/** Removes what Postgres does not store: NUL and lone surrogates. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "")

export const storableJson = (value: Schema.Json): Schema.Json => {
  if (typeof value === "string") return storable(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(storableJson)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storable(name), storableJson(part)]))
}

const titleOf = ({ title, content, hint }: EvaluationRequirement, index: number): string => {
  const text = [title, content, hint].find((part) => part !== null && part.trim() !== "")
  return text === undefined || text === null ? `Requirement ${index + 1}` : text.trim()
}

const isVerbatim = (sources: ReadonlyArray<EvaluationSource>, { quote, source, question_id }: Evidence): boolean =>
  storable(quote) === quote &&
  /[\p{L}\p{N}]/u.test(quote) &&
  sources.some((one) => one.source === source && one.question_id === question_id && one.text.includes(quote))

export const distinct = (evidence: ReadonlyArray<Evidence>): ReadonlyArray<Evidence> => {
  const byKey = new Map(evidence.map((one) => [JSON.stringify([one.source, one.question_id, one.quote]), one]))
  return [...byKey.values()]
}

/** Rounded to one decimal, because totals are computed from rounded scores. */
const scoreOf = ({ level, score }: Extract<Rating, { readonly level: Level }>): number => {
  if (score === undefined || !(score >= 0 && score <= 10)) return levelScore(level)
  const rounded = Math.round(score * 10) / 10
  return levelOf(rounded) === level ? rounded : levelScore(level)
}

const rate = (
  sources: ReadonlyArray<EvaluationSource>,
  rating: Rating | undefined,
): Pick<Criterion, "score" | "score_status" | "rationale" | "evidence"> => {
  if (rating === undefined || "cannot_evaluate" in rating) {
    const rationale = storable(rating?.cannot_evaluate ?? "The evaluator gave no rating.")
    return { score: null, score_status: "cannot_evaluate", rationale, evidence: [] }
  }
  const verbatim = rating.evidence.filter((one) => isVerbatim(sources, one))
  const evidence = distinct(verbatim.map((one) => ({ ...one, quote: clip(one.quote, quoteLength) })))
  if (evidence.length === 0 && rating.level !== "none") {
    const rationale = "No credit: the evaluator quoted nothing that is in the candidate's text."
    return { score: levelScore("none"), score_status: "scored", rationale, evidence: [] }
  }
  return {
    score: evidence.length === 0 ? levelScore("none") : scoreOf(rating),
    score_status: "scored",
    rationale: storable(rating.rationale),
    evidence: evidence.slice(0, quotesPerSource),
  }
}

/**
 * Drops quotes that are not verbatim; a level without a quote becomes `none`. The first rating of a requirement
 * counts.
 */
export const criteriaOf = (
  { missing, requirements, sources }: EvaluationInput,
  ratings: ReadonlyArray<Rating>,
): ReadonlyArray<Criterion> => {
  const first = new Map(ratings.toReversed().map((rating) => [rating.requirement_id, rating]))
  const readable = isReadable(sources)
  const cannot_evaluate =
    missing ??
    (sources.some(({ file }) => file !== undefined)
      ? "The candidate uploaded files without text. Files are not read."
      : "The candidate's text has no words.")
  return requirements.map((requirement, index) => {
    const { id: cfg_importance_id, weight } = importanceOf(requirement.cfg_importance_id)
    const rating = readable ? first.get(requirement.id) : { requirement_id: requirement.id, cannot_evaluate }
    const title = titleOf(requirement, index)
    return { requirement_id: requirement.id, title, cfg_importance_id, weight, ...rate(sources, rating) }
  })
}

const statusOf = (criteria: ReadonlyArray<Criterion>): ScoreStatus =>
  scoreStatus(criteria.map(({ score_status }) => score_status))

export const withTotal = (criteria: ReadonlyArray<Criterion>, narrative: Narrative): EvaluationResult => ({
  score: totalScore(criteria),
  score_status: statusOf(criteria),
  summary: storable(narrative.summary),
  strengths: narrative.strengths.map(storable),
  gaps: narrative.gaps.map(storable),
  recommendations: narrative.recommendations.map(storable),
  criteria,
})

/** Removes repetitions. */
export const withWarnings = (
  result: EvaluationResult,
  warnings: ReadonlyArray<EvaluationWarning>,
): EvaluationResult => {
  const byKey = new Map(warnings.map((one) => [`${one.code} ${one.message}`, one]))
  return byKey.size === 0 ? result : { ...result, warnings: [...byKey.values()] }
}

const weightOf = (criteria: ReadonlyArray<Criterion>): number => criteria.reduce((sum, { weight }) => sum + weight, 0)

/** For a score that covers less than half of the requirements, by weight. */
export const fewRated = (criteria: ReadonlyArray<Criterion>): ReadonlyArray<EvaluationWarning> => {
  const rated = criteria.filter(({ score }) => score !== null)
  if (rated.length === 0 || 2 * weightOf(rated) >= weightOf(criteria)) return []
  const message = `Only ${rated.length} of ${criteria.length} requirements could be rated. The score does not cover the others.`
  return [evaluationWarning("few_rated", message)]
}

/** Without a score, `narrate` replaces the evaluator's prose. */
export const evaluationResult = (input: EvaluationInput, output: EvaluatorOutput): EvaluationResult => {
  const criteria = criteriaOf(input, output.ratings)
  const result = withTotal(criteria, statusOf(criteria) === "scored" ? output : narrate(criteria))
  const given = (output.warnings ?? []).map(({ code, message }) => ({ code, message: storable(message) }))
  return withWarnings(result, [...given, ...fewRated(criteria)])
}

export const unreadable = (input: EvaluationInput): EvaluationResult => {
  const criteria = criteriaOf(input, [])
  return withTotal(criteria, narrate(criteria))
}

export const notScored = (
  input: EvaluationInput,
  reason: string = "The evaluator was unavailable.",
): EvaluationResult => {
  const criteria = criteriaOf(input, []).map(
    (criterion): Criterion => ({ ...criterion, score_status: "not_scored", rationale: reason }),
  )
  return withTotal(criteria, narrate(criteria))
}

const label = ({ title }: Criterion): string => clip(title, 80).replace(/\s+/g, " ")
/** For questions, which need the whole requirement. */
const longLabel = ({ title }: Criterion): string => clip(title, 400).replace(/\s+/g, " ")

const sentence = (start: string, criteria: ReadonlyArray<Criterion>): ReadonlyArray<string> => {
  if (criteria.length === 0) return []
  const more = criteria.length > 5 ? ` and ${criteria.length - 5} more` : ""
  return [`${start}: ${criteria.slice(0, 5).map(label).join(", ")}${more}.`]
}

export const narrate = (criteria: ReadonlyArray<Criterion>): Narrative => {
  if (criteria.length === 0)
    return { summary: "Not scored: no requirements.", strengths: [], gaps: [], recommendations: [] }
  const heaviest = criteria.toSorted((one, other) => other.weight - one.weight)
  const having = (outcome: Outcome) => heaviest.filter(({ score }) => outcomeOf(score) === outcome)
  const met = having("met")
  const partly = having("partly met")
  const unmatched = having("no match found")
  const unrated = having("not rated")
  const isWeak = ({ score }: Criterion) => score !== null && levelOf(score) === "weak"
  const missing = heaviest.filter((one) => unmatched.includes(one) || isWeak(one))
  const isRated = unrated.length < criteria.length
  return {
    summary: isRated
      ? [
          `Requirements: ${countOutcomes(criteria)}.`,
          ...sentence("Met", met),
          ...sentence("Partly met", partly),
          ...sentence("No match found", unmatched),
          ...sentence("Not rated", unrated),
        ].join(" ")
      : `No requirement could be rated. ${criteria[0]?.rationale ?? ""}`.trim(),
    strengths: met.map((one) => `${label(one)}: “${clip((one.evidence[0]?.quote ?? "").replace(/\s+/g, " "), 140)}”`),
    gaps: missing.map((one) => {
      const { name } = importanceOf(one.cfg_importance_id)
      return `${label(one)} (${name}): ${isWeak(one) ? "mentioned, with little to support it" : "no support found"}`
    }),
    recommendations: (isRated ? [...missing, ...unrated, ...partly.filter((one) => !isWeak(one))] : [])
      .map((one) => {
        if (one.score === null) return `Ask about ${longLabel(one)}: it could not be rated from the text.`
        if (isWeak(one)) return `Ask what the candidate did personally: ${longLabel(one)}.`
        if (missing.includes(one)) return `Ask about ${longLabel(one)}: nothing was found on it.`
        return `Ask for more detail on ${longLabel(one)}: the text covers only a part.`
      })
      .slice(0, 5),
  }
}
