/**
 * From text to sentences and words that can be compared. Sentences are verbatim pieces of the text and short enough to
 * quote; words are folded (case, accents, width), aliases resolved, stop words out, the rest stemmed. Boundaries follow
 * Unicode (UAX 29) through Intl.Segmenter with a fixed locale, so that the result is the same on every machine.
 */
import { clip, quoteLength } from "../../domain/Evaluation.ts"
import { aliases, aliasLengths } from "./aliases.ts"
import { stem } from "./stem.ts"
import { fillers, stopWords } from "./words.ts"

/** The longest part of a candidate's texts that is read, in UTF-16 units over all sources. */
export const textLimit = 200_000

const sentenceSegmenter = new Intl.Segmenter("en", { granularity: "sentence" })
const wordSegmenter = new Intl.Segmenter("en", { granularity: "word" })

/** A word as it was written, as it is compared before stop words go and stems are taken, and if a pause precedes it. */
export interface Word {
  readonly raw: string
  readonly folded: string
  readonly pause: boolean
}

const fold = (word: string): string =>
  word
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/'s$/, "")

const isSign = (segment: string): boolean => segment === "+" || segment === "#"

/**
 * The words of a text in order. Three spellings that Unicode would lose are kept: C++ and C#, .NET, and the languages
 * Go, C and R, told from the verb and from initials by their capital.
 */
export const wordsOf = (text: string): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  const segments = [...wordSegmenter.segment(text)]
  let pause = false
  const add = (raw: string, folded: string) => {
    found.push({ raw, folded, pause })
    pause = false
  }
  for (const [index, { segment, isWordLike }] of segments.entries()) {
    if (isWordLike !== true) {
      pause ||= /[,;:()–—]/.test(segment)
      continue
    }
    const before = segments[index - 1]?.segment ?? ""
    const after = segments[index + 1]?.segment ?? ""
    const signs = isSign(after) ? after + (isSign(segments[index + 2]?.segment ?? "") ? "+" : "") : ""
    const folded = fold(segment)
    if (signs !== "" && segment.length === 1) add(segment + signs, folded + signs)
    else if (before === "." && folded === "net") add(before + segment, ".net")
    else if (segment === "Go" && (found.length > 0 || after !== " ")) add(segment, "golang")
    else if (!/^[a-z]$/.test(folded) || stopWords.has(folded) || /^[B-HJ-Z]$/.test(segment)) add(segment, folded)
  }
  return found
}

/** A word with content, as it was written and as it is compared. */
export interface Term {
  readonly raw: string
  readonly stem: string
}

const joined = (words: ReadonlyArray<Word>, at: number, length: number, by: string, form: "raw" | "folded"): string =>
  words
    .slice(at, at + length)
    .map((word) => word[form])
    .join(by)

/** The words with content: aliases resolved (the longest first), stop words out, stemmed. */
export const termsOf = (words: ReadonlyArray<Word>): ReadonlyArray<Term> => {
  const terms: Array<Term> = []
  let at = 0
  while (at < words.length) {
    let length = Math.min(aliasLengths.get(words[at]?.folded ?? "") ?? 1, words.length - at)
    while (length > 1 && !aliases.has(joined(words, at, length, "_", "folded"))) length -= 1
    const written = joined(words, at, length, "_", "folded")
    const name = aliases.get(written)
    if (name !== undefined || !stopWords.has(written)) {
      terms.push({ raw: joined(words, at, length, " ", "raw"), stem: stem(name ?? written) })
    }
    at += length
  }
  return terms
}

/** The stems of a text that name a subject or a deed: no stop words, no fillers. */
export const contentOf = (terms: ReadonlyArray<Term>): ReadonlyArray<string> =>
  terms.filter((term) => !fillers.has(term.stem)).map((term) => term.stem)

const pieces = (sentence: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let rest = sentence.trim()
  while (rest !== "") {
    const piece = clip(rest, quoteLength)
    found.push(piece)
    rest = rest.slice(piece.length).trimStart()
  }
  return found
}

/** A dot before a name (".NET") and the common abbreviations do not end a sentence. */
const isUnfinished = (sentence: string): boolean => /(?:^|[\s,(/])(?:\.|e\.g\.|i\.e\.|etc\.,)\s*$/i.test(sentence)

/** The sentences of a text: verbatim, trimmed of blanks and list signs, none longer than a quote may be. */
export const sentencesOf = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let start = 0
  for (const { segment, index } of sentenceSegmenter.segment(text)) {
    const end = index + segment.length
    if (end < text.length && segment.length < 1000 && isUnfinished(segment)) continue
    found.push(...pieces(text.slice(start, end).replace(/^[\s\-–—*•·▪◦‣]+/u, "")))
    start = end
  }
  return found
}
