/**
 * Computes how many of a requirement's words a text covers. Words match in any inflection and with typing errors, and
 * count more when one sentence contains several of them. The numbers were calibrated with `npm run bench evaluation`.
 */
import type { Language } from "./Language.ts"
import { diceCoefficient, sameFrom } from "./Repetition.ts"
import { bySentence, type Sentence } from "./Sentence.ts"
import { type Word, wordsOf } from "./Text.ts"
import { stemIn, stopWords } from "./WordLists.ts"

/** A word of a requirement, or alternatives. One of `keys` is enough: stems, or lexicon names after a "=". */
export interface WantedUnit {
  readonly keys: ReadonlyArray<string>
  readonly label: string
  readonly weight: number
  /** A word of the requirement's title. */
  readonly isTitle: boolean
}

export type Wanted = ReadonlyArray<WantedUnit>

const gramsOf = (stem: string): ReadonlySet<string> => {
  const framed = `^${stem}$`
  return new Set(Array.from({ length: framed.length - 2 }, (_, at) => framed.slice(at, at + 3)))
}

/** Shorter stems must match exactly. */
const minFuzzyLength = 4
/** Minimum Dice coefficient of three-letter runs at which two stems match. */
const minLikeness = 0.5

/** By wanted key, its likeness to a stem or text: from `minLikeness` to 1, which means equal. */
type Alike = ReadonlyMap<string, number>

/** Compares stems with the wanted keys. Caches the result of each stem. */
export class Likeness {
  readonly #wanted: ReadonlySet<string>
  readonly #sizes = new Map<string, number>()
  readonly #byGram = new Map<string, Array<string>>()
  readonly #ofStem = new Map<string, Alike>()

  constructor(wanted: Iterable<string>) {
    this.#wanted = new Set(wanted)
    for (const stem of this.#wanted) {
      if (stem.length < minFuzzyLength || stem.startsWith("=")) continue
      const grams = gramsOf(stem)
      this.#sizes.set(stem, grams.size)
      for (const gram of grams) {
        const holders = this.#byGram.get(gram)
        if (holders === undefined) this.#byGram.set(gram, [stem])
        else holders.push(stem)
      }
    }
  }

  /** The first letters must be equal: "count" is not a misspelling of "account". */
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
        if (dice >= minLikeness && wanted[0] === stem[0]) alike.set(wanted, dice)
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

  /** By wanted key, its highest likeness to one of `stems`. */
  ofStems(stems: Iterable<string>): Alike {
    const best = new Map<string, number>()
    for (const stem of stems) {
      for (const [wanted, likeness] of this.ofStem(stem)) {
        if (likeness > (best.get(wanted) ?? 0)) best.set(wanted, likeness)
      }
    }
    return best
  }
}

interface Occurrence {
  readonly sentence: Sentence
  readonly alike: number
}

/** By wanted key, the sentences that contain it or a similar word, and those that deny it. */
export class Occurrences {
  readonly likeness: Likeness
  readonly #affirmed = new Map<string, Array<Occurrence>>()
  readonly #denied = new Map<string, Array<Sentence>>()

  constructor(wanted: Iterable<string>, sentences: ReadonlyArray<Sentence>) {
    const keys = new Set(wanted)
    this.likeness = new Likeness(keys)
    for (const sentence of sentences) {
      for (const [key, alike] of this.likeness.ofStems(sentence.content))
        this.#add(key, { sentence, alike: alike ** 2 })
      for (const name of sentence.names) if (keys.has(`=${name}`)) this.#add(`=${name}`, { sentence, alike: 1 })
      if (sentence.ignored !== null) continue
      for (const stem of sentence.denied) {
        if (!keys.has(stem)) continue
        const known = this.#denied.get(stem)
        if (known === undefined) this.#denied.set(stem, [sentence])
        else known.push(sentence)
      }
    }
  }

  #add(key: string, occurrence: Occurrence): void {
    const known = this.#affirmed.get(key)
    if (known === undefined) this.#affirmed.set(key, [occurrence])
    else known.push(occurrence)
  }

  of(key: string): ReadonlyArray<Occurrence> {
    return this.#affirmed.get(key) ?? []
  }

  denying(key: string): ReadonlyArray<Sentence> {
    return this.#denied.get(key) ?? []
  }
}

const sumOf = (numbers: Iterable<number>): number => {
  let sum = 0
  for (const one of numbers) sum += one
  return sum
}

/** Weight of each further sentence of an answer, and of each further answer, relative to the one before. */
const sentenceDecay = 0.7
const answerDecay = 0.4
const maxSentences = 6
/** Exponent of reach; above 1, because one or two shared words of a long requirement are chance matches. */
const steepness = 1.3
/** Number of a long requirement's words that a text can be expected to contain; minimum of `factorOf`. */
const expected = 5
const minFactor = 1.8
/** Exponent of breadth; below 1, because a text need not contain every word. */
const breadthPower = 0.5
/** Below this share of the wanted words, the value falls. */
const fullFrom = 0.25
/** Below this share or two words, the value is 0, unless the title is named or a sentence has a similar meaning. */
const minMatched = 0.1
/** Share that a sentence of similarity 1 adds, before division by `factorOf`. */
const similarityWeight = 0.35
/** Minimum similarity of a sentence that counts without shared words. */
const minSimilarity = 0.5
/** Minimum share of a sentence that is about the requirement. */
const relevantFrom = 0.1
/** A less certain answer counts only if it is the best one. */
const certainFrom = 0.5
/** Minimum value if a sentence contains the title's main words. */
const minNamed = 0.12
/** Minimum value if that sentence also says what was done. */
const minNamedDone = 0.35

/** Minimum likeness at which a word names a wanted word. */
const sameWord = 0.8

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

/** By wanted unit, its likeness to a word of the sentence. */
type Units = ReadonlyMap<WantedUnit, number>

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

const weighed = (units: Units): number => sumOf([...units].map(([unit, alike]) => unit.weight * alike))

/** By sentence, its similarity to a requirement, above 0 and at most 1. Unrelated sentences are missing. */
export type Similarities = ReadonlyMap<Sentence, number>

const coveringOf = (
  wanted: Wanted,
  weight: number,
  occurrences: Occurrences,
  similarities: Similarities,
): ReadonlyArray<Covering> => {
  const matches = new Map([...similarities.keys()].map((sentence) => [sentence, new Map<WantedUnit, number>()]))
  for (const unit of wanted) {
    for (const { alike, sentence } of unit.keys.flatMap((key) => occurrences.of(key))) {
      if (sentence.ignored !== null) continue
      const units = matches.get(sentence)
      if (units === undefined) matches.set(sentence, new Map([[unit, alike]]))
      else units.set(unit, Math.max(units.get(unit) ?? 0, alike))
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

/** The title's words of the highest weight: without common words, unless it has no others. */
const subjectOf = (wanted: Wanted): Wanted => {
  const title = wanted.filter(({ isTitle }) => isTitle)
  const most = Math.max(...title.map(({ weight }) => weight))
  return title.filter(({ weight }) => weight === most)
}

const names = (units: Units, unit: WantedUnit): boolean => (units.get(unit) ?? 0) >= sameWord

/** Computes the coverage of the wanted words. Sentences that hedge or deny lower its value. */
export const coverageOf = (wanted: Wanted, occurrences: Occurrences, similarities: Similarities): Coverage => {
  const size = wanted.length
  const weight = sumOf(wanted.map((unit) => unit.weight))
  const denied = deniedOf(wanted, weight, occurrences)
  const nothing = { value: 0, best: [], found: new Set<WantedUnit>(), denied, hasSimilar: false }
  if (weight === 0) return nothing
  const all = coveringOf(wanted, weight, occurrences, similarities)
  const found = new Set(all.flatMap(({ units }) => [...units.keys()]))
  const subject = subjectOf(wanted)
  const naming = subject.length === 0 ? [] : all.filter(({ units }) => subject.every((unit) => names(units, unit)))
  const isNamed = naming.length > 0
  const floor = Math.max(
    0,
    ...naming.map((one) => (one.worth === worthDone ? minNamedDone : minNamed) * one.sentence.certainty),
  )
  const hasSimilar = all.some(
    ({ sentence, similarity }) => similarity >= minSimilarity && sentence.answerCertainty >= certainFrom,
  )
  if (!isNamed && !hasSimilar && found.size < Math.min(size, Math.max(2, minMatched * size))) return nothing
  const best = bestOf(all)
  const answers = answersOf(best)
  const reach = sumOf(answers.map((one, at) => one.reach * answerDecay ** at)) * factorOf(wanted)
  const answered = new Set(answers.map(({ question_id }) => question_id))
  const counted = new Map<WantedUnit, number>()
  let meant = 0
  for (const one of all) {
    if (!answered.has(one.sentence.evidence.question_id)) continue
    meant = Math.max(meant, one.similarity)
    for (const [unit, alike] of one.units) counted.set(unit, Math.max(counted.get(unit) ?? 0, alike))
  }
  const covered = weighed(counted) / weight + (similarityWeight * meant) / factorOf(wanted)
  const breadth = Math.min(1, covered / Math.min(1, expected / size)) ** breadthPower
  const enough = Math.max(meant, Math.min(1, counted.size / (fullFrom * size)) ** 2)
  const value = (1 - Math.exp(-(reach ** steepness))) * Math.sqrt(certaintyIn(all)) * breadth * enough
  return { value: Math.max(floor, value), best, found, denied, hasSimilar: hasSimilar && value > 0 }
}

/** "What is a mortgage?" asks for a fact that a requirement can state; "What did you do?" asks for experience. */
const asksFact =
  /^¿?(?:[^?]{0,40}, ?)?(?:briefly |please )?(?:(?:what|where|when|which|why|who|how|describe|define|explain|name|list|state|was|wo|wann|welche[rsn]?|warum|wer|wie|beschreiben|erkl(?:ä|a)ren|nennen|qu(?:e|el|elle|els|elles|'est-ce)|comment|pourquoi|o(?:ù|u)|d(?:é|e)finissez|expliquez|qu(?:é|e|al|ais)|cu(?:á|a)l|c(?:ó|o)mo|d(?:ó|o)nde|por|onde)(?!\p{L}))/iu
const asksPerson =
  /(?<!\p{L})(?:your|yours|yourself|(?<!can |could )you|you['’]\p{L}+|tell (?:us|me)|sie|ihr\p{L}*|du|dein\p{L}*|vous|votre|vos|tu|ton|usted\p{L}*|su|sus|tus|voc(?:ê|e)|sua?s?)(?!\p{L})/iu

/** "Describe a project that went wrong" names no person, but asks for a story. */
const asksExperience =
  /(?<!\p{L})(?:project|experience|career|candidate|applicant|hire|achievement|strengths?|weakness(?:es)?|situation|challenges?|challenging|difficult|hardest|proud\p{L}*|conflict|motivation|motivat\p{L}+|so far|a time|last (?:job|role)|previous|projekt\p{L}*|erfahrung\p{L}*|bewerb\p{L}+|schwierig\p{L}*|stärken|schwächen|projets?|exp(?:é|e)riences?|difficiles?|candidats?|proyectos?|experiencias?|dif(?:í|i)cil\p{L}*|candidat[oa]s?|projetos?|experi(?:ê|e)ncias?)(?!\p{L})/iu

export const isFactual = (question: string | null): question is string =>
  question !== null && asksFact.test(question.trim()) && !asksPerson.test(question) && !asksExperience.test(question)

/** By stem, whether it is a stop word. */
export type Stated = ReadonlyMap<string, boolean>

export const statedOf = (words: ReadonlyArray<Word>, language: Language): Stated =>
  new Map(words.map(({ folded }) => [stemIn(folded, language), stopWords.has(folded)]))

/** The words of an answer to a factual question. */
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
/** Above this number of words per wanted word, the value falls, so that answers cannot list every word. */
const maxWordiness = 30

/**
 * How much of the stated answer the candidate's answer contains, from 0 to 1. Words of the question and stop words weigh
 * little.
 */
export const agreementOf = (stated: Stated, { given, length, said }: Statement): number => {
  let all = 0
  let own = 0
  let found = 0
  for (const [stem, isStopWord] of stated) {
    const weight = isStopWord ? ofStopWords : given.has(stem) ? inQuestion : 1
    all += weight
    own += weight === 1 ? 1 : 0
    found += weight * (said.get(stem) ?? 0)
  }
  if (own === 0) return 0
  const brevity = Math.min(1, (maxWordiness * stated.size) / length)
  return Math.sqrt(found / all) * brevity
}
