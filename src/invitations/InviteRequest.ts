/** The invite operation's request and its per-candidate results (spec, Invite candidates). */
import { Schema } from "effect"
import { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { SubmissionStatus } from "../submissions/Submission.ts"
import { anyText, list, optional, rule, textOfAtLeast, uuid } from "../values/Fields.ts"
import { InvitationId, SubmissionId } from "../values/Ids.ts"
import { hasKnownTokens, knownTokens } from "./Invitation.ts"

export const CandidateEntry = Schema.Struct({
  ats_candidate_id: optional(uuid, "Your own id of the candidate, unique within the request"),
  // whatever is wrong with these is the candidate's own result and stops nobody else
  email: optional(anyText, "Who has one is invited; an invalid one is reported in the candidate's result"),
  name: optional(anyText, "Display name"),
  firstname: optional(anyText, "With lastname the display name where name is absent"),
  lastname: optional(anyText),
  cv_link: optional(
    anyText,
    "https address of the CV. Without an e-mail, the CV is processed instead of an invitation",
  ),
}).annotate({ identifier: "CandidateEntry" })
export type CandidateEntry = typeof CandidateEntry.Type

/** The maximum number of candidates in one request, also when INVITE_MAX_CANDIDATES is higher. */
const maxCandidates = 100_000

export const InviteRequest = Schema.Struct({
  com_interview_set_id: optional(uuid, "Required without com_project_id"),
  com_project_id: optional(
    uuid,
    "Required without com_interview_set_id; candidates then apply to a job post of the project",
  ),
  com_job_post_id: optional(uuid, "The job post to apply to; without it the project's newest"),
  candidates: list(CandidateEntry, maxCandidates).annotate({
    description: "At least 1, at most 1,000 unless the operator says otherwise",
  }),
  invitation_message: optional(
    textOfAtLeast(10).check(
      rule(hasKnownTokens, "unknown_token", `must have no words in double braces other than ${knownTokens}`),
    ),
    `Text in the mail. ${knownTokens} are replaced; any other word in double braces is refused`,
  ),
  send_invite: optional(
    Schema.Boolean,
    "Default true. False: no invitation and no mail; hand over submission.interview_url yourself",
  ),
}).annotate({ identifier: "InviteRequest" })
export type InviteRequest = typeof InviteRequest.Type

const Text = Schema.NullOr(Schema.String)
const failed = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** One entry per candidate, in the request's order. An error field is there only when its step failed. */
export const InviteResult = Schema.Struct({
  email_address: Text.annotate({ description: "The candidate's e-mail address" }),
  cv_link: Text.annotate({ description: "The CV's address, as it was given" }),
  invitation: Schema.NullOr(
    Schema.Struct({
      id: InvitationId,
      email: Schema.String,
      status_text: InvitationStatus,
      interview_url: Schema.String.annotate({ description: "The candidate's own link", format: "uri" }),
    }),
  ).annotate({ description: "null: nobody was invited" }),
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
  candidate_entry_error_message: failed("Why the CV can not be fetched"),
}).annotate({ identifier: "InviteResult" })
export type InviteResult = typeof InviteResult.Type
