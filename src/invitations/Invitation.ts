/**
 * Invitations: states, and rules for resending, correcting, extending and cancelling.
 *
 * ```
 * pending ─→ sent ─→ delivered ─→ opened ─→ clicked      steps may be skipped, none goes back
 *    └────────┴──────────┴──→ failed                     cancelled and expired end any state of the upper row
 *    ↑                           │
 *    └───────────────────────────┘                       resent, or sent to a corrected address
 * ```
 */
import { Schema } from "effect"
import { CandidateRef } from "../candidates/Candidate.ts"
import { failureSignals, refusalReasons } from "../emails/EmailEvent.ts"
import { InterviewSetRef } from "../interview-sets/InterviewSet.ts"
import { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { isAnswerable, isRetake, isSubmitted, SubmissionRef, type SubmissionStatus } from "../submissions/Submission.ts"
import { extensibleEnum } from "../values/ExtensibleEnum.ts"
import { optional } from "../values/Fields.ts"
import { InvitationId } from "../values/Ids.ts"
import { Instant, Timestamp } from "../values/Timestamp.ts"

export type RefusalReason = (typeof refusalReasons)[number]

const reached = (description: string) => Schema.NullOr(Timestamp).annotate({ description })

/** Stored with two decimals. */
const timeFactor = Schema.Finite.check(
  Schema.isBetween({ minimum: 1, maximum: 10 }, { code: "out_of_range", message: "must be from 1 to 10" }),
)

/** `email` is the address. */
export const EmailStatus = Schema.NullOr(Schema.String).annotate({
  description: "`queued`: an email of this invitation waits to be sent, also for a retry; null: none does",
})

export const InvitationDetail = Schema.Struct({
  id: InvitationId,
  status_text: InvitationStatus,
  email: Schema.String.annotate({
    description: "The address of the invitation; the candidate's address may have changed since",
  }),
  email_status: EmailStatus,
  interview_url: Schema.NullOr(Schema.String).annotate({
    description:
      "The candidate's own link, the same in every email. Anyone who has it can answer, so it is null for a key that may not invite",
    format: "uri",
  }),
  failure_reason: Schema.NullOr(extensibleEnum([...refusalReasons, ...failureSignals])).annotate({
    description:
      "Why the email failed; null: it did not. More reasons may be added: treat an unknown one like `dropped`",
  }),
  interview_set: InterviewSetRef,
  candidate: CandidateRef,
  submission: SubmissionRef,
  expires_at: Timestamp.annotate({ description: "The deadline to start the interview" }),
  time_factor: timeFactor.annotate({
    description: "Multiplies the interview's duration for this candidate; 1: no extra time",
  }),
  sent_at: reached("When the provider accepted the first email"),
  delivered_at: reached("When an email was first delivered"),
  opened_at: reached("When an email was first opened"),
  clicked_at: reached("When the link was first followed"),
  failed_at: reached("When an email could not be delivered, or was not sent"),
  cancelled_at: reached("When the invitation was cancelled, or the candidate declined"),
  declined_at: reached("When the candidate declined, which cancels the invitation without an event"),
  mails_stopped: Schema.Boolean.annotate({
    description:
      "The address has unsubscribed, or reported an email as spam: no emails are sent to it, not even about an extension",
  }),
  created_at: Timestamp,
  updated_at: Timestamp.annotate({ description: "When the invitation itself last changed" }),
}).annotate({ identifier: "Invitation" })
export type InvitationDetail = typeof InvitationDetail.Type

export const ExtendInvitation = Schema.Struct({
  expires_at: optional(
    Instant,
    "The new deadline: ISO 8601 with a time zone, later than the current one, at most a year from now",
  ),
  time_factor: optional(
    timeFactor,
    "Multiplies the interview's duration, from 1 to 10, not lower than now: 1.5 makes 45 minutes of 30. Only where the interview has a duration",
  ),
}).annotate({ identifier: "ExtendInvitation" })
export type ExtendInvitation = typeof ExtendInvitation.Type

export const CorrectInvitation = Schema.Struct({
  email: Schema.String.annotateKey({
    description: "The address that the candidate is mailed at from now on; cleaned as in an invite",
  }),
  previous_email: optional(
    Schema.String,
    "The address that failed, as you know it: 409 when the invitation has another one meanwhile",
  ),
}).annotate({ identifier: "CorrectInvitation" })
export type CorrectInvitation = typeof CorrectInvitation.Type

export interface InvitationStanding {
  readonly status: InvitationStatus
  readonly failure_reason: string | null
  /** The deadline has passed; the status may change later. */
  readonly expired: boolean
  /** The candidate has another open invitation to the set. */
  readonly replaced: boolean
  readonly submission_status: SubmissionStatus
  readonly declined: boolean
  readonly attempt: number
}

const whyEnded = ({
  declined,
  expired,
  status,
  submission_status,
}: Omit<InvitationStanding, "attempt">): string | undefined => {
  if (isSubmitted(submission_status)) return "the interview is completed: there is nothing left to answer"
  if (declined) return "the candidate has declined the interview: invite the candidate again if this was a mistake"
  if (status === "cancelled") return "the invitation was cancelled: invite the candidate again"
  if (submission_status === "started" && (expired || status === "expired")) {
    return "the invitation has expired: the interview that the candidate has started continues under the same link"
  }
  if (expired || status === "expired") return "the invitation has expired: invite the candidate again"
  if (isAnswerable(submission_status)) return undefined
  return "the submission can no longer be answered: cancel the invitation and invite the candidate again"
}

export const whyNotResend = (standing: Omit<InvitationStanding, "attempt">): string | undefined => {
  const { failure_reason, replaced, status } = standing
  const ended = whyEnded(standing)
  if (ended !== undefined || status !== "failed") return ended
  if (replaced) return "the candidate was invited again since: send that invitation again"
  return failure_reason === "invalid_email"
    ? "the email address is not valid: correct it on the submission, or invite the candidate at another one"
    : undefined
}

export const whyNotCorrect = (standing: InvitationStanding): string | undefined => {
  const { replaced, status } = standing
  const ended = whyEnded(standing)
  if (ended !== undefined) return ended
  if (status !== "failed") return "the invitation's email has not failed: only a failed address can be corrected"
  return replaced ? "the candidate was invited again since, at another address" : undefined
}

/** The reasons; the SQL of InvitationRepository decides. */
export const whyNotExtend = (standing: InvitationStanding, what: "deadline" | "time"): string | undefined => {
  const ended = whyEnded(standing)
  if (ended !== undefined) return ended
  if (standing.status === "failed") return "the invitation's email has failed: send it again first"
  if (standing.submission_status !== "started") return undefined
  return isRetake(standing.attempt)
    ? "the candidate is improving a submitted interview: its time can no longer be changed"
    : what === "deadline"
      ? "the candidate has started: the deadline to start can no longer be changed. For more time to answer, give a time_factor"
      : undefined
}

export const whyNotCancel = ({ attempt, status, submission_status }: InvitationStanding): string => {
  if (status === "expired") return "the invitation has expired: there is nothing to cancel"
  if (submission_status === "started" && isRetake(attempt)) {
    return "the interview was submitted, and the candidate is improving it: it can no longer be cancelled"
  }
  return isAnswerable(submission_status)
    ? "the candidate was invited again since: cancel that invitation"
    : "the interview is completed: it can no longer be cancelled"
}

const tokenNames = ["name", "firstname", "lastname", "interview", "organization", "deadline"] as const

export type MessageTokens = Readonly<Record<(typeof tokenNames)[number], string>>

const listed = (names: ReadonlyArray<string>): string => names.map((name) => `{{${name}}}`).join(", ")

export const knownTokens = listed(tokenNames)

/** Of letters about decisions, which have no deadline. */
export const letterTokens: ReadonlyArray<string> = tokenNames.filter((name) => name !== "deadline")

export const knownLetterTokens = listed(letterTokens)

const tokenPattern = /\{\{([^{}\n]*)\}\}/g
/** An empty value takes the space before it along, and a comma before that: "Hola, {{name}}:" becomes "Hola:". */
const spacedToken = /((?:,?[ \t])?)\{\{([^{}\n]*)\}\}/g

const isKnown = (name: string): name is keyof MessageTokens => tokenNames.some((known) => known === name)

/** `line` from 1. */
export interface UnknownToken {
  readonly token: string
  readonly line: number
}

export const unknownTokens = (
  message: string,
  names: ReadonlyArray<string> = tokenNames,
): ReadonlyArray<UnknownToken> =>
  message
    .split(/\r\n?|\n/)
    .flatMap((text, i) =>
      [...text.matchAll(tokenPattern)].flatMap(([whole, name = ""]) =>
        names.includes(name.trim()) ? [] : [{ token: whole, line: i + 1 }],
      ),
    )

const maxNamed = 5

const maxToken = 40

const shortToken = (text: string): string => {
  const characters = [...text]
  return characters.length <= maxToken ? text : `${characters.slice(0, maxToken).join("")}…`
}

/** Undefined: the message has no unknown token. Follows "The message". */
export const tokenError = (message: string, names: ReadonlyArray<string> = tokenNames): string | undefined => {
  const unknown = unknownTokens(message, names)
  if (unknown.length === 0) return undefined
  const places = unknown.slice(0, maxNamed).map(({ line, token }) => `${shortToken(token)} in line ${line}`)
  const more = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : ""
  return `must have no words in double braces other than ${listed(names)}: it has ${places.join(", ")}${more}`
}

/**
 * Undefined: every `{{` is closed in its line. Follows "The message". Forms refuse such a message as a typing error; the
 * API accepts it, and its email contains the braces.
 */
export const unclosedTokenError = (message: string): string | undefined => {
  const at = message.split(/\r\n?|\n/).findIndex((text) => text.replaceAll(tokenPattern, "").includes("{{"))
  return at < 0 ? undefined : `must close {{ with }} in the same line: it is not closed in line ${at + 1}`
}

/** One line, for headers. No-break spaces stay, which French has before a colon. */
export const lineOf = (text: string): string => text.replaceAll(/(?:[^\S\u00a0\u202f]|\p{Cc})+/gu, " ").trim()

/** Escapes values only. Keeps unknown tokens, which old messages may have. */
export const fillTokens = (message: string, tokens: MessageTokens, escape: (value: string) => string = (v) => v) =>
  message.replace(spacedToken, (whole, space: string, text: string) => {
    const name = text.trim()
    if (!isKnown(name)) return whole
    return tokens[name] === "" ? "" : `${space}${escape(tokens[name])}`
  })
