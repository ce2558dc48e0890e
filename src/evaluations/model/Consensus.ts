/**
 * Combines several readings into one rating (docs/evaluation.md): the median level, of two the lower one. If the readings
 * disagree, the lowest level counts. With too few ratings the level is `none`, because an unrated requirement could
 * raise the total.
 */
import {
  criteriaOf,
  type EvaluationInput,
  type EvaluationWarning,
  type Evidence,
  evaluationWarning,
  type Narrative,
  narrate,
  type Rating,
} from "../Evaluation.ts"
import { Level } from "../Score.ts"
import type { Answer } from "./ModelOutput.ts"
import { isAddressedQuote, type Passages, quotedFrom } from "./Passages.ts"
import { type Prose, proseOf, supportedNarrative } from "./Prose.ts"
import type { Relevance } from "./Relevance.ts"

export const minReadings = 2

/** Readings disagree if their levels are at least this far apart. */
const disagreementLevels = 2

interface Vote {
  readonly claimed: Level
  /** `none` if no quote is valid. */
  readonly level: Level
  readonly rationale: string
  readonly evidence: ReadonlyArray<Evidence>
  readonly quotesAddressed: boolean
}

export interface Reading {
  readonly votes: ReadonlyMap<string, Vote>
  readonly narrative: Narrative
}

const codeOf = (requirement: string): string => requirement.trim().toLowerCase()

const rank = (level: Level): number => Level.literals.indexOf(level)

/** True if the answer rates every requirement in `codes`. */
export const isComplete = ({ ratings }: Answer, codes: ReadonlyMap<string, string>): boolean => {
  const rated = new Set(ratings.map(({ requirement }) => codeOf(requirement)))
  return [...codes.keys()].every((code) => rated.has(code))
}

/**
 * Drops invalid quotes (invented, too short or irrelevant) and ratings of unknown requirements. The first rating of a
 * requirement counts.
 */
export const readingOf = (
  answer: Answer,
  codes: ReadonlyMap<string, string>,
  passages: Passages,
  isRelevant: Relevance,
): Reading => {
  const votes = new Map<string, Vote>()
  for (const { level, quotes, rationale, requirement } of answer.ratings) {
    const id = codes.get(codeOf(requirement))
    if (id === undefined || votes.has(id)) continue
    const evidence = quotes.flatMap((quote) => {
      const quoted = quotedFrom(passages, quote)
      return quoted !== undefined && isRelevant(id, quoted) ? [quoted.evidence] : []
    })
    votes.set(id, {
      claimed: level,
      level: evidence.length === 0 ? "none" : level,
      rationale,
      evidence,
      quotesAddressed: quotes.some((quote) => isAddressedQuote(passages, quote)),
    })
  }
  return { votes, narrative: answer }
}

const isSupported = ({ claimed, level }: Vote): boolean => claimed === level

const areApart = (one: Level, other: Level): boolean => Math.abs(rank(one) - rank(other)) >= disagreementLevels

interface Verdict {
  readonly rating: Rating
  readonly isDisputed: boolean
}

const verdictOf = (requirement_id: string, readings: ReadonlyArray<Reading>, prose: Prose): Verdict => {
  const all = readings.flatMap((reading) => reading.votes.get(requirement_id) ?? [])
  if (all.length < minReadings) {
    const rationale = "No credit: the model gave too few ratings."
    return { rating: { requirement_id, level: "none", rationale, evidence: [] }, isDisputed: false }
  }
  // ignore votes that claim a level without a valid quote, unless fewer than two remain
  const supported = all.filter(isSupported)
  const votes = supported.length >= minReadings ? supported : all
  const levels = votes.map((vote) => vote.level).toSorted((one, other) => rank(one) - rank(other))
  const [lowest = "none", highest = "none"] = [levels[0], levels.at(-1)]
  const isDisputed = areApart(lowest, highest)
  const level = isDisputed ? lowest : (levels[Math.floor((levels.length - 1) / 2)] ?? "none")
  const chosen = votes.filter((vote) => vote.level === level)
  const voice = chosen.find(isSupported)
  const reason =
    voice === undefined
      ? "No credit: the model quoted no text that relates to the requirement."
      : prose(voice.rationale) || "The model gave no reason that the quotes support."
  const rationale = [
    isDisputed ? `The model's readings disagree, so the lowest level counts: ${levels.join(", ")}.` : "",
    reason,
    all.some(({ quotesAddressed }) => quotesAddressed) ? "Text addressed to the evaluator was not counted." : "",
  ]
  const rating = {
    requirement_id,
    level,
    rationale: rationale.filter((part) => part !== "").join(" "),
    evidence: chosen.flatMap(({ evidence }) => evidence),
  }
  return { rating, isDisputed }
}

/** True if each claimed level is within one level of the result, so that the reading's prose fits the score. */
const isFaithful = ({ votes }: Reading, ratings: ReadonlyArray<Rating>): boolean =>
  ratings.every((rating) => {
    const vote = votes.get(rating.requirement_id)
    return vote !== undefined && "level" in rating && !areApart(vote.claimed, rating.level)
  })

export const consensus = (
  input: EvaluationInput,
  asked: ReadonlySet<string>,
  readings: ReadonlyArray<Reading>,
  passages: Passages,
): Narrative & { readonly ratings: ReadonlyArray<Rating>; readonly warnings: ReadonlyArray<EvaluationWarning> } => {
  const evidence = readings.flatMap(({ votes }) => [...votes.values()].flatMap((vote) => vote.evidence))
  const prose = proseOf(input, passages, evidence)
  const verdicts = new Map([...asked].map((id) => [id, verdictOf(id, readings, prose)]))
  const ratings = input.requirements.map(
    ({ id }): Rating =>
      verdicts.get(id)?.rating ?? {
        requirement_id: id,
        cannot_evaluate: `Not rated: the model rates only the ${asked.size} requirements with the highest weight.`,
      },
  )
  const rated = [...verdicts.values()].map(({ rating }) => rating)
  const narratives = readings
    .filter((reading) => isFaithful(reading, rated))
    .map(({ narrative }) => supportedNarrative(narrative, prose))
  const { gaps, recommendations, strengths, summary } =
    narratives.find((narrative) => narrative.summary !== "") ?? narrate(criteriaOf(input, ratings))
  const disputed = [...verdicts.values()].filter(({ isDisputed }) => isDisputed).length
  const message = `Requirements on which the model's readings disagree: ${disputed}.`
  const warnings = disputed === 0 ? [] : [evaluationWarning("readings_disagree", message)]
  const sentences = [summary, ...warnings.map((one) => one.message)]
  return { ratings, summary: sentences.join(" "), strengths, gaps, recommendations, warnings }
}
