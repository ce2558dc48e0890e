/** Puts a page's words into reading order: column by column, tables row by row. */
import type { Word } from "./Glyphs.ts"

interface Segment {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly y: number
  readonly size: number
  readonly firstWidth: number
  /** In the order of painting. */
  readonly order: number
}

/** Ems. */
const blankGap = 0.17
const wideGap = 1.3
/** Ems between baselines of one line. */
const sameLine = 0.35
/** In characters. Shorter lines are items. */
const shortLine = 30
const minLines = 3
const maxCuts = 12

const isRightToLeft = (text: string) =>
  (text.match(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/g)?.length ?? 0) > text.length / 2

/** Right-to-left text is painted left to right, except Latin words and numbers. */
const mirrored = (text: string): string =>
  [...text]
    .reverse()
    .join("")
    .replaceAll(/[\p{Script=Latin}\p{N}@.:/+-]{2,}/gu, (part) => [...part].reverse().join(""))

const join = (words: ReadonlyArray<Word & { readonly order: number }>): Segment => {
  const left = Math.min(...words.map((word) => word.left))
  let text = ""
  let firstWidth: number | undefined
  let before: Word | undefined
  for (const word of words) {
    const isApart = before !== undefined && (before.isEnd || word.left - before.right > blankGap * word.size)
    if (isApart && before !== undefined) firstWidth ??= before.right - left
    text += (isApart ? " " : "") + word.text
    before = word
  }
  const right = Math.max(...words.map((word) => word.right))
  return {
    text: isRightToLeft(text) ? mirrored(text) : text,
    left,
    right,
    firstWidth: firstWidth ?? right - left,
    y: words[0]?.y ?? 0,
    size: Math.max(...words.map(({ size }) => size)),
    order: Math.min(...words.map(({ order }) => order)),
  }
}

/** Some programs paint bold letters twice. */
const isRepeated = (word: Word, before: Word | undefined) =>
  before?.text === word.text && Math.abs(word.left - before.left) < 0.15 * word.size

const segmentsOf = (words: ReadonlyArray<Word>): ReadonlyArray<Segment> => {
  const sorted = words.map((word, order) => ({ ...word, order })).sort((a, b) => a.y - b.y)
  const lines: Array<Array<(typeof sorted)[number]>> = []
  for (const word of sorted) {
    const [first] = lines.at(-1) ?? []
    if (first !== undefined && word.y - first.y <= sameLine * Math.max(word.size, first.size)) lines.at(-1)?.push(word)
    else lines.push([word])
  }
  return lines.flatMap((line) => {
    const parts: Array<typeof line> = []
    let before: (typeof line)[number] | undefined
    for (const word of line.sort((a, b) => a.left - b.left || a.order - b.order)) {
      if (isRepeated(word, before)) continue
      const isApart = before === undefined || word.left - before.right > wideGap * Math.max(word.size, before.size)
      if (isApart) parts.push([word])
      else parts.at(-1)?.push(word)
      before = word
    }
    return parts.map(join)
  })
}

const byLines = (segments: ReadonlyArray<Segment>) => segments.toSorted((a, b) => a.y - b.y || a.left - b.left)

interface Cut {
  readonly at: number
  readonly crossing: number
  readonly value: number
}

const bestCut = (segments: ReadonlyArray<Segment>): Cut | undefined => {
  let best: Cut | undefined
  for (const at of new Set(segments.map(({ left }) => Math.floor(left)))) {
    let [before, behind, crossing] = [0, 0, 0]
    for (const { left, right } of segments) {
      if (right <= at) before++
      else if (left >= at) behind++
      else crossing++
    }
    const value = Math.min(before, behind) - 2 * crossing
    if (Math.min(before, behind) >= minLines && crossing <= segments.length / 4 && value > (best?.value ?? -Infinity))
      best = { at, crossing, value }
  }
  return best
}

/** Cells share lines and are painted row by row; columns are painted one by one. */
const areRows = (left: ReadonlyArray<Segment>, right: ReadonlyArray<Segment>): boolean => {
  const [few, many] = left.length <= right.length ? [left, right] : [right, left]
  const aligned = few.filter(({ size, y }) => many.some((other) => Math.abs(other.y - y) <= sameLine * size)).length
  if (aligned < 0.8 * few.length) return false
  const sides = [...left.map(({ order }) => ({ order, side: 0 })), ...right.map(({ order }) => ({ order, side: 1 }))]
  const painted = sides.sort((a, b) => a.order - b.order)
  const turns = painted.filter(({ side }, i) => i > 0 && side !== painted[i - 1]?.side).length
  return turns > Math.max(2, few.length / 2)
}

const blocksOf = (segments: ReadonlyArray<Segment>, cuts = 0): ReadonlyArray<ReadonlyArray<Segment>> => {
  const cut = cuts < maxCuts ? bestCut(segments) : undefined
  if (cut === undefined) return [byLines(segments)]
  const blocks: Array<ReadonlyArray<Segment>> = []
  let band: Array<Segment> = []
  const endBand = () => {
    const left = band.filter((segment) => segment.right <= cut.at)
    const right = band.filter((segment) => segment.right > cut.at)
    if (left.length === 0 || right.length === 0 || areRows(left, right))
      blocks.push(...(band.length > 0 ? [byLines(band)] : []))
    else blocks.push(...blocksOf(left, cuts + 1), ...blocksOf(right, cuts + 1))
    band = []
  }
  let across: Array<Segment> = []
  const endAcross = () => {
    if (across.length > 0) blocks.push(across)
    across = []
  }
  for (const segment of byLines(segments)) {
    if (segment.left < cut.at && segment.right > cut.at) {
      endBand()
      across.push(segment)
    } else {
      endAcross()
      band.push(segment)
    }
  }
  endAcross()
  endBand()
  return blocks
}

const beginsItem = (text: string) => /^([\p{Pd}•●▪■◦○‣⁃∙·*>»✓✔➢➤]|\(?\d{1,2}[.)])\s?/u.test(text)

const isBeside = (one: Segment, other: Segment) => Math.abs(one.y - other.y) <= sameLine * other.size

/** A line continues a paragraph when its first word did not fit the line before. */
const textOf = (block: ReadonlyArray<Segment>): string => {
  const edge = Math.max(...block.map(({ right }) => right))
  const begin = Math.min(...block.map(({ left }) => left))
  // a single long line is no edge
  const isEdge = block.filter(({ right }) => right > edge - 0.12 * (edge - begin)).length > 1
  let text = ""
  let before: Segment | undefined
  block.forEach((segment, i) => {
    if (before === undefined) text = segment.text
    else if (isBeside(segment, before)) text += `\t${segment.text}`
    else {
      const gap = segment.y - before.y
      const isBroken = (isEdge && before.text.length >= shortLine) || /^\p{Ll}/u.test(segment.text)
      const hasRoom = edge - before.right > segment.firstWidth + 0.3 * segment.size
      const next = block[i + 1]
      // the last cell of a row may wrap
      const goesOn =
        Math.abs(segment.left - before.left) < segment.size && !(next !== undefined && isBeside(next, segment))
      const isSame = Math.abs(segment.size - before.size) < 0.1 * before.size && gap < 1.7 * before.size
      if (goesOn && isSame && isBroken && !hasRoom && !beginsItem(segment.text)) text = wrapped(text, segment.text)
      else text += (gap > 2 * Math.max(segment.size, before.size) ? "\n\n" : "\n") + segment.text
    }
    before = segment
  })
  return text
}

const wrapped = (text: string, next: string): string =>
  /\p{Ll}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(next) ? text.slice(0, -1) + next : `${text} ${next}`

export const inOrder = (words: ReadonlyArray<Word>): string =>
  words.map(({ isEnd, text, y }, i) => text + (isEnd || words[i + 1]?.y !== y ? " " : "")).join("")

/** Rotated text comes last. */
export const layOut = (words: ReadonlyArray<Word>): string => {
  const upright = blocksOf(segmentsOf(words.filter(({ isTurned }) => !isTurned))).map(textOf)
  const turned = inOrder(words.filter(({ isTurned }) => isTurned))
  return [...upright, turned].filter((text) => text.trim() !== "").join("\n")
}
