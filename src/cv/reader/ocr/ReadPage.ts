/** Reads a picture of a page. */
import type { Word } from "../pdf/Glyphs.ts"
import { layOut } from "../pdf/Layout.ts"
import { type Grey, shrink } from "./Canvas.ts"
import type { Recognizer } from "./Recognizer.ts"
import { flatten, isBlank, straighten, turn } from "./Sheet.ts"

/** Percent. Words of a page that is upside down, and marks that are no letters, have less confidence on average. */
const minConfidence = 60

/** Quarter turns to the right, the likeliest first. */
const turnsOf = (isSideways: boolean): ReadonlyArray<number> => (isSideways ? [1, 3, 0, 2] : [0, 2, 1, 3])

/** Readings of one document that find no text. Each takes seconds: pages without text are not read in all four turns. */
const maxInVain = 4

/** Tesseract passes over letters that are much larger than the others, such as a name; at half the size it reads them. */
const reduction = 2

/** Makes the places of `words` white. */
const without = ({ data, height, width }: Grey, words: ReadonlyArray<Word>): Grey => {
  const rest = Uint8Array.from(data)
  for (const { left, right, size, y } of words) {
    const margin = Math.ceil(size / 4)
    const [from, to] = [Math.max(0, left - margin), Math.min(width, right + margin)]
    for (let row = Math.max(0, y - size - margin); row < Math.min(height, y + margin); row++)
      rest.fill(255, row * width + from, row * width + to)
  }
  return { width, height, data: rest }
}

const largeWordsOf = (recognizer: Recognizer, page: Grey, words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const rest = without(page, words)
  if (isBlank(rest)) return []
  const { data, width } = rest
  const reduced = shrink({ ...rest, grey: (x, y) => data[y * width + x] ?? 255 }, reduction)
  const found = recognizer.read(reduced)
  if (found.confidence < minConfidence) return []
  return found.words.map((word) => ({
    ...word,
    left: word.left * reduction,
    right: word.right * reduction,
    y: word.y * reduction,
    size: word.size * reduction,
  }))
}

/** An English "I" looks like a line: before a word in small letters it is none between columns or contacts. */
const withPronouns = (words: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  words.map((word, i) =>
    word.text === "|" && /^\p{Ll}+$/u.test(words[i + 1]?.text ?? "") ? { ...word, text: "I" } : word,
  )

/** Reads the pages of one document. */
export const makePageReader = (recognizer: Recognizer) => {
  let likely: number | undefined
  let inVain = 0
  /** The text, "" if nothing is written on the page. */
  return (page: Grey): string => {
    const flat = flatten(page)
    if (isBlank(flat)) return ""
    const { isSideways, page: straight } = straighten(flat)
    for (const quarters of new Set([...(likely === undefined ? [] : [likely]), ...turnsOf(isSideways)])) {
      const sheet = turn(straight, quarters)
      const { confidence, words } = recognizer.read(sheet)
      if (confidence >= minConfidence) {
        likely = quarters
        return layOut([...largeWordsOf(recognizer, sheet, words), ...withPronouns(words)])
      }
      inVain += 1
      if (inVain >= maxInVain) return ""
    }
    return ""
  }
}
