/**
 * Computes how many of a requirement's words a text covers. Words match in any inflection, and count more when one
 * sentence contains several of them. The numbers were calibrated with `npm run bench evaluation`.
 */
import { diceCoefficient, sameFrom } from "./Repetition.ts"
import { bySentence, type Sentence } from "./Sentence.ts"

/** A word of a requirement, or alternatives. One of `keys` is enough: stems, or lexicon names after a "=". */
export interface WantedUnit {
  readonly keys: ReadonlyArray<string>
  readonly label: string
  readonly weight: number
  /** A word of the requirement's title. */
  readonly isTitle: boolean
}

export type Wanted = ReadonlyArray<WantedUnit>

/** By wanted key, the sentences that contain it, and those that deny it. */
export class Occurrences {
  readonly #affirmed = new Map<string, Array<Sentence>>()
  readonly #denied = new Map<string, Array<Sentence>>()

  constructor(wanted: Iterable<string>, sentences: ReadonlyArray<Sentence>) {
    const keys = new Set(wanted)
    const add = (map: Map<string, Array<Sentence>>, key: string, sentence: Sentence) => {
      if (!keys.has(key)) return
      const known = map.get(key)
      if (known === undefined) map.set(key, [sentence])
      else known.push(sentence)
    }
    for (const sentence of sentences) {
      for (const stem of sentence.content) add(this.#affirmed, stem, sentence)
      for (const name of sentence.names) add(this.#affirmed, `=${name}`, sentence)
      if (sentence.ignored === null) for (const stem of sentence.denied) add(this.#denied, stem, sentence)
    }
  }

  of(key: string): ReadonlyArray<Sentence> {
    return this.#affirmed.get(key) ?? []
  }

  denying(key: string): ReadonlyArray<Sentence> {
    return this.#denied.get(key) ?? []
  }
}

export const sumOf = (numbers: Iterable<number>): number => {
  let sum = 0
  for (const one of numbers) sum += one
  return sum
}

/** Weight of each further sentence of an answer, and of each further answer, relative to the one before. */
const sentenceDecay = 0.7
const answerDecay = 0.5
const maxSentences = 6
/** Exponent of reach; above 1, because one or two shared words of a long requirement are chance matches. */
const steepness = 1.3
/** Number of a long requirement's words that a text can be expected to contain; minimum of `factorOf`. */
const expected = 5
const minFactor = 1.8
/** Exponent of breadth; below 1, because a text need not contain every word. */
const breadthPower = 0.5
/** Below this share of the wanted weight, words match by chance, unless the title is named. */
const minShare = 0.1
/** Chance matches are worth this much of their value: less than the level `weak`. */
export const worthChance = 0.07
/** Share that a sentence of similarity 1 adds, before division by `factorOf`. */
const similarityWeight = 0.35
/** Minimum similarity of a sentence that counts without shared words. */
const minSimilarity = 0.5
/** Minimum share of a sentence that is about the requirement. */
const relevantFrom = 0.1
/** A less certain answer counts only if it is the best one. */
const certainFrom = 0.5
/** Maximum value of sentences with fewer than `minWords` words together. */
const maxShort = 0.75
const minWords = 20
/** Minimum value if a sentence contains the title's main words. */
const minNamed = 0.12
/** Minimum value if that sentence also says what was done. */
const minNamedDone = 0.35

/** Worth of a sentence: only names the words; says what was done, but with one of `weakeners`; says what was done. */
export const worthNamed = 0.25
const worthWeakened = 0.5
const worthDone = 1

/** Minimum number of other words in a sentence that says what was done; fewer in one of `longFrom` words or more. */
const substanceFrom = 3
const substanceFromLong = 2
const longFrom = 5

const worthOf = ({ content, facts, isDated, isDeed, isList, isWeak }: Sentence, matched: number): number => {
  if (isList && !isDated) return worthNamed
  const others = content.size - matched
  const isSubstantial = others >= (content.size >= longFrom ? substanceFromLong : substanceFrom)
  const isClaim = facts.claims.length > 0 || facts.team !== null
  return isSubstantial || isClaim || (others > 0 && (isDeed || isDated))
    ? isWeak
      ? worthWeakened
      : worthDone
    : worthNamed
}

const isSame = (one: Sentence, other: Sentence): boolean => {
  let shared = 0
  for (const stem of one.content) if (other.content.has(stem)) shared += 1
  return diceCoefficient(shared, one.content.size, other.content.size) >= sameFrom
}

type Units = ReadonlySet<WantedUnit>

/** `share` is of the wanted weight; `worth` is `worthNamed`, `worthWeakened` or `worthDone`. */
export interface Covering {
  readonly sentence: Sentence
  readonly units: Units
  readonly share: number
  readonly worth: number
  /** By embeddings, from 0 to 1; 0 without embeddings. */
  readonly similarity: number
}

export interface Coverage {
  /** From 0 to 1. */
  readonly value: number
  readonly best: ReadonlyArray<Covering>
  readonly found: ReadonlySet<WantedUnit>
  readonly denied: ReadonlyArray<Sentence>
  /** A sentence counted for its similar meaning. */
  readonly hasSimilar: boolean
}

const factorOf = ({ length }: Wanted): number => Math.max(minFactor, length / expected)

const weighed = (units: Units): number => sumOf([...units].map((unit) => unit.weight))

/** By sentence, its similarity to a requirement, above 0 and at most 1. Unrelated sentences are missing. */
export type Similarities = ReadonlyMap<Sentence, number>

const coveringOf = (
  wanted: Wanted,
  weight: number,
  occurrences: Occurrences,
  similarities: Similarities,
): ReadonlyArray<Covering> => {
  const matches = new Map([...similarities.keys()].map((sentence) => [sentence, new Set<WantedUnit>()]))
  for (const unit of wanted) {
    for (const sentence of unit.keys.flatMap((key) => occurrences.of(key))) {
      if (sentence.ignored !== null) continue
      const units = matches.get(sentence)
      if (units === undefined) matches.set(sentence, new Set([unit]))
      else units.add(unit)
    }
  }
  const factor = factorOf(wanted)
  return [...matches].map(([sentence, units]) => {
    const similarity = similarities.get(sentence) ?? 0
    const share = weighed(units) / weight + (similarityWeight * similarity) / factor
    return { sentence, units, share, similarity, worth: worthOf(sentence, units.size) }
  })
}

const deniedOf = (wanted: Wanted, weight: number, occurrences: Occurrences): ReadonlyArray<Sentence> => {
  const shares = new Map<Sentence, number>()
  for (const unit of wanted) {
    for (const sentence of new Set(unit.keys.flatMap((key) => occurrences.denying(key)))) {
      shares.set(sentence, (shares.get(sentence) ?? 0) + unit.weight / weight)
    }
  }
  return [...shares].flatMap(([sentence, share]) => (share > relevantFrom ? [sentence] : []))
}

export const earned = ({ sentence, share, worth }: Covering): number => share * worth * sentence.certainty

/** The sentences that earn most, without near duplicates. */
const bestOf = (all: ReadonlyArray<Covering>): ReadonlyArray<Covering> => {
  const best: Array<Covering> = []
  const byEarned = all.toSorted((one, other) => earned(other) - earned(one) || bySentence(one.sentence, other.sentence))
  for (const covering of byEarned) {
    if (best.length === maxSentences) break
    if (!best.some(({ sentence }) => isSame(sentence, covering.sentence))) best.push(covering)
  }
  return best
}

interface Answer {
  readonly question_id: string | null
  readonly reach: number
}

/** The best answer and the certain ones. An answer that retracts another must not add to it. */
const answersOf = (best: ReadonlyArray<Covering>): ReadonlyArray<Answer> =>
  [...Map.groupBy(best, ({ sentence }) => sentence.evidence.question_id)]
    .map(([question_id, of]) => ({
      question_id,
      reach: sumOf(of.map((one, at) => earned(one) * sentenceDecay ** at)),
      isCertain: of.every(({ sentence }) => sentence.answerCertainty >= certainFrom),
    }))
    .toSorted((one, other) => other.reach - one.reach)
    .filter(({ isCertain }, at) => at === 0 || isCertain)

/** Mean certainty of the sentences that are about the requirement, weighted by share. */
const certaintyIn = (all: ReadonlyArray<Covering>): number => {
  const relevant = all.filter(({ share }) => share >= relevantFrom)
  if (relevant.length === 0) return 1
  return (
    sumOf(relevant.map(({ sentence, share }) => share * sentence.certainty)) / sumOf(relevant.map(({ share }) => share))
  )
}

/** The title's lexicon names, or else its words of the highest weight: without common words, unless it has no others. */
const subjectOf = (wanted: Wanted): Wanted => {
  const title = wanted.filter(({ isTitle }) => isTitle)
  const named = title.filter(({ keys }) => keys.some((key) => key.startsWith("=")))
  if (named.length > 0) return named
  const most = Math.max(...title.map(({ weight }) => weight))
  return title.filter(({ weight }) => weight === most)
}

/** Computes the coverage of the wanted words. Sentences that hedge or deny lower its value. */
export const coverageOf = (wanted: Wanted, occurrences: Occurrences, similarities: Similarities): Coverage => {
  const size = wanted.length
  const weight = sumOf(wanted.map((unit) => unit.weight))
  const denied = deniedOf(wanted, weight, occurrences)
  const nothing = { value: 0, best: [], found: new Set<WantedUnit>(), denied, hasSimilar: false }
  if (weight === 0) return nothing
  const all = coveringOf(wanted, weight, occurrences, similarities)
  const found = new Set(all.flatMap(({ units }) => [...units]))
  const subject = subjectOf(wanted)
  const naming = subject.length === 0 ? [] : all.filter(({ units }) => subject.every((unit) => units.has(unit)))
  const floor = Math.max(
    0,
    ...naming.map((one) => (one.worth === worthDone ? minNamedDone : minNamed) * one.sentence.certainty),
  )
  const hasSimilar = all.some(
    ({ sentence, similarity }) => similarity >= minSimilarity && sentence.answerCertainty >= certainFrom,
  )
  const isChance = !hasSimilar && sumOf([...found].map((unit) => unit.weight)) < minShare * weight
  const best = bestOf(all)
  const answers = answersOf(best)
  const reach = sumOf(answers.map((one, at) => one.reach * answerDecay ** at)) * factorOf(wanted)
  const answered = new Set(answers.map(({ question_id }) => question_id))
  const counted = new Set<WantedUnit>()
  let meant = 0
  for (const one of all) {
    if (!answered.has(one.sentence.evidence.question_id)) continue
    meant = Math.max(meant, one.similarity)
    for (const unit of one.units) counted.add(unit)
  }
  const covered = weighed(counted) / weight + (similarityWeight * meant) / factorOf(wanted)
  const breadth = Math.min(1, covered / Math.min(1, expected / size)) ** breadthPower
  const value =
    (isChance ? worthChance : 1) * (1 - Math.exp(-(reach ** steepness))) * Math.sqrt(certaintyIn(all)) * breadth
  const length = sumOf(best.map(({ sentence }) => sentence.words.length))
  const capped = length < minWords ? Math.min(value, maxShort) : value
  return { value: Math.max(floor, capped), best, found, denied, hasSimilar: hasSimilar && value > 0 }
}
