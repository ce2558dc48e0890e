/**
 * From text to words and terms that can be compared. Words are folded (case, accents, width), known names resolved
 * (lexicon), function words out, the rest stemmed.
 */
import type { Language } from "./language.ts"
import { capitalNames, longestFrom, nameOf } from "./lexicon/index.ts"
import { stem, stemIn } from "./stem.ts"
import { fillers, stopWords } from "./words.ts"

/** A word as it was written, as it is compared, where it begins, and whether a pause precedes it. */
export interface Word {
  readonly raw: string
  readonly folded: string
  readonly at: number
  readonly pause: boolean
}

/** Lower case, without accents; ä is ae, ß is ss, so that both spellings meet. */
export const fold = (word: string): string => {
  const lower = word.toLowerCase()
  if (/^[a-z0-9']*$/.test(lower)) return lower.endsWith("'s") ? lower.slice(0, -2) : lower
  return lower
    .normalize("NFC")
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/'s$/, "")
}

const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’]\p{L}+)?/gu
const elided = /^((?:[jndlcmst]|qu)['’])(\p{L}+)$/iu

/** A heading that a PDF glued to the next word ("SummaryExperienced"), but for known names such as JavaScript. */
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

/**
 * The words of a text in order. Spellings that would be lost are kept: C++ and C#, .NET, and the language Go, told from
 * the verb by its capital.
 */
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

/** A word with content, as it was written and as it is compared. `from` and `to` are its place among the words. */
export interface Term {
  readonly raw: string
  readonly key: string
  readonly isName: boolean
  readonly from: number
  readonly to: number
}

const isMeant = ({ folded, raw }: Word, casual: boolean): boolean =>
  !capitalNames.has(folded) || casual || /^\p{Lu}/u.test(raw)

/** The words with content: known names resolved (the longest first), function words out, the others stemmed. */
export const termsOf = (words: ReadonlyArray<Word>, language: Language = "en"): ReadonlyArray<Term> => {
  const terms: Array<Term> = []
  const casual = !words.some(({ raw }) => /^\p{Lu}/u.test(raw))
  const stems = words.map(({ folded }) => stem(folded))
  let at = 0
  while (at < words.length) {
    const word = words[at]
    if (word === undefined) break
    let length = Math.min(longestFrom(word.folded, stems[at] ?? ""), words.length - at)
    let name: string | undefined
    for (; length > 0 && name === undefined; length -= 1) {
      if (length === 1 && (stopWords.has(word.folded) || !isMeant(word, casual))) continue
      const slice = words.slice(at, at + length)
      if (slice.some(({ pause }, index) => pause && index > 0)) continue
      name = nameOf(slice.map(({ folded }) => folded).join("_"), stems.slice(at, at + length).join("_"))
      if (name !== undefined) break
    }
    const to = at + Math.max(1, name === undefined ? 1 : length)
    if (name !== undefined) {
      const raw = words
        .slice(at, to)
        .map((one) => one.raw)
        .join(" ")
      terms.push({ raw, key: `=${name}`, isName: true, from: at, to })
    } else if (word.folded.length === 1 ? /^[B-HJ-Z]$/.test(word.raw) : !stopWords.has(word.folded)) {
      terms.push({ raw: word.raw, key: stemIn(word.folded, language), isName: false, from: at, to })
    }
    at = to
  }
  return terms
}

/** The keys of a text that name a subject or a deed: no function words, no fillers. */
export const contentOf = (terms: ReadonlyArray<Term>): ReadonlyArray<string> =>
  terms.filter((term) => !fillers.has(term.key)).map((term) => term.key)
