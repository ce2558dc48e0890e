/** The candidate's sentences and what they state. */
import { isOrder } from "../AddressedText.ts"
import type { EvaluationSource, Evidence } from "../Evaluation.ts"
import { isUnfinished, ownRanksOf, ranksOf } from "./facts/Degrees.ts"
import { classesOf } from "./facts/Driving.ts"
import { isOfSpeech, languagesOf } from "./facts/Languages.ts"
import { teamOf } from "./facts/Team.ts"
import { type Claim, isDateWord, ownClaimsOf, type Range, rangesOf } from "./facts/Years.ts"
import type { Language } from "./Language.ts"
import { entryOf } from "./lexicon/Lexicon.ts"
import { holdsAny } from "./Nearby.ts"
import { affirmedWords } from "./Negation.ts"
import { type Saying, sayingOf } from "./Repetition.ts"
import { isFactual } from "./Statement.ts"
import { contentOf, fold, mentionsIn, sentencesOf, type Word, wordsOf } from "./Text.ts"
import { hedges, isIrregularVerb, negations, stopWords, weakeners } from "./WordLists.ts"

export interface Facts {
  readonly claims: ReadonlyArray<Claim>
  readonly team: number | null
  readonly languages: ReturnType<typeof languagesOf>
  readonly ranks: ReturnType<typeof ranksOf>
  readonly isUnfinished: boolean
  readonly classes: ReadonlySet<string> | null
}

/** Describes the words that the sentence affirms; `denied` are the stems of those it denies. */
export interface Sentence {
  readonly evidence: Evidence
  readonly order: string
  readonly words: ReadonlyArray<Word>
  readonly content: ReadonlySet<string>
  /** Empty if it denies everything. */
  readonly affirmedText: string
  /** See `namesOf`. */
  readonly names: ReadonlySet<string>
  readonly denied: ReadonlySet<string>
  readonly facts: Facts
  readonly period: ReadonlyArray<Range>
  readonly isDated: boolean
  readonly isList: boolean
  readonly isDeed: boolean
  readonly isWeak: boolean
  /** From 0 to 1; each word that hedges or denies, in the sentence or its answer, lowers it. */
  readonly certainty: number
  readonly answerCertainty: number
  readonly ignored: "repeated" | "addressed" | null
}

export interface ReadableSource extends EvaluationSource {
  readonly language: Language
}

/** A CV line of at most this many words, of which so many carry meaning, is no copy of the requirement. */
const mentionWords = 3
const maxMentionWords = 6

const isEnumeration = (text: string, words: number): boolean => (text.match(/[,;|/·•]/g)?.length ?? 0) * 2 >= words

const listHeading =
  /^(?:[\p{L}&]+[ /]){0,3}(?:skills?|technologies|tools|languages?|frameworks?|databases?|competenc\w+|expertise|software|highlights|kenntnisse|interests?|hobbies|hobbys|comp(?:é|e)tences|habilidades|conocimientos|conhecimentos|idiomas|cloud|platforms?)\s*[:•-]/iu

/** True for a text that is mostly words of the requirements, with hardly any function words. */
const isHeap = (words: ReadonlyArray<Word>, content: ReadonlyArray<string>, wanted: ReadonlySet<string>): boolean =>
  content.length > mentionWords &&
  content.filter((key) => wanted.has(key)).length >= 0.7 * content.length &&
  words.filter(({ folded }) => stopWords.has(folded)).length * 6 <= words.length

const isVerb = (word: string): boolean => /^[a-z]{2,}ed$/.test(word) || isIrregularVerb(word) || unchanged.has(word)
const unchanged = new Set("own lead set put did cut made".split(" "))
const speakers = new Set("i we i've we've".split(" "))
const otherSpeakers = new Set("habe haben hatte hatten ich wir ai avons j je he hemos tenho".split(" "))

/** "I posted …", "Ich habe … gebucht", or a line that begins with a verb. */
const tellsDeed = (words: ReadonlyArray<Word>, language: Language): boolean => {
  const first = words[0]?.folded ?? ""
  if (words.length < 3) return false
  if (isVerb(first) || /^\p{L}{3,}(?:ing|ung)$/u.test(first)) return true
  const follows = (at: number) => words.slice(at + 1, at + 4).some(({ folded }) => isVerb(folded))
  return language === "en"
    ? words.some(({ folded }, at) => speakers.has(folded) && follows(at))
    : words.some(({ folded }) => otherSpeakers.has(folded) || /^[a-z]{3,}(?:ei|amos|emos)$/.test(folded))
}

export const bySentence = (one: Sentence, other: Sentence): number =>
  one.order < other.order ? -1 : one.order > other.order ? 1 : 0

/** Lexicon names in `words`, with the broader names that they imply: PostgreSQL is a database. */
export const namesOf = (words: ReadonlyArray<Word>): ReadonlySet<string> =>
  new Set(mentionsIn(words).flatMap(({ name }) => [name, ...(entryOf(name)?.broader ?? [])]))

/** Three or more claims of one sentence with a larger sum do not count. */
const maxLifeMonths = 60 * 12
const lived = (claims: ReadonlyArray<Claim>): ReadonlyArray<Claim> =>
  claims.length > 2 && claims.reduce((sum, { months }) => sum + months, 0) > maxLifeMonths ? [] : claims

const learning = new Set("taking attending enrolled visiting besuche".split(" "))
const lessons = new Set("class classes course courses lessons kurs kurse cours curso cursos".split(" "))
/** A language course in progress proves no level. */
const spokenOf = (text: string, words: ReadonlyArray<Word>) => {
  const spoken = languagesOf(text, words, false)
  const isCourse = holdsAny(words, learning) && holdsAny(words, lessons)
  return isCourse ? spoken.map((one) => ({ ...one, level: null, below: null })) : spoken
}

const factsOf = (text: string, words: ReadonlyArray<Word>): Facts => ({
  claims: lived(ownClaimsOf(text, words)),
  team: teamOf(words),
  languages: isOfSpeech(words) ? spokenOf(text, words) : [],
  ranks: ownRanksOf(words),
  isUnfinished: isUnfinished(words),
  classes: classesOf(words),
})

const isTyped = ({ classes, claims, languages, ranks, team }: Facts, names: ReadonlySet<string>): boolean =>
  claims.length > 0 ||
  team !== null ||
  classes !== null ||
  languages.length > 0 ||
  ranks.length > 0 ||
  [...names].some((name) => entryOf(name)?.kind === "licence")

interface Raw {
  readonly quote: string
  readonly words: ReadonlyArray<Word>
  readonly ranges: ReadonlyArray<Range>
}

/** A job ends after this many lines without a date. */
const maxAccountLines = 30
const maxTitleWords = 12

const isOnlyDates = ({ words }: Raw): boolean =>
  words.length <= 10 &&
  words.filter(({ folded }) => folded.length > 3 && !/^\d/.test(folded) && !isDateWord(folded)).length <= 1

/** A dated line of a CV begins a job, which lasts until the next one. The title may be on the line above. */
const periodsOf = (lines: ReadonlyArray<Raw>): ReadonlyArray<ReadonlyArray<Range>> => {
  const periods = lines.map(({ ranges }): ReadonlyArray<Range> => ranges)
  const isSchool = lines.map(({ words }) => ranksOf(words).length > 0 || holdsAny(words, schools))
  let current: ReadonlyArray<Range> = []
  let since = 0
  for (const [index, line] of lines.entries()) {
    if (line.ranges.length > 0) {
      const before = lines[index - 1]
      const isBareDate = isOnlyDates(line) && before?.ranges.length === 0 && before.words.length <= maxTitleWords
      if (isBareDate && isSchool[index - 1] !== true && isSchool[index] !== true) periods[index - 1] = line.ranges
      current = isSchool[index] === true || (isBareDate && isSchool[index - 1] === true) ? [] : line.ranges
      periods[index] = current
      since = 0
    } else {
      since += 1
      if (isHeading(line) || since > maxAccountLines) current = []
      if (periods[index]?.length === 0) periods[index] = current
    }
  }
  return periods
}

const schools = new Set(
  "university college school universitaet hochschule schule universite ecole universidad universidade escola escuela education studium bachelor".split(
    " ",
  ),
)
const headings = new Set(
  "education skills languages certifications certificates interests hobbies references ausbildung kenntnisse sprachen formation langues idiomas formacion educacion".split(
    " ",
  ),
)

const isHeading = ({ words }: Raw): boolean =>
  words.length > 0 && words.length <= 4 && headings.has(words[0]?.folded ?? "")

/** The text's sentences without repetitions, which earn nothing. */
const rawOf = (text: string, today: number): ReadonlyArray<Raw> => {
  const seen = new Set<string>()
  return sentencesOf(text).flatMap((quote) => {
    const words = wordsOf(quote)
    const key = words.map(({ folded }) => folded).join(" ")
    if (key === "" || seen.has(key)) return []
    seen.add(key)
    return [{ quote, words, ranges: rangesOf(quote, words, today) }]
  })
}

export interface Reading {
  readonly isRepetition: (saying: Saying) => boolean
  readonly isCopied: (words: ReadonlyArray<Word>) => boolean
  readonly isPieced: (words: ReadonlyArray<Word>) => boolean
  readonly wanted: ReadonlySet<string>
  readonly today: number
}

const none: ReadonlySet<string> = new Set()
const difference = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  new Set([...one].filter((key) => !other.has(key)))

const minCompounded = 6
const minModifier = 3

/** Adds wanted words that are the last part of a longer German word: "Buchhaltung" of "Finanzbuchhaltung". */
const withCompounds = (stems: ReadonlySet<string>, wanted: ReadonlySet<string>): ReadonlySet<string> => {
  const all = new Set(stems)
  for (const one of stems) {
    for (let from = minModifier; from <= one.length - minCompounded; from += 1) {
      const last = one.slice(from)
      if (wanted.has(last)) all.add(last)
    }
  }
  return all
}

const sentenceOf = (
  { language, question_id, source }: ReadableSource,
  { quote, words }: Raw,
  period: ReadonlyArray<Range>,
  reading: Reading,
  isDated: boolean,
): Sentence | null => {
  const said = sayingOf(words, language)
  const kept = affirmedWords(words, language, source === "cv")
  const affirmed = kept === words ? said : sayingOf(kept, language)
  const names = namesOf(kept)
  const facts = factsOf(quote, kept)
  if (said.content.length === 0 && facts.claims.length === 0) return null
  const isMention = source === "cv" && said.content.length <= mentionWords && words.length <= maxMentionWords
  const isRepeated = isTyped(facts, names) ? reading.isCopied(kept) : reading.isRepetition(affirmed)
  return {
    evidence: { quote, source, question_id },
    order: JSON.stringify([quote, source, question_id]),
    words: kept,
    content: language === "de" ? withCompounds(contentOf(kept, language), reading.wanted) : contentOf(kept, language),
    affirmedText: kept === words ? quote : kept.map(({ raw }) => raw).join(" "),
    names,
    denied: kept === words ? none : difference(contentOf(words, language), contentOf(kept, language)),
    facts,
    period,
    isDated,
    isList:
      listHeading.test(quote) || isEnumeration(quote, words.length) || isHeap(words, said.content, reading.wanted),
    isDeed: tellsDeed(words, language),
    isWeak: holdsAny(words, weakeners),
    certainty: 1,
    answerCertainty: 1,
    ignored: isOrder(quote) ? "addressed" : !isMention && isRepeated ? "repeated" : null,
  }
}

const qualifies = ({ folded }: Word, next: Word | undefined): boolean =>
  (hedges.has(folded) && !(folded === "but" && next?.folded === "also")) ||
  (negations.has(folded) && !/^(?:only|just|nur|seulement|solo|apenas)$/.test(next?.folded ?? ""))

const qualifyingIn = (words: ReadonlyArray<Word>): number =>
  words.filter((word, at) => qualifies(word, words[at + 1])).length

const certaintyOf = (words: ReadonlyArray<Word>): number => 1 / (1 + 0.3 * qualifyingIn(words))

/** Words that hedge or deny, per hundred words, at which an answer's certainty is 0.5. */
const halfCertain = 4
const minCertainty = 0.05
/** Shorter answers count as this many words. */
const minAnswerWords = 40

/** Depends on the share of such words, not on their number, so that long answers are at no disadvantage. */
const answerCertaintyOf = (words: ReadonlyArray<Word>): number =>
  1 / (1 + ((100 * qualifyingIn(words)) / Math.max(minAnswerWords, words.length) / halfCertain) ** 3)

/** Not "I made it up to the customer" or "This never happened again". */
const retraction =
  /(?<!\p{L})(?:i (?:just |only |have |had )?(?:made|invented) (?:it|that|this|all of (?:it|that|this)|everything)(?: all)?(?: up)(?! (?:to|for|with))(?!\p{L})|(?:just|only|i['’]m|i was|am) (?:kidding|joking)(?!\p{L})|(?:none of (?:it|that|this)|(?:that|this|it) never)(?: (?:is|was) true| (?:ever |really )?happened)[.!]?$|^(?:i lied|(?:actually,? )?(?:that|this) (?:is a lie|is not true|isn['’]t true))[.!]?$)/iu

/** "I made that up" takes back the sentences before it. */
const withoutRetracted = (
  sentences: ReadonlyArray<Sentence | null>,
  lines: ReadonlyArray<Raw>,
): ReadonlyArray<Sentence | null> => {
  const last = lines.findLastIndex(({ quote }) => retraction.test(quote))
  return sentences.map((sentence, index) =>
    sentence === null || index >= last
      ? sentence
      : {
          ...sentence,
          words: [],
          content: none,
          affirmedText: "",
          names: none,
          denied: new Set([...sentence.content, ...sentence.denied]),
          facts: factsOf("", []),
        },
  )
}

const pastedWithin = 3

/** A short line of a requirement, near longer copies, is a copy too. */
const withoutPasted = (
  sentences: ReadonlyArray<Sentence | null>,
  lines: ReadonlyArray<Raw>,
  { isPieced }: Reading,
): ReadonlyArray<Sentence | null> => {
  const repeated = sentences.map((sentence) => sentence?.ignored === "repeated")
  return sentences.map((sentence, index) => {
    if (sentence === null) return null
    const isNear = repeated.slice(Math.max(0, index - pastedWithin), index + pastedWithin + 1).includes(true)
    const isPasted = isNear && sentence.ignored === null && isPieced(lines[index]?.words ?? [])
    return isPasted ? { ...sentence, ignored: "repeated" } : sentence
  })
}

/** Ignored lines neither raise nor lower the certainty of the others. */
const withCertainty = (
  sentences: ReadonlyArray<Sentence | null>,
  lines: ReadonlyArray<Raw>,
  { source }: ReadableSource,
): ReadonlyArray<Sentence> => {
  const said = sentences.flatMap((sentence, index) =>
    sentence === null ? (lines[index]?.words ?? []) : sentence.ignored === null ? sentence.words : [],
  )
  const answerCertainty = source === "cv" ? 1 : answerCertaintyOf(said)
  return sentences.flatMap((sentence) => {
    if (sentence === null) return []
    const certainty = (Math.max(minCertainty, answerCertainty) * certaintyOf(sentence.words)) ** 0.25
    return [{ ...sentence, certainty, answerCertainty }]
  })
}

/** Without answers to factual questions. */
export const withoutFacts = (sentences: ReadonlyArray<Sentence>, sources: ReadonlyArray<ReadableSource>) => {
  const factual = new Set(sources.flatMap(({ question, question_id }) => (isFactual(question) ? [question_id] : [])))
  return sentences.filter(({ evidence }) => !factual.has(evidence.question_id))
}

/** `limit`: UTF-16 units of all sources. */
export const readSentences = (
  sources: ReadonlyArray<ReadableSource>,
  reading: Reading,
  limit: number,
): ReadonlyArray<Sentence> => {
  const found: Array<Sentence> = []
  let room = limit
  for (const source of sources) {
    const lines = rawOf(source.text.slice(0, room), reading.today)
    const periods = source.source === "cv" ? periodsOf(lines) : lines.map(({ ranges }) => ranges)
    const sentences = withoutRetracted(
      lines.map((line, index) => sentenceOf(source, line, periods[index] ?? [], reading, line.ranges.length > 0)),
      lines,
    )
    for (const sentence of withCertainty(withoutPasted(sentences, lines, reading), lines, source)) found.push(sentence)
    room = Math.max(0, room - source.text.length)
  }
  const distinct = new Map<string, Sentence>()
  for (const sentence of found.toSorted(bySentence)) {
    const key = fold(sentence.evidence.quote)
    if (!distinct.has(key)) distinct.set(key, sentence)
  }
  return [...distinct.values()]
}
