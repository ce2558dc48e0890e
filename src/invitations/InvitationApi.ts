/** Invitations: candidates are invited in bulk; each invitation can be followed, sent again, extended, cancelled. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/AuthenticationApi.ts"
import { Idempotency } from "../accounts/IdempotencyApi.ts"
import { page, pageQuery, parameter, results } from "../platform/http/ApiSchemas.ts"
import { bodyProblems, Conflict, NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { uuid } from "../values/Fields.ts"
import { InvitationId } from "../values/Ids.ts"
import { ExtendInvitation, InvitationDetail } from "./Invitation.ts"
import { InviteRequest } from "./InviteRequest.ts"
import { InviteResult } from "./InviteResult.ts"

const invite = HttpApiEndpoint.post("invite", "/interview/candidate/invite/v1", {
  payload: InviteRequest,
  success: results(Schema.Array(InviteResult)),
  error: [...bodyProblems, NotFound],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Invite candidates",
      description:
        "Invites candidates to an interview set or project: one result for each candidate, in the order of the request. Who has an e-mail address gets an invitation; who has a CV link alone is queued for CV processing. What is wrong with one candidate stands in that candidate's `*error_message` fields and the others go on. Inviting the same person to the same set again gives back the invitation that is there and sends nothing, so a request can be repeated safely. Needs the scope `invite_candidates`.",
    }),
  )

const list = HttpApiEndpoint.get("list", "/hiring/invitations/v1", {
  query: {
    ...pageQuery,
    interview_set_id: parameter(uuid, "Only invitations to this set"),
    status: parameter(InvitationStatus, "Only invitations in this state"),
    candidate_id: parameter(uuid, "Only this candidate's"),
    ats_candidate_id: parameter(uuid, "Only the candidate's with this id of yours"),
    submission_id: parameter(uuid, "Only invitations that led to this submission"),
  },
  success: page(InvitationDetail),
  error: Unprocessable,
}).annotateMerge(OpenApi.annotations({ summary: "List invitations", description: "Newest first." }))

const params = { id: InvitationId.annotateKey({ description: "The invitation's id" }) }

const read = HttpApiEndpoint.get("read", "/hiring/invitations/v1/:id", {
  params,
  success: results(InvitationDetail),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read invitation",
    description: "Its state, when it reached each step, and its link.",
  }),
)

const resend = HttpApiEndpoint.post("resend", "/hiring/invitations/v1/:id/resend", {
  params,
  success: results(InvitationDetail),
  error: [NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Send an invitation again",
      description:
        "Queues the mail once more, with the same link; who has started is told how to continue. While a mail of it is still waiting, nothing more is queued. An invitation that has failed is pending again: what becomes of this mail is reported by events as if it were the first. 409 when the invitation was cancelled, has expired or was followed by another, when the interview is completed or was declined, or when the address is not valid or has unsubscribed. Takes no body. Needs the scope `invite_candidates`.",
    }),
  )

const extend = HttpApiEndpoint.post("extend", "/hiring/invitations/v1/:id/extend", {
  params,
  payload: ExtendInvitation,
  success: results(InvitationDetail),
  error: [...bodyProblems, NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Extend an invitation",
      description:
        "Gives the candidate more time: until the interview must be started (`expires_at`), to answer it (`time_factor`, for example because of a disability), or both. The link stays the same, and a mail tells the candidate, unless the first one has not left yet and tells it itself, or the address wants no mails (`mails_stopped`): then tell the candidate yourself. What the invitation has already changes nothing and sends nothing. 409 when the invitation has failed, was cancelled or has expired, when the interview is started, completed or declined, or for a `time_factor` when it has no time limit. Needs the scope `invite_candidates`.",
    }),
  )

const cancel = HttpApiEndpoint.post("cancel", "/hiring/invitations/v1/:id/cancel", {
  params,
  success: results(InvitationDetail),
  error: [NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Cancel an invitation",
      description:
        "The link stops working and the submission is withdrawn. Cancelling twice gives the same answer. An invitation whose mail has failed can be cancelled too: its link works. 409 when the interview was submitted, also while the candidate improves it, or the invitation has expired. Takes no body. Needs the scope `invite_candidates`.",
    }),
  )

export const Invitations = HttpApiGroup.make("invitations")
  .add(invite, list, read, resend, extend, cancel)
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Invitations", description: "Who is asked, and how far the mail got." }))
