/** Finds spoken languages with their level, by CEFR levels and words in five languages. */
import type { Word } from "../Text.ts"
import { words as wordSet } from "../WordLists.ts"

/** `level` is 1 (A1) to 6 (C2), 7 for a mother tongue; null: not stated. `at` is a word index. */
export interface LanguageSkill {
  readonly language: string
  readonly level: number | null
  readonly at: number
}

const names = new Map(
  [
    "English englisch anglais ingles",
    "German deutsch allemand aleman alemao",
    "French franzoesisch francais frances",
    "Spanish spanisch espagnol espanol castellano espanhol",
    "Portuguese portugiesisch portugais portugues",
    "Italian italienisch italien italiano",
    "Dutch niederlaendisch neerlandais neerlandes holandes",
    "Polish polnisch polonais polaco polones",
    "Russian russisch russe ruso russo",
    "Turkish tuerkisch turc turco",
    "Arabic arabisch arabe",
    "Chinese mandarin cantonese chinesisch chinois chino chines",
    "Japanese japanisch japonais japones",
    "Korean koreanisch coreen coreano",
    "Vietnamese vietnamesisch vietnamien vietnamita",
    "Hindi",
    "Urdu",
    "Bengali",
    "Tamil",
    "Tagalog",
    "Thai",
    "Swahili",
    "Persian farsi",
    "Ukrainian ukrainisch ukrainien ucraniano",
    "Romanian rumaenisch roumain rumano romeno",
    "Greek griechisch grec griego grego",
    "Swedish schwedisch suedois sueco",
    "Danish daenisch danois danes",
    "Norwegian norwegisch norvegien noruego",
    "Finnish finnisch finnois finlandes",
    "Czech tschechisch tcheque checo tcheco",
    "Hungarian ungarisch hongrois hungaro",
    "Hebrew hebraeisch hebreu hebreo",
    "Catalan katalanisch",
    "Serbian serbisch",
    "Croatian kroatisch",
    "Bulgarian bulgarisch",
  ].flatMap((line) => {
    const [name = "", ...others] = line.split(" ")
    return [name.toLowerCase(), ...others].map((word): [string, string] => [word, name])
  }),
)

const levels = new Map(
  Object.entries({
    1: "a1",
    2: "a2 basic basics elementary beginner grundkenntnisse grundkenntnissen notions scolaire debutant basico basica elemental",
    3: "b1 conversational intermediate intermedio intermedia intermediaire intermediario working",
    4: "b2 good gut gute guter guten bon bonne bueno buena bom boa business",
    5: "c1 fluent fluently fluency proficient proficiency excellent advanced verhandlungssicher verhandlungssichere fliessend fliessende courant couramment avance fluido fluida fluente avanzado avancado professional strong perfect",
    6: "c2 bilingual zweisprachig bilingue",
    7: "native mother muttersprache muttersprachler muttersprachlich maternelle natif native materna nativo nativa",
  }).flatMap(([level, list]) => list.split(" ").map((word): [string, number] => [word, Number(level)])),
)

const isExact = (word: string): boolean => /^[abc][12]$/.test(word)

/** A CEFR level takes precedence over words for levels. */
const levelIn = (words: ReadonlyArray<Word>): number | null => {
  let best: number | null = null
  for (const { folded } of words) {
    const level = levels.get(folded)
    if (level === undefined) continue
    if (isExact(folded)) return level
    best = Math.max(best ?? 0, level)
  }
  return best
}

const reach = 5

/**
 * Takes the level after the language up to the comma, else the one before the language, else that of the previous
 * language ("fluent German and French"), else the one after the comma.
 */
export const languagesOf = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<LanguageSkill> => {
  const parts = (from: number, to: number): boolean => {
    const one = words[from]
    const other = words[to]
    return one !== undefined && other !== undefined && /[,;|•·]/.test(text.slice(one.at + one.raw.length, other.at))
  }
  const mentions = words.flatMap(({ folded }, at) => (names.has(folded) ? [at] : []))
  const found: Array<LanguageSkill> = []
  for (const [index, at] of mentions.entries()) {
    const limit = Math.min(mentions[index + 1] ?? words.length, at + 1 + reach)
    let near = at + 1
    while (near < limit && !parts(near - 1, near)) near += 1
    let first = at
    const bound = Math.max((mentions[index - 1] ?? -1) + 1, at - reach)
    while (first > bound && !parts(first - 1, first)) first -= 1
    const before = found.at(-1)
    const shared = before !== undefined && bound === at - 1 ? before.level : null
    const level =
      levelIn(words.slice(at + 1, near)) ??
      levelIn(words.slice(first, at)) ??
      shared ??
      levelIn(words.slice(near, limit))
    found.push({ language: names.get(words[at]?.folded ?? "") ?? "", level, at })
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
