/**
 * The options of a question as lines of a text: the title, and behind a bar the note below it. What stands in an option
 * beside these (its id, other languages) stays with the line that it had.
 */
import { type QuestionOption, type StoredOption, setLimits } from "./InterviewSet.ts"

const oneLine = (text: string | null): string => (text ?? "").replace(/\s+/gu, " ").trim()
const bar = (text: string): string => text.replaceAll("|", "\\|")

/** Each option as its line. */
export const optionLines = (options: ReadonlyArray<StoredOption>): ReadonlyArray<string> =>
  options.map(({ content, id, title }) => {
    const note = oneLine(content)
    const name = oneLine(title) || (note === "" ? String(id) : "")
    return note === "" ? bar(name) : `${bar(name)} | ${bar(note)}`
  })

/** Where the first bar stands that is not escaped. */
const parted = (line: string) => {
  const at = /(?<!\\)\|/.exec(line)?.index
  const of = (text: string) => text.replaceAll("\\|", "|").trim() || null
  return at === undefined
    ? { title: of(line), content: null }
    : { title: of(line.slice(0, at)), content: of(line.slice(at + 1)) }
}

/**
 * The options of the lines. A line that is as it was is the option that it was; of the others, the first new line is the
 * first option that is missing, and so on: a title that was mended keeps its id.
 */
export const optionsOf = (text: string, known: ReadonlyArray<StoredOption>): ReadonlyArray<QuestionOption> => {
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))
  // too many lines are refused later; comparing each with the known options would take long
  if (lines.length > Math.max(setLimits.options, known.length)) return lines.map(parted)
  const before = optionLines(known)
  const taken = new Set<number>()
  const same = lines.map((line) => {
    const at = before.findIndex((one, i) => one === line && !taken.has(i))
    if (at >= 0) taken.add(at)
    return at
  })
  // only where nothing was added or taken away: else nobody knows which became which
  const missing = lines.length === known.length ? known.flatMap((_, i) => (taken.has(i) ? [] : [i])) : []
  let next = 0
  return lines.map((line, i) => {
    const at = same[i] ?? -1
    const option = known[at >= 0 ? at : (missing[next++] ?? -1)]
    if (option !== undefined && at >= 0) return option
    const { content, title } = parted(line)
    return option === undefined ? { title, content } : { id: option.id, title, content }
  })
}
