/** Parses a pasted table of candidates, with a header or one address a line. */
import { Result } from "effect"
import { type CandidateEntry, columnNames } from "../candidates/Candidate.ts"
import { type CsvError, type CsvRow, parseCsv } from "../values/Csv.ts"
import { parseMailbox } from "../values/EmailAddress.ts"

export interface TableEntry {
  readonly line: number
  readonly entry: CandidateEntry
}

type Column = keyof typeof columnNames

const columnOf = (cell: string): Column | undefined => {
  const letters = cell
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z]/g, "")
  return (Object.keys(columnNames) as ReadonlyArray<Column>).find((column) => columnNames[column].includes(letters))
}

const isAddress = (cell: string): boolean => cell.includes("@")
const isLink = (cell: string): boolean => /^https?:\/\//i.test(cell)

const withoutHeader = (cells: ReadonlyArray<string>): CandidateEntry => {
  const address = cells.find(isAddress)
  const mailbox = address === undefined ? undefined : parseMailbox(address)
  const others = cells.filter((cell) => cell !== "" && !isAddress(cell) && !isLink(cell))
  return {
    email: mailbox?.address ?? address ?? null,
    name: mailbox?.name ?? others[0] ?? null,
    cv_link: cells.find(isLink) ?? null,
  }
}

const withHeader = (columns: ReadonlyArray<Column | undefined>, cells: ReadonlyArray<string>): CandidateEntry =>
  Object.fromEntries(columns.flatMap((column, i) => (column === undefined || !cells[i] ? [] : [[column, cells[i]]])))

/** The first line is the header unless it has an address or a link. */
export const candidatesOf = (text: string): Result.Result<ReadonlyArray<TableEntry>, CsvError> =>
  Result.flatMap(parseCsv(text), (rows): Result.Result<ReadonlyArray<TableEntry>, CsvError> => {
    const [first, ...rest] = rows
    if (first === undefined) return Result.succeed([])
    if (first.cells.some((cell) => isAddress(cell) || isLink(cell))) {
      return Result.succeed(rows.map(({ cells, line }) => ({ line, entry: withoutHeader(cells) })))
    }
    const columns = first.cells.map(columnOf)
    if (!columns.includes("email") && !columns.includes("cv_link")) {
      return Result.fail({ line: first.line, reason: "there is neither an address nor a column named email or cv" })
    }
    return Result.succeed(rest.map(({ cells, line }: CsvRow) => ({ line, entry: withHeader(columns, cells) })))
  })
