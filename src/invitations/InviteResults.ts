/** The per-candidate results of an invite request (spec, Per-candidate result). Pure. */

import type { LivingSubmission } from "../submissions/SubmissionRepository.ts"
import { foldAddress, hasForeignLocalPart } from "../values/EmailAddress.ts"
import type { RefusalReason } from "./Invitation.ts"
import type { LivingInvitation } from "./InvitationRepository.ts"
import type { Entry } from "./InviteEntries.ts"
import type { InviteResult } from "./InviteRequest.ts"

/** What became of one person. */
export interface Outcome {
  readonly submission: LivingSubmission | undefined
  readonly invitation: LivingInvitation | undefined
  readonly refusal: RefusalReason | undefined
  /** The candidate's own link to the interview, when there is one to answer. */
  readonly interviewUrl: string | null
}

const refusals: Record<RefusalReason, string> = {
  invalid_email: "the e-mail address is not valid: no invitation was sent",
  unsubscribed: "this address has unsubscribed: no invitation was sent",
}

const foreignLocalPart = "the e-mail address must have only ASCII characters before the @: no invitation was sent"

const noSet = "the project has no interview set to invite to"

/** Why no mail goes to an entry's address; undefined when one does, or did before. */
const invitationFault = ({ email }: Entry, { invitation, refusal }: Partial<Outcome>): string | undefined => {
  if (refusal === "invalid_email" && hasForeignLocalPart(email ?? "")) return foreignLocalPart
  if (refusal !== undefined) return refusals[refusal]
  if (invitation === undefined || email === null) return undefined
  return foldAddress(invitation.email) === foldAddress(email)
    ? undefined
    : `is invited at ${invitation.email} already: nothing was sent to ${email}; cancel that invitation to send a new one`
}

/** Why there is nothing to take part in: for whom an invitation was asked (`asked`), or for the others. */
const submissionFault = (asked: boolean, isMissing: boolean, outcome: Partial<Outcome>): string | undefined => {
  if (isMissing) return asked ? undefined : noSet
  const { invitation, submission } = outcome
  return asked && invitation === undefined && submission?.flow === "interview"
    ? `the interview is ${submission.status} already: no invitation was sent`
    : undefined
}

/** One entry's result: what there is now, and an error for each step that failed. */
export const resultOf = (
  entry: Entry,
  outcome: Partial<Outcome> = {},
  request: { readonly sendInvite: boolean; readonly lacksJobPost: boolean; readonly lacksSet: boolean },
): InviteResult => {
  const { interviewUrl = null, invitation, submission } = outcome
  const asked = request.sendInvite && entry.email !== null
  const faults = {
    candidate_entry_error_message: entry.cvFault,
    application_error_message: request.lacksJobPost ? "the project has no job post to apply to" : undefined,
    submission_error_message: submissionFault(asked, request.lacksSet, outcome),
    invitation_error_message: request.lacksSet ? noSet : invitationFault(entry, outcome),
  }
  const errors = Object.fromEntries(Object.entries(faults).filter(([, message]) => message !== undefined))
  const messages = new Set(Object.values(errors))
  return {
    email_address: entry.email,
    cv_link: entry.givenLink,
    invitation:
      invitation === undefined || interviewUrl === null
        ? null
        : {
            id: invitation.id,
            email: invitation.email,
            status_text: invitation.status,
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
