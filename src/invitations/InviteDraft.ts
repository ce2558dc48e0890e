/** The form that invites, and its request. */
import { Result, Schema } from "effect"
import { type CandidateEntry, fieldLabels } from "../candidates/Candidate.ts"
import type { FieldErrors } from "../platform/http/FormControls.ts"
import { type Form, valueOf } from "../platform/http/Forms.ts"
import { numberText } from "../texts/Formats.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import type { FormId, InterviewSetId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import { CheckedInvite, InviteRequest, inviteRuleErrors } from "./InviteRequest.ts"
import { candidatesOf } from "./PastedCandidates.ts"

export interface InviteRow {
  readonly name: string
  readonly email: string
  readonly cv: string
}

export interface InviteDraft {
  /** A form sent twice invites once. */
  readonly id: FormId
  readonly rows: ReadonlyArray<InviteRow>
  readonly table: string
  readonly message: string
  readonly job_post: string
  readonly send: boolean
}

/** UTF-16 code units; enough for a thousand candidates. */
const maxTable = 400_000

const maxRows = 50

const emptyRow: InviteRow = { name: "", email: "", cv: "" }
export const emptyInvite = (id: FormId): InviteDraft => ({
  id,
  rows: [emptyRow, emptyRow],
  table: "",
  message: "",
  job_post: "",
  send: true,
})

const cleaned = (text: string | undefined): string =>
  (text ?? "").replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed()

export const readInvite = (id: FormId, form: Form): InviteDraft => {
  const fields = new Map(form.toReversed())
  const rows: Array<InviteRow> = []
  for (let i = 0; i < maxRows && fields.has(`c.${i}.email`); i++) {
    const of = (name: string) => cleaned(fields.get(`c.${i}.${name}`))
    rows.push({ name: of("name"), email: of("email"), cv: of("cv") })
  }
  return {
    id,
    rows,
    table: cleaned(valueOf(form, "table")),
    message: cleaned(valueOf(form, "message")),
    job_post: cleaned(valueOf(form, "job_post")),
    send: valueOf(form, "send") !== "links",
  }
}

export const withRow = (draft: InviteDraft): InviteDraft =>
  draft.rows.length < maxRows ? { ...draft, rows: [...draft.rows, emptyRow] } : draft

export const Origin = Schema.Union([Schema.Struct({ row: Schema.Int }), Schema.Struct({ line: Schema.Int })])
export type Origin = typeof Origin.Type

export interface InviteErrors {
  readonly fields: FieldErrors
  readonly lines: ReadonlyArray<{ readonly line: number; readonly text: string }>
}

export interface Asked {
  readonly request: CheckedInvite
  readonly origins: ReadonlyArray<Origin>
}

const decode = Schema.decodeUnknownResult(InviteRequest, { errors: "all" })

const labels: Readonly<Record<string, string>> = fieldLabels

export const inviteErrors = (errors: ReadonlyArray<FieldError>, origins: ReadonlyArray<Origin>): InviteErrors => {
  const fields: Record<string, string> = {}
  const lines: Array<{ line: number; text: string }> = []
  for (const { code, message, pointer } of errors) {
    const [, first = "", index, field = ""] = pointer.split("/")
    const origin = first === "candidates" && index !== undefined ? origins[Number(index)] : undefined
    const text =
      message === "email or cv_link is required"
        ? "Enter an address or a link to a CV."
        : `${labels[field] ?? "It"} ${message}.`
    if (origin !== undefined && "row" in origin) {
      const name = `c.${origin.row}.${field === "cv_link" ? "cv" : field === "name" ? "name" : "email"}`
      fields[name] ??= text
    } else if (origin !== undefined) lines.push({ line: origin.line, text })
    else if (first === "invitation_message") fields["message"] ??= `The message ${message}.`
    else if (first === "com_job_post_id") fields["job_post"] ??= `The job post ${message}.`
    else if (code === "too_many") {
      const where = origins.some((one) => "line" in one) ? "table" : ""
      fields[where] ??=
        `These are ${numberText("en", origins.length)} candidates; one form ${message}. Split the table and invite in several steps.`
    } else
      fields[""] ??= code === "too_few" ? "Enter at least one candidate, in a row or in the table." : `It ${message}.`
  }
  return { fields, lines }
}

/** The API accepts such addresses and creates failed invitations. */
const addressErrors = (candidates: ReadonlyArray<CandidateEntry>): ReadonlyArray<FieldError> =>
  candidates.flatMap(({ email }, i) =>
    !email || isEmailAddress(email)
      ? []
      : [{ pointer: `/candidates/${i}/email`, code: "invalid_email", message: "must be a valid email address" }],
  )

export const inviteOf = (
  draft: InviteDraft,
  set: InterviewSetId,
  maxCandidates: number,
): Result.Result<Asked, InviteErrors> => {
  const rows = draft.rows.flatMap(({ cv, email, name }, row) =>
    `${name}${email}${cv}`.trim() === ""
      ? []
      : [{ origin: { row }, entry: { name, email: email.trim(), cv_link: cv.trim() } }],
  )
  const { length } = draft.table
  if (length > maxTable) {
    const [given, max] = [length, maxTable].map((number) => numberText("en", number))
    const text = `The table has ${given} characters; at most ${max} are read at once. Split it and invite in several steps.`
    return Result.fail({ fields: { table: text }, lines: [] })
  }
  const table = candidatesOf(draft.table)
  if (Result.isFailure(table)) {
    const { line, reason } = table.failure
    return Result.fail({ fields: { table: `Line ${line}: ${reason}.` }, lines: [] })
  }
  const all: ReadonlyArray<{ readonly origin: Origin; readonly entry: CandidateEntry }> = [
    ...rows,
    ...table.success.map(({ entry, line }) => ({ origin: { line }, entry })),
  ]
  const origins = all.map(({ origin }) => origin)
  const request = {
    com_interview_set_id: set,
    candidates: all.map(({ entry }) => entry),
    ...(draft.message.trim() === "" ? {} : { invitation_message: draft.message.trim() }),
    ...(draft.job_post === "" ? {} : { com_job_post_id: draft.job_post }),
    send_invite: draft.send,
  }
  const decoded = decode(request)
  const errors = [
    ...addressErrors(request.candidates),
    ...inviteRuleErrors(request, maxCandidates),
    ...(Result.isFailure(decoded) ? fieldErrorsOf(decoded.failure.issue) : []),
  ]
  return Result.isFailure(decoded) || errors.length > 0
    ? Result.fail(inviteErrors(errors, origins))
    : Result.succeed({ request: CheckedInvite(decoded.success), origins })
}
