/**
 * Finding what a model quoted. Models copy words faithfully and signs less so: blanks, quotation marks and dashes come
 * back in other forms. A quote that differs in nothing else is given back as it stands in the text; all others are none.
 */

import { piecesOf } from "../AddressedText.ts"
import { clip, type EvaluationSource, type Evidence } from "../Evaluation.ts"

/** A text to find quotes in: its letters in one form, and where each of them begins and ends in the text. */
export interface Readable {
  readonly text: string
  readonly plain: string
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

const signs: ReadonlyArray<readonly [RegExp, string]> = [
  [/[‘’‚‛′´`]/gu, "'"],
  [/[“”„‟″«»]/gu, '"'],
  [/[\u2010-\u2015\u2212]/gu, "-"],
  // what is covered (evaluations/Redaction.ts), whatever its length
  [/█+/gu, "█"],
  // soft hyphens and what else is not seen
  [/[\u00ad\p{Cf}]/gu, ""],
]

const plainOf = (cluster: string): string =>
  signs.reduce((plain, [sign, to]) => plain.replace(sign, to), cluster.normalize("NFKC").replaceAll(/\s+/gu, " "))

export const readable = (text: string): Readable => {
  const units: Array<string> = []
  const starts: Array<number> = []
  const ends: Array<number> = []
  for (const { 0: cluster, index } of text.matchAll(/\s+|█+|\P{M}\p{M}*|\p{M}+/gu)) {
    for (const unit of plainOf(cluster)) {
      if (unit === " " && units.at(-1) === " ") continue
      units.push(unit)
      for (let count = 0; count < unit.length; count += 1) {
        starts.push(index)
        ends.push(index + cluster.length)
      }
    }
  }
  return { text, plain: units.join(""), starts, ends }
}

/** Fewer letters and digits than this are found in any text. */
const minCharacters = 3

/** The quote as it stands in the text; undefined: it does not, or it says nothing. */
export const verbatim = ({ ends, plain, starts, text }: Readable, quote: string): string | undefined => {
  const sought = readable(quote).plain.trim()
  for (const one of [sought, sought.replaceAll(/^["'. ]+|["'. ]+$/g, "")]) {
    if ((one.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < minCharacters) continue
    const at = plain.indexOf(one)
    if (at !== -1) return text.slice(starts[at], ends[at + one.length - 1])
  }
  return undefined
}

/** The longest part of all texts that is shown, in code points; some 15,000 tokens of English. */
export const maxTextLength = 60_000

interface Passage extends Omit<EvaluationSource, "text"> {
  readonly pieces: ReadonlyArray<Readable>
  readonly addressed: ReadonlyArray<Readable>
}

export interface Passages {
  readonly passages: ReadonlyArray<Passage>
  /** Some text was longer than what is shown of it. */
  readonly isCut: boolean
  /** What was kept from the model. */
  readonly addressed: ReadonlyArray<string>
}

/** The most of each text that is shown, so that all fit: short ones whole, long ones cut to one same length. */
const maxLengthOf = (lengths: ReadonlyArray<number>, limit: number): number => {
  let room = limit
  for (const [index, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(room / (lengths.length - index))
    if (length > share) return share
    room -= length
  }
  return limit
}

export const passagesOf = (sources: ReadonlyArray<EvaluationSource>, limit = maxTextLength): Passages => {
  const maxLength = maxLengthOf(
    sources.map(({ text }) => text.length),
    limit,
  )
  const passages = sources.map(({ text, ...source }): Passage => {
    const { addressed, said } = piecesOf(clip(text, maxLength))
    return { ...source, pieces: said.map(readable), addressed: addressed.map(readable) }
  })
  return {
    passages,
    isCut: sources.some(({ text }) => text.length > maxLength),
    addressed: passages.flatMap((passage) => passage.addressed.map(({ text }) => text)),
  }
}

/** A passage's text with a mark in place of what was kept back. */
export const shownOf = ({ pieces }: Passage): string => pieces.map(({ text }) => text).join("[left out]")

/** Whether there is a letter or a digit in what is shown. */
export const isShown = ({ passages }: Passages): boolean =>
  passages.some(({ pieces }) => pieces.some(({ text }) => /[\p{L}\p{N}]/u.test(text)))

/** Where a quote stands, verbatim; undefined: nowhere in what was shown. The first passage that holds it is named. */
export const evidenceOf = ({ passages }: Passages, quoted: string): Evidence | undefined => {
  for (const { pieces, question_id, source } of passages) {
    for (const piece of pieces) {
      const quote = verbatim(piece, quoted)
      if (quote !== undefined) return { quote, source, question_id }
    }
  }
  return undefined
}

/** Whether a quote is of something that was addressed to the evaluator. */
export const isAddressedQuote = ({ passages }: Passages, quoted: string): boolean =>
  passages.some(({ addressed }) =>
    addressed.some((piece) => verbatim(piece, quoted) !== undefined || quoted.includes(piece.text)),
  )
