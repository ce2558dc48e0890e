import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { InterviewNotOpen, LinkUnknown } from "../../src/interviews/InterviewView.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { SubmissionId } from "../../src/values/Ids.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const start = Date.UTC(2026, 0, 1)

/** A candidate who was invited on 1 January. */
const candidate = Effect.fnUntraced(function* (changes: Parameters<typeof Scenario.organization>[0] = {}) {
  yield* TestClock.setTime(start)
  const invited = yield* Scenario.invited(yield* Scenario.organization({ interview_duration: 30, ...changes }))
  const [question] = invited.set.iai_questions
  const answer = (content: string) =>
    question === undefined ? [] : [{ question_id: question.id, content, option_ids: [] }]
  return { ...invited, answer, interviews: yield* Interviews, submission: invited.subject.submission_id }
})

/** The stored state of a submission, without queued mails. */
const stored = Effect.fnUntraced(function* (submission: SubmissionId) {
  const { sql } = yield* Database
  const [row] = yield* sql<{
    submission: Record<string, unknown>
    events: ReadonlyArray<string>
    answers: ReadonlyArray<string>
    evaluations: number
  }>`
    select to_jsonb(b) as submission,
      coalesce((select array_agg(status order by seq) from webhook_event where submission_id = b.id), '{}') as events,
      coalesce((select array_agg(content) from answer where submission_id = b.id), '{}') as answers,
      (select count(*)::int from evaluation where submission_id = b.id) as evaluations
    from submission b where id = ${submission}::uuid`
  return yield* Effect.fromNullishOr(row)
}, Effect.orDie)

const many = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: 10 }, () => effect),
    { concurrency: "unbounded" },
  )

layer(Pod.services().pipe(Layer.provideMerge(TestDatabase.layer)))("Interviews", (it) => {
  it.effect("changes nothing when the link is viewed", () =>
    Effect.gen(function* () {
      const { interviews, submission, token } = yield* candidate()
      const before = yield* stored(submission)
      const view = yield* interviews.view(token)
      assert.deepInclude(view, {
        state: "open",
        organizationName: "Acme",
        interviewName: "Backend Engineer",
        candidateName: "Ada",
        minutes: 30,
        secondsLeft: null,
      })
      assert.deepStrictEqual(yield* stored(submission), before)
    }),
  )

  it.effect("shows the contacts of the organization", () =>
    Effect.gen(function* () {
      const { interviews, organization, token } = yield* candidate()
      const { update } = yield* Organizations
      yield* update(operator(organization), {
        contact: "jobs@acme.example",
        privacy_contact: "https://acme.example/privacy",
      })
      yield* update(operator(organization), { contact: "" })
      assert.deepInclude(yield* interviews.view(token), {
        contact: null,
        privacyContact: "https://acme.example/privacy",
      })
      for (const contact of ["acme", "http://acme.example", "https://acme.example/ x", "javascript:alert(1)"]) {
        assert.strictEqual((yield* Effect.flip(update(operator(organization), { contact })))._tag, "Invalid")
      }
    }),
  )

  it.effect("publishes one initiated event for many first actions", () =>
    Effect.gen(function* () {
      const { interviews, submission, token } = yield* candidate()
      yield* many(interviews.initiate(token))
      yield* interviews.initiate(token)
      const row = yield* stored(submission)
      assert.deepStrictEqual(row.events, ["initiated"])
      assert.strictEqual(row.submission["status"], "initiated")
    }),
  )

  it.effect("starts the clock once, with the time factor", () =>
    Effect.gen(function* () {
      const { interviews, submission, token } = yield* candidate({ interview_duration: 25 })
      const { sql } = yield* Database
      yield* sql`update submission set time_factor = 1.5 where id = ${submission}::uuid`
      yield* interviews.initiate(token)
      yield* TestClock.adjust("1 hour")
      yield* many(interviews.start(token))
      const { events } = yield* stored(submission)
      assert.deepStrictEqual(events, ["initiated", "started"])
      yield* TestClock.adjust("10 minutes")
      yield* interviews.start(token)
      const view = yield* interviews.view(token)
      assert.deepInclude(view, { state: "running", minutes: 38, secondsLeft: 28 * 60 })
    }),
  )

  it.effect("publishes initiated and started when the start is the first action", () =>
    Effect.gen(function* () {
      const { interviews, submission, token } = yield* candidate()
      yield* interviews.start(token)
      yield* interviews.initiate(token)
      const row = yield* stored(submission)
      assert.deepStrictEqual(row.events, ["initiated", "started"])
      assert.strictEqual(row.submission["initiated_at"], row.submission["started_at"])
    }),
  )

  it.effect("publishes each event once when the page reports an action and starts at the same moment", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const { interviews, submission, token } = yield* candidate()
        yield* Effect.all([interviews.initiate(token), interviews.start(token)], { concurrency: "unbounded" })
        assert.deepStrictEqual((yield* stored(submission)).events, ["initiated", "started"])
      }
    }),
  )

  it.effect(
    "does not replace a newer answer by one that was based on an older revision, and returns the newer one",
    () =>
      Effect.gen(function* () {
        const { answer, interviews, submission, token } = yield* candidate()
        yield* interviews.start(token)
        const [question] = answer("")
        assert.isDefined(question)
        const { question_id } = question
        const write = (content: string, known?: number) =>
          Scenario.save(interviews, token, [{ question_id, content, option_ids: [], known }], 1)
        assert.deepStrictEqual(yield* write("abc", 0), { saved: [{ question_id, revision: 1 }], newer: [] })
        assert.deepStrictEqual(yield* write("abcd", 1), { saved: [{ question_id, revision: 2 }], newer: [] })
        const newer = [{ question_id, content: "abcd", option_ids: [], revision: 2 }]
        for (const known of [0, 1]) assert.deepStrictEqual(yield* write("late", known), { saved: [], newer })
        assert.deepStrictEqual((yield* stored(submission)).answers, ["abcd"])
        assert.deepStrictEqual(yield* write("by a plain form"), { saved: [{ question_id, revision: 3 }], newer: [] })
      }),
  )

  it.effect("keeps one of many saves based on the same revision, and returns it to the others", () =>
    Effect.gen(function* () {
      const { answer, interviews, submission, token } = yield* candidate()
      yield* interviews.start(token)
      const results = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, index) => `text ${index}`),
        (content) =>
          Scenario.save(
            interviews,
            token,
            answer(content).map((one) => ({ ...one, known: 0 })),
          ),
        { concurrency: "unbounded" },
      )
      const { answers } = yield* stored(submission)
      assert.lengthOf(
        results.filter(({ saved }) => saved.length === 1),
        1,
      )
      for (const { newer } of results) for (const { content } of newer) assert.include(answers, content)
      assert.lengthOf(
        results.flatMap(({ newer }) => newer),
        9,
      )
    }),
  )

  it.effect("has no end without a duration", () =>
    Effect.gen(function* () {
      const { answer, interviews, token } = yield* candidate({ interview_duration: null })
      yield* interviews.start(token)
      yield* TestClock.adjust("20 days")
      yield* Scenario.save(interviews, token, answer("late"))
      yield* interviews.finishOverdue
      assert.deepInclude(yield* interviews.view(token), { state: "running", minutes: null, secondsLeft: null })
    }),
  )

  it.effect("accepts saves from the start until 5 s after the deadline", () =>
    Effect.gen(function* () {
      const { answer, interviews, submission, token } = yield* candidate()
      assert.deepStrictEqual(
        yield* Effect.flip(Scenario.save(interviews, token, answer("early"))),
        new InterviewNotOpen({ state: "open" }),
      )
      yield* interviews.start(token)
      yield* Scenario.save(interviews, token, answer("one"))
      yield* TestClock.adjust("30 minutes")
      yield* TestClock.adjust("4 seconds")
      yield* Scenario.save(interviews, token, answer("two"))
      yield* TestClock.adjust("1 seconds")
      assert.deepStrictEqual(
        yield* Effect.flip(Scenario.save(interviews, token, answer("three"))),
        new InterviewNotOpen({ state: "time_over" }),
      )
      assert.deepStrictEqual((yield* stored(submission)).answers, ["two"])
    }),
  )

  it.effect("ignores answers to questions of another interview", () =>
    Effect.gen(function* () {
      const other = yield* candidate()
      const { interviews, submission, token } = yield* candidate()
      yield* interviews.start(token)
      yield* Scenario.save(interviews, token, other.answer("foreign"))
      assert.deepStrictEqual((yield* stored(submission)).answers, [])
    }),
  )

  it.effect("submits the answers and queues one evaluation; a second call changes nothing", () =>
    Effect.gen(function* () {
      const { answer, interviews, submission, token } = yield* candidate()
      assert.instanceOf(yield* Effect.flip(interviews.finish(token, answer("early"))), InterviewNotOpen)
      yield* interviews.start(token)
      yield* interviews.finish(token, answer("final"))
      const row = yield* stored(submission)
      assert.deepInclude(row, { events: ["initiated", "started", "completed"], answers: ["final"], evaluations: 1 })
      assert.strictEqual(row.submission["status"], "completed")
      assert.isNull(row.submission["improvement_until"])
      yield* TestClock.adjust("1 minute")
      yield* interviews.finish(token, answer("changed"))
      yield* interviews.initiate(token)
      assert.instanceOf(yield* Effect.flip(interviews.start(token)), InterviewNotOpen)
      assert.instanceOf(yield* Effect.flip(Scenario.save(interviews, token, answer("changed"))), InterviewNotOpen)
      assert.deepStrictEqual(yield* stored(submission), row)
    }),
  )

  it.effect("submits once when many submit at the same moment", () =>
    Effect.gen(function* () {
      const { answer, interviews, submission, token } = yield* candidate()
      yield* interviews.start(token)
      yield* many(interviews.finish(token, answer("final")))
      const row = yield* stored(submission)
      assert.deepInclude(row, { events: ["initiated", "started", "completed"], answers: ["final"], evaluations: 1 })
    }),
  )

  it.effect("opens the improvement window when retakes are left", () =>
    Effect.gen(function* () {
      const { answer, interviews, submission, token } = yield* candidate({ number_of_retakes: 1 })
      yield* interviews.start(token)
      yield* interviews.finish(token, answer("final"))
      const { submission: row } = yield* stored(submission)
      assert.strictEqual(new Date(String(row["improvement_until"])).getTime(), start + 24 * 3600_000)
    }),
  )

  it.effect("submits the saved answers once when the time is over", () =>
    Effect.gen(function* () {
      const { answer, interviews, submission, token } = yield* candidate()
      yield* interviews.start(token)
      yield* Scenario.save(interviews, token, answer("half"))
      yield* TestClock.adjust("30 minutes")
      yield* interviews.finishOverdue
      assert.strictEqual((yield* interviews.view(token)).state, "time_over")
      yield* TestClock.adjust("5 seconds")
      yield* many(interviews.finishOverdue)
      assert.deepStrictEqual(yield* interviews.finish(token, answer("too late")), { kept: false, isIncomplete: false })
      assert.deepStrictEqual(yield* interviews.finish(token, answer("half")), { kept: true, isIncomplete: false })
      assert.deepInclude(yield* stored(submission), {
        events: ["initiated", "started", "completed"],
        answers: ["half"],
        evaluations: 1,
      })
    }),
  )

  it.effect("allows only viewing for an expired invitation", () =>
    Effect.gen(function* () {
      const { interviews, submission, token } = yield* candidate()
      yield* TestClock.adjust("30 days")
      const before = yield* stored(submission)
      assert.strictEqual((yield* interviews.view(token)).state, "expired")
      assert.deepStrictEqual(yield* Effect.flip(interviews.start(token)), new InterviewNotOpen({ state: "expired" }))
      yield* interviews.initiate(token)
      assert.deepStrictEqual(yield* stored(submission), before)
    }),
  )

  it.effect("expires interviews that were not started in time, and no running ones", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const running = yield* candidate({ interview_duration: null })
      const { interviews, submission } = yield* candidate()
      yield* interviews.start(running.token)
      yield* TestClock.adjust("30 days")
      yield* TestClock.adjust("-1 millis")
      const statuses = sql`
        select b.status as submission, i.status as invitation from submission b join invitation i on i.submission_id = b.id
        where b.id in (${submission}::uuid, ${running.submission}::uuid) order by b.id = ${submission}::uuid`
      const untouched = { submission: "started", invitation: "pending" }
      yield* interviews.expireUnstarted
      assert.deepStrictEqual(yield* statuses, [untouched, { submission: "need_interview", invitation: "pending" }])
      yield* TestClock.adjust("1 millis")
      yield* many(interviews.expireUnstarted)
      assert.deepStrictEqual(yield* statuses, [untouched, { submission: "expired", invitation: "expired" }])
      assert.strictEqual(yield* interviews.expireUnstarted, 0)
    }),
  )

  it.effect("allows only viewing for a cancelled invitation", () =>
    Effect.gen(function* () {
      const { interviews, submission, token } = yield* candidate()
      const { sql } = yield* Database
      yield* sql`update invitation set status = 'cancelled' where submission_id = ${submission}::uuid`
      const before = yield* stored(submission)
      assert.strictEqual((yield* interviews.view(token)).state, "cancelled")
      assert.deepStrictEqual(yield* Effect.flip(interviews.start(token)), new InterviewNotOpen({ state: "cancelled" }))
      yield* interviews.initiate(token)
      assert.deepStrictEqual(yield* stored(submission), before)
    }),
  )

  it.effect("refuses unknown, altered and truncated links", () =>
    Effect.gen(function* () {
      const { interviews, token } = yield* candidate()
      const altered = token.replace(/.$/, (letter) => (letter === "A" ? "B" : "A"))
      for (const wrong of ["", "x", altered, token.slice(1), `${token}A`]) {
        for (const step of [
          interviews.view(wrong),
          interviews.initiate(wrong),
          interviews.start(wrong),
          Scenario.save(interviews, wrong, []),
          interviews.finish(wrong, []),
        ] as ReadonlyArray<Effect.Effect<unknown, LinkUnknown | InterviewNotOpen>>) {
          assert.instanceOf(yield* Effect.flip(step), LinkUnknown)
        }
      }
    }),
  )
})
