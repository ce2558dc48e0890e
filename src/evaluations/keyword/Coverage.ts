/**
 * The share of a requirement's words that a text covers. Words count in any form, with typing errors, and more when one
 * sentence holds several of them. The numbers were calibrated with `npm run bench evaluation`.
 */
import type { Language } from "./Language.ts"
import { bySentence, type Sentence } from "./Sentence.ts"
import { isSame } from "./Support.ts"
import { type Word, wordsOf } from "./Text.ts"
import { fillers, stemIn, stopWords } from "./WordLists.ts"

/** Stems with the weight of each. */
export type Wanted = ReadonlyMap<string, number>

const gramsOf = (stem: string): ReadonlySet<string> => {
  const framed = `^${stem}$`
  return new Set(Array.from({ length: framed.length - 2 }, (_, at) => framed.slice(at, at + 3)))
}

/** Shorter stems have no typing errors: "cat" and "car" share as much as they differ. */
const minFuzzyLength = 4
/** Dice coefficient of three-letter runs; below it, two stems are different words. */
const minLikeness = 0.5

/** The wanted stems that a stem or sentence is like, from `minLikeness` to 1 for the same stem. */
type Alike = ReadonlyMap<string, number>

/** Compares the stems of a text with those that requirements want; each stem of the text once. */
export class Likeness {
  readonly #wanted: ReadonlySet<string>
  readonly #sizes = new Map<string, number>()
  readonly #byGram = new Map<string, Array<string>>()
  readonly #ofStem = new Map<string, Alike>()
  readonly #ofSentence = new Map<Sentence, Alike>()

  constructor(wanted: Iterable<string>) {
    this.#wanted = new Set(wanted)
    for (const stem of this.#wanted) {
      if (stem.length < minFuzzyLength) continue
      const grams = gramsOf(stem)
      this.#sizes.set(stem, grams.size)
      for (const gram of grams) {
        const holders = this.#byGram.get(gram)
        if (holders === undefined) this.#byGram.set(gram, [stem])
        else holders.push(stem)
      }
    }
  }

  #compare(stem: string): Alike {
    const alike = new Map<string, number>()
    if (stem.length >= minFuzzyLength) {
      const grams = gramsOf(stem)
      const shared = new Map<string, number>()
      for (const gram of grams) {
        for (const wanted of this.#byGram.get(gram) ?? []) shared.set(wanted, (shared.get(wanted) ?? 0) + 1)
      }
      for (const [wanted, count] of shared) {
        const dice = (2 * count) / (grams.size + (this.#sizes.get(wanted) ?? 0))
        if (dice >= minLikeness) alike.set(wanted, dice)
      }
    }
    if (this.#wanted.has(stem)) alike.set(stem, 1)
    return alike
  }

  ofStem(stem: string): Alike {
    const known = this.#ofStem.get(stem)
    if (known !== undefined) return known
    const alike = this.#compare(stem)
    this.#ofStem.set(stem, alike)
    return alike
  }

  /** Of several like stems, the most alike one. */
  ofStems(stems: Iterable<string>): Alike {
    const best = new Map<string, number>()
    for (const stem of stems) {
      for (const [wanted, likeness] of this.ofStem(stem)) {
        if (likeness > (best.get(wanted) ?? 0)) best.set(wanted, likeness)
      }
    }
    return best
  }

  ofSentence(sentence: Sentence): Alike {
    const known = this.#ofSentence.get(sentence)
    if (known !== undefined) return known
    const alike = this.ofStems(sentence.content)
    this.#ofSentence.set(sentence, alike)
    return alike
  }
}

export const wantedOf = (
  pieces: ReadonlyArray<{ readonly words: ReadonlyArray<Word>; readonly factor: number }>,
  language: Language,
): Wanted => {
  const wanted = new Map<string, number>()
  for (const { factor, words } of pieces) {
    for (const { folded } of words) {
      const stem = stemIn(folded, language)
      if (stopWords.has(folded) || fillers.has(stem) || /^\d/.test(folded)) continue
      wanted.set(stem, Math.max(wanted.get(stem) ?? 0, Math.min(1, factor)))
    }
  }
  return wanted
}

const sumOf = (numbers: Iterable<number>): number => {
  let sum = 0
  for (const one of numbers) sum += one
  return sum
}

/** Each further sentence counts this share of the one before. */
const decay = 0.6
const maxSentences = 6
/** Above 1: one or two shared words of a long requirement are chance. */
const steepness = 1.3
/** Words that one text can be expected to say of a long requirement. */
const expected = 5
/** Share of the wanted words that a text must at least hold, and two of them; fewer are chance. */
const minMatched = 0.15
/** A sentence that covers less says nothing of the requirement. */
const relevantFrom = 0.1
/** A sentence that is less certain earns nothing. */
const certainFrom = 0.65

export interface Coverage {
  /** From 0 to 1. */
  readonly value: number
  readonly best: ReadonlyArray<{ readonly sentence: Sentence; readonly share: number }>
}

/** Sentences with words that qualify or deny lower the value. */
export const coverageOf = (
  wanted: Wanted,
  sentences: ReadonlyArray<Sentence>,
  worthOf: (sentence: Sentence) => number,
  likeness: Likeness,
): Coverage => {
  const weight = sumOf(wanted.values())
  if (weight === 0) return { value: 0, best: [] }
  const shares: Array<{ readonly sentence: Sentence; readonly share: number }> = []
  let relevant = 0
  let certain = 0
  const matched = new Set<string>()
  for (const sentence of sentences) {
    if (sentence.ignored !== null) continue
    let share = 0
    for (const [stem, alike] of likeness.ofSentence(sentence)) {
      const one = wanted.get(stem)
      if (one === undefined) continue
      share += (one * alike) / weight
      matched.add(stem)
    }
    if (share === 0) continue
    if (share >= relevantFrom) {
      relevant += share
      certain += share * sentence.certainty
    }
    if (sentence.certainty >= certainFrom) {
      shares.push({ sentence, share: share * sentence.certainty * worthOf(sentence) })
    }
  }
  if (matched.size < Math.min(wanted.size, Math.max(2, minMatched * wanted.size))) return { value: 0, best: [] }
  const best: Array<{ readonly sentence: Sentence; readonly share: number }> = []
  for (const one of shares.toSorted(
    (one, other) => other.share - one.share || bySentence(one.sentence, other.sentence),
  )) {
    if (best.length === maxSentences) break
    if (!best.some(({ sentence }) => isSame(sentence, one.sentence))) best.push(one)
  }
  const sum = sumOf(best.map(({ share }, at) => share * decay ** at))
  const reach = sum * Math.max(1, wanted.size / expected)
  const value = (1 - Math.exp(-(reach ** steepness))) * Math.sqrt(relevant === 0 ? 1 : certain / relevant)
  return { value, best }
}

/** "What is a mortgage?" has an answer that a requirement can state; "What did you do?" asks for experience. */
const asksFact =
  /^¿?(?:[^?]{0,40}, ?)?(?:briefly |please )?(?:(?:what|where|when|which|why|who|how|describe|define|explain|name|list|state|was|wo|wann|welche[rsn]?|warum|wer|wie|beschreiben|erkl(?:ä|a)ren|nennen|qu(?:e|el|elle|els|elles|'est-ce)|comment|pourquoi|o(?:ù|u)|d(?:é|e)finissez|expliquez|qu(?:é|e|al|ais)|cu(?:á|a)l|c(?:ó|o)mo|d(?:ó|o)nde|por|onde)(?!\p{L}))/iu
const asksPerson =
  /(?<!\p{L})(?:your|yours|yourself|(?<!can |could )you|you['’]\p{L}+|tell (?:us|me)|sie|ihr\p{L}*|du|dein\p{L}*|vous|votre|vos|tu|ton|usted\p{L}*|su|sus|tus|voc(?:ê|e)|sua?s?)(?!\p{L})/iu

export const isFactual = (question: string | null): question is string =>
  question !== null && asksFact.test(question.trim()) && !asksPerson.test(question)

/** What an answer to a factual question says. */
export interface Statement {
  /** Stems of the question, which earn little. */
  readonly given: ReadonlySet<string>
  readonly said: Alike
  readonly length: number
}

const stemsOf = (words: ReadonlyArray<Word>, language: Language): ReadonlyArray<string> =>
  words.map(({ folded }) => stemIn(folded, language))

export const statementOf = (
  question: string,
  words: ReadonlyArray<Word>,
  language: Language,
  likeness: Likeness,
): Statement => ({
  given: new Set(stemsOf(wordsOf(question), language)),
  said: likeness.ofStems(new Set(stemsOf(words, language))),
  length: words.length,
})

const inQuestion = 0.15
const ofStopWords = 0.15
/** Words of an answer for each wanted word, beyond which it only lists words. */
const maxWordiness = 30

/**
 * How much of a stated answer the candidate's answer says, from 0 to 1. Its words are weighed by the question: what that
 * gives away is worth little.
 */
export const agreementOf = (
  stated: ReadonlyArray<Word>,
  { given, length, said }: Statement,
  language: Language,
): number => {
  const wanted = new Map(
    stated.map(({ folded }) => {
      const stem = stemIn(folded, language)
      return [stem, stopWords.has(folded) ? ofStopWords : given.has(stem) ? inQuestion : 1]
    }),
  )
  if (![...wanted.values()].includes(1)) return 0
  let found = 0
  for (const [stem, weight] of wanted) found += weight * (said.get(stem) ?? 0)
  const brevity = Math.min(1, (maxWordiness * wanted.size) / length)
  return Math.sqrt(found / sumOf(wanted.values())) * brevity
}
