/**
 * Webhook events (docs/webhooks.md), one schema per event, and the cursor of the events API. The annotations of events,
 * statuses and fields are the labels of the workspace's pages, the texts of /openapi.json and /docs, and the samples of test
 * deliveries (WebhookSample.ts).
 */
import { Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { EventCandidate } from "../../candidates/Candidate.ts"
import { refusalReasons, signalOrder } from "../../emails/EmailEvent.ts"
import { extensibleEnum } from "../../values/ExtensibleEnum.ts"
import { outOf10, uuid } from "../../values/Fields.ts"
import {
  CandidateId,
  EventId,
  HiringStageId,
  InterviewSetId,
  InvitationId,
  MemberId,
  OrganizationId,
  SubmissionId,
} from "../../values/Ids.ts"
import { Timestamp } from "../../values/Timestamp.ts"
import { evaluationWarnings } from "../../values/Warning.ts"

/** Additive changes keep the major number. */
export const schemaVersion = "1.0.0"

/** `sample`: fields of the status whose values in samples are not the examples of the schema. */
const statusValue = <const Name extends string>(name: Name, title: string, description: string, sample: object = {}) =>
  Schema.Literal(name).annotate({ title, description, sample })

const decapitalized = (text: string) => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`

const statuses = <const Members extends ReadonlyArray<Schema.Literal<string>>>(members: Members) =>
  Schema.Union(members).annotate({
    description: members
      .map((member) => `${member.literal}: ${decapitalized(Schema.resolveAnnotations(member)?.description ?? "")}`)
      .join("; "),
  })

/** A field with its value in samples. */
const field = <S extends Schema.Top>(schema: S, example: S["Encoded"], description?: string) =>
  schema.annotate({ examples: [example], ...(description === undefined ? {} : { description }) })

const envelope = <Type extends Schema.Top, Data extends Schema.Top>(type: Type, data: Data) =>
  Schema.Struct({
    schema_version: Schema.String.annotate({ description: "Version of the payload schema, MAJOR.MINOR.PATCH" }),
    event_type: type,
    event_id: EventId.annotate({ description: "Unique per event; the same in every delivery" }),
    timestamp: Timestamp.annotate({ description: "When the event happened: ISO 8601, UTC, with milliseconds" }),
    organization_id: OrganizationId,
    data,
    is_test: Schema.optionalKey(Schema.Boolean.annotate({ description: "true in test deliveries, absent otherwise" })),
  })

interface EventTexts {
  /** The schema in /openapi.json. */
  readonly identifier: string
  /** On pages. */
  readonly title: string
  /** On pages, and the summary in /openapi.json. */
  readonly description: string
  /** The description in /openapi.json. */
  readonly documentation: string
}

/** `statusField`: its values are the sub-events, `<type>.<status>`. */
const define = <
  const Type extends string,
  const StatusField extends string,
  const Fields extends Schema.Struct.Fields & Record<StatusField, Schema.Union<ReadonlyArray<Schema.Literal<string>>>>,
>(
  type: Type,
  statusField: StatusField,
  texts: EventTexts,
  fields: Fields,
) => ({
  ...texts,
  statusField,
  statuses: fields[statusField].members.map((member) => {
    const { description = "", sample, title = "" } = Schema.resolveAnnotations(member) ?? {}
    return { name: member.literal, title, description, sample: Object(sample) as Readonly<Record<string, unknown>> }
  }),
  schema: envelope(
    Schema.Literal(type),
    Schema.Struct({
      ...fields,
      timestamp: Schema.optionalKey(
        Timestamp.annotate({ description: "Only in test deliveries: do not depend on it" }),
      ),
    }),
  ).annotate({ ...texts }),
})

const set = { interview_set_id: field(InterviewSetId, "01980000-0000-7000-8000-000000000001") }
const setTitle = { interview_name: field(Schema.String, "Backend Engineer", "The set's title") }
const candidate = {
  candidate_id: field(CandidateId, "01980000-0000-7000-8000-000000000002"),
  candidate_email: field(Schema.String, "ada@example.com", "Empty when the candidate has no address"),
}
const additional = {
  invitation_id: field(
    Schema.NullOr(InvitationId),
    "01980000-0000-7000-8000-000000000003",
    "null when there is no invitation",
  ),
  ...EventCandidate.fields,
}
const submission = { submission_id: field(SubmissionId, "01980000-0000-7000-8000-000000000004") }
const page = {
  submission_url: field(
    Schema.String.annotate({ format: "uri" }),
    "https://app.interviews.example/submissions/01980000-0000-7000-8000-000000000004",
    "The submission's page for recruiters",
  ),
}

const invitationStatusEvent = define(
  "invitation.status.update",
  "status",
  {
    identifier: "InvitationStatusEvent",
    title: "Invitation emails",
    description: "The status of an invitation email changed",
    documentation:
      "Sent when the email provider reports on an invitation email, or when the service does not send the email.",
  },
  {
    ...set,
    ...candidate,
    status: statuses([
      statusValue("invitation_email_delivered", "Delivered", "The email was delivered", { reason: "delivered" }),
      statusValue("invitation_email_opened", "Opened", "The candidate opened the email", { reason: "opened" }),
      statusValue("invitation_email_clicked", "Clicked", "The candidate followed the link in the email", {
        reason: "clicked",
      }),
      statusValue("invitation_email_failed", "Failed", "The email could not be delivered or was not sent", {
        reason: "bounce",
      }),
      statusValue("invitation_email_spam", "Reported as spam", "The candidate marked the email as spam", {
        reason: "spam",
      }),
      statusValue("invitation_email_accepted", "Accepted", "Reserved and never sent"),
    ]),
    reason: extensibleEnum([...signalOrder, ...refusalReasons]).annotate({
      description:
        "Reported by the email provider: delivered, opened, clicked or spam; or the reason of a failure: invalid_email, unsubscribed, bounce or dropped. More reasons may be added: handle an unknown one by `status`",
    }),
    interview_name: Schema.optionalKey(
      Schema.String.annotate({ description: "The set's title, only with the reasons invalid_email and unsubscribed" }),
    ),
    ...additional,
    ...submission,
  },
)

const interviewStatusEvent = define(
  "interview.status.update",
  "status",
  {
    identifier: "InterviewStatusEvent",
    title: "Interviews",
    description: "A candidate initiated, started or completed an interview",
    documentation:
      "`initiated` is sent once, when the candidate first acts on the interview page; opening the page alone does not count. `completed` is also sent when the time ends. A retake sends `started` and `completed` again.",
  },
  {
    ...set,
    ...setTitle,
    ...candidate,
    status: statuses([
      statusValue("initiated", "Opened", "The candidate acted on the interview page for the first time"),
      statusValue("started", "Started", "The candidate started the interview"),
      statusValue("completed", "Completed", "The candidate submitted the interview, or its time ended"),
    ]),
    ...additional,
    ...submission,
  },
)

export const ScoreStatus = Schema.Union([
  statusValue("scored", "Scored", "There is a score"),
  statusValue(
    "cannot_evaluate",
    "Cannot be evaluated",
    "The evaluator found nothing that it could rate, which is not a score of zero",
    { evaluation_score: null },
  ),
  statusValue(
    "not_scored",
    "Not scored",
    "There are no requirements to score against, the evaluator was unavailable, or the candidate asked for a person",
    {
      evaluation_score: null,
    },
  ),
])
export type ScoreStatus = typeof ScoreStatus.Type

/** What was evaluated. */
export const EvaluationType = Schema.Literals(["cv", "interview", "holistic"])
export type EvaluationType = typeof EvaluationType.Type

const evaluationEvent = define(
  "interview.evaluation.update",
  "score_status",
  {
    identifier: "EvaluationEvent",
    title: "Evaluations",
    description: "A CV, an interview, or both together were evaluated",
    documentation:
      "Sent when a CV, an interview, or both together (`holistic`) were evaluated. Events of type `interview` and `holistic` are held while the candidate can still improve the answers, and sent within {held_events_interval} afterwards. Events of type `cv` are not held. Read the whole evaluation with `submission_id`.",
  },
  {
    ...set,
    ...setTitle,
    ...candidate,
    evaluation_type: field(EvaluationType, "interview", "cv, interview, or holistic: both together"),
    evaluation_score: field(
      Schema.NullOr(outOf10),
      7.5,
      "Out of 10 with one decimal; null unless score_status is scored",
    ),
    score_status: statuses(ScoreStatus.members),
    submission_id: submission.submission_id.annotate({ description: "Id of the submission, to read its evaluation" }),
    ...page,
    ...additional,
    warnings: evaluationWarnings,
  },
)

export const decisionReason = Schema.NullOr(Schema.String).annotate({
  description: "The reason of who decided; null: none was given",
})

/** Who decided about a candidate, or moved one. */
export const DecisionAuthor = Schema.Struct({
  id: uuid.annotate({ description: "Of the member or the API key" }),
  name: Schema.String.annotate({ description: "The member's name, else the address they sign in with" }),
  type: Schema.optionalKey(Schema.Literal("api_key")).annotateKey({
    description: "Present when an API key did it; absent for a member",
  }),
})
export type DecisionAuthor = typeof DecisionAuthor.Type

const decisionEvent = define(
  "submission.decision.update",
  "decision",
  {
    identifier: "DecisionEvent",
    title: "Decisions",
    description: "A recruiter decided about a candidate",
    documentation:
      "Sent when a member of the organization, or an API key, advances, holds or rejects a candidate, or clears the decision. Only endpoints whose `events` name it, or one of its sub-events, receive it: `submission.decision.update.advance`, `.hold`, `.reject` or `.cleared`. A decision sends nothing to the candidate.",
  },
  {
    ...set,
    ...setTitle,
    ...candidate,
    decision: statuses([
      statusValue("advance", "Advance", "The candidate advances"),
      statusValue("hold", "Hold", "The decision is postponed"),
      statusValue("reject", "Reject", "The candidate is rejected"),
      statusValue("cleared", "Cleared", "The decision was removed", { reason: null }),
    ]),
    reason: field(decisionReason, "Explained the query plan in the call."),
    decided_by: field(
      DecisionAuthor,
      { id: "01980000-0000-7000-8000-000000000005", name: "Rita Recruiter" },
      "The member, or the API key, that made or cleared the decision",
    ),
    decided_at: field(Timestamp, "2026-01-31T18:00:00.000Z"),
    ...submission,
    ...page,
    ...additional,
  },
)

export const StageRef = Schema.Struct({
  id: HiringStageId,
  name: Schema.String.annotate({ description: "As the organization calls the stage" }),
}).annotate({ identifier: "HiringStageRef" })

const stageEvent = define(
  "submission.stage.update",
  "change",
  {
    identifier: "StageEvent",
    title: "Stages",
    description: "A recruiter moved a candidate to another stage",
    documentation:
      "Sent when a member of the organization, or an API key, moves a candidate to one of the organization's own stages, such as a phone call, or out of them. Only endpoints whose `events` name it, or one of its sub-events, receive it: `submission.stage.update.moved` or `.left`. If the stage also makes a decision, `submission.decision.update` follows. A move sends nothing to the candidate.",
  },
  {
    ...set,
    ...setTitle,
    ...candidate,
    change: statuses([
      statusValue("moved", "Moved", "The candidate was moved to a stage"),
      statusValue("left", "Left", "The candidate was moved out of the stages", { stage: null }),
    ]),
    stage: field(
      Schema.NullOr(StageRef),
      { id: HiringStageId.make("01980000-0000-7000-8000-000000000006"), name: "Phone call" },
      "The stage now; null: none",
    ),
    previous_stage: field(Schema.NullOr(StageRef), null, "The stage before; null: none"),
    moved_by: field(
      DecisionAuthor,
      { id: "01980000-0000-7000-8000-000000000005", name: "Rita Recruiter" },
      "The member, or the API key, that moved the candidate",
    ),
    moved_at: field(Timestamp, "2026-01-31T18:00:00.000Z"),
    ...submission,
    ...page,
    ...additional,
  },
)

/** Of a candidate's request for a person, in events. */
export const ReviewKind = Schema.Literals(["instead", "again"])
export const ReviewOutcome = Schema.Literals(["by_person", "confirmed", "declined", "withdrawn"])

const reviewEvent = define(
  "submission.review",
  "status",
  {
    identifier: "ReviewEvent",
    title: "Reviews by a person",
    description: "A candidate asked for a review by a person, or was answered",
    documentation:
      "Sent when a candidate asks for a person instead of the evaluator or contests a result, when a member answers, and when the candidate withdraws the request. From `requested` on the score of the submission is not used: the API has none, and no evaluation is reported. After `answered` it counts again, unless `outcome` is `by_person`. Only endpoints whose `events` name it, or one of its sub-events, receive it: `submission.review.requested`, `.answered` or `.withdrawn`.",
  },
  {
    ...set,
    ...setTitle,
    ...candidate,
    status: statuses([
      statusValue("requested", "Requested", "The candidate asked for a review by a person", {
        outcome: null,
        answered_at: null,
        answered_by: null,
      }),
      statusValue("answered", "Answered", "A member answered the request"),
      statusValue("withdrawn", "Withdrawn", "The candidate withdrew the request", {
        outcome: "withdrawn",
        answered_by: null,
      }),
    ]),
    kind: field(
      ReviewKind,
      "again",
      "instead: the candidate wants a person instead of the evaluator; again: the candidate contests a result",
    ),
    outcome: field(
      Schema.NullOr(ReviewOutcome),
      "confirmed",
      "by_person: members review by hand, and the score stays unused; confirmed: a person has looked, and the score counts; declined: the evaluator is used; withdrawn: by the candidate; null: not answered",
    ),
    requested_at: field(Timestamp, "2026-01-31T18:00:00.000Z"),
    due_at: field(Timestamp, "2026-03-02T18:00:00.000Z", "Until then the organization answers"),
    answered_at: field(Schema.NullOr(Timestamp), "2026-02-03T09:00:00.000Z", "null: not answered"),
    answered_by: field(
      Schema.NullOr(Schema.Struct({ id: MemberId, name: Schema.String })),
      { id: MemberId.make("01980000-0000-7000-8000-000000000005"), name: "Rita Recruiter" },
      "The member who answered; null: not answered, or withdrawn by the candidate",
    ),
    ...submission,
    ...page,
    ...additional,
  },
)

export const catalogue = {
  "invitation.status.update": invitationStatusEvent,
  "interview.status.update": interviewStatusEvent,
  "interview.evaluation.update": evaluationEvent,
  "submission.decision.update": decisionEvent,
  "submission.stage.update": stageEvent,
  "submission.review": reviewEvent,
}

export type EventType = keyof typeof catalogue
type DataOf<Type extends EventType> = (typeof catalogue)[Type]["schema"]["Type"]["data"]

export type InterviewStatus = DataOf<"interview.status.update">["status"]

export const eventTypes = Object.keys(catalogue) as ReadonlyArray<EventType>

/** What an endpoint without a choice of events subscribes to. Other events are delivered only to endpoints that name them. */
export const defaultEventTypes: ReadonlyArray<EventType> = eventTypes.filter((type) => !type.startsWith("submission."))

export const subscriptions: ReadonlyArray<string> = [
  ...eventTypes,
  ...eventTypes.flatMap((type) => catalogue[type].statuses.map(({ name }) => `${type}.${name}`)),
]

/** The event or sub-event of a subscription. */
export const eventOf = (
  name: string,
): { readonly type: EventType; readonly status: string | undefined } | undefined => {
  for (const type of eventTypes) {
    if (name === type) return { type, status: undefined }
    const found = catalogue[type].statuses.find((status) => name === `${type}.${status.name}`)
    if (found !== undefined) return { type, status: found.name }
  }
  return undefined
}

/** Whom an event is about: fields of every event. */
const subject = Schema.Struct({ ...set, ...candidate, ...additional, ...submission })
const isOfSubject = (name: string): name is keyof typeof subject.fields => Object.hasOwn(subject.fields, name)

export interface EventSubject extends Omit<typeof subject.Type, "candidate_email"> {
  readonly candidate_email: string | null
}

/** The other fields. */
export type EventData = {
  [Type in EventType]: { readonly event_type: Type } & Omit<DataOf<Type>, keyof EventSubject | "timestamp">
}[EventType]

/** `body` is the exact payload of every delivery. */
export interface WebhookEvent {
  readonly id: EventId
  readonly organizationId: OrganizationId
  readonly eventType: EventType
  readonly status: string
  readonly submissionId: SubmissionId | null
  readonly body: string
}

export const matchingSubscriptions = (event: Pick<WebhookEvent, "eventType" | "status">): ReadonlyArray<string> => [
  event.eventType,
  `${event.eventType}.${event.status}`,
]

/** Keys have the order of the schema. */
export const make = (input: {
  readonly id: EventId
  readonly organizationId: OrganizationId
  readonly at: Date
  readonly subject: EventSubject
  readonly event: EventData
  /** Adds `is_test` to the envelope, and `timestamp` to its data. */
  readonly isTest?: boolean
}): WebhookEvent => {
  const { event_type, ...event } = input.event
  const timestamp = input.at.toISOString()
  const about = { ...input.subject, candidate_email: input.subject.candidate_email ?? "" }
  const own: Readonly<Record<string, unknown>> = input.isTest ? { ...event, timestamp } : event
  const { schema, statusField } = catalogue[event_type]
  const data = Object.keys(schema.fields.data.fields).map((name) => [name, isOfSubject(name) ? about[name] : own[name]])
  return {
    id: input.id,
    organizationId: input.organizationId,
    eventType: event_type,
    status: String(own[statusField]),
    submissionId: input.subject.submission_id,
    // without fields that are undefined
    body: JSON.stringify({
      schema_version: schemaVersion,
      event_type,
      event_id: input.id,
      timestamp,
      organization_id: input.organizationId,
      data: Object.fromEntries(data),
      ...(input.isTest ? { is_test: true } : {}),
    }),
  }
}

export const EventEnvelope = envelope(
  extensibleEnum(eventTypes).annotate({ description: "The event's name" }),
  Schema.Record(Schema.String, Schema.Json).annotate({
    description: "Depends on event_type. Keys may be added over time: ignore those that you do not know",
  }),
).annotate({ identifier: "WebhookEvent" })
export type EventEnvelope = typeof EventEnvelope.Type

/** 64-bit decimals as text, because a double cannot hold them (EventOrderSql.ts). */
export interface EventPosition {
  readonly xid: string
  readonly seq: string
}

export const beginning: EventPosition = { xid: "0", seq: "0" }

export interface EventsRequest {
  readonly limit: number
  readonly after: EventPosition | undefined
  /**
   * Ignored with `after`. A time: events whose `timestamp` is this time or later. "now": no events, only the cursor for
   * later ones.
   */
  readonly start?: Date | "now" | undefined
  readonly event_type?: EventType | undefined
  readonly submission_id?: SubmissionId | undefined
}

/** The last page has a `next_cursor` too. */
export interface EventsPage {
  readonly results: ReadonlyArray<EventEnvelope>
  readonly next_cursor: string
}

const cursorForm = /^(0|[1-9]\d{0,18}) (0|[1-9]\d{0,18})$/
const maxBigint = 2n ** 63n - 1n

export const eventCursorOf = ({ xid, seq }: EventPosition): string => Base64Url.encode(`${xid} ${seq}`)

export const eventPositionOf = (cursor: string): EventPosition | undefined => {
  const [, xid, seq] = cursorForm.exec(Result.getOrElse(Base64Url.decodeString(cursor), () => "")) ?? []
  if (xid === undefined || seq === undefined) return undefined
  const position = { xid, seq }
  const isValid = [xid, seq].every((number) => BigInt(number) <= maxBigint) && eventCursorOf(position) === cursor
  return isValid ? position : undefined
}
