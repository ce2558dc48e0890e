/**
 * What the keyword evaluator computes: words counted on this machine, the same answer for the same text. Pure.
 *
 * A requirement is taken apart into what it asks for: words, each with a weight, the rare and the known ones weighing
 * more, and facts that can be compared (years, team, language levels, degrees, licences). A sentence of the candidate
 * supports it by sharing enough of the words and saying something beside them. No credit is given to what is denied or
 * only wished for, to text that repeats the requirement or the question, to text addressed to the evaluator, nor twice
 * to the same.
 *
 * It compares words and understands nothing: a paraphrase in words that lexicon/ does not know is missed, and a fluent
 * lie is believed. It reads English, German, French, Spanish and Portuguese; what is in another language it can not
 * evaluate, and says so. Time is near linear in the text, and the text that is read is bounded.
 */
import {
  criteriaOf,
  type EvaluationInput,
  type EvaluatorOutput,
  isReadable,
  narrate,
  type Rating,
} from "../../domain/Evaluation.ts"
import { type Profile, profilesOf, requirementLimit } from "./demand.ts"
import { type Language, languageOf, nameOfLanguage } from "./language.ts"
import { matchesOf } from "./match.ts"
import { type Finding, rate } from "./rate.ts"
import { type ReadableSource, readSentences, type Sentence } from "./sentences.ts"
import { copyOf, repetitionOf, sayingOf } from "./signals.ts"
import { sentencesOf, textLimit } from "./split.ts"
import { wordsOf } from "./text.ts"

/** Stored with each evaluation; the number changes whenever the same text would be rated differently. */
const version = "keyword/4"

const textOf = ({ requirements }: EvaluationInput): string =>
  requirements.flatMap(({ content, hint, title }) => [title, content, hint]).join("\n")

const readableOf = ({ language, sources }: EvaluationInput): ReadonlyArray<ReadableSource> =>
  sources.flatMap((source) => {
    const found = languageOf(source.text, language)
    return found === null ? [] : [{ ...source, language: found }]
  })

/** What sentences are compared with so that nobody earns anything by repeating it. */
const referencesOf = ({ requirements, sources }: EvaluationInput, language: Language) => {
  const parts = requirements.flatMap(({ content, hint, title }) => [title, content, hint])
  const texts = new Set([...parts, ...sources.map(({ question }) => question)])
  const pieces = new Set([...texts].flatMap((text) => sentencesOf((text ?? "").slice(0, requirementLimit))))
  return [...pieces].map((piece) => sayingOf(wordsOf(piece), language))
}

/** A sentence of each language that the sources are written in, long enough to show it. */
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

/** A finding that would be unfair is none: where the words could not meet, or part of the text was not read. */
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

/** The evaluation of an input; `today` is the current month, counted as `monthOf` counts. */
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
