/** Reads and writes CSV (RFC 4180). Written cells never run as formulas. */
import { Result } from "effect"

export interface CsvRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

export interface CsvError {
  readonly line: number
  readonly reason: string
}

const separators = [",", ";", "\t"] as const

/** The most frequent separator of the first line with one outside of quotes; on a tie, the first. */
const separatorOf = (text: string): string => {
  const plain = text.replaceAll(/"(?:[^"]|"")*"/g, "")
  // one search: the text may have megabytes of line breaks
  const at = plain.search(/[,;\t]/)
  if (at < 0) return ","
  const begin = Math.max(plain.lastIndexOf("\n", at), plain.lastIndexOf("\r", at)) + 1
  const [line = ""] = /^[^\r\n]*/.exec(plain.slice(begin)) ?? []
  const counted = separators.map((one) => ({ one, count: line.split(one).length - 1, first: line.indexOf(one) }))
  return counted.toSorted((a, b) => b.count - a.count || a.first - b.first)[0]?.one ?? ","
}

/** Accepts commas, semicolons or tabs, any line ends, a byte order mark. Skips empty rows. */
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

/** OWASP, CSV Injection. */
const isFormula = (cell: string): boolean =>
  /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(cell) || /^[\t\r\n]/.test(cell)

const cellOf = (value: string | number | null): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const safe = isFormula(value) ? `'${value}` : value
  return /[",;\t\r\n']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Makes spreadsheets read UTF-8. */
export const byteOrderMark = "\ufeff"

export const formatCsv = (rows: ReadonlyArray<ReadonlyArray<string | number | null>>): string =>
  rows.map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("")
