/** The form that invites: rows and a pasted table as they were typed, and the request that they make. */
import { Result, Schema } from "effect"
import { type FieldErrors } from "../accounts/pages/SettingsParts.ts"
import { type Form, valueOf } from "../platform/http/Forms.ts"
import { type FieldErrors } from "../platform/http/FormControls.ts"
import { type Form } from "../platform/http/FormFields.ts"
import { numberText } from "../texts/Formats.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import type { FormId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import { candidatesOf } from "./CandidateTable.ts"
import { type CandidateEntry, InviteRequest } from "./InviteRequest.ts"

export interface InviteRow {
  readonly name: string
  readonly email: string
  readonly cv: string
}

export interface InviteDraft {
  /** Of the form: sent twice, it invites once. */
  readonly id: FormId
  readonly rows: ReadonlyArray<InviteRow>
  readonly table: string
  readonly message: string
  readonly job_post: string
  /** Whether mails are sent; else links are made. */
  readonly send: boolean
}

/** Characters of a table: more than a thousand candidates with names and links take. */
const longestTable = 400_000

/** Rows of a form; more candidates are pasted. */
const mostRows = 50

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
  for (let i = 0; i < mostRows && fields.has(`c.${i}.email`); i++) {
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

/** One row more, where there is room. */
export const withRow = (draft: InviteDraft): InviteDraft =>
  draft.rows.length < mostRows ? { ...draft, rows: [...draft.rows, emptyRow] } : draft

/** Where a candidate of the request was typed: a row of the form, or a line of the table. */
export const Origin = Schema.Union([Schema.Struct({ row: Schema.Int }), Schema.Struct({ line: Schema.Int })])
export type Origin = typeof Origin.Type

/** What is wrong: beside fields, and with lines of the table. */
export interface InviteErrors {
  readonly fields: FieldErrors
  readonly lines: ReadonlyArray<{ readonly line: number; readonly text: string }>
}

export interface Asked {
  readonly request: Omit<InviteRequest, "com_interview_set_id">
  readonly origins: ReadonlyArray<Origin>
}

const decode = Schema.decodeUnknownResult(InviteRequest, { errors: "all" })

const labels: Readonly<Record<string, string>> = {
  email: "The address",
  name: "The name",
  cv_link: "The CV's link",
  ats_candidate_id: "The id",
  firstname: "The first name",
  lastname: "The last name",
}

/** Faults of a request where they were typed. */
export const inviteErrors = (errors: ReadonlyArray<FieldError>, origins: ReadonlyArray<Origin>): InviteErrors => {
  const fields: Record<string, string> = {}
  const lines: Array<{ line: number; text: string }> = []
  for (const { code, message, pointer } of errors) {
    const [, first = "", index, field = ""] = pointer.split("/")
    const origin = first === "candidates" && index !== undefined ? origins[Number(index)] : undefined
    const text =
      message === "email or cv_link is required"
        ? "An address is needed, or the link of a CV."
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
        `These are ${numberText("en", origins.length)} candidates, and one form ${message}. Split the table, and invite in several goes.`
    } else fields[""] ??= code === "too_few" ? "Name somebody: in a row, or in a table." : `It ${message}.`
  }
  return { fields, lines }
}

/**
 * Addresses that no mail can be sent to. A hiring system is told of them in the answer, and a failed invitation is noted;
 * a person has most likely mistyped, and mends it before anybody is invited.
 */
const addressFaults = (candidates: ReadonlyArray<CandidateEntry>): ReadonlyArray<FieldError> =>
  candidates.flatMap(({ email }, i) =>
    !email || isEmailAddress(email)
      ? []
      : [{ pointer: `/candidates/${i}/email`, code: "invalid_email", message: "must be a valid e-mail address" }],
  )

/** The request that a form makes, or what is wrong with it. `rules` are those of invitations/Invite.ts. */
export const askedOf = (
  draft: InviteDraft,
  set: string,
  rules: (request: unknown) => ReadonlyArray<FieldError>,
): Result.Result<Asked, InviteErrors> => {
  const rows = draft.rows.flatMap(({ cv, email, name }, row) =>
    `${name}${email}${cv}`.trim() === ""
      ? []
      : [{ origin: { row }, entry: { name, email: email.trim(), cv_link: cv.trim() } }],
  )
  const { length } = draft.table
  if (length > longestTable) {
    const [is, most] = [length, longestTable].map((number) => numberText("en", number))
    const text = `The table has ${is} characters; at most ${most} are read at once. Split it, and invite in several goes.`
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
    candidates: all.map(({ entry }) => entry),
    ...(draft.message.trim() === "" ? {} : { invitation_message: draft.message.trim() }),
    ...(draft.job_post === "" ? {} : { com_job_post_id: draft.job_post }),
    send_invite: draft.send,
  }
  const decoded = decode(request)
  const errors = [
    ...addressFaults(request.candidates),
    ...rules({ ...request, com_interview_set_id: set }),
    ...(Result.isFailure(decoded) ? fieldErrorsOf(decoded.failure.issue) : []),
  ]
  return Result.isFailure(decoded) || errors.length > 0
    ? Result.fail(inviteErrors(errors, origins))
    : Result.succeed({ request: decoded.success, origins })
}
