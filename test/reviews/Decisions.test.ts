/** Decisions: who may decide, two at once, undo, events, milestones of a submission. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { Decisions } from "../../src/reviews/Decisions.ts"
import { Reviews } from "../../src/reviews/Reviews.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import { MemberId, SubmissionId } from "../../src/values/Ids.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import { many, overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const unknown = "0190b5a2-7c1e-7def-8abc-0123456789ab"
const none = { decision: null, reason: "" } as const
const advance = { decision: "advance", reason: " Explains query plans. " } as const
const reject = { decision: "reject", reason: "" } as const

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const candidate = yield* Scenario.invited(yield* Scenario.organization())
  const { organization, subject } = candidate
  const rita = Members.viewer(organization, yield* Workspace.member(organization, "rita@acme.example", "owner"))
  const otto = Members.viewer(organization, yield* Workspace.member(organization, "otto@acme.example", "owner"))
  const submission = subject.submission_id
  const decisions = yield* Decisions
  const submissions = yield* Submissions
  const current = Effect.map(submissions.detail(operator(organization), submission), ({ decision }) => decision)
  return { candidate, organization, rita, otto, submission, decisions, current }
})

const reasonOf = <A>(result: Result.Result<A, { readonly _tag: string }>) =>
  Result.isFailure(result) ? result.failure._tag : undefined

const events = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ body: string; status: string }>`
    select body, status from webhook_event where event_type = 'submission.decision.update' order by xid, seq`
  return rows.map(({ body, status }) => ({ status, data: JSON.parse(body).data }))
})

const milestoneOf = Effect.fnUntraced(function* (submission: string) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ milestone: number }>`select milestone from submission where id = ${submission}::uuid`
  return row?.milestone
})

describe("a decision", () => {
  it.effect("is in the detail, in an event and in the audit log, and can be changed, undone and cleared", () =>
    Effect.gen(function* () {
      const { current, decisions, organization, otto, rita, submission } = yield* begin
      yield* decisions.decide(rita, submission, 0, advance)
      const first = {
        decision: "advance" as const,
        reason: "Explains query plans.",
        decided_by: { id: rita.id, name: "rita@acme.example" },
        decided_at: "2026-01-01T00:00:00.000Z",
      }
      assert.deepStrictEqual(yield* current, first)
      yield* TestClock.adjust("1 hour")
      yield* decisions.decide(otto, submission, 1, reject)
      const second = {
        decision: "reject" as const,
        reason: null,
        decided_by: { id: otto.id, name: "otto@acme.example" },
        decided_at: "2026-01-01T01:00:00.000Z",
      }
      assert.deepStrictEqual(yield* current, second)
      yield* TestClock.adjust("1 hour")
      yield* decisions.undo(otto, submission, 2)
      const undone = { ...first, decided_by: second.decided_by, decided_at: "2026-01-01T02:00:00.000Z" }
      assert.deepStrictEqual(yield* current, undone)
      assert.strictEqual(reasonOf(yield* Effect.result(decisions.undo(otto, submission, 3))), "Conflict")
      yield* decisions.decide(rita, submission, 3, none)
      const cleared = { ...undone, decision: null, reason: null, decided_by: first.decided_by }
      assert.deepStrictEqual(yield* current, cleared)

      const published = yield* events
      assert.deepStrictEqual(
        published.map(({ status }) => status),
        ["advance", "reject", "advance", "cleared"],
      )
      const { decided_at, decided_by, decision, reason, submission_id } = published[1]?.data ?? {}
      assert.deepStrictEqual({ decision, reason, decided_by, decided_at }, second)
      assert.strictEqual(submission_id, submission)
      const { sql } = yield* Database
      const log = yield* sql<{ member_id: string; detail: unknown }>`
        select member_id, detail from audit_log
        where organization_id = ${organization}::int and action = 'submission.decide' order by id`
      assert.lengthOf(log, 4)
      assert.deepStrictEqual(
        { ...log[1] },
        {
          member_id: otto.id,
          detail: {
            before: { decision: "advance", reason: first.reason },
            after: { decision: "reject", reason: null },
          },
        },
      )
    }).pipe(Pod.provide()),
  )

  it.effect(
    "is refused twice, after another decision, without access, for another organization and an erased person",
    () =>
      Effect.gen(function* () {
        const { current, decisions, organization, otto, rita, submission } = yield* begin
        const result = (...given: Parameters<typeof decisions.decide>) =>
          Effect.map(Effect.result(decisions.decide(...given)), reasonOf)
        yield* decisions.decide(rita, submission, 0, advance)
        assert.strictEqual(yield* result(rita, submission, 0, advance), "Conflict")
        assert.strictEqual(yield* result(rita, submission, 1, advance), "Conflict")
        assert.strictEqual(yield* result(otto, submission, 0, reject), "Conflict")
        assert.strictEqual(yield* result(otto, submission, 1, { ...reject, reason: "x".repeat(2001) }), "Invalid")
        const stranger = { ...otto, role: "recruiter" } as const
        assert.strictEqual(yield* result(stranger, submission, 1, reject), "NotAllowed")
        const other = yield* Scenario.organization({}, "Other")
        const foreigner = { ...otto, organizationId: other.id }
        for (const [who, id] of [
          [foreigner, submission],
          [otto, unknown],
          [otto, "x"],
        ] as const) {
          assert.strictEqual(yield* result(who, id, 1, reject), "NotFound")
        }
        assert.deepInclude(yield* current, { decision: "advance" })
        assert.lengthOf(yield* events, 1)
        const { sql } = yield* Database
        yield* sql`update candidate set erased_at = now() where organization_id = ${organization}::int`
        assert.strictEqual(yield* result(otto, submission, 1, reject), "Conflict")
        assert.strictEqual(reasonOf(yield* Effect.result(decisions.undo(rita, submission, 1))), "Conflict")
      }).pipe(Pod.provide()),
  )

  it.effect("is refused when it waits for the erasure of the person", () =>
    Effect.gen(function* () {
      const { candidate, current, decisions, organization, rita, submission } = yield* begin
      const erase = (yield* People).erase(operator(organization), candidate.subject.candidate_id)
      const decided = yield* overtaken(erase, decisions.decide(rita, submission, 0, advance))
      assert.strictEqual(reasonOf(decided), "Conflict")
      assert.deepInclude(yield* current, { decision: null, reason: null })
      assert.lengthOf(yield* events, 0)
    }).pipe(Pod.provide()),
  )

  it.effect("leaves nothing of a person's metadata in its event after an erasure", () =>
    Effect.gen(function* () {
      const { candidate, decisions, organization, rita, submission } = yield* begin
      const { sql } = yield* Database
      const metadata = JSON.stringify({ reason: "Moves to Turin", fullname: "Ada Lovelace" })
      yield* sql`update submission set metadata = ${metadata}::text::jsonb where id = ${submission}::uuid`
      yield* decisions.decide(rita, submission, 0, { ...advance, reason: "" })
      yield* decisions.decide(rita, submission, 1, advance)
      yield* (yield* People).erase(operator(organization), candidate.subject.candidate_id)
      for (const { data } of yield* events)
        assert.deepInclude(data, { candidate_email: "", metadata: {}, reason: null })
    }).pipe(Pod.provide()),
  )

  it.effect("by several members at once is one decision and one event", () =>
    Effect.gen(function* () {
      const { decisions, otto, rita, submission } = yield* begin
      const results = yield* Effect.all(
        [rita, otto].map((one) =>
          many(Effect.result(decisions.decide(one, submission, 0, one === rita ? advance : reject))),
        ),
        { concurrency: "unbounded" },
      )
      assert.lengthOf(results.flat().filter(Result.isSuccess), 1)
      assert.lengthOf(yield* events, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("about many submissions skips those that refuse it", () =>
    Effect.gen(function* () {
      const { candidate, decisions, organization, otto, rita, submission } = yield* begin
      const second = (yield* Scenario.invited(
        yield* Effect.succeed({ id: organization, set: candidate.set }),
        "bo@example.com",
      )).subject.submission_id
      yield* decisions.decide(rita, submission, 0, advance)
      const outcome = yield* decisions.decideAll(
        otto,
        [
          { submission, changes: 0 },
          { submission: second, changes: 0 },
          { submission: second, changes: 0 },
          { submission: SubmissionId.make(unknown), changes: 0 },
        ],
        reject,
      )
      assert.deepStrictEqual(outcome, {
        decided: [second],
        refused: [
          { submission, refusal: "changed" },
          { submission: SubmissionId.make(unknown), refusal: "unknown" },
        ],
      })
    }).pipe(Pod.provide()),
  )

  it.effect("is delivered only to endpoints that name it", () =>
    Effect.gen(function* () {
      const { decisions, organization, rita, submission } = yield* begin
      const endpoints = yield* Endpoints
      const url = "https://receiver.example/hook"
      yield* endpoints.create(operator(organization), { name: "default", url })
      for (const event of ["submission.decision.update", "submission.decision.update.reject"]) {
        yield* endpoints.create(operator(organization), { name: event, url, events: [event] })
      }
      yield* decisions.decide(rita, submission, 0, advance)
      yield* decisions.decide(rita, submission, 1, reject)
      const { sql } = yield* Database
      const rows = yield* sql<{ name: string; status: string }>`
        select p.name, e.status from webhook_delivery d join webhook_endpoint p on p.id = d.endpoint_id
          join webhook_event e on e.id = d.event_id
        where e.event_type = 'submission.decision.update' order by p.name, d.id`
      assert.deepStrictEqual(
        rows.map(({ name, status }) => `${name} ${status}`),
        [
          "submission.decision.update advance",
          "submission.decision.update reject",
          "submission.decision.update.reject reject",
        ],
      )
    }).pipe(Pod.provide()),
  )

  it.effect("sets the submission's milestone, as does each step before it", () =>
    Effect.gen(function* () {
      const { candidate, decisions, organization, rita, submission } = yield* begin
      const milestone = milestoneOf(submission)
      const interviews = yield* Interviews
      assert.strictEqual(yield* milestone, 0)
      yield* interviews.initiate(candidate.token)
      assert.strictEqual(yield* milestone, 1)
      yield* interviews.start(candidate.token)
      assert.strictEqual(yield* milestone, 2)
      yield* Scenario.completed(candidate, "Grüße: I ran PostgreSQL/Kafka clusters.")
      yield* runOnce((yield* EvaluationQueue).queue)
      assert.strictEqual(yield* milestone, 3)
      const review = { ratings: {}, note: "Clear.", mentioned: [], changes: 0 }
      yield* (yield* Reviews).save(rita, submission, { ...review, isSent: false })
      assert.strictEqual(yield* milestone, 3)
      yield* (yield* Reviews).save(rita, submission, { ...review, changes: 1, isSent: true })
      assert.strictEqual(yield* milestone, 4)
      yield* decisions.decide(rita, submission, 0, { ...advance, knowsWarnings: true })
      assert.strictEqual(yield* milestone, 5)
      yield* decisions.decide(rita, submission, 1, none)
      assert.strictEqual(yield* milestone, 4)

      const { sql } = yield* Database
      const [words] = yield* sql<{ words: ReadonlyArray<string> }>`
        select tsvector_to_array(words) as words from submission_words where submission_id = ${submission}::uuid`
      assert.deepStrictEqual([...(words?.words ?? [])].map((word) => word.slice(`${organization}:`.length)).sort(), [
        "clusters",
        "grusse",
        "i",
        "kafka",
        "postgresql",
        "ran",
      ])
    }).pipe(Pod.provide()),
  )
})

describe("a review", () => {
  const change = { ratings: {}, note: "", mentioned: [], changes: 0, isSent: true }

  it.effect("is private until it is sent; reviews by others are hidden until then", () =>
    Effect.gen(function* () {
      const { candidate, organization, otto, rita, submission } = yield* begin
      const reviews = yield* Reviews
      const { sql } = yield* Database
      const [requirement] = yield* sql<{ id: string }>`
        select id from requirement where interview_set_id = ${candidate.set.id}::uuid limit 1`
      const ratings = { [requirement?.id ?? ""]: 4 } as const
      yield* reviews.save(rita, submission, { ...change, ratings, note: " Clear. ", isSent: false })
      assert.deepInclude(yield* reviews.list(otto, submission), { own: undefined, others: [], hidden: [] })
      yield* reviews.save(rita, submission, { ...change, ratings, note: "Clear.", changes: 1 })
      const hidden = yield* reviews.list(otto, submission)
      assert.deepInclude(hidden, { own: undefined, others: [], hidden: ["rita@acme.example"] })
      yield* reviews.save(otto, submission, { ...change, note: "Vague." })
      const { hidden: left, others, own } = yield* reviews.list(otto, submission)
      assert.deepStrictEqual(left, [])
      assert.deepInclude(own, { note: "Vague.", changes: 1 })
      assert.deepStrictEqual(
        others.map(({ member, note, ratings }) => [member.name, note, ratings]),
        [["rita@acme.example", "Clear.", ratings]],
      )
      yield* sql`update organization set hides_reviews = false where id = ${organization}::int`
      const third = { ...otto, id: MemberId.make(unknown) }
      assert.lengthOf((yield* reviews.list(third, submission)).others, 2)
    }).pipe(Pod.provide()),
  )

  it.effect("is refused when empty, too long, outdated, without access or about an erased person", () =>
    Effect.gen(function* () {
      const { organization, otto, rita, submission } = yield* begin
      const reviews = yield* Reviews
      const result = (...given: Parameters<typeof reviews.save>) =>
        Effect.map(Effect.result(reviews.save(...given)), reasonOf)
      assert.strictEqual(yield* result(rita, submission, change), "Invalid")
      assert.strictEqual(yield* result(rita, submission, { ...change, note: "x".repeat(5001) }), "Invalid")
      assert.strictEqual(yield* result(rita, submission, { ...change, ratings: { [unknown]: 1 } }), "Invalid")
      const note = { ...change, note: "Clear." }
      assert.strictEqual(yield* result({ ...otto, role: "recruiter" }, submission, note), "NotFound")
      const other = yield* Scenario.organization({}, "Other")
      assert.strictEqual(yield* result({ ...otto, organizationId: other.id }, submission, note), "NotFound")
      yield* reviews.save(rita, submission, note)
      assert.strictEqual(yield* result(rita, submission, note), "Conflict")
      assert.strictEqual(yield* result(rita, submission, { ...change, changes: 1 }), "Invalid")
      assert.strictEqual(
        yield* result(rita, submission, { ...note, changes: 1, isSent: false }),
        "Conflict",
        "it was sent",
      )
      const { sql } = yield* Database
      yield* sql`update candidate set erased_at = now() where organization_id = ${organization}::int`
      assert.strictEqual(yield* result(otto, submission, note), "Conflict")
    }).pipe(Pod.provide()),
  )

  it.effect("is refused when it waits for the erasure of the person", () =>
    Effect.gen(function* () {
      const { candidate, organization, rita, submission } = yield* begin
      const erase = (yield* People).erase(operator(organization), candidate.subject.candidate_id)
      const saved = (yield* Reviews).save(rita, submission, { ...change, note: "Clear." })
      assert.strictEqual(reasonOf(yield* overtaken(erase, saved)), "Conflict")
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`select from review`, 0)
    }).pipe(Pod.provide()),
  )

  it.effect("emails each mentioned colleague with access once, without candidate data", () =>
    Effect.gen(function* () {
      const { organization, otto, rita, submission } = yield* begin
      const outsider = yield* Workspace.member(organization, "outsider@acme.example", "recruiter")
      const reviews = yield* Reviews
      const { sql } = yield* Database
      const mails = sql<{ recipient: string; subject: string; text: string }>`
        select recipient, subject, text from email where kind = 'review_mention' order by created_at`
      const mentioned = [otto.id, outsider.id, rita.id, MemberId.make(unknown)]
      yield* reviews.save(rita, submission, { ...change, note: "Clear.", mentioned, isSent: false })
      assert.lengthOf(yield* mails, 0)
      yield* reviews.save(rita, submission, { ...change, note: "Clear.", mentioned, changes: 1 })
      yield* reviews.save(rita, submission, { ...change, note: "Clearer.", mentioned, changes: 2 })
      const sent = yield* mails
      assert.deepStrictEqual(
        sent.map(({ recipient }) => recipient),
        ["otto@acme.example"],
      )
      assert.notMatch(`${sent[0]?.subject} ${sent[0]?.text}`, /ada|lovelace|Clear/i)
      assert.include(sent[0]?.text ?? "", `/submissions/${submission}`)
    }).pipe(Pod.provide()),
  )
})
