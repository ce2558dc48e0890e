/** What webhooks carry, as schemas: one envelope for each event (spec, Events), built in webhooks/WebhookEvent.ts. */
import { Schema } from "effect"
import { EvaluationType } from "../../evaluations/Evaluation.ts"
import { ScoreStatus } from "../../evaluations/Score.ts"
import {
  AtsCandidateId,
  CandidateId,
  EventId,
  InterviewSetId,
  InvitationId,
  OrganizationId,
  SubmissionId,
} from "../../values/Ids.ts"
import { Timestamp } from "../../values/Timestamp.ts"
import { catalogue, type EventType } from "../../webhooks/WebhookEvent.ts"

const interviewName = Schema.String.annotate({ description: "The set's title" })
const candidate = {
  candidate_id: CandidateId,
  candidate_email: Schema.String.annotate({ description: "Empty when the candidate has no address" }),
}
const additional = {
  invitation_id: Schema.NullOr(InvitationId).annotate({ description: "null: nobody was invited" }),
  ats_candidate_id: Schema.NullOr(AtsCandidateId).annotate({ description: "Your own id of the candidate" }),
}
const timestamp = Schema.optionalKey(
  Timestamp.annotate({ description: "Only in test deliveries: do not depend on it" }),
)

/** The component schema of each event. */
export const eventNames = {
  "invitation.status.update": "InvitationStatusEvent",
  "interview.status.update": "InterviewStatusEvent",
  "interview.evaluation.update": "EvaluationEvent",
} satisfies Record<EventType, string>

const envelope = <Type extends EventType, Fields extends Schema.Struct.Fields>(eventType: Type, data: Fields) =>
  Schema.Struct({
    schema_version: Schema.String.annotate({ description: "Version of the payload schema, MAJOR.MINOR.PATCH" }),
    event_type: Schema.Literal(eventType),
    event_id: EventId.annotate({ description: "Unique for each event, and the same in every delivery of it" }),
    timestamp: Timestamp.annotate({ description: "When it happened: ISO 8601, UTC, with milliseconds" }),
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
  reason: Schema.String.annotate({
    description:
      "What the mail's provider said: delivered, opened, clicked or spam; or what failed: invalid_email, unsubscribed, bounce or dropped",
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
    description: "initiated: the candidate has opened the interview; started; completed",
  }),
  ...additional,
  submission_id: SubmissionId,
})

export const EvaluationEvent = envelope("interview.evaluation.update", {
  interview_set_id: InterviewSetId,
  interview_name: interviewName,
  ...candidate,
  evaluation_type: EvaluationType.annotate({ description: "cv, interview, or holistic: both together" }),
  evaluation_score: Schema.NullOr(Schema.Finite).annotate({
    description: "Out of 10 with one decimal; null unless score_status is scored",
  }),
  score_status: ScoreStatus.annotate({
    description:
      "scored: a real score; cannot_evaluate: the evaluator ran and could rate nothing, which is not a zero; not_scored: there is no score",
  }),
  submission_id: SubmissionId.annotate({ description: "Read the submission's evaluation with it" }),
  submission_url: Schema.String.annotate({ description: "Where recruiters read about it", format: "uri" }),
  ...additional,
})
