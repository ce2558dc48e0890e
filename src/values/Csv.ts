/** Reads and writes CSV (RFC 4180). Written cells never run as formulas. */
import { Result } from "effect"
import { parseMailbox } from "./EmailAddress.ts"

export interface CsvRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

export interface CsvError {
  readonly line: number
  readonly reason: string
}

export const separators = [",", ";", "\t", "|"] as const
export type Separator = (typeof separators)[number]

export const isSeparator = (text: string | undefined): text is Separator =>
  separators.some((separator) => separator === text)

export interface SeparatorGuess {
  readonly separator: Separator
  /** False if another separator divides the rows almost as well. */
  readonly isCertain: boolean
}

const maxProbed = 60_000

const isAddressCell = (cell: string): boolean => parseMailbox(cell) !== undefined

/**
 * How well a separator divides the rows: the share of rows with the usual number of cells, that of the addresses that have
 * their cell for themselves, and whether text stands after a closing quote.
 */
const scoreOf = (text: string, separator: Separator) => {
  const { malformed, rows } = split(text, separator)
  const widths = new Map<number, number>()
  for (const { cells } of rows) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1)
  const [columns = 1, usual = 0] = [...widths].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? []
  const withAt = rows.flatMap(({ cells }) => cells.filter((cell) => cell.includes("@")))
  const consistency = rows.length === 0 ? 0 : usual / rows.length
  const purity = withAt.length === 0 ? 1 : withAt.filter(isAddressCell).length / withAt.length
  const score = (columns > 1 ? consistency : 0.2) + 1.5 * purity - (malformed > 0 ? 1 : 0)
  return { separator, columns, score, first: text.indexOf(separator) }
}

const minLead = 0.25

/** The separator that divides the rows into the same number of cells, quotes respected. Without a separator: a comma. */
export const guessSeparator = (text: string): SeparatorGuess => {
  const cut = text.length <= maxProbed ? text : text.slice(0, Math.max(1, text.lastIndexOf("\n", maxProbed)))
  const [best, next] = separators
    .filter((separator) => cut.includes(separator))
    .map((separator) => scoreOf(cut, separator))
    .toSorted((a, b) => b.score - a.score || b.columns - a.columns || a.first - b.first)
  if (best === undefined) return { separator: ",", isCertain: true }
  return {
    separator: best.separator,
    isCertain: next === undefined || next.columns === 1 || best.score - next.score > minLead,
  }
}

interface Split {
  readonly rows: ReadonlyArray<CsvRow>
  /** Cells with text after the closing quote. */
  readonly malformed: number
  readonly error: CsvError | undefined
}

const patternOf: Readonly<Record<Separator, string>> = { ",": ",", ";": ";", "\t": "\\t", "|": "|" }

const split = (text: string, separator: Separator): Split => {
  const rest = new RegExp(`[^${patternOf[separator]}\\r\\n]*`, "y")
  const rows: Array<CsvRow> = []
  let malformed = 0
  let cells: Array<string> = []
  let line = 1
  let begun = 1
  let at = 0
  const end = () => {
    if (cells.some((cell) => cell !== "")) rows.push({ line: begun, cells })
    cells = []
  }
  while (at < text.length) {
    // ="0123" keeps spreadsheets from reading a number
    const start = at + (/^[ ]*=?(?=")/.exec(text.slice(at, at + 100))?.[0].length ?? 0)
    let cell = ""
    if (text[start] === '"') {
      const opened = line
      at = start + 1
      for (;;) {
        const quote = text.indexOf('"', at)
        if (quote < 0) {
          return { rows, malformed: malformed + 1, error: { line: opened, reason: "a quote is opened and not closed" } }
        }
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
    // "Lovelace, Ada" <ada@example.com>
    if (text[start] === '"' && !/^\s*(?:<[^<>]*>\s*)?$/.test(tail)) malformed++
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
  return { rows, malformed, error: undefined }
}

/** Accepts any line ends and a byte order mark. Skips empty rows. `separator`: by default, it is guessed. */
export const parseCsv = (given: string, separator?: Separator): Result.Result<ReadonlyArray<CsvRow>, CsvError> => {
  const text = given.replace(/^\ufeff/, "")
  const { error, rows } = split(text, separator ?? guessSeparator(text).separator)
  return error === undefined ? Result.succeed(rows) : Result.fail(error)
}

/** OWASP, CSV Injection. */
const isFormula = (cell: string): boolean =>
  /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(cell) || /^[\t\r\n]/.test(cell)

/** A moment is written in UTC. */
export type TableCell = string | number | Date | null

export interface CsvFormat {
  readonly separator: Separator
  readonly decimal: "." | ","
}

export const plainCsv: CsvFormat = { separator: ",", decimal: "." }

/** Locales whose lists are separated by semicolons although their decimals have points. */
const semicolonLocales = /^(?:(?:de|fr|it|rm)-(?:ch|li)|rm)\b/i

/** What spreadsheets expect in a language. `languages`: an Accept-Language header. */
export const csvFormatFor = (languages: string | undefined): CsvFormat => {
  const [locale = "en"] = languages?.split(/[,;]/).map((one) => one.trim()) ?? []
  try {
    const part = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === "decimal")?.value
    if (semicolonLocales.test(locale)) return { separator: ";", decimal: "." }
    return part === "," ? { separator: ";", decimal: "," } : plainCsv
  } catch {
    return plainCsv
  }
}

const cellOf = (value: TableCell, decimal: CsvFormat["decimal"]): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value).replace(".", decimal)
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace("T", " ")
  const safe = isFormula(value) ? `'${value}` : value
  return /[",;\t\r\n']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Makes spreadsheets read UTF-8. */
export const byteOrderMark = "\ufeff"

export const formatCsv = (
  rows: ReadonlyArray<ReadonlyArray<TableCell>>,
  { decimal, separator }: CsvFormat = plainCsv,
): string => rows.map((cells) => `${cells.map((cell) => cellOf(cell, decimal)).join(separator)}\r\n`).join("")
