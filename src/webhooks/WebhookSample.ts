/** Events of test deliveries, about an invented candidate. */
import { emptyReference } from "../values/ExternalReference.ts"
import { CandidateId, InterviewSetId, InvitationId, MemberId, SubmissionId } from "../values/Ids.ts"
import { catalogue, type EventData, type EventSubject, type EventType, eventTypes } from "./WebhookEvent.ts"

export const subject: EventSubject = {
  interview_set_id: InterviewSetId.make("01980000-0000-7000-8000-000000000001"),
  candidate_id: CandidateId.make("01980000-0000-7000-8000-000000000002"),
  candidate_email: "ada@example.com",
  invitation_id: InvitationId.make("01980000-0000-7000-8000-000000000003"),
  submission_id: SubmissionId.make("01980000-0000-7000-8000-000000000004"),
  ats_candidate_id: null,
  ...emptyReference,
}

const reasons = {
  invitation_email_delivered: "delivered",
  invitation_email_opened: "opened",
  invitation_email_clicked: "clicked",
  invitation_email_failed: "bounce",
  invitation_email_spam: "spam",
} as const

const interview_name = "Backend Engineer"

const samples = (appUrl: string): ReadonlyMap<string, EventData> => {
  const submission_url = `${appUrl}/submissions/${subject.submission_id}`
  const events: ReadonlyArray<readonly [status: string, EventData]> = [
    ...Object.entries(reasons).map(
      ([status, reason]) =>
        [status, { event_type: "invitation.status.update", status: status as keyof typeof reasons, reason }] as const,
    ),
    ...catalogue["interview.status.update"].map(
      (status) => [status, { event_type: "interview.status.update", status, interview_name }] as const,
    ),
    ...catalogue["interview.evaluation.update"].map(
      (score_status) =>
        [
          score_status,
          {
            event_type: "interview.evaluation.update",
            interview_name,
            evaluation_type: "interview",
            evaluation_score: score_status === "scored" ? 7.5 : null,
            score_status,
            submission_url,
          },
        ] as const,
    ),
    ...catalogue["submission.decision.update"].map(
      (decision) =>
        [
          decision,
          {
            event_type: "submission.decision.update",
            interview_name,
            decision,
            reason: decision === "cleared" ? null : "Explained the query plan in the call.",
            decided_by: { id: MemberId.make("01980000-0000-7000-8000-000000000005"), name: "Rita Recruiter" },
            decided_at: "2026-01-31T18:00:00.000Z",
            submission_url,
          },
        ] as const,
    ),
  ]
  return new Map(events.map(([status, event]) => [`${event.event_type}.${status}`, event]))
}

export const sampleNames: ReadonlyArray<string> = [...samples("").keys()]

const isEventType = (name: string): name is EventType => eventTypes.some((type) => type === name)

export const testable: ReadonlyArray<string> = [...eventTypes, ...sampleNames]

/** The default is for endpoints with only the reserved event. */
export const sampleFor = (subscriptions: ReadonlyArray<string>, appUrl: string): EventData => {
  const [first] = subscriptions.flatMap((name) => sample(name, appUrl) ?? [])
  return first ?? { event_type: "interview.status.update", status: "initiated", interview_name }
}

export const sample = (name: string, appUrl: string): EventData | undefined => {
  const all = samples(appUrl)
  return isEventType(name) ? [...all.values()].find(({ event_type }) => event_type === name) : all.get(name)
}
