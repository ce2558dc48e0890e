/** The invite operation's request and its per-candidate results (spec, Invite candidates). */
import { Schema } from "effect"
import { optional, text, textOfAtLeast, uuid } from "./Fields.ts"
import { InvitationId, SubmissionId } from "./Ids.ts"
import { InvitationStatus } from "./Invitation.ts"
import { SubmissionStatus } from "./Submission.ts"

export const CandidateEntry = Schema.Struct({
  ats_candidate_id: optional(uuid),
  // an address that is not valid is the candidate's own result; these lengths only bound what is stored
  email: optional(text(320)),
  name: optional(text(500)),
  firstname: optional(text(250)),
  lastname: optional(text(250)),
  cv_link: optional(text(4096)),
})
export type CandidateEntry = typeof CandidateEntry.Type

export const InviteRequest = Schema.Struct({
  com_interview_set_id: optional(uuid),
  com_project_id: optional(uuid),
  com_job_post_id: optional(uuid),
  candidates: Schema.Array(CandidateEntry),
  invitation_message: optional(textOfAtLeast(10)),
  send_invite: optional(Schema.Boolean),
})
export type InviteRequest = typeof InviteRequest.Type

const Text = Schema.NullOr(Schema.String)

/** One entry per candidate, in the request's order. An error field is there only when its step failed. */
export const InviteResult = Schema.Struct({
  email_address: Text,
  cv_link: Text,
  invitation: Schema.NullOr(
    Schema.Struct({
      id: InvitationId,
      email: Schema.String,
      status_text: InvitationStatus,
      interview_url: Schema.String,
    }),
  ),
  submission: Schema.NullOr(Schema.Struct({ id: SubmissionId, status_text: SubmissionStatus, interview_url: Text })),
  error_message: Schema.optionalKey(Schema.String),
  invitation_error_message: Schema.optionalKey(Schema.String),
  application_error_message: Schema.optionalKey(Schema.String),
  submission_error_message: Schema.optionalKey(Schema.String),
  candidate_entry_error_message: Schema.optionalKey(Schema.String),
})
export type InviteResult = typeof InviteResult.Type
