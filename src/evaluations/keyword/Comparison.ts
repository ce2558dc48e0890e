/** Compares the facts of a requirement with the candidate's. */
import { type Coverage, type Occurrences, sumOf, worthChance, worthNamed } from "./Coverage.ts"
import { nameOfRank } from "./facts/Degrees.ts"
import { nameOfLevel } from "./facts/Languages.ts"
import { unionOf } from "./facts/Years.ts"
import type { Language } from "./Language.ts"
import type { RequirementPart } from "./RequirementPart.ts"
import type { Sentence } from "./Sentence.ts"
import { contentStem, mentionsIn, type Word } from "./Text.ts"

/** `value` is from 0 to 1. */
export interface Comparison {
  readonly value: number
  readonly weight: number
  /** Maximum value of the whole part. */
  readonly max?: number
  readonly note: string
  readonly sentences: ReadonlyArray<Sentence>
}

const credible = (sentences: ReadonlyArray<Sentence>) => sentences.filter(({ ignored }) => ignored === null)

const yearsText = (months: number): string => {
  const years = Math.round(months / 1.2) / 10
  return `${years} ${years === 1 ? "year" : "years"}`
}

const largestOf = (values: ReadonlyArray<number>): number => values.reduce((one, other) => Math.max(one, other), 0)

type IsWanted = (word: Word) => boolean

/** Of several claims, takes the one nearest to a wanted word, or the longest one if `isWanted` is null. */
const claimedFor = ({ facts, words }: Sentence, isWanted: IsWanted | null): number => {
  const claims = facts.claims.filter(({ isFurther }) => !isFurther)
  if (isWanted === null || facts.claims.length === 1) return largestOf(claims.map(({ months }) => months))
  let best = 0
  let distance = Number.POSITIVE_INFINITY
  for (const [at, word] of words.entries()) {
    if (!isWanted(word)) continue
    for (const claim of claims) {
      // "2 years of X" is nearer than "X, 2 years"
      const gap = at > claim.at ? at - claim.at : (claim.at - at) * 1.5
      if (gap < distance) [best, distance] = [claim.months, gap]
    }
  }
  return best
}

const ofWords = /^(?:of|in|with|using|mit|von|de|d|en|em|com|avec)$/

/** Without "then 3 years of Python" where another subject is wanted. */
const furtherMonths = ({ facts, words }: Sentence, isWanted: IsWanted | null): ReadonlyArray<number> =>
  facts.claims.flatMap(({ end, isFurther, months }) => {
    const isOther =
      isWanted !== null && ofWords.test(words[end + 1]?.folded ?? "") && !words.slice(end + 2, end + 5).some(isWanted)
    return isFurther && !isOther ? [months] : []
  })

const monthsOf = (
  { wanted }: RequirementPart,
  supporting: ReadonlyArray<Sentence>,
  all: ReadonlyArray<Sentence>,
  language: Language,
) => {
  const isBare = wanted.length === 0
  const about = isBare ? credible(all) : supporting
  const keys = new Set(wanted.flatMap((unit) => unit.keys))
  const isNamed = (word: Word) =>
    keys.has(contentStem(word, language) ?? "") || mentionsIn([word]).some(({ name }) => keys.has(`=${name}`))
  const isWanted = isBare ? null : isNamed
  const claims = about.filter(({ facts }) => facts.claims.length > 0)
  const claimed =
    largestOf(claims.map((one) => claimedFor(one, isWanted))) +
    sumOf(claims.flatMap((one) => furtherMonths(one, isWanted)))
  const dated = unionOf(about.flatMap(({ period }) => period))
  return {
    months: Math.max(claimed, dated),
    sentences: claimed > dated ? claims : about.filter(({ isDated }) => isDated),
  }
}

const capFrom = (ratio: number): number => (ratio >= 0.8 ? 0.57 : ratio >= 0.4 ? 0.48 : ratio >= 0.2 ? 0.3 : 0.2)

export const withYears = (
  part: RequirementPart,
  { best, value: support }: Coverage,
  all: ReadonlyArray<Sentence>,
  language: Language,
): Comparison => {
  const asked = part.months ?? 0
  const { months, sentences } = monthsOf(
    part,
    best.map(({ sentence }) => sentence),
    all,
    language,
  )
  const isBare = part.wanted.length === 0
  const hasBase = isBare || support > worthChance
  const note =
    months > 0
      ? `${yearsText(months)} stated, ${yearsText(asked)} required.`
      : `No length of time is stated; ${yearsText(asked)} required.`
  if (!hasBase) return { value: 0, weight: 1, note: "", sentences: [] }
  if (months === 0) return { value: isBare ? 0 : Math.min(support, 0.57), weight: 1, note, sentences }
  const ratio = months / asked
  // a job that only names a skill does not prove years of using it
  const isDone = isBare || best.some(({ worth }) => worth > worthNamed)
  if (ratio >= 0.98 && !isDone) return { value: Math.max(support, 0.4), weight: 1, note, sentences }
  if (ratio >= 0.98)
    return { value: isBare ? 1 : Math.min(1, Math.max(support, 0.62) + 0.12), weight: 1, note, sentences }
  return {
    value: Math.min(isBare ? 1 : Math.max(support, isDone ? 0.35 : 0), capFrom(ratio)),
    weight: 1,
    note,
    sentences,
  }
}

const teamOf = ({ team }: RequirementPart, all: ReadonlyArray<Sentence>): ReadonlyArray<Comparison> => {
  if (team === null) return []
  const leading = credible(all).filter(({ facts }) => facts.team !== null)
  const largest = largestOf(leading.map(({ facts }) => facts.team ?? 0))
  const sentences = leading.filter(({ facts }) => facts.team === largest)
  const value = largest >= team ? 1 : largest >= 0.5 * team ? 0.5 : largest > 0 ? 0.2 : 0
  const note =
    largest > 0 ? `Led ${largest}, ${team} required.` : `No number of people led is stated; ${team} required.`
  return [{ value, weight: 1.5, ...(value < 0.5 && largest > 0 ? { max: 0.3 } : {}), note, sentences }]
}

const levelValue = (found: number | null, asked: number): number => {
  if (found === null) return 0.45
  if (found >= asked) return 1
  return [1, 0.5, 0.2][Math.ceil(asked - found)] ?? 0.1
}

/** Value of a language whose required level the candidate denies. */
const notReached = 0.15

const ordinaryLevel = 4

const languagesOf = (
  { languages }: RequirementPart,
  all: ReadonlyArray<Sentence>,
  written: ReadonlyMap<string, Sentence>,
): ReadonlyArray<Comparison> =>
  languages.map(({ language, level }) => {
    const asked = level ?? ordinaryLevel
    const found = credible(all).flatMap((sentence) =>
      sentence.facts.languages
        .filter((one) => one.language === language)
        .map((one) => ({
          sentence,
          level: one.level,
          below: one.below,
          value: one.below !== null && asked >= one.below ? notReached : levelValue(one.level, asked),
        })),
    )
    const stated = found.filter((one) => one.level !== null || one.below !== null)
    const best = (stated.length > 0 ? stated : found).toSorted((one, other) => other.value - one.value)[0]
    const text = written.get(language)
    if (best === undefined && text !== undefined) {
      return { value: 0.3, weight: 1, note: `The text itself is written in ${language}.`, sentences: [text] }
    }
    const name =
      best === undefined
        ? "not found"
        : best.below !== null
          ? `below ${nameOfLevel(best.below)}`
          : best.level === null
            ? "no level stated"
            : `${nameOfLevel(best.level)} stated`
    const note = `${language}: ${name}, ${nameOfLevel(asked)} required.`
    return { value: best?.value ?? 0, weight: 1, note, sentences: best === undefined ? [] : [best.sentence] }
  })

const classesOf = ({ classes }: RequirementPart, all: ReadonlyArray<Sentence>): ReadonlyArray<Comparison> => {
  if (classes === null) return []
  const holders = credible(all).filter(({ facts }) => facts.classes !== null)
  const held = new Set(holders.flatMap(({ facts }) => [...(facts.classes ?? [])]))
  const value = classes.every((one) => held.has(one)) ? 1 : held.size > 0 ? 0.15 : 0
  const list = (names: ReadonlyArray<string>) => names.join(", ").toUpperCase()
  const note = `Driving licence: ${held.size === 0 ? "not found" : `${list([...held].toSorted())} stated`}, ${list(classes)} required.`
  return [{ value, weight: 1, note, sentences: holders }]
}

const licencesOf = (
  { isAnyLicence, licences }: RequirementPart,
  all: ReadonlyArray<Sentence>,
): ReadonlyArray<Comparison> => {
  if (licences.length === 0) return []
  const holders = licences.map((key) => credible(all).filter(({ names }) => names.has(key)))
  const values = holders.map((sentences): number =>
    sentences.some(({ facts }) => !facts.isUnfinished) ? 1 : sentences.length > 0 ? 0.25 : 0,
  )
  const value = isAnyLicence ? largestOf(values) : sumOf(values) / values.length
  const note =
    value === 1
      ? "The certificate is stated."
      : value >= 0.5
        ? "Some of the certificates are stated."
        : value > 0
          ? "The certificate is not finished, or not all are stated."
          : "The certificate is not found."
  return [{ value, weight: 1, note, sentences: [...new Set(holders.flat())] }]
}

const otherField = 0.15

/** A degree counts in full only in a field that the requirement asks for. */
const degreeOf = (
  { rank, wanted }: RequirementPart,
  all: ReadonlyArray<Sentence>,
  occurrences: Occurrences,
): ReadonlyArray<Comparison> => {
  if (rank === null) return []
  const ofField = new Set(wanted.flatMap(({ keys }) => keys.flatMap((key) => occurrences.of(key))))
  const found = credible(all).flatMap((sentence) => {
    const highest = sentence.facts.ranks[0]
    if (highest === undefined) return []
    const short = rank - highest + (sentence.facts.isUnfinished ? 1 : 0)
    const base = short <= 0 ? 1 : ([1, 0.5, 0.3, 0.2][short] ?? 0.15)
    const isField = wanted.length === 0 || rank === 1 || ofField.has(sentence)
    return [{ sentence, highest, isField, value: isField ? base : Math.min(base, otherField) }]
  })
  const best = found.toSorted((one, other) => other.value - one.value)[0]
  const stated =
    best === undefined ? "not found" : `${nameOfRank(best.highest)} stated${best.isField ? "" : ", in another field"}`
  const note = `Degree: ${stated}, ${nameOfRank(rank)} required.`
  return [{ value: best?.value ?? 0, weight: 1.5, note, sentences: best === undefined ? [] : [best.sentence] }]
}

export const comparisonsOf = (
  part: RequirementPart,
  all: ReadonlyArray<Sentence>,
  written: ReadonlyMap<string, Sentence>,
  occurrences: Occurrences,
): ReadonlyArray<Comparison> => [
  ...teamOf(part, all),
  ...languagesOf(part, all, written),
  ...classesOf(part, all),
  ...licencesOf(part, all),
  ...degreeOf(part, all, occurrences),
]
