/** A table of candidates, pasted or from a file: its header, what each of its columns means, and its candidates. */
import { Result, Schema } from "effect"
import { type CandidateEntry, type ColumnField, columnFields } from "../candidates/Candidate.ts"
import {
  type CsvError,
  type CsvRow,
  guessSeparator,
  isSeparator,
  parseCsv,
  type Separator,
  separators,
} from "../values/Csv.ts"
import { cleanAddress, parseMailbox } from "../values/EmailAddress.ts"
import { referenceLimits } from "../values/ExternalReference.ts"
import { uuid } from "../values/Fields.ts"

export interface CandidateTable {
  /** One name per column, "" if it has none; undefined: the first row is a candidate. */
  readonly header: ReadonlyArray<string> | undefined
  readonly columns: number
  readonly rows: ReadonlyArray<CsvRow>
  readonly separator: Separator
  /** False if the separator was guessed and another one is possible. */
  readonly isSeparatorCertain: boolean
}

/** What a column means. `key` is the name of the metadata, and is used with `metadata` only. */
export const Column = Schema.Struct({
  field: Schema.Literals([...columnFields.map(({ field }) => field), "metadata", "ignore"]),
  key: Schema.String,
})
export type Column = typeof Column.Type
export type ColumnMeaning = Column["field"]

export const isColumnMeaning = Schema.is(Column.fields.field)

/** `auto`: there is a header unless the first row has an address or a link. */
export type HeaderChoice = "auto" | "yes" | "no"

export const maxColumns = 50

const isAddress = (cell: string): boolean => cell.includes("@")
const isLink = (cell: string): boolean => /^https?:\/\//i.test(cell)

/** Addresses copied from an email: "Ada <ada@example.com>; grace@example.com". */
const isAddressList = (rows: ReadonlyArray<CsvRow>): boolean =>
  rows.some(({ cells }) => cells.filter(isAddress).length > 1) &&
  rows.every(({ cells }) => cells.every((cell) => cell === "" || isAddress(cell)))

const onePerRow = (rows: ReadonlyArray<CsvRow>): ReadonlyArray<CsvRow> =>
  rows.flatMap(({ cells, line }) => cells.flatMap((cell) => (cell === "" ? [] : [{ line, cells: [cell] }])))

/** Rows in which the header is looked for. */
const maxTitles = 10

/** The index of the header. Reports have titles and notes above it, which have no address and mostly fill one cell. */
const headerAt = (rows: ReadonlyArray<CsvRow>): number => {
  const first = rows.slice(0, maxTitles)
  const data = first.findIndex(({ cells }) => cells.some((cell) => isAddress(cell) || isLink(cell)))
  const above = data < 0 ? first : first.slice(0, data)
  const named = above.findIndex(({ cells }) => cells.some((cell) => byName(cell).field === "email"))
  if (named >= 0 || data < 0) return Math.max(0, named)
  const isWide = (row: CsvRow | undefined) => (row?.cells.filter((cell) => cell !== "").length ?? 0) > 1
  return isWide(rows[data]) ? Math.max(0, above.findIndex(isWide)) : 0
}

/** `separator`: by default, the one of Excel's line "sep=;", else a guess. */
export const readTable = (
  text: string,
  choice: HeaderChoice,
  separator?: Separator,
): Result.Result<CandidateTable, CsvError> => {
  const [line = "", named] = /^\ufeff?sep=([,;\t|])(?=[\r\n])/i.exec(text) ?? []
  // the line break stays, so that the line numbers match the file
  const content = text.slice(line.length)
  const given = separator ?? (isSeparator(named) ? named : undefined)
  const guess = given === undefined ? guessSeparator(content) : { separator: given, isCertain: true }
  const reading = { separator: guess.separator, isSeparatorCertain: guess.isCertain }
  return Result.flatMap(parseCsv(content, guess.separator), (read): Result.Result<CandidateTable, CsvError> => {
    const all = isAddressList(read) ? onePerRow(read) : read
    const hasHeader =
      choice === "auto" ? all[0]?.cells.every((cell) => !isAddress(cell) && !isLink(cell)) === true : choice === "yes"
    const rows = hasHeader ? all.slice(headerAt(all)) : all
    const [first, ...rest] = rows
    if (first === undefined) return Result.succeed({ header: undefined, columns: 0, rows: [], ...reading })
    const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
    if (columns > maxColumns) {
      const widest = rows.find(({ cells }) => cells.length > maxColumns) ?? first
      const reason = `there are ${columns} columns; at most ${maxColumns} are read`
      return Result.fail({ line: widest.line, reason })
    }
    const header = Array.from({ length: columns }, (_, i) => first.cells[i] ?? "")
    return Result.succeed({
      header: hasHeader ? header : undefined,
      columns,
      rows: hasHeader ? rest : rows,
      ...reading,
      // one address per row, for each separator
      isSeparatorCertain: guess.isCertain || all !== read,
    })
  })
}

const cellsOf = (table: CandidateTable, column: number): ReadonlyArray<string> =>
  table.rows.flatMap(({ cells }) => (cells[column] ? [cells[column]] : []))

const maxSamples = 3

/** Different values of a column; those that `isTelling` accepts come first. */
export const samplesOf = (
  table: CandidateTable,
  column: number,
  isTelling: (text: string) => boolean = () => true,
): ReadonlyArray<string> =>
  [...new Set(cellsOf(table, column))]
    .toSorted((a, b) => Number(isTelling(b)) - Number(isTelling(a)))
    .slice(0, maxSamples)

const hasValues = (table: CandidateTable, column: number): boolean =>
  table.rows.some(({ cells }) => (cells[column] ?? "") !== "")

const lettersOf = (name: string): string =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}]/gu, "")

const keyOf = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, referenceLimits.key)

const metadataName = /^metadata[.:_ ]+(?=\S)/i

const byName = (name: string): Column => {
  const letters = lettersOf(name)
  const found = columnFields.find(({ names }) => names.some((known) => lettersOf(known) === letters))
  if (found !== undefined) return { field: found.field, key: keyOf(name) }
  return metadataName.test(name)
    ? { field: "metadata", key: keyOf(name.replace(metadataName, "")) }
    : { field: "ignore", key: keyOf(name) }
}

const byContent = (cells: ReadonlyArray<string>): ColumnField | undefined => {
  const isMost = (test: (cell: string) => boolean) => cells.filter(test).length > cells.length / 2
  return isMost(isAddress) ? "email" : isMost(isLink) ? "cv_link" : undefined
}

const idOf = ({ field, key }: Column): string => (field === "metadata" ? `metadata ${key}` : field)

/** Keeps of each meaning the first column with values, else the first. */
const eachOnce = (table: CandidateTable, columns: ReadonlyArray<Column>): ReadonlyArray<Column> =>
  columns.map((column, i) => {
    const same = columns.flatMap((other, at) => (idOf(other) === idOf(column) ? [at] : []))
    return (same.find((at) => hasValues(table, at)) ?? same[0]) === i ? column : { field: "ignore", key: column.key }
  })

/** "Name" beside a first name only may be the last name, and beside a last name only the first name. */
const withNames = (table: CandidateTable, columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const at = (wanted: ColumnField) => columns.findIndex((column) => column.field === wanted)
  const [name, first, last] = [at("name"), at("firstname"), at("lastname")]
  const part = first < 0 ? last : first
  if (name < 0 || part < 0 || (first >= 0 && last >= 0)) return columns
  const pairs = table.rows.flatMap(({ cells }) => (cells[name] && cells[part] ? [[cells[name], cells[part]]] : []))
  const whole = pairs.filter(([full = "", one = ""]) => full.toLowerCase().includes(one.toLowerCase())).length
  if (pairs.length === 0 || whole * 2 >= pairs.length) return columns
  const field = first < 0 ? "firstname" : "lastname"
  return columns.map((column, i) => (i === name ? { field, key: column.key } : column))
}

/** A column of addresses is the address under any name, unless a column with that name has addresses too. */
const withAddresses = (table: CandidateTable, columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const areAddresses = columns.map((_, i) => byContent(cellsOf(table, i)) === "email")
  const isNamed = columns.some(({ field }, i) => field === "email" && areAddresses[i])
  if (isNamed || !areAddresses.includes(true)) return columns
  return columns.map(({ field, key }, i) =>
    areAddresses[i] ? { field: "email", key } : { field: field === "email" ? "ignore" : field, key },
  )
}

const isUuid = Schema.is(uuid)

/** A column "id" without UUIDs is the external id, unless another column is. */
const withIds = (table: CandidateTable, columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const hasExternalId = columns.some(({ field }, i) => field === "external_id" && hasValues(table, i))
  return columns.map((column, i) => {
    if (column.field !== "ats_candidate_id") return column
    const cells = cellsOf(table, i)
    const uuids = cells.filter((cell) => isUuid(cell)).length
    if (cells.length === 0 || uuids * 2 > cells.length) return column
    return { field: hasExternalId ? "ignore" : "external_id", key: column.key }
  })
}

/** Recognizes each field once; other columns with the same name or content are ignored. */
export const suggestedColumns = (table: CandidateTable): ReadonlyArray<Column> => {
  const { header } = table
  if (header !== undefined) {
    const columns = withIds(table, withAddresses(table, header.map(byName)))
    return withNames(table, eachOnce(table, columns))
  }
  const all = eachOnce(
    table,
    Array.from({ length: table.columns }, (_, i) => ({
      field: byContent(cellsOf(table, i)) ?? ("ignore" as const),
      key: "",
    })),
  )
  const name = all.findIndex(({ field }, i) => field === "ignore" && hasValues(table, i))
  return all.map((column, i) => (i === name ? { field: "name", key: "" } : column))
}

/** Columns with values that are left out. */
export const ignoredColumns = (table: CandidateTable, columns: ReadonlyArray<Column>): ReadonlyArray<number> =>
  columns.flatMap(({ field }, i) => (field === "ignore" && hasValues(table, i) ? [i] : []))

export const columnName = ({ header }: CandidateTable, column: number): string =>
  header?.[column] || `Column ${column + 1}`

const metadataKey = new RegExp(`^[A-Za-z0-9_.-]{1,${referenceLimits.key}}$`)

/** By column; `table`: of the table as a whole. */
export interface ColumnErrors {
  readonly columns: ReadonlyMap<number, { readonly field?: string; readonly key?: string }>
  readonly table: string | undefined
}

export const columnErrors = (columns: ReadonlyArray<Column>): ColumnErrors => {
  const errors = new Map<number, { readonly field?: string; readonly key?: string }>()
  const firstOf = new Map<string, number>()
  for (const [i, { field, key }] of columns.entries()) {
    if (field === "ignore") continue
    if (field === "metadata" && !metadataKey.test(key)) {
      errors.set(i, { key: `Enter a name of 1 to ${referenceLimits.key} letters, digits, "_", "-" or ".".` })
      continue
    }
    const id = field === "metadata" ? `metadata ${key}` : field
    const first = firstOf.get(id)
    if (first === undefined) firstOf.set(id, i)
    else if (field === "metadata") errors.set(i, { key: `Column ${first + 1} has this name. Choose another.` })
    else errors.set(i, { field: `Column ${first + 1} has the same meaning. Change one of them.` })
  }
  const named = columns.filter(({ field }) => field === "metadata").length
  const table = !columns.some(({ field }) => field === "email" || field === "cv_link")
    ? "Choose the column with the email addresses, or the one with the links to CVs."
    : named > referenceLimits.entries
      ? `At most ${referenceLimits.entries} columns can be metadata; these are ${named}.`
      : undefined
  return { columns: errors, table }
}

export const hasColumnErrors = ({ columns, table }: ColumnErrors): boolean => columns.size > 0 || table !== undefined

export interface TableEntry {
  readonly line: number
  /** The row has no cell with an address, but would have one if it were divided by this separator. */
  readonly dividedBy?: Separator
  readonly entry: CandidateEntry
}

/** An address may be written as "Ada Lovelace <ada@example.com>"; its name is used if no column has one. */
const withMailbox = (entry: CandidateEntry): CandidateEntry => {
  const mailbox = entry.email ? parseMailbox(entry.email) : undefined
  if (mailbox === undefined) return entry.email ? { ...entry, email: cleanAddress(entry.email) } : entry
  const isNamed = entry.name || entry.firstname || entry.lastname
  return { ...entry, email: mailbox.address, ...(isNamed || mailbox.name === null ? {} : { name: mailbox.name }) }
}

const dividedBy = (cells: ReadonlyArray<string>, separator: Separator): Separator | undefined => {
  const isValue = (cell: string) => isLink(cell) || parseMailbox(cell) !== undefined
  if (cells.some(isValue)) return undefined
  const text = cells.join(separator)
  return separators.find((other) => other !== separator && text.includes(other) && text.split(other).some(isValue))
}

/** Empty cells are absent fields. */
export const entriesOf = (table: CandidateTable, columns: ReadonlyArray<Column>): ReadonlyArray<TableEntry> =>
  table.rows.map(({ cells, line }) => {
    const given = columns.flatMap((column, i) => (cells[i] ? [{ ...column, cell: cells[i] }] : []))
    const fields = given.flatMap(({ cell, field }) =>
      field === "ignore" || field === "metadata" ? [] : [[field, cell]],
    )
    const metadata = given.flatMap(({ cell, field, key }) => (field === "metadata" ? [[key, cell]] : []))
    const other = dividedBy(cells, table.separator)
    return {
      line,
      ...(other === undefined ? {} : { dividedBy: other }),
      entry: withMailbox({
        ...Object.fromEntries(fields),
        ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
      }),
    }
  })
