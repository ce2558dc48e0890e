/** Fixtures created through the services: organizations, sets, candidates, endpoints, events. */
import { Effect, Redacted } from "effect"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator, type Viewer } from "../../src/accounts/Viewer.ts"
import type { CreateInterviewSet, InterviewSet } from "../../src/interview-sets/InterviewSet.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Invite } from "../../src/invitations/Invite.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { type OrganizationId, QuestionId } from "../../src/values/Ids.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { Events } from "../../src/webhooks/events/Events.ts"
import type { EventSubject, EventType } from "../../src/webhooks/events/WebhookEvent.ts"
import { sampleFor } from "../../src/webhooks/events/WebhookSample.ts"
import * as LogWatch from "./LogWatch.ts"

export const question = "Tell us about a system that you ran."
export const answer = "I ran a billing system on PostgreSQL for four years."

/** With an interview set of one question and one requirement; `changes` override the set's fields. */
export const organization = Effect.fnUntraced(function* (changes: Partial<CreateInterviewSet> = {}, name = "Acme") {
  const id = yield* (yield* Organizations).create(name)
  // test/reviews/HiddenScores.test.ts hides them
  const { sql } = yield* Database
  yield* sql`update organization set hides_scores = false where id = ${id}::int`
  const set = yield* (yield* InterviewSets).create(operator(id), {
    title: "Backend Engineer",
    iai_questions: [{ content: question, question_mode: "interview", question_type: "text" }],
    iai_requirements: [{ title: "PostgreSQL", cfg_importance_id: 273 }],
    ...changes,
  })
  return { id, set }
})

export interface Invited {
  readonly organization: OrganizationId
  readonly set: InterviewSet
  readonly subject: EventSubject
  readonly token: string
}

/** The results of an invite, without its warnings. */
export const invite = Effect.fnUntraced(function* (viewer: Viewer, request: InviteRequest) {
  return (yield* (yield* Invite).invite(viewer, request)).results
})

/** Invites a candidate; queues one mail and publishes no event. */
export const invited = Effect.fnUntraced(function* (
  { id, set }: { readonly id: OrganizationId; readonly set: InterviewSet },
  email = "ada@example.com",
) {
  const { sql } = yield* Database
  const [result] = yield* invite(
    operator(id),
    InviteRequest.make({ com_interview_set_id: set.id, candidates: [{ email, name: "Ada" }] }),
  )
  const url = yield* Effect.fromNullishOr(result?.submission?.interview_url)
  const [subject] = yield* sql<EventSubject>`
    select b.interview_set_id, b.candidate_id, c.email as candidate_email, i.id as invitation_id, b.id as submission_id,
      c.ats_candidate_id, b.external_id, b.metadata
    from submission b join candidate c on c.id = b.candidate_id left join invitation i on i.submission_id = b.id
    where b.id = ${result?.submission?.id ?? null}::uuid`
  const token = url.slice(url.lastIndexOf("/") + 1)
  LogWatch.secret(token)
  return { organization: id, set, subject: yield* Effect.fromNullishOr(subject), token } satisfies Invited
}, Effect.orDie)

/** Starts the interview, answers the first question and submits. */
export const completed = Effect.fnUntraced(function* (
  { set, token }: Pick<Invited, "set" | "token">,
  content: string = answer,
) {
  const interviews = yield* Interviews
  yield* interviews.start(token)
  const [first] = set.iai_questions
  const answers = first === undefined ? [] : [{ question_id: QuestionId.make(first.id), content, option_ids: [] }]
  yield* interviews.finish(token, answers)
}, Effect.orDie)

/** Without `events`: subscribes to all events but decisions and stages. */
export const endpoint = Effect.fnUntraced(function* (
  organization: OrganizationId,
  {
    url = "https://receiver.example/hook",
    ...given
  }: { events?: ReadonlyArray<string>; url?: string; max_per_minute?: number } = {},
) {
  const created = yield* (yield* Endpoints).create(operator(organization), { name: url, url, ...given })
  LogWatch.secret(Redacted.value(created.secret))
  return created
}, Effect.orDie)

/** Publishes `count` events interview.status.update.started. */
export const publish = Effect.fnUntraced(function* ({ organization, set, subject }: Invited, count = 1) {
  const sample = sampleFor(["interview.status.update.started"], "https://app.example")
  const event = { ...sample, interview_name: set.title }
  return yield* (yield* Events).publish(
    organization,
    Array.from({ length: count }, () => ({ subject, event })),
  )
})

/** `data` of all events of the type, in storage order. */
export const dataOf = Effect.fnUntraced(function* (eventType: EventType) {
  const { sql } = yield* Database
  const events = yield* sql<{ data: Record<string, unknown> }>`
    select body::jsonb -> 'data' as data from webhook_event where event_type = ${eventType} order by seq`
  return events.map(({ data }) => data)
})

export const save = (
  interviews: Interviews["Service"],
  token: string,
  ...given: DropFirst<Parameters<Interviews["Service"]["save"]>>
) => Effect.flatMap(interviews.open(token), (opened) => interviews.save(opened, ...given))

type DropFirst<A extends ReadonlyArray<unknown>> = A extends readonly [unknown, ...infer Rest] ? Rest : never
