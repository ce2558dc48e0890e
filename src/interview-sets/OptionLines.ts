/** A question's options as lines of a text, "title | note", in which members edit them. */
import { type QuestionOption, type StoredOption, setLimits } from "./InterviewSet.ts"

const oneLine = (text: string | null): string => (text ?? "").replace(/\s+/gu, " ").trim()
const bar = (text: string): string => text.replaceAll("|", "\\|")

/** "title | note" */
export const optionLines = (options: ReadonlyArray<StoredOption>): ReadonlyArray<string> =>
  options.map(({ content, id, title }) => {
    const note = oneLine(content)
    const name = oneLine(title) || (note === "" ? String(id) : "")
    return note === "" ? bar(name) : `${bar(name)} | ${bar(note)}`
  })

const splitLine = (line: string) => {
  const at = /(?<!\\)\|/.exec(line)?.index
  const of = (text: string) => text.replaceAll("\\|", "|").trim() || null
  return at === undefined
    ? { title: of(line), content: null }
    : { title: of(line.slice(0, at)), content: of(line.slice(at + 1)) }
}

export const linesOf = (text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))

/** The first option that repeats an earlier one's title and note; spaces do not distinguish them. */
export const repeatedOption = (text: string): string | undefined => {
  const seen = new Set<string>()
  return linesOf(text).find((line) => {
    const { content, title } = splitLine(line)
    const key = JSON.stringify([oneLine(title), oneLine(content)])
    const isRepeated = seen.has(key)
    seen.add(key)
    return isRepeated
  })
}

/**
 * An unchanged line keeps its option. If the number of lines is the same, changed lines keep the other ids, in order.
 */
export const optionsOf = (text: string, known: ReadonlyArray<StoredOption>): ReadonlyArray<QuestionOption> => {
  const lines = linesOf(text)
  // refused later; comparing each line would take long
  if (lines.length > Math.max(setLimits.options, known.length)) return lines.map(splitLine)
  const before = optionLines(known)
  const taken = new Set<number>()
  const same = lines.map((line) => {
    const at = before.findIndex((one, i) => one === line && !taken.has(i))
    if (at >= 0) taken.add(at)
    return at
  })
  const missing = lines.length === known.length ? known.flatMap((_, i) => (taken.has(i) ? [] : [i])) : []
  let next = 0
  return lines.map((line, i) => {
    const at = same[i] ?? -1
    const option = known[at >= 0 ? at : (missing[next++] ?? -1)]
    if (option !== undefined && at >= 0) return option
    const { content, title } = splitLine(line)
    return option === undefined ? { title, content } : { id: option.id, title, content }
  })
}
