/** Splits text into sentences and words, and finds lexicon names, in linear time. */
import { clip, quoteLength } from "../Evaluation.ts"
import type { Language } from "./Language.ts"
import { entryOf, homonyms, maxWordsFrom, nameOf } from "./lexicon/Lexicon.ts"
import { fillers, isStopWord, stem, stemIn, stopWords, words as wordSet } from "./WordLists.ts"

/** UTF-16 units of all sources together. */
export const maxTextLength = 200_000

const bullet = /^[ \t]*(?:[-–—*•·▪▫●○■□◦‣➢✓✔➤\uf0a7\uf0b7]|o(?= ))[ \t]*/u
const marks = /[•▪●◦■➢➤✓✔‣\uf0a7\uf0b7]/u

/** From this length on, a line may have been broken by the page's width. */
const fullLine = 68

const isOpenEnd = (line: string): boolean =>
  /(?:[,&/(–-]|\b(?:and|or|of|the|in|with|for|to|a|und|oder|mit|von|et|de|des|y|con|e|com))$/i.test(line.slice(-12))

/** A date or a label begins an entry. */
const opening = /^(?:(?:\d{1,2}[./])?\d{1,2}[./](?:19|20)\d\d\b|(?:19|20)\d\d ?[-–—]|\p{Lu}[\p{L} ]{2,24}:(?:\s|$))/u

const continues = (line: string, next: string): boolean => {
  if (next === "" || bullet.test(next) || /[.!?:;]$/.test(line)) return false
  if (isOpenEnd(line)) return true
  if (opening.test(next)) return false
  if (/^\p{Ll}/u.test(next)) return /\p{Ll}/u.test(line)
  return line.length >= fullLine && !/\d$/.test(line) && /\p{Ll}/u.test(next)
}

const abbreviations =
  /(?:^|[\s(,/.])(?:e\.g|i\.e|etc|approx|incl|ca|bzw|z\.B|u\.a|Dr|Mr|Mrs|Ms|St|No|Nr|Inc|Ltd|Co|Sr|Sra|M|vs|Dipl|M\.Sc|B\.Sc|Ph|\p{L})$/iu

/** Blanks around a comma or dash do not separate columns. */
const isLoose = (text: string, at: number): boolean =>
  /[,:–—]/.test(text[at - 1] ?? "") || /^ +[,:–—]/.test(text.slice(at, at + 12))

const isEnd = (text: string, at: number): boolean => {
  const mark = text[at] ?? ""
  if (mark === ";" || mark === "!" || mark === "?" || mark === "…" || marks.test(mark)) return true
  if (mark === "\t") return true
  if (mark === " ") return text.startsWith("   ", at) && !isLoose(text, at)
  if (mark !== ".") return false
  const next = text[at + 1] ?? " "
  if (/\s/.test(next)) {
    if (abbreviations.test(text.slice(Math.max(0, at - 8), at))) return false
    return true
  }
  return /\p{Ll}/u.test(text[at - 1] ?? "") && /^\p{Lu}\p{Ll}/u.test(text.slice(at + 1, at + 3))
}

const trimmed = (piece: string): string => piece.replace(bullet, "").trim()

const push = (found: Array<string>, piece: string): void => {
  let rest = trimmed(piece)
  while (rest !== "") {
    const head = clip(rest, quoteLength)
    found.push(head)
    rest = rest.slice(head.length).trimStart()
  }
}

const splitBlock = (found: Array<string>, block: string): void => {
  let start = 0
  for (let at = 0; at < block.length; at += 1) {
    const mark = block.charCodeAt(at)
    // fast path: a to z end no sentence
    if (mark > 0x60 && mark < 0x7b) continue
    if (!isEnd(block, at)) continue
    push(found, block.slice(start, at + 1))
    start = at + 1
  }
  push(found, block.slice(start))
}

const maxBlockLength = 1200

/** Returns verbatim sentences without bullets, each of at most `quoteLength` code points. */
export const sentencesOf = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let start = 0
  let end = 0
  let last = ""
  for (const match of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    const line = match[0].trim()
    if (end > start && last !== "" && continues(last, line) && end - start < maxBlockLength) {
      end = match.index + match[0].length
    } else {
      splitBlock(found, text.slice(start, end))
      start = match.index
      end = match.index + match[0].length
    }
    last = line
    if (end === text.length && match[0] === "") break
  }
  splitBlock(found, text.slice(start, end))
  return found
}

/** `at` is the index in the text. `pause`: a comma, bracket, dash or the like precedes the word. */
export interface Word {
  readonly raw: string
  readonly folded: string
  readonly at: number
  readonly pause: boolean
}

/** Lower case without accents; ä becomes ae and ß becomes ss. */
export const fold = (word: string): string => {
  const lower = word.toLowerCase()
  if (/^[a-z0-9']*$/.test(lower)) return lower.endsWith("'s") ? lower.slice(0, -2) : lower
  return lower
    .replace(brokenOff, "")
    .normalize("NFC")
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/'s$/, "")
}

/** With soft hyphens and other invisible characters, and hyphenated at the end of a line: "manage-\nment". */
const wordPattern =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Cf}]*(?:(?<=\p{Ll}{2})[-‐]\r?\n[ \t]{0,8}\p{Ll}{2,})?(?:['’]\p{L}+)?/gu
const brokenOff = /[-‐]\r?\n[ \t]*/u
const elided = /^((?:[jndlcmst]|qu)['’])(\p{L}+)$/iu

/** A heading that a PDF joined to the next word: "SummaryExperienced". */
const seam = /^(\p{Lu}?\p{Ll}{3,})(\p{Lu}\p{Ll}{2,})$/u

const partsOf = (raw: string): ReadonlyArray<string> => {
  if (raw.length < 4) return [raw]
  const apostrophe = elided.exec(raw)
  if (apostrophe !== null) return [apostrophe[1] ?? "", apostrophe[2] ?? ""]
  if (raw.length > 40) return [raw]
  const glued = seam.exec(raw)
  if (glued === null || nameOf(fold(raw), "") !== undefined) return [raw]
  return [glued[1] ?? "", glued[2] ?? ""]
}

/** Keeps C++, C#, .NET and Go; the capital distinguishes Go from the verb. */
export const wordsOf = (text: string): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(wordPattern)) {
    let pause = index > end && /[,;:()–—\n|•·]/.test(text.slice(end, Math.min(index, end + 8)))
    let at = index
    end = index + match.length
    for (const raw of partsOf(match)) {
      const signs = raw.length === 1 ? (/^(?:\+\+|#)/.exec(text.slice(end, end + 2))?.[0] ?? "") : ""
      const folded = fold(raw).replace(/'$/, "")
      if (signs !== "") found.push({ raw: raw + signs, folded: folded + signs, at, pause })
      else if (folded === "net" && text[at - 1] === ".")
        found.push({ raw: `.${raw}`, folded: ".net", at: at - 1, pause })
      else if (raw === "Go" && (found.length > 0 || text[end] !== " ")) found.push({ raw, folded: "golang", at, pause })
      else found.push({ raw, folded, at, pause })
      at += raw.length
      pause = false
    }
  }
  return found
}

/** The stem of a word that carries meaning, otherwise null. A single capital letter may be a language: C or R. */
export const contentStem = ({ folded, raw }: Word, language: Language): string | null => {
  if (folded.length === 1 ? !/^[B-HJ-Z]$/.test(raw) : isStopWord(folded, language)) return null
  const found = stemIn(folded, language)
  return fillers.has(found) ? null : found
}

export const contentOf = (words: ReadonlyArray<Word>, language: Language): ReadonlySet<string> =>
  new Set(words.flatMap((word) => contentStem(word, language) ?? []))

/** A lexicon name in a text; `from` and `to` (exclusive) are word indices. */
export interface Mention {
  readonly name: string
  readonly from: number
  readonly to: number
}

const softwareWords = wordSet(
  "script scripts scripting code coded coding programmed programming program programs developer developers developed",
  "parser parsers library libraries framework backend frontend compiler app apps software programmiert entwickelt entwickler",
  "logiciel programme programmes desarrollador programa programas desenvolvedor",
)

/** Words beside which a homonym has its everyday meaning: "Spring 2019", "head chef", "react quickly". */
const everydayBeside: ReadonlyMap<string, { readonly before: ReadonlySet<string>; readonly after: RegExp }> = new Map([
  [
    "spring",
    {
      before: wordSet("this last next every each early late during"),
      after: /^(?:(?:19|20)\d\d|semester|term|season|break)$/,
    },
  ],
  ["chef", { before: wordSet("head sous pastry executive personal private demi"), after: /^de$/ }],
  ["express", { before: wordSet("american federal polar orient"), after: /^(?:my|our)$/ }],
  ["react", { before: wordSet("to quickly"), after: /^(?:to|quickly|fast|calmly)$/ }],
])

const isEveryday = (words: ReadonlyArray<Word>, at: number): boolean => {
  const beside = everydayBeside.get(words[at]?.folded ?? "")
  if (beside === undefined) return false
  return beside.before.has(words[at - 1]?.folded ?? "") || beside.after.test(words[at + 1]?.folded ?? "")
}

const skills = wordSet(
  "experience experienced expertise skills knowledge proficient projects services trained training worked work working built wrote written",
)
/** "In Spring we planted trees", unlike "five years of experience in Spring". */
const isSeason = (words: ReadonlyArray<Word>, at: number): boolean =>
  words[at]?.folded === "spring" && words[at - 1]?.folded === "in" && !skills.has(words[at - 2]?.folded ?? "")

const isCertain = ({ folded, raw }: Word): boolean => !homonyms.has(folded) || /^\p{Lu}/u.test(raw)

/** Finds lexicon names, also within longer ones: "Java developer" names Java. Homonyms: see Lexicon.ts. */
export const mentionsIn = (words: ReadonlyArray<Word>): ReadonlyArray<Mention> => {
  const found: Array<Mention> = []
  const uncertain: Array<Mention> = []
  const stems = words.map(({ folded }) => stem(folded))
  for (const [from, word] of words.entries()) {
    const most = Math.min(maxWordsFrom(word.folded, stems[from] ?? ""), words.length - from)
    for (let length = 1; length <= most; length += 1) {
      if (length > 1 && words[from + length - 1]?.pause === true) break
      // "AI" is a name, "ai" a French function word
      if (length === 1 && stopWords.has(word.folded) && !/^\p{Lu}{2,}$/u.test(word.raw)) continue
      const to = from + length
      const slice = words.slice(from, to)
      const name = nameOf(slice.map(({ folded }) => folded).join("_"), stems.slice(from, to).join("_"))
      if (name === undefined || (length === 1 && isEveryday(words, from))) continue
      if (length > 1 || (isCertain(word) && !isSeason(words, from))) found.push({ name, from, to })
      else uncertain.push({ name, from, to })
    }
  }
  const hasSoftware =
    words.some(({ folded }) => softwareWords.has(folded)) ||
    found.some(({ name }) => entryOf(name)?.kind === "software")
  return hasSoftware ? [...found, ...uncertain] : found
}
