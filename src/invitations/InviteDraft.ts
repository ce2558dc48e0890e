/** What a member has entered to invite candidates, at every step of the form, and the request that it makes. */
import { Result, Schema } from "effect"
import { CandidateEntry } from "../candidates/Candidate.ts"
import type { FieldErrors } from "../platform/http/FormControls.ts"
import { type Form, valueOf } from "../platform/http/Forms.ts"
import { numberText } from "../texts/Formats.ts"
import { decodeAs, encodingNamed } from "../values/CodePages.ts"
import { type Separator, separators } from "../values/Csv.ts"
import { addressMessage, cleanAddress, isEmailAddress } from "../values/EmailAddress.ts"
import { fieldLabels } from "../values/Fields.ts"
import { FormId, type InterviewSetId } from "../values/Ids.ts"
import { type AllowedNetworks, checkUrl } from "../values/OutboundAddress.ts"
import type { FieldError } from "../values/Problem.ts"
import type { DecodedText } from "../values/TextFile.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
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
import { unclosedTokenError } from "./Invitation.ts"
import { CheckedInvite, InviteRequest, inviteRuleErrors, missingCvErrors } from "./InviteRequest.ts"

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

/** Maximum characters of the message. Every email contains it. */
const maxMessage = 10_000

const emptyRow: InviteRow = { name: "", email: "", cv: "" }
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

const subjects = new Map(fieldLabels(CandidateEntry).map(({ name, subject }) => [name, subject]))

const sentence = ({ code, message, pointer }: FieldError, prefix = 1): string => {
  if (code === "refused_url") return `The CV's link: ${message}.`
  const [field = "", name] = pointer.split("/").slice(prefix)
  if (field === "ats_candidate_id" && code === "invalid_uuid") {
    return "The id in the hiring system is not a UUID. Change columns: choose External id for its column."
  }
  if (message === "email or cv_link is required") return "Enter an address or a link to a CV."
  const subject = subjects.get(field) ?? "It"
  return name === undefined || field !== "metadata"
    ? `${subject} ${message}.`
    : `${subject} "${decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~")}" ${message}.`
}

const maxName = 200

const nameErrors = (entry: CandidateEntry): ReadonlyArray<FieldError> =>
  (["name", "firstname", "lastname"] as const).flatMap((field) =>
    [...(entry[field] ?? "")].length > maxName
      ? [{ pointer: `#/${field}`, code: "too_long" as const, message: `must have at most ${maxName} characters` }]
      : [],
  )

/** The API accepts such addresses and links, and reports them in the candidate's result. */
const valueErrors = (entry: CandidateEntry, allowed: AllowedNetworks): ReadonlyArray<FieldError> => {
  const { cv_link, email } = entry
  const link = cv_link?.trim() ? checkUrl(cv_link.trim(), allowed) : undefined
  return [
    ...(email && !isEmailAddress(email)
      ? [{ pointer: "#/email", code: "invalid_email" as const, message: addressMessage(email) }]
      : []),
    ...(link !== undefined && Result.isFailure(link)
      ? [{ pointer: "#/cv_link", code: "refused_url" as const, message: link.failure.reason }]
      : []),
    ...nameErrors(entry),
  ]
}

const separatorNames: Readonly<Record<Separator, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "vertical bars",
}

const decodeEntry = Schema.decodeUnknownResult(CandidateEntry, { errors: "all" })

export interface EntryError {
  readonly field: string
  readonly text: string
}

/** The errors of each entry, in the same order. */
export const entryErrors = (
  entries: ReadonlyArray<DraftEntry>,
  isCvSet: boolean,
  allowed: AllowedNetworks,
): ReadonlyArray<ReadonlyArray<EntryError>> => {
  const candidates = entries.map(({ entry }) => entry)
  const rules = [
    // a CV set has its own, more exact error
    ...inviteRuleErrors({ com_interview_set_id: "", candidates }, Number.POSITIVE_INFINITY).filter(
      ({ code }) => !isCvSet || code !== "required",
    ),
    ...(isCvSet ? missingCvErrors(candidates) : []),
  ]
  const byEntry = new Map<number, ReadonlyArray<EntryError>>()
  for (const error of rules) {
    const [, , index, field = ""] = error.pointer.split("/")
    const at = Number(index)
    byEntry.set(at, [...(byEntry.get(at) ?? []), { field, text: sentence(error, 3) }])
  }
  return candidates.map((entry, i) => {
    const decoded = decodeEntry(entry)
    const errors = [
      ...valueErrors(entry, allowed),
      ...(Result.isFailure(decoded) ? fieldErrorsOf(decoded.failure.issue) : []),
    ]
    const found = [
      ...(byEntry.get(i) ?? []),
      ...errors.map((error) => ({ field: error.pointer.split("/")[1] ?? "", text: sentence(error) })),
    ]
    const { dividedBy } = entries[i] ?? {}
    if (found.length === 0 || dividedBy === undefined) return found
    const text = `This row is divided by ${separatorNames[dividedBy]}, the rest of the table by another character. Go back to edit, and divide it like the others.`
    return [{ field: "email", text }]
  })
}

const decode = Schema.decodeUnknownResult(InviteRequest, { errors: "all" })

const requestOf = (draft: InviteDraft, set: InterviewSetId, candidates: ReadonlyArray<CandidateEntry>) => ({
  com_interview_set_id: set,
  candidates,
  ...(draft.message.trim() === "" ? {} : { invitation_message: draft.message.trim() }),
  ...(draft.job_post === "" ? {} : { com_job_post_id: draft.job_post }),
  send_invite: draft.send,
})

export const messageError = (message: string): string | undefined => {
  if (message.trim() === "") return undefined
  if ([...message].length > maxMessage)
    return `The message must have at most ${numberText("en", maxMessage)} characters.`
  const decoded = decode({ candidates: [], invitation_message: message.trim() })
  const found = Result.isFailure(decoded)
    ? fieldErrorsOf(decoded.failure.issue).find(({ pointer }) => pointer === "#/invitation_message")
    : undefined
  const text = found?.message ?? unclosedTokenError(message)
  return text === undefined ? undefined : `The message ${text}.`
}

const rowField = (field: string): "name" | "email" | "cv" =>
  field === "cv_link" ? "cv" : field === "name" ? "name" : "email"

/** Errors of the first page. Those of a table's rows are shown with the rows, in the next step. */
export const draftErrors = (
  draft: InviteDraft,
  isCvSet: boolean,
  allowed: AllowedNetworks,
  maxCandidates: number,
): FieldErrors => {
  const fields: Record<string, string> = {}
  const message = messageError(draft.message)
  if (message !== undefined) fields["message"] = message
  const { length } = draft.table
  if (length > maxTable) {
    const [given, max] = [length, maxTable].map((number) => numberText("en", number))
    const text = `The table has ${given} characters; at most ${max} are read at once. Split it and invite in several steps.`
    return { ...fields, table: text }
  }
  const table = tableOf(draft)
  if (Result.isFailure(table)) {
    const { line, reason } = table.failure
    return { ...fields, table: `Line ${line}: ${reason}.` }
  }
  const entries = draftEntries(draft, table.success)
  if (entries.length === 0) fields[""] = "Enter at least one candidate, in a row or in the table."
  if (entries.length > maxCandidates) {
    const [given, max] = [entries.length, maxCandidates].map((number) => numberText("en", number))
    fields[draft.table === "" ? "" : "table"] =
      `The form has ${given} candidates; at most ${max} are allowed. Split the table and invite in several steps.`
    return fields
  }
  const rows = entries.filter(({ origin }) => "row" in origin)
  entryErrors(rows, isCvSet, allowed).forEach((errors, i) => {
    const { origin } = rows[i] ?? {}
    if (origin === undefined || !("row" in origin)) return
    for (const { field, text } of errors) fields[`c.${origin.row}.${rowField(field)}`] ??= text
  })
  return fields
}

/** Undefined if the message or the job post is not valid; `draftErrors` tells which. */
export const checkedRequest = (
  draft: InviteDraft,
  set: InterviewSetId,
  candidates: ReadonlyArray<CandidateEntry>,
): CheckedInvite | undefined => {
  const decoded = decode(requestOf(draft, set, candidates))
  return Result.isFailure(decoded) ? undefined : CheckedInvite(decoded.success)
}
