/**
 * Rates requirements by keywords, the same text always in the same way. Pure.
 *
 * A requirement is split into weighted words (rare and known words weigh more) and comparable facts (years, team, language
 * levels, degrees, licences). A sentence of the candidate supports the requirement when it shares enough of the words and
 * says something in addition. There is no credit for denied or wished-for experience, for text that repeats the requirement
 * or the question, or for text addressed to the evaluator. The same statement is credited once.
 *
 * The comparison does not understand meaning. It misses a paraphrase in words that lexicon/ does not contain, and it credits
 * false claims. It reads English, German, French, Spanish and Portuguese; other languages are rated `cannot_evaluate`. Time
 * is near linear in the text, and the text that is read is bounded.
 */
import {
  criteriaOf,
  type EvaluationInput,
  type EvaluatorOutput,
  isReadable,
  narrate,
  type Rating,
} from "../Evaluation.ts"
import { type Profile, profilesOf, requirementLimit } from "./demand.ts"
import { type Language, languageOf, nameOfLanguage } from "./language.ts"
import { matchesOf } from "./match.ts"
import { type Finding, rate } from "./rate.ts"
import { type ReadableSource, readSentences, type Sentence } from "./sentences.ts"
import { copyOf, repetitionOf, sayingOf } from "./signals.ts"
import { sentencesOf, textLimit } from "./split.ts"
import { wordsOf } from "./text.ts"

/** Stored with each evaluation. Increase the number when the same text would be rated differently. */
const version = "keyword/4"

const textOf = ({ requirements }: EvaluationInput): string =>
  requirements.flatMap(({ content, hint, title }) => [title, content, hint]).join("\n")

const readableOf = ({ language, sources }: EvaluationInput): ReadonlyArray<ReadableSource> =>
  sources.flatMap((source) => {
    const found = languageOf(source.text, language)
    return found === null ? [] : [{ ...source, language: found }]
  })

/** Requirement and question texts. A sentence that repeats one of them gets no credit. */
const referencesOf = ({ requirements, sources }: EvaluationInput, language: Language) => {
  const parts = requirements.flatMap(({ content, hint, title }) => [title, content, hint])
  const texts = new Set([...parts, ...sources.map(({ question }) => question)])
  const pieces = new Set([...texts].flatMap((text) => sentencesOf((text ?? "").slice(0, requirementLimit))))
  return [...pieces].map((piece) => sayingOf(wordsOf(piece), language))
}

/** For each language of the sources, one sentence with at least five different words. */
const writtenIn = (sources: ReadonlyArray<ReadableSource>, sentences: ReadonlyArray<Sentence>) => {
  const written = new Map<string, Sentence>()
  for (const { language, question_id, source } of sources) {
    const own = sentences.filter(
      ({ evidence, ignored, own: keys }) =>
        evidence.source === source && evidence.question_id === question_id && ignored === null && keys.size >= 5,
    )
    const longest = own.reduce((most, one) => Math.max(most, one.own.size), 0)
    const first = own.find((one) => one.own.size === longest)
    const name = nameOfLanguage(language)
    if (first !== undefined && !written.has(name)) written.set(name, first)
  }
  return written
}

const unread = "The language of the text is not supported: English, German, French, Spanish and Portuguese are."

interface Reading {
  readonly language: Language
  readonly sources: ReadonlyArray<ReadableSource>
  readonly isPartlyUnread: boolean
}

/** Replaces the level `none` by `cannot_evaluate` where it would be unfair: the text cannot match, or was read in part only. */
const ratingOf = (
  { rating }: Finding,
  { isGeneral, isKnown }: Profile,
  { isPartlyUnread, language, sources }: Reading,
): Rating => {
  if ("cannot_evaluate" in rating || rating.level !== "none") return rating
  const { requirement_id } = rating
  if (isPartlyUnread)
    return { requirement_id, cannot_evaluate: "A part of the text is in a language that is not supported." }
  if (isGeneral && sources.every(({ source }) => source === "cv")) {
    return { requirement_id, cannot_evaluate: "It asks for a general quality, and nothing in the CV tells of it." }
  }
  if (!isKnown && !sources.some((source) => source.language === language)) {
    const names = [...new Set(sources.map((source) => nameOfLanguage(source.language)))].toSorted().join(", ")
    const reason = `The requirement is in ${nameOfLanguage(language)} and the text in ${names}: their words can not be compared.`
    return { requirement_id, cannot_evaluate: reason }
  }
  return rating
}

const remarks = ({ sources }: EvaluationInput, isPartlyUnread: boolean): ReadonlyArray<string> => [
  ...(isPartlyUnread ? ["A part of the text is in a language that is not supported and was not read."] : []),
  ...(sources.reduce((length, { text }) => length + text.length, 0) > textLimit
    ? [`Only the first ${textLimit} characters were read.`]
    : []),
]

const conclude = (input: EvaluationInput, ratings: ReadonlyArray<Rating>, notes: ReadonlyArray<string>) => {
  const narrative = narrate(criteriaOf(input, ratings))
  return { ...narrative, summary: [narrative.summary, ...notes].join(" "), evaluator: version, model: null, ratings }
}

const cannot = (input: EvaluationInput, reason: string): EvaluatorOutput => ({
  ...conclude(
    input,
    input.requirements.map(({ id }) => ({ requirement_id: id, cannot_evaluate: reason })),
    [],
  ),
  raw: { reason },
})

/** Evaluates an input; `today` is the current month as `monthOf` counts. */
export const rateByKeywords = (input: EvaluationInput, today: number): EvaluatorOutput => {
  if (!isReadable(input.sources)) return cannot(input, "There is no text to read.")
  const sources = readableOf(input)
  if (!isReadable(sources)) return cannot(input, unread)
  const language = languageOf(textOf(input), input.language ?? sources[0]?.language ?? null)
  if (language === null)
    return cannot(
      input,
      "The language of the requirements is not supported: English, German, French, Spanish and Portuguese are.",
    )
  const isPartlyUnread = sources.length < input.sources.length
  const profiles = profilesOf(input.requirements, language)
  const references = referencesOf(input, language)
  const sentences = readSentences(
    sources,
    {
      isRepetition: repetitionOf(references),
      ...copyOf(references),
      wanted: new Set(references.flatMap(({ content }) => content)),
      today,
    },
    textLimit,
  )
  const matches = matchesOf(profiles, sentences)
  const written = writtenIn(sources, sentences)
  const findings = profiles.map((profile) => ({ profile, finding: rate(profile, { matches, sentences, written }) }))
  const ratings = findings.map(({ finding, profile }) =>
    ratingOf(finding, profile, { isPartlyUnread, language, sources }),
  )
  return {
    ...conclude(input, ratings, remarks(input, isPartlyUnread)),
    raw: {
      today,
      language,
      sources: sources.map((source) => source.language),
      sentences: sentences.length,
      requirements: findings.map(({ finding: { rating, ...counts } }) => ({
        requirement_id: rating.requirement_id,
        ...counts,
      })),
    },
  }
}
