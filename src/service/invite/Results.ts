/** The per-candidate results of an invite request (spec, Per-candidate result). Pure. */
import type { RefusalReason } from "../../domain/Invitation.ts"
import type { InviteResult } from "../../domain/Invite.ts"
import type { LivingInvitation } from "../../repository/Invitations.ts"
import type { LivingSubmission } from "../../repository/Submissions.ts"
import type { Entry } from "./Entries.ts"

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

/** One entry's result: what there is now, and an error for each step that failed. */
export const resultOf = (
  entry: Entry,
  outcome: Outcome | undefined,
  missing: { readonly jobPost: boolean; readonly interviewSet: boolean },
): InviteResult => {
  const { interviewUrl = null, invitation, refusal, submission } = outcome ?? {}
  const errors = {
    ...(entry.cvFault === undefined ? {} : { candidate_entry_error_message: entry.cvFault }),
    ...(missing.jobPost ? { application_error_message: "the project has no job post to apply to" } : {}),
    ...(missing.interviewSet
      ? { invitation_error_message: "the project has no interview set to invite to" }
      : refusal === undefined
        ? {}
        : { invitation_error_message: refusals[refusal] }),
  }
  const messages = Object.values(errors)
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
    ...(messages.length === 0 ? {} : { error_message: messages.join("; ") }),
    ...errors,
  }
}
