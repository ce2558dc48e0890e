/** Makes one rating of several readings (docs/evaluation.md): the median level, of two the lower one. */
import { criteriaOf, type EvaluationInput, type Evidence, type Narrative, narrate, type Rating } from "../Evaluation.ts"
import { Level } from "../Score.ts"
import type { Answer } from "./ModelOutput.ts"
import { evidenceOf, isAddressedQuote, type Passages } from "./Passages.ts"

export const minReadings = 2

const disagreementLevels = 2

interface Vote {
  readonly claimed: Level
  /** `none` without a quote of the text. */
  readonly level: Level
  readonly rationale: string
  readonly evidence: ReadonlyArray<Evidence>
  readonly quotesAddressed: boolean
}

export interface Reading {
  readonly votes: ReadonlyMap<string, Vote>
  readonly narrative: Narrative
}

const rank = (level: Level): number => Level.literals.indexOf(level)

/** Drops invented quotes and ratings of unknown requirements. The first rating of a requirement counts. */
export const readingOf = (answer: Answer, codes: ReadonlyMap<string, string>, passages: Passages): Reading => {
  const votes = new Map<string, Vote>()
  for (const { level, quotes, rationale, requirement } of answer.ratings) {
    const id = codes.get(requirement.trim().toLowerCase())
    if (id === undefined || votes.has(id)) continue
    const evidence = quotes.flatMap((quote) => evidenceOf(passages, quote) ?? [])
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

const ratingOf = (requirement_id: string, readings: ReadonlyArray<Reading>): Rating => {
  const all = readings.flatMap(({ votes }) => votes.get(requirement_id) ?? [])
  if (all.length < minReadings) return { requirement_id, cannot_evaluate: "The model gave too few ratings." }
  // without readings that lack a real quote, unless fewer than two remain
  const supported = all.filter(isSupported)
  const votes = supported.length >= minReadings ? supported : all
  const levels = votes.map(({ level }) => level).toSorted((one, other) => rank(one) - rank(other))
  const [lowest = "none", highest = "none"] = [levels[0], levels.at(-1)]
  if (rank(highest) - rank(lowest) >= disagreementLevels) {
    return { requirement_id, cannot_evaluate: `The model's readings disagree: ${levels.join(", ")}.` }
  }
  const level = levels[Math.floor((levels.length - 1) / 2)] ?? "none"
  const median = votes.filter((vote) => vote.level === level)
  const voice = median.find(isSupported)
  const rationale = [
    voice?.rationale || (voice === undefined ? "No credit: the model quoted nothing that stands in the text." : ""),
    all.some(({ quotesAddressed }) => quotesAddressed) ? "Text addressed to the evaluator was not counted." : "",
  ]
  return {
    requirement_id,
    level,
    rationale: rationale.filter((part) => part !== "").join(" "),
    evidence: median.flatMap(({ evidence }) => evidence),
  }
}

/** Its prose agrees with the score: every level is within one of the result. */
const isFaithful = ({ votes }: Reading, ratings: ReadonlyArray<Rating>): boolean =>
  ratings.every((rating) => {
    const vote = votes.get(rating.requirement_id)
    if (vote === undefined) return false
    return "level" in rating ? Math.abs(rank(vote.claimed) - rank(rating.level)) < disagreementLevels : true
  })

export const consensus = (
  input: EvaluationInput,
  asked: ReadonlySet<string>,
  readings: ReadonlyArray<Reading>,
): Narrative & { readonly ratings: ReadonlyArray<Rating> } => {
  const ratings = input.requirements.map(
    ({ id }): Rating =>
      asked.has(id)
        ? ratingOf(id, readings)
        : { requirement_id: id, cannot_evaluate: `Not rated: the model is asked about ${asked.size} requirements.` },
  )
  const rated = ratings.filter(({ requirement_id }) => asked.has(requirement_id))
  const faithful = readings.find((reading) => isFaithful(reading, rated))
  const narrative = faithful?.narrative.summary ? faithful.narrative : narrate(criteriaOf(input, ratings))
  const { gaps, recommendations, strengths, summary } = narrative
  return { ratings, summary, strengths, gaps, recommendations }
}
