/**
 * The candidate's texts as the model sees them, and its quotes in them. Models change blanks, quotation marks and
 * dashes; the original words replace their quotes.
 */

import { piecesOf } from "../AddressedText.ts"
import { clip, type EvaluationSource, type Evidence } from "../Evaluation.ts"

/** A normalized text with the original position of each character. */
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
  // redacted text (Redaction.ts)
  [/█+/gu, "█"],
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

/** Shorter quotes would be found in any text. */
const minCharacters = 3

export const verbatim = ({ ends, plain, starts, text }: Readable, quote: string): string | undefined => {
  const sought = readable(quote).plain.trim()
  for (const one of [sought, sought.replaceAll(/^["'. ]+|["'. ]+$/g, "")]) {
    if ((one.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < minCharacters) continue
    const at = plain.indexOf(one)
    if (at !== -1) return text.slice(starts[at], ends[at + one.length - 1])
  }
  return undefined
}

/** Characters of all texts together; some 15,000 tokens of English. */
export const maxTextLength = 60_000

interface Passage extends Omit<EvaluationSource, "text"> {
  readonly pieces: ReadonlyArray<Readable>
  readonly addressed: ReadonlyArray<Readable>
}

export interface Passages {
  readonly passages: ReadonlyArray<Passage>
  readonly isCut: boolean
  readonly addressed: ReadonlyArray<string>
}

/** Longer texts are cut to this length, so that all fit. */
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

export const shownOf = ({ pieces }: Passage): string => pieces.map(({ text }) => text).join("[left out]")

export const isShown = ({ passages }: Passages): boolean =>
  passages.some(({ pieces }) => pieces.some(({ text }) => /[\p{L}\p{N}]/u.test(text)))

export const evidenceOf = ({ passages }: Passages, quoted: string): Evidence | undefined => {
  for (const { pieces, question_id, source } of passages) {
    for (const piece of pieces) {
      const quote = verbatim(piece, quoted)
      if (quote !== undefined) return { quote, source, question_id }
    }
  }
  return undefined
}

export const isAddressedQuote = ({ passages }: Passages, quoted: string): boolean =>
  passages.some(({ addressed }) =>
    addressed.some((piece) => verbatim(piece, quoted) !== undefined || quoted.includes(piece.text)),
  )
