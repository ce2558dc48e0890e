/** Candidates from a table that somebody pasted: with names of columns, or addresses as mail programs write them. Pure. */
import { Result } from "effect"
import { type CsvError, type CsvRow, parseCsv } from "../values/Csv.ts"
import { parseMailbox } from "../values/EmailAddress.ts"
import type { CandidateEntry } from "./InviteRequest.ts"

/** A candidate, and the line that tells of them. */
export interface TableEntry {
  readonly line: number
  readonly entry: CandidateEntry
}

type Column = keyof CandidateEntry

/** What columns are called, in letters alone. */
const columnNames: Readonly<Record<Column, ReadonlyArray<string>>> = {
  email: ["email", "mail", "emailaddress", "mailaddress", "emailadresse", "correo", "courriel"],
  name: ["name", "fullname", "displayname", "candidate", "candidatename", "candidat"],
  firstname: ["firstname", "givenname", "forename", "vorname", "prenom", "nombre"],
  lastname: ["lastname", "surname", "familyname", "nachname", "nom", "apellido", "apellidos"],
  cv_link: ["cv", "cvlink", "cvurl", "resume", "resumelink", "resumeurl", "lebenslauf"],
  ats_candidate_id: ["id", "atscandidateid", "atsid", "candidateid"],
}

const columnOf = (cell: string): Column | undefined => {
  const letters = cell
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z]/g, "")
  return (Object.keys(columnNames) as ReadonlyArray<Column>).find((column) => columnNames[column].includes(letters))
}

const isAddress = (cell: string): boolean => cell.includes("@")
const isLink = (cell: string): boolean => /^https?:\/\//i.test(cell)

/** Without names of columns: what looks like an address or a link is one, and the first of the others is the name. */
const guessed = (cells: ReadonlyArray<string>): CandidateEntry => {
  const address = cells.find(isAddress)
  const mailbox = address === undefined ? undefined : parseMailbox(address)
  const others = cells.filter((cell) => cell !== "" && !isAddress(cell) && !isLink(cell))
  return {
    email: mailbox?.address ?? address ?? null,
    name: mailbox?.name ?? others[0] ?? null,
    cv_link: cells.find(isLink) ?? null,
  }
}

const named = (columns: ReadonlyArray<Column | undefined>, cells: ReadonlyArray<string>): CandidateEntry =>
  Object.fromEntries(columns.flatMap((column, i) => (column === undefined || !cells[i] ? [] : [[column, cells[i]]])))

/** The candidates of a table, or why it is none. The first line names the columns unless it has an address or a link. */
export const candidatesOf = (text: string): Result.Result<ReadonlyArray<TableEntry>, CsvError> =>
  Result.flatMap(parseCsv(text), (rows): Result.Result<ReadonlyArray<TableEntry>, CsvError> => {
    const [first, ...rest] = rows
    if (first === undefined) return Result.succeed([])
    if (first.cells.some((cell) => isAddress(cell) || isLink(cell))) {
      return Result.succeed(rows.map(({ cells, line }) => ({ line, entry: guessed(cells) })))
    }
    const columns = first.cells.map(columnOf)
    if (!columns.includes("email") && !columns.includes("cv_link")) {
      return Result.fail({ line: first.line, reason: "there is neither an address nor a column called email or cv" })
    }
    return Result.succeed(rest.map(({ cells, line }: CsvRow) => ({ line, entry: named(columns, cells) })))
  })
