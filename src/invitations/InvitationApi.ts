/** The API of invitations. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../accounts/api-keys/IdempotencyApi.ts"
import { candidateQuery } from "../candidates/CandidateApi.ts"
import { page, pageQuery, parameter, results, updatedSince } from "../platform/http/IntegrationApi.ts"
import { bodyProblems, Conflict, NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { uuid } from "../values/Fields.ts"
import { InvitationId } from "../values/Ids.ts"
import { CorrectInvitation, ExtendInvitation, InvitationDetail } from "./Invitation.ts"
import { InviteRequest } from "./InviteRequest.ts"
import { InviteResult } from "./InviteResult.ts"

const invite = HttpApiEndpoint.post("invite", "/interview/candidate/invite/v1", {
  payload: InviteRequest,
  success: results(
    Schema.Array(InviteResult),
    "One result per candidate, in the order of the request; some may have failed",
  ),
  error: [...bodyProblems, NotFound],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "inviteCandidates",
      summary: "Invite candidates",
      description:
        "Invites candidates to an interview set or project: one result for each candidate, in the order of the request. Candidates with an email address get an invitation; candidates with only a CV link are queued for CV processing. Errors of one candidate are in that candidate's `*error_message` fields; the others are invited. Inviting the same person to the same set again returns the existing invitation (`is_new` is false) and sends nothing, so a request can be repeated safely. Needs the scope `invite_candidates`.",
    }),
  )

const list = HttpApiEndpoint.get("list", "/hiring/invitations/v1", {
  query: {
    ...pageQuery,
    interview_set_id: parameter(uuid, "Only invitations to this set"),
    status: parameter(InvitationStatus, "Only invitations in this state"),
    ...candidateQuery("invitations"),
    updated_since: updatedSince("invitations"),
    submission_id: parameter(uuid, "Only invitations with this submission"),
  },
  success: page(InvitationDetail, "invitations"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({ identifier: "listInvitations", summary: "List invitations", description: "Newest first." }),
)

const params = { id: InvitationId.annotateKey({ description: "The invitation's id" }) }

const read = HttpApiEndpoint.get("read", "/hiring/invitations/v1/:id", {
  params,
  success: results(InvitationDetail, "The invitation"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getInvitation",
    summary: "Read invitation",
    description: "Its state, the time of each step, and its link.",
  }),
)

const resend = HttpApiEndpoint.post("resend", "/hiring/invitations/v1/:id/resend", {
  params,
  success: results(InvitationDetail, "The invitation; its email is queued again"),
  error: [NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "resendInvitation",
      summary: "Send an invitation again",
      description:
        "Queues the email again, with the same link; to a candidate who has started it says how to continue. Does nothing while an email of the invitation is queued. In the answer, `email_status` is `queued`; `status_text` and the times still describe earlier emails. A failed invitation becomes pending again, and events report this email like a first one. 409 when the invitation was cancelled, has expired or was replaced by another, when the interview is completed or was declined, or when the address is not valid or has unsubscribed. Takes no body. Needs the scope `invite_candidates`.",
    }),
  )

const correct = HttpApiEndpoint.post("correct", "/hiring/invitations/v1/:id/correct", {
  params,
  payload: CorrectInvitation,
  success: results(InvitationDetail, "The invitation with its new address; its email is queued"),
  error: [...bodyProblems, NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "correctInvitation",
      summary: "Correct the address of an invitation",
      description:
        "Sends a failed invitation to another address. The candidate keeps the submission, the link and its deadline, and gets the new address, unless you have given the candidate another one since. In the answer, `status_text` is `pending` and `email_status` is `queued`. Repeating the request with the same address changes nothing. 409 when the invitation has not failed or can no longer be sent (as for sending it again), when `previous_email` is no longer its address, or when the new address has unsubscribed, is already invited to the set or belongs to another candidate. Needs the scope `invite_candidates`.",
    }),
  )

const extend = HttpApiEndpoint.post("extend", "/hiring/invitations/v1/:id/extend", {
  params,
  payload: ExtendInvitation,
  success: results(InvitationDetail, "The invitation with its new deadline"),
  error: [...bodyProblems, NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "extendInvitation",
      summary: "Extend an invitation",
      description:
        "Gives the candidate more time: to start the interview (`expires_at`), to answer it (`time_factor`, for example because of a disability), or both. The link stays the same. An email announces the extension, unless a queued email will contain it, or the address is unsubscribed (`mails_stopped`): then tell the candidate yourself. Values that the invitation already has change nothing and send nothing. While the interview runs, `time_factor` lengthens it and no email is sent. 409 when the invitation has failed, was cancelled or has expired, when the interview is completed or declined, for `expires_at` when it is started, or for a `time_factor` when it has no time limit or the time is over. Needs the scope `invite_candidates`.",
    }),
  )

const cancel = HttpApiEndpoint.post("cancel", "/hiring/invitations/v1/:id/cancel", {
  params,
  success: results(InvitationDetail, "The cancelled invitation"),
  error: [NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "cancelInvitation",
      summary: "Cancel an invitation",
      description:
        "The link will stop working, and the submission is withdrawn. Cancelling twice gives the same answer. A failed invitation can be cancelled too, because its link works. 409 when the interview was submitted, also while the candidate improves it, or the invitation has expired. Takes no body. Needs the scope `invite_candidates`.",
    }),
  )

export const Invitations = HttpApiGroup.make("invitations")
  .add(invite, list, read, resend, correct, extend, cancel)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Invitations",
      description: "Invitations of candidates, and the status of their emails.",
    }),
  )
