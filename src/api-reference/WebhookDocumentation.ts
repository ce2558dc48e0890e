/** The document's webhooks: a schema of each event, and the requests to a receiver. */

import { Schema } from "effect"
import { EventCandidate } from "../candidates/Candidate.ts"
import { signalOrder } from "../emails/EmailEvent.ts"
import { EvaluationType, evaluationWarnings } from "../evaluations/Evaluation.ts"
import { ScoreStatus } from "../evaluations/Score.ts"
import { refusalReasons } from "../invitations/Invitation.ts"
import { SubmissionDecision } from "../submissions/Decision.ts"
import { extensibleEnum } from "../values/ExtensibleEnum.ts"
import { outOf10 } from "../values/Fields.ts"
import {
  CandidateId,
  EventId,
  InterviewSetId,
  InvitationId,
  MemberId,
  OrganizationId,
  SubmissionId,
} from "../values/Ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { catalogue, type EventType } from "../webhooks/WebhookEvent.ts"
import { completedEvent, decidedEvent, deliveredEvent, evaluatedEvent, failedEvent, testEvent } from "./Examples.ts"
import type { Example, ExampleMap, Operation, Parameter, PathItem } from "./OpenApiDocument.ts"

const interviewName = Schema.String.annotate({ description: "The set's title" })
const candidate = {
  candidate_id: CandidateId,
  candidate_email: Schema.String.annotate({ description: "Empty when the candidate has no address" }),
}
const additional = {
  invitation_id: Schema.NullOr(InvitationId).annotate({ description: "null when there is no invitation" }),
  ...EventCandidate.fields,
}
const timestamp = Schema.optionalKey(
  Timestamp.annotate({ description: "Only in test deliveries: do not depend on it" }),
)

/** Component schemas. */
export const eventNames = {
  "invitation.status.update": "InvitationStatusEvent",
  "interview.status.update": "InterviewStatusEvent",
  "interview.evaluation.update": "EvaluationEvent",
  "submission.decision.update": "DecisionEvent",
} satisfies Record<EventType, string>

const envelope = <Type extends EventType, Fields extends Schema.Struct.Fields>(eventType: Type, data: Fields) =>
  Schema.Struct({
    schema_version: Schema.String.annotate({ description: "Version of the payload schema, MAJOR.MINOR.PATCH" }),
    event_type: Schema.Literal(eventType),
    event_id: EventId.annotate({ description: "Unique per event; the same in every delivery" }),
    timestamp: Timestamp.annotate({ description: "When the event happened: ISO 8601, UTC, with milliseconds" }),
    organization_id: OrganizationId,
    data: Schema.Struct({ ...data, timestamp }),
    is_test: Schema.optionalKey(Schema.Boolean.annotate({ description: "true in test deliveries, absent otherwise" })),
  }).annotate({ identifier: eventNames[eventType] })

export const InvitationStatusEvent = envelope("invitation.status.update", {
  interview_set_id: InterviewSetId,
  ...candidate,
  status: Schema.Literals(catalogue["invitation.status.update"]).annotate({
    description: "invitation_email_accepted is reserved and never sent",
  }),
  reason: extensibleEnum([...signalOrder, ...refusalReasons]).annotate({
    description:
      "Reported by the email provider: delivered, opened, clicked or spam; or the reason of a failure: invalid_email, unsubscribed, bounce or dropped. More reasons may be added: handle an unknown one by `status`",
  }),
  interview_name: Schema.optionalKey(
    Schema.String.annotate({ description: "The set's title, only with the reasons invalid_email and unsubscribed" }),
  ),
  ...additional,
  submission_id: SubmissionId,
})

export const InterviewStatusEvent = envelope("interview.status.update", {
  interview_set_id: InterviewSetId,
  interview_name: interviewName,
  ...candidate,
  status: Schema.Literals(catalogue["interview.status.update"]).annotate({
    description: "initiated: the candidate first acted on the interview page; started; completed",
  }),
  ...additional,
  submission_id: SubmissionId,
})

export const EvaluationEvent = envelope("interview.evaluation.update", {
  interview_set_id: InterviewSetId,
  interview_name: interviewName,
  ...candidate,
  evaluation_type: EvaluationType.annotate({ description: "cv, interview, or holistic: both together" }),
  evaluation_score: Schema.NullOr(outOf10).annotate({
    description: "Out of 10 with one decimal; null unless score_status is scored",
  }),
  score_status: ScoreStatus.annotate({
    description:
      "scored: there is a score; cannot_evaluate: there was nothing to rate, which is not a score of zero; not_scored: the set has no requirements, or the evaluator was unavailable",
  }),
  submission_id: SubmissionId.annotate({ description: "Id of the submission, to read its evaluation" }),
  submission_url: Schema.String.annotate({ description: "The submission's page for recruiters", format: "uri" }),
  ...additional,
  warnings: evaluationWarnings,
})

export const DecisionEvent = envelope("submission.decision.update", {
  interview_set_id: InterviewSetId,
  interview_name: interviewName,
  ...candidate,
  decision: Schema.Literals(catalogue["submission.decision.update"]).annotate({
    description: "advance, hold, reject, or cleared: the decision was removed",
  }),
  reason: SubmissionDecision.fields.reason,
  decided_by: Schema.Struct({ id: MemberId, name: Schema.String }).annotate({
    description: "The member who made or cleared the decision",
  }),
  decided_at: Timestamp,
  submission_id: SubmissionId,
  submission_url: Schema.String.annotate({ description: "The submission's page for recruiters", format: "uri" }),
  ...additional,
})

export const tag = {
  name: "Webhooks",
  description: "Signed requests that the service sends to your URL.",
}

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
})

/** The example signatures are those of `evaluatedEvent`. */
export const deliveryHeaders: Readonly<Record<string, Parameter>> = Object.fromEntries(
  [
    header(
      "X-Webhook-Signature",
      "t=<unix seconds>,v1=<hex digest>; two v1 while a secret is being replaced, the old secret's first: try each. The guide's section “Webhooks” explains how to verify it",
      "t=1795511612,v1=35951ccc8ded394216155fa6ff1c254ace96cd56754fa77c3386fe1498118ed5",
    ),
    header("webhook-id", "The event_id (Standard Webhooks)", evaluatedEvent.event_id),
    header("webhook-timestamp", "The t of X-Webhook-Signature (Standard Webhooks)", "1795511612"),
    header(
      "webhook-signature",
      "v1,<base64 digest> (Standard Webhooks): its libraries verify it with the displayed secret",
      "v1,orFUrvc/Nrz6t1oNouOgCOJGNN5x183GWt+ohTReboA=",
    ),
  ].map((each) => [each.name, each]),
)

const example = (summary: string, value: unknown): Example => ({ summary, value })

const webhook = (eventType: EventType, summary: string, description: string, examples: ExampleMap): PathItem => ({
  post: {
    operationId: webhookNames[eventType],
    tags: [tag.name],
    summary,
    description,
    security: [],
    parameters: Object.keys(deliveryHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: `#/components/schemas/${eventNames[eventType]}` }, examples },
      },
    },
    responses: {
      "2XX": { description: "Any 2xx within {webhook_timeout} acknowledges the delivery; the body is ignored" },
      default: {
        description:
          "Any other status, including a redirect, or no response within {webhook_timeout} is a failed attempt. {webhook_retries}",
      },
    },
  } satisfies Operation,
})

/** Names of the webhooks in /openapi.json; generators derive type names from them. */
export const webhookNames = {
  "invitation.status.update": "invitationStatusUpdate",
  "interview.status.update": "interviewStatusUpdate",
  "interview.evaluation.update": "interviewEvaluationUpdate",
  "submission.decision.update": "submissionDecisionUpdate",
} satisfies Record<EventType, string>

export const webhooks: Readonly<Record<string, PathItem>> = {
  [webhookNames["invitation.status.update"]]: webhook(
    "invitation.status.update",
    "The status of an invitation email changed",
    "Sent when the email provider reports on an invitation email, or when the service does not send the email.",
    {
      delivered: example("The email was delivered", deliveredEvent),
      failed: example("The address is not valid", failedEvent),
    },
  ),
  [webhookNames["interview.status.update"]]: webhook(
    "interview.status.update",
    "A candidate initiated, started or completed an interview",
    "`initiated` is sent once, when the candidate first acts on the interview page; opening the page alone does not count. `completed` is also sent when the time ends. A retake sends `started` and `completed` again.",
    { completed: example("The interview is completed", completedEvent) },
  ),
  [webhookNames["interview.evaluation.update"]]: webhook(
    "interview.evaluation.update",
    "An evaluation is available",
    "Sent when a CV, an interview, or both together (`holistic`) were evaluated. Events of type `interview` and `holistic` are held while the candidate can still improve the answers, and sent within {held_events_interval} afterwards. Events of type `cv` are not held. Read the whole evaluation with `submission_id`.",
    {
      scored: example("An interview was scored", evaluatedEvent),
      test: example("A test delivery", testEvent),
    },
  ),
  [webhookNames["submission.decision.update"]]: webhook(
    "submission.decision.update",
    "A recruiter decided about a candidate",
    "Sent when a member of the organization advances, holds or rejects a candidate, or clears the decision. Only endpoints whose `events` name it, or one of its sub-events, receive it: `submission.decision.update.advance`, `.hold`, `.reject` or `.cleared`. A decision sends nothing to the candidate.",
    { advance: example("The candidate advances", decidedEvent) },
  ),
}
