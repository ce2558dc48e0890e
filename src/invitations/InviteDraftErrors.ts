/** What a member has to correct before the candidates of a draft are invited, and the request of a draft without errors. */
import { Result, Schema } from "effect"
import { CandidateEntry } from "../candidates/Candidate.ts"
import type { FieldErrors } from "../platform/http/FormControls.ts"
import { numberText } from "../texts/Formats.ts"
import type { Separator } from "../values/Csv.ts"
import { addressMessage, isEmailAddress } from "../values/EmailAddress.ts"
import { fieldLabels } from "../values/Fields.ts"
import type { InterviewSetId } from "../values/Ids.ts"
import { type AllowedNetworks, checkUrl } from "../values/OutboundAddress.ts"
import type { FieldError } from "../values/Problem.ts"
import { fieldErrorsOf, keysOf } from "../values/ValidationErrors.ts"
import { unclosedTokenError } from "./Invitation.ts"
import { type DraftEntry, draftEntries, type InviteDraft, maxTable, tableOf } from "./InviteDraft.ts"
import { CheckedInvite, InviteRequest, inviteRuleErrors, missingCvErrors } from "./InviteRequest.ts"

/** Maximum characters of the message. Every email contains it. */
const maxMessage = 10_000

const subjects = new Map(fieldLabels(CandidateEntry).map(({ name, subject }) => [name, subject]))

const sentence = ({ code, message, pointer }: FieldError, prefix = 0): string => {
  if (code === "refused_url") return `The CV's link: ${message}.`
  const [field = "", name] = keysOf(pointer).slice(prefix)
  if (field === "ats_candidate_id" && code === "invalid_uuid") {
    return "The id in the hiring system is not a UUID. Change columns: choose External id for its column."
  }
  if (code === "required" && field === "email") return "Enter an address or a link to a CV."
  const subject = subjects.get(field) ?? "It"
  return name === undefined || field !== "metadata" ? `${subject} ${message}.` : `${subject} "${name}" ${message}.`
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
    byEntry.set(at, [...(byEntry.get(at) ?? []), { field, text: sentence(error, 2) }])
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
