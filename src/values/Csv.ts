/** Tables as text (RFC 4180): read as people paste them, written so that a spreadsheet shows them and runs nothing. Pure. */
import { Result } from "effect"

/** One line of a table, with the number of the line that it begins on. */
export interface CsvRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** The text is no table: why, and on which line. */
export interface CsvError {
  readonly line: number
  readonly reason: string
}

const separators = [",", ";", "\t"] as const

/** What separates the cells: of the first line with a separator outside of quotes, the one that it has most of, or first. */
const separatorOf = (text: string): string => {
  const plain = text.replaceAll(/"(?:[^"]|"")*"/g, "")
  // found by one look at the text, which may be megabytes of line breaks
  const at = plain.search(/[,;\t]/)
  if (at < 0) return ","
  const begin = Math.max(plain.lastIndexOf("\n", at), plain.lastIndexOf("\r", at)) + 1
  const [line = ""] = /^[^\r\n]*/.exec(plain.slice(begin)) ?? []
  const counted = separators.map((one) => ({ one, count: line.split(one).length - 1, first: line.indexOf(one) }))
  return counted.toSorted((a, b) => b.count - a.count || a.first - b.first)[0]?.one ?? ","
}

/**
 * Reads a table whose cells are separated by commas, semicolons or tabs; lines end as on any system, and a byte order mark
 * is left out. A cell in quotes may hold separators, line breaks and doubled quotes. Lines without text are left out.
 */
export const parseCsv = (given: string): Result.Result<ReadonlyArray<CsvRow>, CsvError> => {
  const text = given.replace(/^\ufeff/, "")
  const separator = separatorOf(text)
  const rest = new RegExp(`[^${separator}\\r\\n]*`, "y")
  const rows: Array<CsvRow> = []
  let cells: Array<string> = []
  let line = 1
  let begun = 1
  let at = 0
  const end = () => {
    if (cells.some((cell) => cell !== "")) rows.push({ line: begun, cells })
    cells = []
  }
  while (at < text.length) {
    const start = at + (/^[ ]*(?=")/.exec(text.slice(at, at + 100))?.[0].length ?? 0)
    let cell = ""
    if (text[start] === '"') {
      const opened = line
      at = start + 1
      for (;;) {
        const quote = text.indexOf('"', at)
        if (quote < 0) return Result.fail({ line: opened, reason: "a quote is opened and not closed" })
        cell += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        cell += '"'
        at++
      }
      line += cell.split(/\r\n?|\n/).length - 1
    }
    // what stands behind a closing quote belongs to the cell
    rest.lastIndex = at
    const tail = rest.exec(text)?.[0] ?? ""
    cells.push((cell + tail).trim())
    at += tail.length
    if (text[at] === separator) {
      at++
      if (at >= text.length) cells.push("")
      continue
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at++
    at++
    end()
    line++
    begun = line
  }
  end()
  return Result.succeed(rows)
}

/** What a spreadsheet would take for a formula (OWASP, CSV Injection): it begins with a character that starts one. */
const isFormula = (cell: string): boolean =>
  /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(cell) || /^[\t\r\n]/.test(cell)

const cellOf = (value: string | number | null): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  // an apostrophe makes it text
  const safe = isFormula(value) ? `'${value}` : value
  return /[",;\t\r\n']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** What a table begins with, so that spreadsheets read it as UTF-8. */
export const byteOrderMark = "\ufeff"

/** Lines of a table, each with its end. */
export const formatCsv = (rows: ReadonlyArray<ReadonlyArray<string | number | null>>): string =>
  rows.map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("")
