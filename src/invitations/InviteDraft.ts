/** What a member has entered to invite candidates, at every step of the form. */
import { Schema } from "effect"
import type { CandidateEntry } from "../candidates/Candidate.ts"
import { type Form, valueOf } from "../platform/http/Forms.ts"
import { decodeAs, encodingNamed } from "../values/CodePages.ts"
import { type Separator, separators } from "../values/Csv.ts"
import { cleanAddress } from "../values/EmailAddress.ts"
import { FormId } from "../values/Ids.ts"
import type { DecodedText } from "../values/TextFile.ts"
import {
  type CandidateTable,
  Column,
  columnErrors,
  entriesOf,
  hasColumnErrors,
  ignoredColumns,
  readTable,
  suggestedColumns,
} from "./CandidateTable.ts"

export const InviteRow = Schema.Struct({ name: Schema.String, email: Schema.String, cv: Schema.String })
export type InviteRow = typeof InviteRow.Type

export const InviteDraft = Schema.Struct({
  /** Id of the invite, so that a draft that is sent twice invites once. */
  id: FormId,
  rows: Schema.Array(InviteRow),
  table: Schema.String,
  /** The name of the file that the table was read from; "": it was pasted. */
  file: Schema.String,
  header: Schema.Literals(["auto", "yes", "no"]),
  /** Chosen by the member; absent: guessed. */
  separator: Schema.optionalKey(Schema.Literals(separators)),
  /** Of a file that is not, or not certainly, Unicode: its encoding, and its bytes in base64 to read it in another one. */
  source: Schema.optionalKey(
    Schema.Struct({ encoding: Schema.String, isCertain: Schema.Boolean, bytes: Schema.String }),
  ),
  /** Chosen by the member. `names` are those of the table that they were chosen for. */
  columns: Schema.NullOr(
    Schema.Struct({ names: Schema.Array(Schema.String), columns: Schema.Array(Column), isConfirmed: Schema.Boolean }),
  ),
  message: Schema.String,
  job_post: Schema.String,
  send: Schema.Boolean,
})
export type InviteDraft = typeof InviteDraft.Type

/** UTF-16 code units; enough for a thousand candidates. */
export const maxTable = 400_000

const maxRows = 50

export const emptyRow: InviteRow = { name: "", email: "", cv: "" }
export const emptyInvite = (id: FormId): InviteDraft => ({
  id,
  rows: [emptyRow, emptyRow],
  table: "",
  file: "",
  header: "auto",
  columns: null,
  message: "",
  job_post: "",
  send: true,
})

const cleaned = (text: string | undefined): string =>
  (text ?? "").replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed()

/** `id`: a new one. `before`: the draft that the form was filled with; its values that the form does not show are kept. */
export const readInvite = (id: FormId, form: Form, before: InviteDraft | undefined): InviteDraft => {
  const fields = new Map(form.toReversed())
  const rows: Array<InviteRow> = []
  for (let i = 0; i < maxRows && fields.has(`c.${i}.email`); i++) {
    const of = (name: string) => cleaned(fields.get(`c.${i}.${name}`))
    rows.push({ name: of("name"), email: of("email"), cv: of("cv") })
  }
  const table = cleaned(valueOf(form, "table"))
  const isSame = before !== undefined && table === before.table
  return {
    id,
    rows,
    table,
    file: table === "" ? "" : (before?.file ?? ""),
    header: before?.header ?? "auto",
    ...(isSame && before.separator !== undefined ? { separator: before.separator } : {}),
    ...(isSame && before.source !== undefined ? { source: before.source } : {}),
    columns: before?.columns ?? null,
    message: cleaned(valueOf(form, "message")),
    job_post: cleaned(valueOf(form, "job_post")),
    send: valueOf(form, "send") !== "links",
  }
}

export const withRow = (draft: InviteDraft): InviteDraft =>
  draft.rows.length < maxRows ? { ...draft, rows: [...draft.rows, emptyRow] } : draft

export const withFile = (
  { separator: _, source: __, ...draft }: InviteDraft,
  name: string,
  { encoding, isCertain, text }: DecodedText,
  bytes: Uint8Array,
): InviteDraft => ({
  ...draft,
  table: cleaned(text),
  file: name,
  header: "auto",
  ...(encoding.startsWith("utf-") && isCertain
    ? {}
    : { source: { encoding, isCertain, bytes: Buffer.from(bytes).toString("base64") } }),
})

/** The draft with its file read in another encoding; unchanged without a file, or if the encoding is not known. */
export const withEncoding = (draft: InviteDraft, label: string): InviteDraft => {
  const { source } = draft
  const encoding = encodingNamed(label)
  if (source === undefined || encoding === undefined) return draft
  const table = cleaned(decodeAs(Buffer.from(source.bytes, "base64"), encoding))
  return { ...draft, table, source: { ...source, encoding, isCertain: true } }
}

export const noTable: CandidateTable = {
  header: undefined,
  columns: 0,
  rows: [],
  separator: ",",
  isSeparatorCertain: true,
}

export const tableOf = ({ header, separator, table }: Pick<InviteDraft, "header" | "separator" | "table">) =>
  readTable(table, header, separator)

const namesOf = ({ columns, header }: CandidateTable): ReadonlyArray<string> =>
  header ?? Array.from({ length: columns }, () => "")

export const withColumns = (
  draft: InviteDraft,
  table: CandidateTable,
  columns: ReadonlyArray<Column>,
  isConfirmed: boolean,
): InviteDraft => ({ ...draft, columns: { names: namesOf(table), columns, isConfirmed } })

const chosenOf = (draft: InviteDraft, table: CandidateTable) => {
  const names = namesOf(table)
  const { columns } = draft
  const isSame =
    columns !== null && columns.names.length === names.length && columns.names.every((name, i) => name === names[i])
  return isSame ? columns : undefined
}

/** The member's choice, unless the table's columns have changed since. */
export const columnsOf = (draft: InviteDraft, table: CandidateTable): ReadonlyArray<Column> =>
  chosenOf(draft, table)?.columns ?? suggestedColumns(table)

/** Whether a member must say what the columns mean: some are not recognized, or there is no header. */
export const needsColumns = (draft: InviteDraft, table: CandidateTable): boolean => {
  if (table.columns === 0) return false
  const chosen = chosenOf(draft, table)
  const columns = chosen?.columns ?? suggestedColumns(table)
  if (hasColumnErrors(columnErrors(columns))) return true
  if (ignoredColumns(table, columns).length > 0) return chosen?.isConfirmed !== true
  if (chosen !== undefined) return false
  return (
    !table.isSeparatorCertain || draft.source?.isCertain === false || (table.header === undefined && table.columns > 1)
  )
}

export const Origin = Schema.Union([Schema.Struct({ row: Schema.Int }), Schema.Struct({ line: Schema.Int })])
export type Origin = typeof Origin.Type

export interface DraftEntry {
  readonly origin: Origin
  readonly entry: CandidateEntry
  /** The separator of this row, where it is not that of the table. */
  readonly dividedBy?: Separator
}

/** In the order of the form: the rows, then the table. Empty rows are left out. */
export const draftEntries = (draft: InviteDraft, table: CandidateTable): ReadonlyArray<DraftEntry> => [
  ...draft.rows.flatMap(({ cv, email, name }, row) =>
    `${name}${email}${cv}`.trim() === ""
      ? []
      : [{ origin: { row }, entry: { name, email: cleanAddress(email), cv_link: cv.trim() } }],
  ),
  ...entriesOf(table, columnsOf(draft, table)).map(({ line, ...row }) => ({ origin: { line }, ...row })),
]
