/** Finds spoken languages with their level, by CEFR levels and words in five languages. */
import { claimWords } from "../lexicon/claims.ts"
import { spokenLanguages, spokenLevels } from "../lexicon/spoken.ts"
import { justAfter, justBefore } from "../Nearby.ts"
import type { Word } from "../Text.ts"
import { numbersByWord, words as wordSet } from "../WordLists.ts"

/**
 * `level` is 1 (A1) to 6 (C2), 7 for a mother tongue; null: not stated. `below`: the level that is not reached.
 * `at` is a word index.
 */
export interface LanguageSkill {
  readonly language: string
  readonly level: number | null
  readonly below: number | null
  readonly at: number
}

const names = new Map(
  spokenLanguages
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [name = "", ...others] = line.split(" ")
      return [name.toLowerCase(), ...others].map((word): [string, string] => [word, name])
    }),
)
const levels = numbersByWord(spokenLevels)

const isExact = (word: string): boolean => /^[abc][12]$/.test(word)

const belowLevel = wordSet(claimWords.belowLevel)
const almost = wordSet(claimWords.almost)
const required = wordSet(claimWords.required)
const clauseEnds = wordSet("but aber mais pero mas i ich je")
const belowEnds = new Set([...clauseEnds, ...wordSet("only just merely nur seulement solo apenas")])

/** "Not yet at C1". "Not only C1" denies nothing. */
const isBelow = (words: ReadonlyArray<Word>, at: number): boolean => justBefore(words, at, 4, belowLevel, belowEnds)

/** "C1 is required", "they require C1". */
const isRequired = (words: ReadonlyArray<Word>, at: number): boolean =>
  justAfter(words, at, 3, required, clauseEnds) || justBefore(words, at, 4, required, clauseEnds)

/** The end of "from B1 to C1" is held. */
const isLeft = (words: ReadonlyArray<Word>, at: number): boolean =>
  /^(?:from|von|de|desde)$/.test(words[at - 1]?.folded ?? "") &&
  /^(?:to|auf|a|ate)$/.test(words[at + 1]?.folded ?? "") &&
  levels.has(words[at + 2]?.folded ?? "")

type Level = Pick<LanguageSkill, "level" | "below">

/** `isOfRequirement`: a required level counts. */
const levelsFrom =
  (words: ReadonlyArray<Word>, isOfRequirement: boolean) =>
  (from: number, to: number): Level | null => {
    let best: number | null = null
    let below: number | null = null
    for (let at = from; at < to; at += 1) {
      const folded = words[at]?.folded ?? ""
      const named = levels.get(folded)
      if (named === undefined) continue
      const level = almost.has(words[at - 1]?.folded ?? "") ? named - 1 : named
      if (!isOfRequirement) {
        if (isRequired(words, at) || isLeft(words, at)) continue
        if (isBelow(words, at)) {
          below = Math.min(below ?? level, level)
          continue
        }
      }
      // a CEFR level takes precedence over words for levels
      if (isExact(folded)) return { level, below: null }
      best = Math.max(best ?? 0, level)
    }
    if (below !== null && (best === null || best >= below)) return { level: null, below }
    return best === null ? null : { level: best, below: null }
  }

const reach = 5
/** From a level that is required or not reached to the one that is held. */
const farReach = 12

/**
 * Takes the level after the language up to the comma, else the one before the language, else that of the previous
 * language ("fluent German and French"), else the one after the comma. Leaves out a language whose level is only required.
 */
export const languagesOf = (
  text: string,
  words: ReadonlyArray<Word>,
  isOfRequirement: boolean,
): ReadonlyArray<LanguageSkill> => {
  const parts = (from: number, to: number): boolean => {
    const one = words[from]
    const other = words[to]
    return one !== undefined && other !== undefined && /[,;|•·]/.test(text.slice(one.at + one.raw.length, other.at))
  }
  const levelIn = levelsFrom(words, isOfRequirement)
  const mentions = words.flatMap(({ folded }, at) => (names.has(folded) ? [at] : []))
  const found: Array<LanguageSkill> = []
  for (const [index, at] of mentions.entries()) {
    const next = mentions[index + 1] ?? words.length
    const limit = Math.min(next, at + 1 + reach)
    let near = at + 1
    while (near < limit && !parts(near - 1, near)) near += 1
    let first = at
    const bound = Math.max((mentions[index - 1] ?? -1) + 1, at - reach)
    while (first > bound && !parts(first - 1, first)) first -= 1
    const before = found.at(-1)
    const shared = before !== undefined && before.level !== null && bound === at - 1 ? before : null
    const isAsked =
      !isOfRequirement &&
      words.slice(first, limit).some(({ folded }, offset) => levels.has(folded) && isRequired(words, first + offset))
    const own = levelIn(at + 1, near) ?? levelIn(first, at) ?? shared ?? levelIn(near, limit)
    const far = isAsked || own?.level === null ? levelIn(limit, Math.min(next, at + 1 + farReach)) : null
    const { below, level } = (far !== null && far.level !== null ? far : own) ?? { level: null, below: null }
    if (isAsked && level === null && below === null) continue
    found.push({ language: names.get(words[at]?.folded ?? "") ?? "", level, below, at })
  }
  return found
}

const speech = wordSet(
  "language languages tongue speak speaks spoken speaking fluent native written verbal oral writing sprache sprachen sprachkenntnisse spreche langue langues parle idioma idiomas lengua hablo hablado falo falado skills kenntnisse",
)

/** False for "German cuisine", which is not about speaking. */
export const isOfSpeech = (words: ReadonlyArray<Word>): boolean => {
  const own = words.filter(({ folded }) => !names.has(folded))
  return (
    words.length - own.length >= 2 ||
    own.length <= 1 ||
    own.some(
      ({ folded }) =>
        speech.has(folded) || (levels.has(folded) && !/^(?:good|strong|business|working|mother)$/.test(folded)),
    )
  )
}

const levelNames = ["", "A1", "A2", "B1", "B2", "C1", "C2", "mother tongue"]

export const nameOfLevel = (level: number): string => levelNames[level] ?? ""
