/** Retakes, final answers, and declining. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { InterviewRepository } from "../../src/interviews/InterviewRepository.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { InterviewNotOpen, type LinkUnknown } from "../../src/interviews/InterviewView.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import * as Pod from "../support/Pod.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** A candidate who has started an interview with two retakes. */
const started = Effect.fnUntraced(function* (changes: Parameters<typeof Scenario.organization>[0] = {}) {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const invited = yield* Scenario.invited(
    yield* Scenario.organization({ interview_duration: 30, number_of_retakes: 2, ...changes }),
  )
  const interviews = yield* Interviews
  yield* interviews.start(invited.token)
  const [question] = invited.set.iai_questions
  const answer = (content: string) =>
    question === undefined ? [] : [{ question_id: question.id, content, option_ids: [] }]
  const view = interviews.view(invited.token)
  return { ...invited, answer, interviews, view }
})

const detailOf = Effect.fnUntraced(function* ({ organization, subject }: Scenario.Invited) {
  return yield* (yield* Submissions).detail(operator(organization), subject.submission_id)
}, Effect.orDie)

/** The statuses and scores in the events about the submission, in order. */
const publishedFor = Effect.fnUntraced(function* ({ subject }: Scenario.Invited) {
  const { sql } = yield* Database
  const events = yield* sql<{ status: string; event_type: string }>`
    select event_type, status from webhook_event where submission_id = ${subject.submission_id}::uuid order by seq`
  return events.map(({ status }) => status)
}, Effect.orDie)

/** Runs all queued evaluations and returns their number. */
const evaluate: Effect.Effect<number, never, EvaluationQueue> = Effect.gen(function* () {
  const { queue } = yield* EvaluationQueue
  const count = yield* runOnce(queue)
  return count === 0 ? 0 : count + (yield* evaluate)
})
const sendHeld = Effect.flatMap(EvaluationQueue, ({ sendHeld }) => sendHeld)

const many = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: 10 }, () => effect),
    { concurrency: "unbounded" },
  )

const refused = (state: InterviewNotOpen["state"]) => new InterviewNotOpen({ state })

layer(Pod.services().pipe(Layer.provideMerge(TestDatabase.layer)))("a retake", (it) => {
  it.effect("starts with the previous answers, keeps both attempts, and the last one counts", () =>
    Effect.gen(function* () {
      const candidate = yield* started()
      const { answer, interviews, token, view } = candidate
      yield* interviews.finish(token, answer("first"))
      assert.deepInclude(yield* view, {
        state: "completed",
        retakesLeft: 2,
        improvableUntil: new Date(Date.UTC(2026, 0, 2)),
      })
      yield* TestClock.adjust("1 hour")
      yield* interviews.reopen(token)
      const again = yield* view
      assert.deepInclude(again, { state: "running", attempt: 2, retakesLeft: 1, secondsLeft: 1800 })
      assert.deepStrictEqual(
        [...again.answers.values()].map(({ content }) => content),
        ["first"],
      )
      assert.deepStrictEqual(
        (yield* detailOf(candidate)).answers.map(({ attempt, content }) => [attempt, content]),
        [[1, "first"]],
        "what is not submitted is the candidate's own",
      )
      yield* interviews.finish(token, answer("second"))
      const detail = yield* detailOf(candidate)
      assert.deepStrictEqual(
        detail.answers.map(({ attempt, content }) => [attempt, content]),
        [
          [1, "first"],
          [2, "second"],
        ],
      )
      assert.strictEqual(detail.started_at, "2026-01-01T01:00:00.000Z")
      const { sql } = yield* Database
      assert.deepEqual(
        yield* sql`select attempt, started_at from interview_attempt where submission_id = ${detail.id}::uuid`,
        [{ attempt: 1, started_at: new Date(Date.UTC(2026, 0, 1)) }],
      )
      assert.deepStrictEqual(yield* publishedFor(candidate), [
        "initiated",
        "started",
        "completed",
        "started",
        "completed",
      ])
    }),
  )

  it.effect("supersedes the held evaluation; only the next one is published, after the window has closed", () =>
    Effect.gen(function* () {
      const candidate = yield* started()
      const { answer, interviews, token } = candidate
      yield* interviews.finish(token, answer("first"))
      yield* evaluate
      yield* interviews.reopen(token)
      yield* TestClock.adjust("10 minutes")
      yield* interviews.finish(token, answer("second"))
      yield* evaluate
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(yield* sendHeld, 0)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* sendHeld, 1)
      assert.strictEqual(yield* sendHeld, 0)
      assert.deepStrictEqual((yield* publishedFor(candidate)).slice(-2), ["completed", "scored"])
      assert.strictEqual((yield* detailOf(candidate)).status_text, "evaluated")
    }),
  )

  it.effect("keeps and does not publish an evaluation that finishes after the next attempt has started", () =>
    Effect.gen(function* () {
      const candidate = yield* started()
      const { answer, interviews, token } = candidate
      yield* interviews.finish(token, answer("first"))
      yield* interviews.reopen(token)
      yield* evaluate
      yield* TestClock.adjust("25 hours")
      yield* sendHeld
      assert.deepStrictEqual((yield* publishedFor(candidate)).slice(-1), ["started"])
      const { sql } = yield* Database
      const kept = yield* sql`
        select state, attempt, event_id from evaluation where submission_id = ${candidate.subject.submission_id}::uuid`
      assert.deepStrictEqual(kept, [{ state: "done", attempt: 1, event_id: null }])
    }),
  )

  it.effect("is possible while the window is open, as often as the set allows", () =>
    Effect.gen(function* () {
      const late = yield* started()
      yield* late.interviews.finish(late.token, late.answer("first"))
      yield* TestClock.adjust("24 hours")
      assert.deepInclude(yield* late.view, { state: "completed", improvableUntil: null })
      assert.deepStrictEqual(yield* Effect.flip(late.interviews.reopen(late.token)), refused("completed"))

      const often = yield* started({ number_of_retakes: 1 })
      yield* often.interviews.finish(often.token, often.answer("first"))
      yield* often.interviews.reopen(often.token)
      yield* often.interviews.finish(often.token, often.answer("second"))
      assert.deepInclude(yield* often.view, { attempt: 2, retakesLeft: 0, improvableUntil: null })
      assert.deepStrictEqual(yield* Effect.flip(often.interviews.reopen(often.token)), refused("completed"))
      yield* evaluate
      assert.deepStrictEqual((yield* publishedFor(often)).slice(-1), ["scored"], "nothing holds the event any more")

      const never = yield* started({ number_of_retakes: 0 })
      yield* never.interviews.finish(never.token, never.answer("first"))
      assert.deepStrictEqual(yield* Effect.flip(never.interviews.reopen(never.token)), refused("completed"))
    }),
  )

  it.effect("ends with the window and submits the saved answers", () =>
    Effect.gen(function* () {
      const candidate = yield* started({ interview_duration: null })
      const { answer, interviews, token, view } = candidate
      yield* interviews.finish(token, answer("first"))
      yield* TestClock.adjust("23 hours")
      yield* interviews.reopen(token)
      assert.strictEqual((yield* view).secondsLeft, 3600)
      yield* Scenario.save(interviews, token, answer("second"))
      yield* TestClock.adjust("1 hour")
      yield* TestClock.adjust("5 seconds")
      yield* interviews.finishOverdue
      assert.deepInclude(yield* view, { state: "completed", attempt: 2, improvableUntil: null })
      assert.deepStrictEqual(
        (yield* detailOf(candidate)).answers.map(({ content }) => content),
        ["first", "second"],
      )
    }),
  )

  it.effect("starts once for concurrent calls, and a call while it is running uses no retake", () =>
    Effect.gen(function* () {
      const candidate = yield* started()
      const { answer, interviews, token, view } = candidate
      yield* interviews.finish(token, answer("first"))
      yield* many(interviews.reopen(token))
      yield* interviews.reopen(token)
      assert.deepInclude(yield* view, { attempt: 2, retakesLeft: 1 })
      assert.strictEqual((yield* publishedFor(candidate)).filter((status) => status === "started").length, 2)
    }),
  )

  it.effect("uses no retake when another request has reopened and submitted since the attempt was read", () =>
    Effect.gen(function* () {
      const { answer, interviews, organization, subject, token, view } = yield* started()
      yield* interviews.finish(token, answer("first"))
      yield* interviews.reopen(token)
      yield* interviews.finish(token, answer("second"))
      const repository = yield* InterviewRepository
      assert.isUndefined(yield* repository.reopen(organization, subject.submission_id, 1))
      assert.deepInclude(yield* view, { attempt: 2, retakesLeft: 1 })
    }),
  )

  it.effect("saves nothing from a page of the previous attempt", () =>
    Effect.gen(function* () {
      const { answer, interviews, token, view } = yield* started()
      yield* interviews.finish(token, answer("first"), 1)
      yield* interviews.reopen(token)
      assert.deepStrictEqual(
        yield* Effect.flip(Scenario.save(interviews, token, answer("stale"), 1)),
        refused("completed"),
      )
      assert.deepStrictEqual(yield* interviews.finish(token, answer("stale"), 1), { kept: false, isIncomplete: false })
      const { answers, state } = yield* view
      assert.strictEqual(state, "running")
      assert.deepStrictEqual(
        [...answers.values()].map(({ content }) => content),
        ["first"],
      )
    }),
  )

  it.effect("does not apply steps of the previous attempt to the next one", () =>
    Effect.gen(function* () {
      for (const attempt of [1, undefined]) {
        const begun = Effect.fnUntraced(function* (
          write: (
            of: Effect.Success<ReturnType<typeof started>>,
          ) => Effect.Effect<unknown, InterviewNotOpen | LinkUnknown>,
        ) {
          const candidate = yield* started()
          const { answer, interviews, token, view } = candidate
          const next = interviews.finish(token, answer("first"), 1).pipe(Effect.andThen(interviews.reopen(token)))
          const result = yield* overtaken(next, write(candidate))
          const { answers, ...now } = yield* view
          assert.deepInclude(now, { state: "running", attempt: 2 })
          assert.deepStrictEqual(
            [...answers.values()].map(({ content }) => content),
            ["first"],
          )
          return result
        })
        assert.deepStrictEqual(
          yield* begun(({ answer, interviews, token }) => Scenario.save(interviews, token, answer("late"), attempt)),
          Result.fail(refused("completed")),
        )
        assert.deepStrictEqual(
          yield* begun(({ answer, interviews, token }) => interviews.finish(token, answer("late"), attempt)),
          Result.succeed({ kept: false, isIncomplete: false }),
        )
      }
    }),
  )

  it.effect("is no longer possible once the answers are final; the evaluation is then published at once", () =>
    Effect.gen(function* () {
      const candidate = yield* started()
      const { answer, interviews, token, view } = candidate
      assert.deepStrictEqual(yield* Effect.flip(interviews.declareFinal(token)), refused("running"))
      yield* interviews.finish(token, answer("first"))
      yield* evaluate
      yield* sendHeld
      assert.deepStrictEqual((yield* publishedFor(candidate)).slice(-1), ["completed"])
      yield* many(interviews.declareFinal(token))
      assert.isNull((yield* view).improvableUntil)
      assert.deepStrictEqual(yield* Effect.flip(interviews.reopen(token)), refused("completed"))
      yield* sendHeld
      assert.deepStrictEqual((yield* publishedFor(candidate)).slice(-2), ["completed", "scored"])

      // the same before the evaluation has finished
      const quick = yield* started()
      yield* quick.interviews.finish(quick.token, quick.answer("first"))
      yield* quick.interviews.declareFinal(quick.token)
      yield* evaluate
      assert.deepStrictEqual((yield* publishedFor(quick)).slice(-2), ["completed", "scored"])
    }),
  )
})

layer(Pod.services().pipe(Layer.provideMerge(TestDatabase.layer)))("declining", (it) => {
  const standing = Effect.fnUntraced(function* ({ subject }: Scenario.Invited) {
    const { sql } = yield* Database
    return yield* sql`
      select b.status, i.status as invitation from submission b join invitation i on i.submission_id = b.id
      where b.id = ${subject.submission_id}::uuid`
  }, Effect.orDie)

  it.effect("withdraws the submission once, before or after the start, and evaluates nothing", () =>
    Effect.gen(function* () {
      const interviews = yield* Interviews
      const during = yield* started()
      const before = yield* Scenario.invited(yield* Scenario.organization())
      yield* Scenario.save(during.interviews, during.token, during.answer("half"))
      for (const candidate of [before, during]) {
        yield* many(interviews.decline(candidate.token))
        assert.deepStrictEqual(yield* standing(candidate), [{ status: "withdrawn", invitation: "cancelled" }])
        assert.strictEqual((yield* interviews.view(candidate.token)).state, "declined")
        for (const step of [interviews.start, interviews.reopen, interviews.declareFinal]) {
          assert.deepStrictEqual(yield* Effect.flip(step(candidate.token)), refused("declined"))
        }
        const steps = candidate === before ? ["initiated"] : ["initiated", "started"]
        assert.deepStrictEqual(
          yield* publishedFor(candidate),
          steps,
          "of the first act a hiring system is told, whatever it is",
        )
        const { answers, declined_at, status_text } = yield* detailOf(candidate)
        assert.deepStrictEqual([answers, status_text], [[], "withdrawn"])
        assert.isNotNull(declined_at, "the organization sees who said no")
      }
      assert.strictEqual(yield* evaluate, 0)
      assert.strictEqual(yield* runOnce((yield* EmailQueue).queue), 0, "its mail does not leave any more")
    }),
  )

  it.effect("fails once the time is over; the saved answers are submitted", () =>
    Effect.gen(function* () {
      const candidate = yield* started()
      const { answer, interviews, token, view } = candidate
      yield* Scenario.save(interviews, token, answer("half"))
      yield* TestClock.adjust("30 minutes")
      assert.deepStrictEqual(yield* Effect.flip(interviews.decline(token)), refused("time_over"))
      assert.deepInclude(yield* view, { state: "time_over" })
      yield* TestClock.adjust("5 seconds")
      yield* interviews.finishOverdue
      assert.deepStrictEqual(yield* Effect.flip(interviews.decline(token)), refused("completed"))
      assert.deepInclude((yield* standing(candidate))[0], { status: "completed" })
    }),
  )

  it.effect("does not withdraw submitted answers", () =>
    Effect.gen(function* () {
      const candidate = yield* started()
      const { answer, interviews, token } = candidate
      yield* interviews.finish(token, answer("first"))
      assert.deepStrictEqual(yield* Effect.flip(interviews.decline(token)), refused("completed"))
      yield* interviews.reopen(token)
      assert.deepStrictEqual(yield* Effect.flip(interviews.decline(token)), refused("running"))
      assert.deepInclude((yield* standing(candidate))[0], { status: "started" })
    }),
  )
})
