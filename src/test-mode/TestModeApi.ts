/** The API of test mode: the scripted candidate, and emptying. For test keys only. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../accounts/api-keys/IdempotencyApi.ts"
import { InvitationDetail } from "../invitations/Invitation.ts"
import { results } from "../platform/http/IntegrationApi.ts"
import { bodyProblems, Conflict, NotFound } from "../platform/http/ProblemApi.ts"
import { optional, text } from "../values/Fields.ts"
import { InvitationId } from "../values/Ids.ts"
import { answerQualities } from "./TestMode.ts"

const params = { id: InvitationId.annotateKey({ description: "The id of the candidate's invitation" }) }

/** As `maxDeclineReason` of interviews/Interviews.ts. */
const maxReason = 1000

export const CompleteTestInterview = Schema.Struct({
  answers: optional(
    Schema.Literals(answerQualities),
    "How well they meet the requirements: good (default), medium or poor. Where a question has knock-out options, poor chooses one",
  ),
}).annotate({ identifier: "CompleteTestInterview" })
export type CompleteTestInterview = typeof CompleteTestInterview.Type

export const DeclineTestInterview = Schema.Struct({
  reason: optional(text(maxReason), "What the candidate writes; null: nothing"),
}).annotate({ identifier: "DeclineTestInterview" })
export type DeclineTestInterview = typeof DeclineTestInterview.Type

export const EmptiedTestMode = Schema.Struct({
  is_empty: Schema.Boolean.annotate({
    description:
      "All data is deleted; false: the service deletes the rest within minutes. Repeat the request to learn whether it is done",
  }),
}).annotate({ identifier: "EmptiedTestMode" })

const keyNote = "Needs a test key with the scope `invite_candidates`; 404 for a live key."

const onInvitation = (description: string) => results(InvitationDetail, description)

const path = "/test/v1/invitations/:id"

const complete = HttpApiEndpoint.post("complete", `${path}/complete`, {
  params,
  payload: CompleteTestInterview,
  success: onInvitation("The invitation; the answers are submitted and wait for the evaluation"),
  error: [...bodyProblems, NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "completeTestInterview",
      summary: "Complete an interview as the scripted candidate",
      description: `Reads the email, opens the link, starts the interview, answers every question and submits, as a candidate does. The evaluator rates the answers, and you get the same events. An interview that the candidate has started is completed. 409 when the interview is completed, declined or expired, the invitation was cancelled, or a required question can only be answered by video. ${keyNote}`,
    }),
  )

const open = HttpApiEndpoint.post("open", `${path}/open`, {
  params,
  success: onInvitation("The invitation, whose link was followed"),
  error: [NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "openTestInvitation",
      summary: "Open an invitation as the scripted candidate",
      description: `Reads the email and opens its link. Takes no body. 409 for the invitation of a CV set, which has no interview. ${keyNote}`,
    }),
  )

const decline = HttpApiEndpoint.post("decline", `${path}/decline`, {
  params,
  payload: DeclineTestInterview,
  success: onInvitation("The invitation, whose candidate has declined"),
  error: [...bodyProblems, NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "declineTestInterview",
      summary: "Decline an interview as the scripted candidate",
      description: `Opens the link and declines, with an optional reason. 409 when the interview is completed or expired, or the invitation was cancelled. ${keyNote}`,
    }),
  )

const expire = HttpApiEndpoint.post("expire", `${path}/expire`, {
  params,
  success: onInvitation("The invitation, which has expired"),
  error: [NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "expireTestInvitation",
      summary: "Let an invitation of the scripted candidate expire",
      description: `The deadline to start has passed. Takes no body. 409 when the candidate has started, or the invitation has ended otherwise. ${keyNote}`,
    }),
  )

const bounce = HttpApiEndpoint.post("bounce", `${path}/bounce`, {
  params,
  success: onInvitation("The invitation, whose email came back"),
  error: [NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "bounceTestInvitation",
      summary: "Let the email of an invitation bounce",
      description: `The mail server of the recipient returns the email. The invitation fails, unless the email was opened before. Takes no body. ${keyNote}`,
    }),
  )

const complain = HttpApiEndpoint.post("complain", `${path}/complaint`, {
  params,
  success: onInvitation("The invitation, whose email was marked as spam"),
  error: [NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "complainAboutTestInvitation",
      summary: "Mark the email of an invitation as spam",
      description: `The candidate marks the email as spam: the address gets no more emails of the test space. Takes no body. ${keyNote}`,
    }),
  )

const empty = HttpApiEndpoint.post("empty", "/test/v1/empty", {
  success: results(EmptiedTestMode, "Whether all data is deleted"),
  error: [NotFound],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "emptyTestMode",
    summary: "Empty test mode",
    description:
      "Deletes all data of the test space: candidates, interview sets, projects, submissions, events, emails, deliveries, suppressed addresses, logged requests and stored idempotency keys. API keys, webhooks, settings and the audit log stay: /docs/test-mode has the whole list. Records that are made while it is being emptied may be deleted, too. Takes no body. Needs a test key with the scope `manage_privacy`; 404 for a live key.",
  }),
)

export const TestMode = HttpApiGroup.make("testMode")
  .add(complete, open, decline, expire, bounce, complain, empty)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Test mode",
      description:
        "What candidates and their mail servers do, by one call each. For test keys, which begin with `iv_test_`.",
    }),
  )
