/** Splits a requirement into parts with weighted words and comparable facts. */
import type { EvaluationRequirement } from "../Evaluation.ts"
import { isFactual, type Wanted, wantedOf } from "./Coverage.ts"
import { allowsEquivalent, type Rank, requiredRank } from "./facts/Degrees.ts"
import { requiredClasses } from "./facts/Driving.ts"
import { isOfSpeech, type LanguageSkill, languagesOf } from "./facts/Languages.ts"
import { leadsPeople, teamOf } from "./facts/Team.ts"
import { claimsOf } from "./facts/Years.ts"
import type { Language } from "./Language.ts"
import { entryOf } from "./lexicon/Lexicon.ts"
import { sentencesOf, type Term, termsOf, type Word, wordsOf } from "./Text.ts"
import { commonWords, fillers, softWords } from "./WordLists.ts"

/** One of the words is enough: "AWS, Azure or GCP". A weak group counts only beside a strong one. */
export interface WordGroup {
  readonly keys: ReadonlyArray<string>
  readonly label: string
  readonly weight: number
  readonly isWeak: boolean
}

/**
 * `enough`: the weight of full coverage. `isEquivalent`: experience may replace the degree. `isAnyLicence`: one
 * of `licences` is enough.
 */
export interface RequirementPart {
  readonly weight: number
  readonly groups: ReadonlyArray<WordGroup>
  readonly enough: number
  readonly wanted: Wanted
  readonly months: number | null
  readonly team: number | null
  readonly languages: ReadonlyArray<LanguageSkill>
  readonly rank: Rank | null
  readonly isEquivalent: boolean
  readonly classes: ReadonlyArray<string> | null
  readonly licences: ReadonlyArray<string>
  readonly isAnyLicence: boolean
}

/** `isKnown`: texts in another language can match. `isGeneral`: asks only for what every candidate claims. */
export interface Profile {
  readonly id: string
  readonly parts: ReadonlyArray<RequirementPart>
  /** Title, if it is a factual question, and the words of an answer that the requirement may state. */
  readonly question: string | null
  readonly stated: ReadonlyArray<Word>
  readonly isKnown: boolean
  readonly isGeneral: boolean
}

const maxParts = 40
const maxPartsInAll = 600
/** UTF-16 units that are read of each field. */
export const maxRequirementLength = 12_000
const enoughGroups = 5
const fieldWeights = { title: 2, content: 1, hint: 0.4 } as const

const optional =
  /\b(?:nice to have|(?:is|are|be) an? (?:plus|advantage|bonus|asset)|preferred|desirable|ideally|von vorteil|idealerweise|w(?:ü|ue)nschenswert|un atout|souhait|deseable|valorable|desej[aá]vel|diferencial)/i
const advertising =
  /\b(?:equal opportunity|we offer|our benefits|benefits include|salary|compensation range|paid time off|vacation|401\(?k|health insurance|dental|sexual orientation|protected veteran|disabilit|background check|about us|how to apply|apply now|send your|join our|wir bieten|dein gehalt|nous offrons|ofrecemos|oferecemos)\b/i

interface Piece {
  readonly text: string
  readonly words: ReadonlyArray<Word>
  readonly terms: ReadonlyArray<Term>
  readonly factor: number
}

const choices = new Set(["or", "oder", "ou", "o", "such", "eg", "wie", "like", "any", "tel", "como"])

const isLicence = ({ isName, key }: Term): boolean => isName && entryOf(key.slice(1))?.kind === "licence"
const isDeed = ({ isName, key }: Term): boolean => isName && entryOf(key.slice(1))?.kind === "deed"

const weightOf = (term: Term): number => {
  if (isDeed(term)) return 0.5
  if (term.isName) return 1.6
  return commonWords.has(term.key) ? 0.35 : 1
}

const isCommon = (term: Term): boolean => isDeed(term) || commonWords.has(term.key)

const isWanted = (term: Term): boolean => !fillers.has(term.key) && !/^\d/.test(term.key) && !isLicence(term)

const runsOf = ({ terms, text, words }: Piece): ReadonlyArray<ReadonlyArray<Term>> => {
  const runs: Array<Array<Term>> = []
  const connected: Array<boolean> = []
  for (const [index, term] of terms.entries()) {
    const before = terms[index - 1]
    const gap = before === undefined ? [] : words.slice(before.to, term.from)
    const isNext =
      before !== undefined && gap.length <= 2 && before.isName && term.isName && !isDeed(before) && !isDeed(term)
    if (isNext) {
      runs.at(-1)?.push(term)
      const between = text.slice(words[before.to - 1]?.at ?? 0, words[term.from]?.at ?? 0)
      if (/[(/]/.test(between) || gap.some(({ folded }) => choices.has(folded))) connected[runs.length - 1] = true
    } else runs.push([term])
  }
  return runs.flatMap((run, index) => (connected[index] === true ? [run] : run.map((term) => [term])))
}

const groupsOf = (pieces: ReadonlyArray<Piece>, rarity: (key: string) => number): ReadonlyArray<WordGroup> => {
  const seen = new Set<string>()
  const groups: Array<WordGroup> = []
  for (const piece of pieces) {
    const wanted = piece.terms.filter(isWanted)
    // in a title such as "Mentoring" the common word is the subject
    const isMeant = piece.factor > 1 && wanted.every(isCommon)
    for (const run of runsOf(piece)) {
      const fresh = run.filter((term) => isWanted(term) && !seen.has(term.key))
      if (fresh.length === 0 || fresh.length < run.filter(isWanted).length) continue
      for (const { key } of fresh) seen.add(key)
      const weight = Math.max(...fresh.map((term) => weightOf(term) * rarity(term.key))) * piece.factor
      groups.push({
        keys: fresh.map(({ key }) => key),
        label: fresh.map(({ raw }) => raw).join(" or "),
        weight,
        isWeak: !isMeant && fresh.every(isCommon),
      })
    }
  }
  const byWeight = (one: WordGroup, other: WordGroup) =>
    other.weight - one.weight || ((one.keys[0] ?? "") < (other.keys[0] ?? "") ? -1 : 1)
  return groups.toSorted(byWeight)
}

const enoughOf = (groups: ReadonlyArray<WordGroup>): number =>
  groups.slice(0, enoughGroups).reduce((sum, { weight }) => sum + weight, 0) * (groups.length > 2 ? 0.8 : 1)

const partOf = (
  pieces: ReadonlyArray<Piece>,
  weight: number,
  rarity: (key: string) => number,
  language: Language,
): RequirementPart => {
  const spoken = pieces.flatMap(({ text, words }) => (isOfSpeech(words) ? languagesOf(text, words) : []))
  const months = pieces.flatMap(({ text, words }) => claimsOf(text, words).map((claim) => claim.months))
  const teams = pieces.flatMap(({ words }) => teamOf(words) ?? [])
  const ranks = pieces.flatMap(({ words }) => requiredRank(words) ?? [])
  const classes = pieces.flatMap(({ words }) => requiredClasses(words) ?? [])
  const all = groupsOf(pieces, rarity)
  const groups =
    spoken.length > 0 || classes.length > 0
      ? all.filter(({ isWeak, keys }) => !isWeak && keys[0]?.startsWith("=") && keys[0] !== "=driving")
      : all
  return {
    weight,
    groups,
    enough: enoughOf(groups),
    wanted: wantedOf(pieces, language),
    months: months.length === 0 ? null : Math.max(...months),
    team: teams.length === 0 || !pieces.some(({ words }) => leadsPeople(words)) ? null : Math.min(...teams),
    languages: spoken.filter(({ language }, index) => spoken.findIndex((one) => one.language === language) === index),
    rank: ranks.length === 0 ? null : (Math.min(...ranks) as Rank),
    isEquivalent: pieces.some(({ words }) => allowsEquivalent(words)),
    classes: classes.length === 0 ? null : classes,
    licences: [...new Set(pieces.flatMap(({ terms }) => terms.filter(isLicence).map(({ key }) => key)))],
    isAnyLicence: pieces.some(({ text, words }) => /\//.test(text) || words.some(({ folded }) => choices.has(folded))),
  }
}

const isTyped = ({ classes, languages, licences, months, rank, team }: RequirementPart): boolean =>
  classes !== null || languages.length > 0 || licences.length > 0 || months !== null || rank !== null || team !== null

const asks = (part: RequirementPart): boolean => part.groups.length > 0 || isTyped(part)

const isSoft = (part: RequirementPart): boolean =>
  !isTyped(part) && part.groups.every(({ isWeak, keys }) => isWeak || keys.every((key) => softWords.has(key)))

const isGeneral = (part: RequirementPart): boolean =>
  !isTyped(part) && part.groups.every(({ keys }) => keys.every((key) => softWords.has(key) || commonWords.has(key)))

const pieceOf = (text: string, factor: number, language: Language): Piece => {
  const words = wordsOf(text)
  return { text, words, terms: termsOf(words, language), factor }
}

interface Read {
  readonly id: string
  readonly title: ReadonlyArray<Piece>
  readonly content: ReadonlyArray<Piece>
  readonly hint: ReadonlyArray<Piece>
}

const read = (requirement: EvaluationRequirement, language: Language): Read => {
  const piecesOf = (piece: keyof typeof fieldWeights) =>
    sentencesOf((requirement[piece] ?? "").slice(0, maxRequirementLength)).map((text) =>
      pieceOf(text, fieldWeights[piece], language),
    )
  return { id: requirement.id, title: piecesOf("title"), content: piecesOf("content"), hint: piecesOf("hint") }
}

/** Up to three sentences are one part. Longer requirements have a part per sentence, without advertising. */
const partsOf = (
  { content, hint, title }: Read,
  rarity: (key: string) => number,
  max: number,
  language: Language,
): ReadonlyArray<RequirementPart> => {
  if (content.length + title.length <= 3)
    return [partOf([...title, ...content, ...hint], 1, rarity, language)].filter(asks)
  const heads = title.map((one) => partOf([one], 1.5, rarity, language)).filter(asks)
  const head = heads[0]
  const useful = content.filter(({ text }) => !advertising.test(text))
  const rest = useful.slice(0, max).map((one) => {
    const part = partOf([one], optional.test(one.text) ? 0.4 : 1, rarity, language)
    const weighted = isSoft(part) ? { ...part, weight: part.weight * 0.35 } : part
    const isBare = part.months !== null && part.groups.length === 0
    return isBare && head !== undefined
      ? { ...weighted, groups: head.groups, wanted: head.wanted, enough: head.enough }
      : weighted
  })
  return [...heads, ...rest].filter(asks)
}

/** A word that several requirements share weighs less, down to half. */
export const profilesOf = (
  requirements: ReadonlyArray<EvaluationRequirement>,
  language: Language,
): ReadonlyArray<Profile> => {
  const all = requirements.map((requirement) => read(requirement, language))
  const holding = new Map<string, number>()
  for (const { content, hint, title } of all) {
    const keys = new Set([...title, ...content, ...hint].flatMap(({ terms }) => terms.map(({ key }) => key)))
    for (const key of keys) holding.set(key, (holding.get(key) ?? 0) + 1)
  }
  const scale = 2 * Math.log(requirements.length + 1)
  const rarity = (key: string) => 1 - Math.log(holding.get(key) ?? 1) / scale
  const max = Math.max(3, Math.min(maxParts, Math.floor(maxPartsInAll / Math.max(1, requirements.length))))
  return all.map((one) => {
    const parts = partsOf(one, rarity, max, language)
    const isKnown = parts.some((part) => isTyped(part) || part.groups.some(({ keys }) => keys[0]?.startsWith("=")))
    const question = one.title.map(({ text }) => text).join(" ")
    const answer = isFactual(question) ? one.content : [...one.title, ...one.content]
    return {
      id: one.id,
      parts,
      question: isFactual(question) ? question : null,
      stated: parts.some(isTyped) ? [] : answer.flatMap(({ words }) => words),
      isKnown,
      isGeneral: parts.every(isGeneral),
    }
  })
}
