/**
 * The candidate's texts as the model reads them. Finds the model's quotes in them: models change blanks, quotation
 * marks and dashes, so the original words replace each quote.
 */
import { piecesOf } from "../AddressedText.ts"
import { clip, type EvaluationSource, type Evidence } from "../Evaluation.ts"
import { sentencesOf } from "../keyword/Text.ts"

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

interface Range {
  readonly from: number
  readonly to: number
}

const find = ({ ends, plain, starts }: Readable, quote: string): Range | undefined => {
  const sought = readable(quote).plain.trim()
  for (const one of [sought, sought.replaceAll(/^["'. ]+|["'. ]+$/g, "")]) {
    if ((one.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < minCharacters) continue
    const at = plain.indexOf(one)
    const [from, to] = [starts[at], ends[at + one.length - 1]]
    if (from !== undefined && to !== undefined) return { from, to }
  }
  return undefined
}

export const verbatim = (piece: Readable, quote: string): string | undefined => {
  const range = find(piece, quote)
  return range === undefined ? undefined : piece.text.slice(range.from, range.to)
}

/** Characters of all texts together; about 15,000 tokens of English. */
export const maxTextLength = 60_000

interface Piece extends Readable {
  readonly sentences: ReadonlyArray<Range>
}

/** `addressed`: the sentences that address the evaluator, which are not sent to the model. */
export interface Passage extends Omit<EvaluationSource, "text"> {
  readonly pieces: ReadonlyArray<Piece>
  readonly addressed: ReadonlyArray<Readable>
}

export interface Passages {
  readonly passages: ReadonlyArray<Passage>
  readonly isCut: boolean
  readonly addressed: ReadonlyArray<string>
}

/** Returns the length to which longer texts are cut, so that all together fit into `limit`. */
const maxLengthOf = (lengths: ReadonlyArray<number>, limit: number): number => {
  let room = limit
  for (const [index, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(room / (lengths.length - index))
    if (length > share) return share
    room -= length
  }
  return limit
}

const pieceOf = (text: string): Piece => {
  let at = 0
  const sentences = sentencesOf(text).map((sentence): Range => {
    const from = text.indexOf(sentence, at)
    at = from + sentence.length
    return { from, to: at }
  })
  return { ...readable(text), sentences }
}

export const passagesOf = (sources: ReadonlyArray<EvaluationSource>, limit = maxTextLength): Passages => {
  const maxLength = maxLengthOf(
    sources.map(({ text }) => text.length),
    limit,
  )
  const passages = sources.map(({ text, ...source }): Passage => {
    const { addressed, said } = piecesOf(clip(text, maxLength))
    return { ...source, pieces: said.map(pieceOf), addressed: addressed.map(readable) }
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

export interface Quoted {
  readonly evidence: Evidence
  readonly passage: Passage
  /** The quoted sentences with the one before and the one after. */
  readonly context: string
}

const minWords = 3

/** Also finds words in scripts without spaces. */
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" })

const isLong = (quote: string): boolean =>
  [...segmenter.segment(quote)].filter(({ isWordLike }) => isWordLike).length >= minWords

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Finds a quote of at least three words. A shorter one must be a whole sentence or line, such as "Yes, C1." */
export const quotedFrom = ({ passages }: Passages, sought: string): Quoted | undefined => {
  for (const passage of passages) {
    const { question_id, source } = passage
    for (const piece of passage.pieces) {
      const range = find(piece, sought)
      if (range === undefined) continue
      const { sentences, text } = piece
      const quote = text.slice(range.from, range.to)
      const first = sentences.findIndex(({ to }) => to > range.from)
      const last = sentences.findLastIndex(({ from }) => from < range.to)
      const whole = text.slice(sentences[first]?.from, sentences[last]?.to)
      if (!isLong(quote) && lettersOf(quote) !== lettersOf(whole)) continue
      const [before = sentences[first], after = sentences[last]] = [sentences[first - 1], sentences[last + 1]]
      return { evidence: { quote, source, question_id }, passage, context: text.slice(before?.from, after?.to) }
    }
  }
  return undefined
}

export const isWritten = ({ passages }: Passages, quote: string): boolean =>
  passages.some(({ pieces }) => pieces.some((piece) => find(piece, quote) !== undefined))

export const isAddressedQuote = ({ passages }: Passages, quoted: string): boolean =>
  passages.some(({ addressed }) =>
    addressed.some((piece) => find(piece, quoted) !== undefined || quoted.includes(piece.text)),
  )
