/** Webhook events (docs/webhooks.md) and the cursor of the events API. */
import { Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { type EventCandidate, eventCandidate } from "../candidates/Candidate.ts"
import type { EmailStatus } from "../emails/EmailEvent.ts"
import { extensibleEnum } from "../values/ExtensibleEnum.ts"
import {
  type CandidateId,
  EventId,
  type InterviewSetId,
  type InvitationId,
  type MemberId,
  OrganizationId,
  type SubmissionId,
} from "../values/Ids.ts"
import { Timestamp } from "../values/Timestamp.ts"

/** Additive changes keep the major number. */
export const schemaVersion = "1.0.0"

/** Events with the statuses of their sub-events, `<event>.<status>`. */
export const catalogue = {
  "invitation.status.update": [
    "invitation_email_delivered",
    "invitation_email_opened",
    "invitation_email_clicked",
    "invitation_email_failed",
    "invitation_email_spam",
    "invitation_email_accepted",
  ],
  "interview.status.update": ["initiated", "started", "completed"],
  "interview.evaluation.update": ["scored", "cannot_evaluate", "not_scored"],
  "submission.decision.update": ["advance", "hold", "reject", "cleared"],
} as const

export type EventType = keyof typeof catalogue

export type InterviewStatus = (typeof catalogue)["interview.status.update"][number]

export const eventTypes = Object.keys(catalogue) as ReadonlyArray<EventType>

/** What an endpoint without a choice of events subscribes to. Other events are delivered only to endpoints that name them. */
export const defaultEventTypes: ReadonlyArray<EventType> = eventTypes.filter(
  (type) => type !== "submission.decision.update",
)

export const subscriptions: ReadonlyArray<string> = [
  ...eventTypes,
  ...eventTypes.flatMap((parent) => catalogue[parent].map((status) => `${parent}.${status}`)),
]

export interface EventSubject extends EventCandidate {
  readonly interview_set_id: InterviewSetId
  readonly candidate_id: CandidateId
  readonly candidate_email: string | null
  readonly invitation_id: InvitationId | null
  readonly submission_id: SubmissionId
}

export type EventData =
  | {
      readonly event_type: "invitation.status.update"
      readonly status: EmailStatus
      readonly reason: string
      /** Only on failures reported by the service itself. */
      readonly interview_name?: string
    }
  | {
      readonly event_type: "interview.status.update"
      readonly status: InterviewStatus
      readonly interview_name: string
    }
  | {
      readonly event_type: "interview.evaluation.update"
      readonly interview_name: string
      readonly evaluation_type: "cv" | "interview" | "holistic"
      readonly evaluation_score: number | null
      readonly score_status: (typeof catalogue)["interview.evaluation.update"][number]
      readonly submission_url: string
      /** Absent without warnings. */
      readonly warnings?: ReadonlyArray<{ readonly code: string; readonly message: string }>
    }
  | {
      readonly event_type: "submission.decision.update"
      readonly interview_name: string
      readonly decision: (typeof catalogue)["submission.decision.update"][number]
      readonly reason: string | null
      readonly decided_by: { readonly id: MemberId; readonly name: string }
      /** ISO 8601, UTC. */
      readonly decided_at: string
      readonly submission_url: string
    }

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

const dataOf = (subject: EventSubject, event: EventData): Record<string, unknown> => {
  const set = { interview_set_id: subject.interview_set_id }
  const candidate = { candidate_id: subject.candidate_id, candidate_email: subject.candidate_email ?? "" }
  const additional = { invitation_id: subject.invitation_id, ...eventCandidate(subject) }
  switch (event.event_type) {
    case "invitation.status.update": {
      const named = event.interview_name === undefined ? {} : { interview_name: event.interview_name }
      const { reason, status } = event
      return { ...set, ...candidate, status, reason, ...named, ...additional, submission_id: subject.submission_id }
    }
    case "interview.status.update": {
      const { interview_name, status } = event
      return { ...set, interview_name, ...candidate, status, ...additional, submission_id: subject.submission_id }
    }
    case "interview.evaluation.update":
      return {
        ...set,
        interview_name: event.interview_name,
        ...candidate,
        evaluation_type: event.evaluation_type,
        evaluation_score: event.evaluation_score,
        score_status: event.score_status,
        submission_id: subject.submission_id,
        submission_url: event.submission_url,
        ...additional,
        ...(event.warnings === undefined ? {} : { warnings: event.warnings }),
      }
    case "submission.decision.update":
      return {
        ...set,
        interview_name: event.interview_name,
        ...candidate,
        decision: event.decision,
        reason: event.reason,
        decided_by: event.decided_by,
        decided_at: event.decided_at,
        submission_id: subject.submission_id,
        submission_url: event.submission_url,
        ...additional,
      }
  }
}

const statusOf = (event: EventData): string => {
  switch (event.event_type) {
    case "interview.evaluation.update":
      return event.score_status
    case "submission.decision.update":
      return event.decision
    default:
      return event.status
  }
}

/** Keys have a fixed order. */
export const make = (input: {
  readonly id: EventId
  readonly organizationId: OrganizationId
  readonly at: Date
  readonly subject: EventSubject
  readonly event: EventData
  /** Adds `is_test` to the envelope, and `timestamp` to its data. */
  readonly isTest?: boolean
}): WebhookEvent => ({
  id: input.id,
  organizationId: input.organizationId,
  eventType: input.event.event_type,
  status: statusOf(input.event),
  submissionId: input.subject.submission_id,
  body: envelope(input.event.event_type, input, dataOf(input.subject, input.event)),
})

const envelope = (
  eventType: EventType,
  input: {
    readonly id: EventId
    readonly organizationId: OrganizationId
    readonly at: Date
    readonly isTest?: boolean
  },
  data: Record<string, unknown>,
): string =>
  JSON.stringify({
    schema_version: schemaVersion,
    event_type: eventType,
    event_id: input.id,
    timestamp: input.at.toISOString(),
    organization_id: input.organizationId,
    ...(input.isTest ? { data: { ...data, timestamp: input.at.toISOString() }, is_test: true } : { data }),
  })

export const EventEnvelope = Schema.Struct({
  schema_version: Schema.String.annotate({ description: "Version of the payload schema, MAJOR.MINOR.PATCH" }),
  event_type: extensibleEnum(eventTypes).annotate({ description: "The event's name" }),
  event_id: EventId.annotate({ description: "The same in every delivery of the event" }),
  timestamp: Timestamp,
  organization_id: OrganizationId,
  data: Schema.Record(Schema.String, Schema.Json).annotate({
    description: "Depends on event_type. Keys may be added over time: ignore those that you do not know",
  }),
}).annotate({ identifier: "WebhookEvent" })
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
