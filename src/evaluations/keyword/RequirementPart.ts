/** Splits a requirement into parts with weighted words and comparable facts. */
import type { EvaluationRequirement } from "../Evaluation.ts"
import type { Wanted, WantedUnit } from "./Coverage.ts"
import { allowsEquivalent, type Rank, requiredRank } from "./facts/Degrees.ts"
import { requiredClasses } from "./facts/Driving.ts"
import { isOfSpeech, type LanguageSkill, languagesOf } from "./facts/Languages.ts"
import { leadsPeople, teamOf } from "./facts/Team.ts"
import { claimsOf } from "./facts/Years.ts"
import type { Language } from "./Language.ts"
import { entryOf, homonyms } from "./lexicon/Lexicon.ts"
import { isFactual, isStatement, type Stated, statedOf } from "./Statement.ts"
import { contentStem, type Mention, mentionsIn, sentencesOf, type Word, wordsOf } from "./Text.ts"
import { commonWords, softWords } from "./WordLists.ts"

/** `text` is embedded. `isEquivalent`: experience may replace the degree. `isAnyLicence`: one of `licences` is enough. */
export interface RequirementPart {
  readonly weight: number
  readonly text: string
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

/** `isKnown`: texts in another language can match. `isGeneral`: asks only for qualities that every candidate claims. */
export interface Profile {
  readonly id: string
  readonly parts: ReadonlyArray<RequirementPart>
  /** The title, if it is a factual question. */
  readonly question: string | null
  /** The words of the answer that the requirement may state. */
  readonly stated: Stated
  readonly isStatement: boolean
  readonly isKnown: boolean
  readonly isGeneral: boolean
}

const maxParts = 40
const maxPartsInAll = 600
/** UTF-16 units that are read of each field. */
export const maxRequirementLength = 12_000
const commonWeight = 0.35
const fieldWeights = { title: 1.5, content: 1, hint: 0.4 } as const

const optional =
  /\b(?:nice to have|(?:is|are|be) an? (?:plus|advantage|bonus|asset)|preferred|desirable|ideally|von vorteil|idealerweise|w(?:ü|ue)nschenswert|un atout|souhait|deseable|valorable|desej[aá]vel|diferencial)/i
const advertising =
  /\b(?:equal opportunity|we offer|our benefits|benefits include|salary|compensation range|paid time off|vacation|401\(?k|health insurance|dental|sexual orientation|protected veteran|disabilit|background check|about us|how to apply|apply now|send your|join our|wir bieten|dein gehalt|nous offrons|ofrecemos|oferecemos)\b/i

interface Piece {
  readonly text: string
  readonly words: ReadonlyArray<Word>
  readonly names: ReadonlyArray<Mention>
  readonly factor: number
}

const choices = new Set(["or", "oder", "ou", "o", "such", "eg", "wie", "like", "any", "tel", "como"])

const isLicence = ({ name }: Mention): boolean => entryOf(name)?.kind === "licence"

/** Drops names within longer ones: for a requirement of Google Cloud, another cloud does not count. */
const namesOf = (words: ReadonlyArray<Word>): ReadonlyArray<Mention> => {
  const all = mentionsIn(words)
  return all.filter(
    (one) =>
      !all.some(
        (other) =>
          other !== one && other.from <= one.from && other.to >= one.to && other.to - other.from > one.to - one.from,
      ),
  )
}

const alternatives = new Set(["or", "oder", "ou", "o"])

const similar = new Set(
  "similar equivalent comparable another other vergleichbar vergleichbare vergleichbares aehnliche aehnliches similaire comparable similares equivalente".split(
    " ",
  ),
)

/** The index of a choice's last word. In "Zendesk or a similar ticket system", that is the last word of all. */
const lastChoice = (words: ReadonlyArray<Word>, at: number): number => {
  if (!words.slice(at + 1, at + 3).some(({ folded }) => similar.has(folded))) return at + 1
  const pause = words.findIndex((word, index) => index > at + 1 && word.pause)
  return (pause === -1 ? words.length : pause) - 1
}

/** For each word, the position of the first alternative of its choice: 0 for each of "AWS, Azure or GCP". */
const choicesOf = (words: ReadonlyArray<Word>, text: string): ReadonlyArray<number> => {
  const first = words.map((_, at) => at)
  for (const [at, { folded }] of words.entries()) {
    if (alternatives.has(folded) && at > 0 && at + 1 < words.length) {
      let from = at - 1
      while (from > 0 && words[from]?.pause === true) from -= 1
      for (let one = from; one <= lastChoice(words, at); one += 1) first[one] = from
    }
    const before = words[at - 1]
    if (before !== undefined && text.slice(before.at + before.raw.length, words[at]?.at) === "/")
      first[at] = first[at - 1] ?? at
  }
  return first
}

const weightOf = (stem: string): number => (commonWords.has(stem) ? commonWeight : 1)

const wantedOf = (pieces: ReadonlyArray<Piece>, language: Language): Wanted => {
  const units = new Map<string, WantedUnit>()
  for (const { factor, names, text, words } of pieces) {
    const first = choicesOf(words, text)
    const byChoice = Map.groupBy(words.entries(), ([at]) => first[at] ?? at)
    for (const group of byChoice.values()) {
      const keys = new Set<string>()
      const labels: Array<string> = []
      let weight = 0
      for (const [at, word] of group) {
        const covering = names.filter(({ from, to }) => from <= at && at < to)
        const stem = contentStem(word, language)
        if ((stem === null && covering.length === 0) || /^\d/.test(word.folded) || covering.some(isLicence)) continue
        if (stem !== null && (covering.length === 0 || !homonyms.has(word.folded))) keys.add(stem)
        for (const { name } of covering) keys.add(`=${name}`)
        labels.push(word.raw)
        weight = Math.max(weight, weightOf(stem ?? "") * factor)
      }
      const id = [...keys].toSorted().join(" ")
      if (keys.size > 0 && !units.has(id))
        units.set(id, { keys: [...keys], label: labels.join(" or "), weight, isTitle: factor === fieldWeights.title })
    }
  }
  return [...units.values()]
}

const partOf = (pieces: ReadonlyArray<Piece>, weight: number, language: Language): RequirementPart => {
  const spoken = pieces.flatMap(({ text, words }) => (isOfSpeech(words) ? languagesOf(text, words, true) : []))
  const months = pieces.flatMap(({ text, words }) => claimsOf(text, words).map((claim) => claim.months))
  const teams = pieces.flatMap(({ words }) => teamOf(words) ?? [])
  const ranks = pieces.flatMap(({ words }) => requiredRank(words) ?? [])
  const classes = pieces.flatMap(({ words }) => requiredClasses(words) ?? [])
  const all = wantedOf(pieces, language)
  return {
    weight,
    text: pieces.flatMap(({ factor, text }) => (factor < 1 ? [] : [text])).join(" "),
    wanted:
      spoken.length > 0 || classes.length > 0
        ? all.filter(({ keys }) => keys.some((key) => key.startsWith("=") && key !== "=driving"))
        : all,
    months: months.length === 0 ? null : Math.max(...months),
    team: teams.length === 0 || !pieces.some(({ words }) => leadsPeople(words)) ? null : Math.min(...teams),
    languages: spoken.filter((one, index) => spoken.findIndex((other) => other.language === one.language) === index),
    rank: ranks.length === 0 ? null : (Math.min(...ranks) as Rank),
    isEquivalent: pieces.some(({ words }) => allowsEquivalent(words)),
    classes: classes.length === 0 ? null : classes,
    licences: [...new Set(pieces.flatMap(({ names }) => names.filter(isLicence).map(({ name }) => name)))],
    isAnyLicence: pieces.some(({ text, words }) => /\//.test(text) || words.some(({ folded }) => choices.has(folded))),
  }
}

const isTyped = ({ classes, languages, licences, months, rank, team }: RequirementPart): boolean =>
  classes !== null || languages.length > 0 || licences.length > 0 || months !== null || rank !== null || team !== null

/** True if texts in any language can match. Years and people led count only beside the words that they are about. */
const isReadInAll = (part: RequirementPart): boolean =>
  isTyped({ ...part, months: null, team: null }) || (part.wanted.length === 0 && isTyped(part))

const asks = (part: RequirementPart): boolean => part.wanted.length > 0 || isTyped(part)

/** True if it asks only for qualities that every candidate claims, such as teamwork. */
export const isSoftWanted = (wanted: Wanted): boolean =>
  wanted.every(({ keys }) => keys.some((key) => softWords.has(key) || commonWords.has(key)))

const isSoft = (part: RequirementPart): boolean => !isTyped(part) && isSoftWanted(part.wanted)

const pieceOf = (text: string, factor: number): Piece => {
  const words = wordsOf(text)
  return { text, words, names: namesOf(words), factor }
}

export const wantedIn = (text: string, language: Language): Wanted => wantedOf([pieceOf(text, 1)], language)

interface Read {
  readonly id: string
  readonly title: ReadonlyArray<Piece>
  readonly content: ReadonlyArray<Piece>
  readonly hint: ReadonlyArray<Piece>
}

const read = (requirement: EvaluationRequirement): Read => {
  const piecesOf = (piece: keyof typeof fieldWeights) =>
    sentencesOf((requirement[piece] ?? "").slice(0, maxRequirementLength)).map((text) =>
      pieceOf(text, fieldWeights[piece]),
    )
  return { id: requirement.id, title: piecesOf("title"), content: piecesOf("content"), hint: piecesOf("hint") }
}

/** Up to three sentences are one part. Longer requirements have a part per sentence, without advertising. */
const partsOf = ({ content, hint, title }: Read, max: number, language: Language): ReadonlyArray<RequirementPart> => {
  if (content.length + title.length <= 3) return [partOf([...title, ...content, ...hint], 1, language)].filter(asks)
  const heads = title.map((one) => partOf([one], 1.5, language)).filter(asks)
  const head = heads[0]
  const useful = content.filter(({ text }) => !advertising.test(text))
  const rest = useful.slice(0, max).map((one) => {
    const part = partOf([one], optional.test(one.text) ? 0.4 : 1, language)
    const weighted = isSoft(part) ? { ...part, weight: part.weight * 0.35 } : part
    const isBare = part.months !== null && part.wanted.length === 0
    return isBare && head !== undefined ? { ...weighted, wanted: head.wanted } : weighted
  })
  return [...heads, ...rest].filter(asks)
}

export const profilesOf = (
  requirements: ReadonlyArray<EvaluationRequirement>,
  language: Language,
): ReadonlyArray<Profile> => {
  const max = Math.max(3, Math.min(maxParts, Math.floor(maxPartsInAll / Math.max(1, requirements.length))))
  return requirements.map(read).map((one) => {
    const parts = partsOf(one, max, language)
    const question = one.title.map(({ text }) => text).join(" ")
    const answer = isFactual(question) ? one.content : [...one.title, ...one.content]
    return {
      id: one.id,
      parts,
      question: isFactual(question) ? question : null,
      isStatement: one.title.length === 0 && one.content.some(({ text }) => isStatement(text)),
      stated: statedOf(parts.some(isTyped) ? [] : answer.flatMap(({ words }) => words), language),
      isKnown: parts.some(
        (part) => isReadInAll(part) || part.wanted.some(({ keys }) => keys.some((key) => key.startsWith("="))),
      ),
      isGeneral: parts.every(isSoft),
    }
  })
}
