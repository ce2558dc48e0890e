/**
 * Where sentences begin and end in messy text: lines that a PDF broke within a sentence are joined, bullets, headings,
 * columns and semicolons part. Every sentence is a verbatim piece of the text and short enough to quote. Linear.
 */
import { clip, quoteLength } from "../Evaluation.ts"

/** The longest part of a candidate's texts that is read, in UTF-16 units over all sources. */
export const textLimit = 200_000

const bullet = /^[ \t]*(?:[-–—*•·▪▫●○■□◦‣➢✓✔➤\uf0a7\uf0b7]|o(?= ))[ \t]*/u
const marks = /[•▪●◦■➢➤✓✔‣\uf0a7\uf0b7]/u

/** A line of about the width of a page was cut by its end, not by its writer. */
const fullLine = 68

const isOpenEnd = (line: string): boolean =>
  /(?:[,&/(–-]|\b(?:and|or|of|the|in|with|for|to|a|und|oder|mit|von|et|de|des|y|con|e|com))$/i.test(line.slice(-12))

/** A date in numbers or a label begins an entry of its own. */
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

/** Blanks around a comma or a dash ("Finance   ,   2011") part nothing. */
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
    // letters and digits end nothing, and are most of a text
    if (mark > 0x60 && mark < 0x7b) continue
    if (!isEnd(block, at)) continue
    push(found, block.slice(start, at + 1))
    start = at + 1
  }
  push(found, block.slice(start))
}

/** A block that goes on for longer than this is parted at the line. */
const longestBlock = 1200

/** The sentences of a text in order: verbatim, without blanks or list signs around, none longer than a quote may be. */
export const sentencesOf = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let start = 0
  let end = 0
  let last = ""
  for (const match of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    const line = match[0].trim()
    if (end > start && last !== "" && continues(last, line) && end - start < longestBlock) {
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
