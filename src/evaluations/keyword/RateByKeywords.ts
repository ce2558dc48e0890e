/**
 * Rates requirements by keywords, deterministically (docs/evaluation.md). A sentence supports a part of a requirement
 * when it shares enough of its words and adds others.
 */
import {
  criteriaOf,
  type EvaluationInput,
  type EvaluationWarning,
  type EvaluatorOutput,
  evaluationWarning,
  isReadable,
  narrate,
  type Rating,
} from "../Evaluation.ts"
import { type Level, levelOf, lowestScore } from "../Score.ts"
import { tooFewWords } from "../ShortText.ts"
import { type Comparison, comparisonsOf, withYears } from "./Comparison.ts"
import { type Coverage, coverageOf, earned, Occurrences, type WantedUnit, worthNamed } from "./Coverage.ts"
import { version, versionWith } from "./KeywordVersion.ts"
import { isRecognized, type Language, languageOf, nameOfLanguage } from "./Language.ts"
import { copyOf, repetitionOf, sayingOf } from "./Repetition.ts"
import { maxRequirementLength, type Profile, profilesOf, type RequirementPart } from "./RequirementPart.ts"
import { bySentence, type ReadableSource, readSentences, type Sentence, withoutFacts } from "./Sentence.ts"
import {
  type ComparedTexts,
  comparedTexts,
  type Embeddings,
  type SimilaritiesTo,
  similaritiesIn,
} from "./Similarity.ts"
import { agreementOf, askedBy, type Statement, statementOf } from "./Statement.ts"
import { maxTextLength, sentencesOf, wordsOf } from "./Text.ts"

/** The lowest value of each level. */
const levels: ReadonlyArray<readonly [Level, number]> = [
  ["full", 0.8],
  ["strong", 0.58],
  ["partial", 0.33],
  ["weak", 0.07],
]

/** Minimum value of `weak` for a requirement with several parts, where one or two shared words are chance matches. */
const weakFromInParts = 0.15

/** Scores between those of two levels are interpolated linearly; below `weak`, from 0. */
const scoreOf = (value: number, weakFrom: number): number => {
  const scale = [
    [0, 0],
    [weakFrom, lowestScore("weak")],
    ...levels
      .slice(0, -1)
      .toReversed()
      .map(([level, from]) => [from, lowestScore(level)] as const),
    [1, 10],
  ] as const
  const next = scale.findIndex(([from]) => from >= value)
  const [above, aboveScore] = scale[next] ?? [1, 10]
  const [below, belowScore] = scale[next - 1] ?? [0, 0]
  return above === below ? aboveScore : belowScore + ((value - below) / (above - below)) * (aboveScore - belowScore)
}

const maxQuotes = 3

interface KeywordEvidence {
  readonly sentences: ReadonlyArray<Sentence>
  readonly occurrences: Occurrences
  /** Without answers to factual questions. */
  readonly told: Occurrences
  readonly similaritiesTo: SimilaritiesTo
  readonly agreements: ReadonlyMap<Profile, Agreement>
  readonly language: Language
  readonly written: ReadonlyMap<string, Sentence>
}

interface Rated {
  readonly part: RequirementPart
  readonly value: number
  readonly coverage: Coverage
  readonly comparisons: ReadonlyArray<Comparison>
}

const wordsWeight = ({ months, rank, team, wanted }: RequirementPart): number => {
  if (wanted.length === 0 && months === null) return 0
  if (months !== null || team !== null) return 1
  return rank === null ? 0.35 : 0
}

/** Share of its value that experience counts in place of a degree. */
const equivalent = 0.6

const ratePart = (
  part: RequirementPart,
  { language, occurrences, sentences, similaritiesTo, written }: Omit<KeywordEvidence, "told">,
): Rated => {
  const coverage = coverageOf(part.wanted, occurrences, similaritiesTo(part.text))
  const facts = comparisonsOf(part, sentences, written, occurrences)
  const years = part.months === null ? null : withYears(part, coverage, sentences, language)
  const base = years?.value ?? coverage.value
  const ownWeight = facts.length === 0 ? 1 : wordsWeight(part)
  const weight = facts.reduce((sum, one) => sum + one.weight, ownWeight)
  const mean = facts.reduce((sum, one) => sum + one.weight * one.value, ownWeight * base) / weight
  const max = Math.min(1, ...facts.map((one) => one.max ?? 1))
  const met = Math.min(max, facts.length > 0 && facts.every((one) => one.value === 0) ? mean / 2 : mean)
  const value = part.isEquivalent ? Math.max(met, equivalent * coverage.value) : met
  return { part, value, coverage, comparisons: years === null ? facts : [...facts, years] }
}

const few = (labels: ReadonlyArray<string>): string => labels.slice(0, 6).join(", ")

const labelsOf = (
  rated: ReadonlyArray<Rated>,
  isShown: (one: Rated, unit: WantedUnit) => boolean,
): ReadonlyArray<string> => {
  const units = rated.flatMap((one) => one.part.wanted.filter((unit) => isShown(one, unit)))
  const sorted = units.toSorted((one, other) => other.weight - one.weight)
  return [...new Set(sorted.map(({ label }) => label))]
}

const supportingSentences = (rated: ReadonlyArray<Rated>): ReadonlyArray<Sentence> => {
  const values = new Map<Sentence, number>()
  const add = (sentence: Sentence, value: number) => values.set(sentence, Math.max(values.get(sentence) ?? 0, value))
  for (const { comparisons, coverage, part } of rated) {
    for (const one of coverage.best) add(one.sentence, earned(one) * part.weight)
    for (const { sentences, value } of comparisons) {
      for (const sentence of sentences.slice(0, maxQuotes)) add(sentence, (0.3 + value) * part.weight)
    }
  }
  return [...values]
    .toSorted(([one, value], [other, otherValue]) => otherValue - value || bySentence(one, other))
    .map(([sentence]) => sentence)
}

const reasons = (rated: ReadonlyArray<Rated>, occurrences: Occurrences) => {
  const keys = rated.flatMap(({ part }) => part.wanted.flatMap((unit) => unit.keys))
  const ignored = new Set(keys.flatMap((key) => occurrences.of(key).map((sentence) => sentence.ignored)))
  return [
    rated.some(({ coverage }) => coverage.denied.length > 0)
      ? "What the candidate denies or only wishes to learn was not counted."
      : "",
    ignored.has("repeated") ? "Text that repeats the requirement or the question was not counted." : "",
    ignored.has("addressed") ? "Text addressed to the evaluator was not counted." : "",
  ]
}

/** Values are between 0 and 1. */
interface Finding {
  readonly rating: Rating
  readonly value: number
  readonly parts: ReadonlyArray<number>
  readonly sentences: number
}

const round = (value: number): number => Math.round(value * 1000) / 1000

const rate = (profile: Profile, { told, ...whole }: KeywordEvidence): Finding => {
  const requirement_id = profile.id
  const isWhole = profile.parts.length === 1
  const evidence = profile.stated.size === 0 ? whole : { ...whole, occurrences: told }
  const rated = profile.parts.map((part) => ratePart(part, evidence))
  const weight = rated.reduce((sum, { part }) => sum + part.weight, 0)
  if (weight === 0) {
    const rating = { requirement_id, cannot_evaluate: "The requirement has no words to look for." }
    return { rating, value: 0, parts: [], sentences: 0 }
  }
  const shownValue = rated.reduce((sum, one) => sum + one.part.weight * one.value, 0) / weight
  const stated = evidence.agreements.get(profile)
  const value = round(Math.max(shownValue, stated?.value ?? 0))
  const isStated = stated !== undefined && stated.value > shownValue
  const supporting = isStated
    ? [...new Set([...stated.sentences, ...supportingSentences(rated)])]
    : supportingSentences(rated)
  const weakFrom = isWhole ? (levels.at(-1)?.[1] ?? 0) : weakFromInParts
  const score = supporting.length === 0 ? 0 : scoreOf(value, weakFrom)
  const level = levelOf(score)
  const isFound = ({ coverage }: Rated, unit: WantedUnit) =>
    coverage.found.has(unit) || (isStated && unit.keys.some((key) => stated.said.has(key)))
  const found = labelsOf(rated, isFound)
  const missing = labelsOf(rated, (one, unit) => !isFound(one, unit))
  const isNamed = !isStated && rated.every(({ coverage }) => coverage.best.every(({ worth }) => worth === worthNamed))
  const denied = rated.flatMap(({ coverage }) => coverage.denied)
  const shown = supporting.length > 0 ? supporting : denied.toSorted(bySentence)
  const count = supporting.length
  const rationale = [
    count === 0 && missing.length > 0 ? `Nothing that counts was found on: ${few(missing)}.` : "",
    found.length > 0 ? `${count} ${count === 1 ? "sentence" : "sentences"} on: ${few(found)}.` : "",
    count > 0 && missing.length > 0 && level !== "full" ? `Not found: ${few(missing)}.` : "",
    rated.some(({ coverage }) => coverage.hasSimilar) ? "Sentences with a similar meaning were counted." : "",
    found.length > 0 && isNamed ? "Named only, without saying what was done." : "",
    ...rated.flatMap(({ comparisons }) => comparisons.map(({ note }) => note)).slice(0, 8),
    ...reasons(rated, evidence.occurrences),
  ].filter((part) => part !== "")
  const quoted = shown.slice(0, maxQuotes).map((sentence) => sentence.evidence)
  const rating = {
    requirement_id,
    level,
    score,
    rationale: [...new Set(rationale)].join(" "),
    evidence: quoted,
  } as const
  return { rating, value, parts: rated.map((one) => round(one.value)), sentences: count }
}

const textOf = ({ requirements }: EvaluationInput): string =>
  requirements.flatMap(({ content, hint, title }) => [title, content, hint]).join("\n")

const readableOf = ({ language, sources }: EvaluationInput): ReadonlyArray<ReadableSource> =>
  sources.flatMap((source) => {
    const found = languageOf(source.text, language)
    return found === null ? [] : [{ ...source, language: found }]
  })

const referencesOf = ({ requirements, sources }: EvaluationInput, language: Language) => {
  const parts = requirements.flatMap(({ content, title }) => [title, content])
  const texts = new Set([...parts, ...sources.map(({ question }) => question)])
  const pieces = new Set([...texts].flatMap((text) => sentencesOf((text ?? "").slice(0, maxRequirementLength))))
  return [...pieces].map((piece) => sayingOf(wordsOf(piece), language))
}

/** By language: the sentence with the most different words, at least five, of the first source in that language. */
const writtenIn = (sources: ReadonlyArray<ReadableSource>, sentences: ReadonlyArray<Sentence>) => {
  const written = new Map<string, Sentence>()
  for (const { language, question_id, source } of sources) {
    const own = sentences.filter(
      ({ content, evidence, ignored }) =>
        evidence.source === source && evidence.question_id === question_id && ignored === null && content.size >= 5,
    )
    const longest = own.reduce((max, one) => Math.max(max, one.content.size), 0)
    const first = own.find((one) => one.content.size === longest)
    const name = nameOfLanguage(language)
    if (first !== undefined && !written.has(name)) written.set(name, first)
  }
  return written
}

const wantedKeys = ({ parts }: Profile): ReadonlyArray<string> =>
  parts.flatMap(({ wanted }) => wanted.flatMap(({ keys }) => keys))

/** How much of a requirement's statement an answer contains, from 0 to 1, and the sentences that contain it. */
interface Agreement {
  readonly value: number
  readonly said: ReadonlySet<string>
  readonly sentences: ReadonlyArray<Sentence>
}

/**
 * Compares answers with the statements of requirements: answers to questions that may ask for a fact, or all answers if
 * the requirement's title is a factual question. An answer counts only for the requirement that it agrees with most,
 * because a pasted advertisement agrees with all.
 */
const agreementsIn = (
  profiles: ReadonlyArray<Profile>,
  sources: ReadonlyArray<ReadableSource>,
  sentences: ReadonlyArray<Sentence>,
  language: Language,
): ReadonlyMap<Profile, Agreement> => {
  const best = new Map<Profile, Agreement>()
  const add = (profile: Profile, value: number, { said }: Statement, own: ReadonlyArray<Sentence>) => {
    if (value <= (best.get(profile)?.value ?? 0)) return
    const sharing = own.filter(({ content }) => [...content].some((stem) => profile.stated.get(stem) === false))
    best.set(profile, { value, said, sentences: sharing.length > 0 ? sharing : own })
  }
  const titled = profiles.filter(({ question }) => question !== null)
  const others = profiles.filter(({ question }) => question === null)
  for (const { question, question_id, source } of sources) {
    if (source === "cv") continue
    const asked = askedBy(question)
    const isAsked = copyOf([sayingOf(wordsOf(question ?? ""), language)]).isCopied
    const own = sentences.filter(
      ({ evidence, ignored, words }) =>
        evidence.question_id === question_id && ignored !== "addressed" && !isAsked(words),
    )
    // what is not so may be a part of the right answer
    const written = own.flatMap(({ evidence }) => wordsOf(evidence.quote))
    for (const profile of titled) {
      const statement = statementOf(profile.question ?? "", written, language)
      add(profile, agreementOf(profile.stated, statement), statement, own)
    }
    if (asked === "story") continue
    const isFact = asked === "fact"
    const counted = isFact ? own : own.filter(({ ignored }) => ignored === null)
    const said = isFact ? written : counted.flatMap(({ words }) => words)
    const statement = statementOf(question ?? "", said, language)
    const asking = isFact ? others : others.filter(({ isStatement }) => isStatement)
    const values = asking.map((profile) => ({ profile, value: agreementOf(profile.stated, statement) }))
    const [most] = values.toSorted((one, other) => other.value - one.value)
    if (most !== undefined) add(most.profile, most.value, statement, counted)
  }
  return best
}

const unread =
  "The language of the text is not supported. Supported are English, German, French, Spanish and Portuguese."

const unreadRequirements =
  "The language of the requirements is not supported. Supported are English, German, French, Spanish and Portuguese."

interface Reading {
  readonly language: Language
  readonly sources: ReadonlyArray<ReadableSource>
  readonly isPartlyUnread: boolean
  /** A third of the text or more was not read. A few words in another language must not make requirements unrated. */
  readonly isLargelyUnread: boolean
}

/** Replaces `none` by `cannot_evaluate` where the text cannot match or was read in part only. */
const ratingOf = (
  { rating }: Finding,
  { isGeneral, isKnown }: Profile,
  { isLargelyUnread, language, sources }: Reading,
): Rating => {
  if ("cannot_evaluate" in rating || rating.level !== "none") return rating
  const { requirement_id } = rating
  if (isLargelyUnread)
    return { requirement_id, cannot_evaluate: "A part of the text is in a language that is not supported." }
  if (isGeneral && sources.every(({ source }) => source === "cv")) {
    return { requirement_id, cannot_evaluate: "It asks for a general quality, and nothing in the CV shows it." }
  }
  if (!isKnown && !sources.some((source) => source.language === language)) {
    const names = [...new Set(sources.map((source) => nameOfLanguage(source.language)))].toSorted().join(", ")
    const reason = `The requirement is in ${nameOfLanguage(language)} and the text in ${names}: their words cannot be compared.`
    return { requirement_id, cannot_evaluate: reason }
  }
  return rating
}

const otherLanguages = ({ language, sources }: Reading): ReadonlyArray<EvaluationWarning> => {
  const others = sources.flatMap((source) => (source.language === language ? [] : [nameOfLanguage(source.language)]))
  const names = [...new Set(others)].toSorted().join(", ")
  return names === ""
    ? []
    : [
        evaluationWarning(
          "other_language",
          `Text in ${names} was compared with requirements in ${nameOfLanguage(language)}: matches may have been missed.`,
        ),
      ]
}

const warningsOf = (reading: Reading): ReadonlyArray<EvaluationWarning> => [
  ...(reading.isPartlyUnread
    ? [evaluationWarning("language_not_supported", "A part of the text was not read: its language is not supported.")]
    : []),
  ...otherLanguages(reading),
  ...(lengthOf(reading.sources) > maxTextLength
    ? [
        evaluationWarning(
          "part_not_read",
          `Only the first ${maxTextLength} characters of all texts together were read.`,
        ),
      ]
    : []),
]

/** A text in a language that is not known here may look like one that says nothing on the requirements. */
const unrecognized = ({ sources }: Reading, ratings: ReadonlyArray<Rating>): ReadonlyArray<EvaluationWarning> => {
  const isNothingFound = ratings.every((rating) => "cannot_evaluate" in rating || rating.level === "none")
  const foreign = isNothingFound ? sources.filter(({ text }) => !isRecognized(text)) : []
  const first = foreign[0]
  if (first === undefined || tooFewWords(foreign.map(({ text }) => text)) !== null) return []
  const message = `The language of the text was not recognized. It was read as ${nameOfLanguage(first.language)}, and nothing was found.`
  return [evaluationWarning("language_not_supported", message)]
}

const conclude = (
  input: EvaluationInput,
  ratings: ReadonlyArray<Rating>,
  warnings: ReadonlyArray<EvaluationWarning>,
) => {
  const narrative = narrate(criteriaOf(input, ratings))
  const summary = [narrative.summary, ...warnings.map(({ message }) => message)].join("\n")
  return { ...narrative, summary, evaluator: version, model: null, ratings, warnings }
}

const isLanguage = (reason: string): boolean => reason === unread || reason === unreadRequirements

const cannot = (input: EvaluationInput, reason: string): EvaluatorOutput => ({
  ...conclude(
    input,
    input.requirements.map(({ id }) => ({ requirement_id: id, cannot_evaluate: reason })),
    [],
  ),
  raw: { reason },
  warnings: isLanguage(reason) ? [evaluationWarning("language_not_supported", reason)] : [],
})

const lengthOf = (sources: ReadonlyArray<{ readonly text: string }>): number =>
  sources.reduce((length, { text }) => length + text.length, 0)

interface Texts {
  readonly reading: Reading
  readonly profiles: ReadonlyArray<Profile>
  readonly sentences: ReadonlyArray<Sentence>
}

/** Returns the reason as a string if nothing can be rated. */
const readTexts = (input: EvaluationInput, today: number): Texts | string => {
  if (!isReadable(input.sources)) return "There is no text to read."
  const sources = readableOf(input)
  if (!isReadable(sources)) return unread
  const language = languageOf(textOf(input), input.language ?? sources[0]?.language ?? null)
  if (language === null) return unreadRequirements
  const references = referencesOf(input, language)
  const sentences = readSentences(
    sources,
    {
      isRepetition: repetitionOf(references),
      ...copyOf(references),
      wanted: new Set(references.flatMap(({ content }) => content)),
      today,
    },
    maxTextLength,
  )
  const isPartlyUnread = sources.length < input.sources.length
  return {
    reading: { isPartlyUnread, isLargelyUnread: 1.5 * lengthOf(sources) <= lengthOf(input.sources), language, sources },
    profiles: profilesOf(input.requirements, language),
    sentences,
  }
}

/** Returns the texts whose embeddings `rateByKeywords` needs. */
export const textsToCompare = (input: EvaluationInput, today: number): ComparedTexts => {
  const texts = readTexts(input, today)
  if (typeof texts === "string") return { requirements: [], sentences: [] }
  const { profiles, reading, sentences } = texts
  return comparedTexts(profiles, sentences, reading.sources, reading.language)
}

/** `embeddings` are those of `textsToCompare`. Without them, it rates by words alone. */
export const rateByKeywords = (
  input: EvaluationInput,
  today: number,
  embeddings: Embeddings | null,
): EvaluatorOutput => {
  const texts = readTexts(input, today)
  if (typeof texts === "string") return cannot(input, texts)
  const { profiles, reading, sentences } = texts
  const { language, sources } = reading
  const wanted = profiles.flatMap(wantedKeys)
  const told = withoutFacts(sentences, sources)
  const evidence = {
    sentences,
    occurrences: new Occurrences(wanted, sentences),
    told: new Occurrences(wanted, told),
    similaritiesTo: similaritiesIn(embeddings, sentences, language),
    written: writtenIn(sources, sentences),
    agreements: agreementsIn(profiles, sources, sentences, language),
    language,
  }
  const findings = profiles.map((profile) => ({ profile, finding: rate(profile, evidence) }))
  const ratings = findings.map(({ finding, profile }) => ratingOf(finding, profile, reading))
  return {
    ...conclude(input, ratings, [...warningsOf(reading), ...unrecognized(reading, ratings)]),
    ...(embeddings === null ? {} : { evaluator: versionWith(embeddings.model), model: embeddings.model }),
    raw: {
      today,
      language,
      sources: sources.map((source) => source.language),
      sentences: sentences.length,
      ...(embeddings === null ? {} : { embeddings: embeddings.vectors.size }),
      requirements: findings.map(({ finding: { rating, ...counts } }) => ({
        requirement_id: rating.requirement_id,
        ...counts,
      })),
    },
  }
}
