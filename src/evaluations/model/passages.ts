/** The candidate's texts as the model is shown them, and the way back from its quotes to what they quote. */
import { clip, type EvaluationSource, type Evidence } from "../Evaluation.ts"
import { piecesOf } from "./addressed.ts"
import { type Readable, readable, verbatim } from "./quotes.ts"

/** The longest part of all texts that is shown, in code points; some 15,000 tokens of English. */
export const textLimit = 60_000

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
const mostOf = (lengths: ReadonlyArray<number>, limit: number): number => {
  let room = limit
  for (const [index, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(room / (lengths.length - index))
    if (length > share) return share
    room -= length
  }
  return limit
}

export const passagesOf = (sources: ReadonlyArray<EvaluationSource>, limit = textLimit): Passages => {
  const most = mostOf(
    sources.map(({ text }) => text.length),
    limit,
  )
  const passages = sources.map(({ text, ...source }): Passage => {
    const { addressed, said } = piecesOf(clip(text, most))
    return { ...source, pieces: said.map(readable), addressed: addressed.map(readable) }
  })
  return {
    passages,
    isCut: sources.some(({ text }) => text.length > most),
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
