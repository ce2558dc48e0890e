/** The result of an invite for each candidate. */
import { Schema } from "effect"
import { CandidateRef } from "../candidates/Candidate.ts"
import type { Entry } from "../candidates/CandidateIdentity.ts"
import { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { SubmissionStatus } from "../submissions/Submission.ts"
import { addressFault, hasForeignLocalPart } from "../values/EmailAddress.ts"
import { InvitationId, SubmissionId } from "../values/Ids.ts"
import { EmailStatus, type RefusalReason } from "./Invitation.ts"
import type { InviteAction, InvitedPerson } from "./InvitePlan.ts"

const Text = Schema.NullOr(Schema.String)
const failed = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** Error fields are present for failed steps only. */
export const InviteResult = Schema.Struct({
  email_address: Text.annotate({ description: "The candidate's email address" }),
  cv_link: Text.annotate({ description: "The CV's address, as it was given" }),
  candidate: Schema.NullOr(CandidateRef).annotate({
    description: "As now stored; null: the entry has neither an email address nor a CV that can be fetched",
  }),
  invitation: Schema.NullOr(
    Schema.Struct({
      id: InvitationId,
      email: Schema.String,
      status_text: InvitationStatus,
      is_new: Schema.Boolean.annotate({
        description:
          "true: this request created the invitation; false: the candidate had it already, and this request sent nothing",
      }),
      email_status: EmailStatus,
      interview_url: Schema.String.annotate({ description: "The candidate's own link", format: "uri" }),
    }),
  ).annotate({ description: "null: the candidate was not invited" }),
  submission: Schema.NullOr(
    Schema.Struct({
      id: SubmissionId,
      status_text: SubmissionStatus,
      interview_url: Text.annotate({ description: "The candidate's own link; null: there is nothing to answer" }),
    }),
  ).annotate({ description: "null: there is nothing to evaluate" }),
  error_message: failed("Everything that failed for this candidate, in one text"),
  invitation_error_message: failed("Why no invitation was sent"),
  application_error_message: failed("Why the candidate did not apply to a job post"),
  submission_error_message: failed("Why there is no submission"),
  candidate_entry_error_message: failed("Why the CV cannot be fetched"),
}).annotate({ identifier: "InviteResult" })
export type InviteResult = typeof InviteResult.Type

export interface Outcome {
  readonly candidate: CandidateRef
  /** Undefined: there is no set to invite to. */
  readonly participation?: InvitedPerson & {
    readonly action: InviteAction
    /** Null: there is nothing to answer. */
    readonly interviewUrl: string | null
  }
}

const refusals: Record<Exclude<RefusalReason, "invalid_email">, string> = {
  unsubscribed: "this address has unsubscribed: no invitation was sent",
}

const foreignLocalPart = "the email address must have only ASCII characters before the @: no invitation was sent"

const noSet = "the project has no interview set to invite to"

const invitationError = ({ fields: { email } }: Entry, action: InviteAction | undefined): string | undefined => {
  if (action?._tag === "Refused") {
    if (action.reason !== "invalid_email") return refusals[action.reason]
    if (hasForeignLocalPart(email ?? "")) return foreignLocalPart
    const fault = addressFault(email ?? "")
    return `the email address is not valid${fault === undefined ? "" : `, it ${fault}`}: no invitation was sent`
  }
  return action?._tag === "InvitedBefore" && action.other !== undefined
    ? `is invited at ${action.other} already: nothing was sent to ${email}; cancel that invitation to send a new one`
    : undefined
}

const submissionError = (action: InviteAction | undefined): string | undefined =>
  action?._tag === "Finished" ? `the interview is ${action.status} already: no invitation was sent` : undefined

export const resultOf = (
  entry: Entry,
  outcome: Outcome | undefined,
  request: { readonly sendInvite: boolean; readonly lacksJobPost: boolean; readonly lacksSet: boolean },
): InviteResult => {
  const { action, interviewUrl = null, invitation, submission } = outcome?.participation ?? {}
  const wantsInvitation = request.sendInvite && entry.fields.email !== null
  const all = {
    candidate_entry_error_message: entry.cvError,
    application_error_message: request.lacksJobPost ? "the project has no job post to apply to" : undefined,
    submission_error_message: request.lacksSet ? (wantsInvitation ? undefined : noSet) : submissionError(action),
    invitation_error_message: request.lacksSet ? noSet : invitationError(entry, action),
  }
  const errors = Object.fromEntries(Object.entries(all).filter(([, message]) => message !== undefined))
  const messages = new Set(Object.values(errors))
  return {
    email_address: entry.fields.email,
    cv_link: entry.givenLink,
    candidate: outcome?.candidate ?? null,
    invitation:
      invitation === undefined || interviewUrl === null
        ? null
        : {
            id: invitation.id,
            email: invitation.email,
            status_text: invitation.status,
            is_new: invitation.isNew,
            email_status: invitation.mail_queued ? "queued" : null,
            interview_url: interviewUrl,
          },
    submission:
      submission === undefined
        ? null
        : { id: submission.id, status_text: submission.status, interview_url: interviewUrl },
    ...(messages.size === 0 ? {} : { error_message: [...messages].join("; ") }),
    ...errors,
  }
}
