import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { ComputationFailed } from "../../src/evaluations/computation/Computation.ts"
import type { EvaluationInput } from "../../src/evaluations/Evaluation.ts"
import { EvaluationQueue, retries } from "../../src/evaluations/EvaluationQueue.ts"
import { EvaluatorUnavailable } from "../../src/evaluations/Evaluator.ts"
import type { CreateInterviewSet } from "../../src/interview-sets/InterviewSet.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import * as RetryPolicy from "../../src/values/RetryPolicy.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const start = Date.UTC(2026, 0, 1)
const round = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))
const sendHeld = Effect.flatMap(EvaluationQueue, (evaluations) => evaluations.sendHeld)
const events = Scenario.dataOf("interview.evaluation.update")
const unavailable = (retryable: boolean) => Effect.fail(new EvaluatorUnavailable({ reason: "overloaded", retryable }))

const stored = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql`
    select e.state, e.attempts, e.evaluator, e.error, (e.result ->> 'score')::float8 as score,
      e.result ->> 'score_status' as score_status, e.event_id is not null as reported, b.status
    from evaluation e join submission b on b.id = e.submission_id order by e.created_at, e.id`
})

/** A candidate who has submitted. */
const begin = Effect.fnUntraced(function* (set?: Partial<CreateInterviewSet>) {
  yield* TestClock.setTime(start)
  const candidate = yield* Scenario.invited(yield* Scenario.organization(set))
  yield* Scenario.completed(candidate)
  return candidate
})

const shortAnswer = {
  code: "short_answer",
  message: "The written answers have 10 words in total, too few for a reliable rating.",
}

const eventOf = ({ set, subject }: Scenario.Invited, evaluation_score: number | null, score_status: string) => ({
  ...subject,
  interview_name: set.title,
  evaluation_type: "interview",
  evaluation_score,
  score_status,
  submission_url: `http://localhost:8080/submissions/${subject.submission_id}`,
  ...(score_status === "not_scored" ? {} : { warnings: [shortAnswer] }),
})

describe("a completed interview", () => {
  const asked: Array<EvaluationInput> = []
  it.effect("is evaluated, stored and reported", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const candidate = yield* begin({ position: "Senior", cfg_lingual_ids: [2] })
      assert.strictEqual(yield* round, 1)
      const [requirement] = candidate.set.iai_requirements
      const [question] = candidate.set.iai_questions
      assert.deepStrictEqual(asked, [
        {
          interview_title: "Backend Engineer",
          position: "Senior",
          language: "de",
          requirements: [
            { id: requirement?.id ?? "", title: "PostgreSQL", content: null, hint: null, cfg_importance_id: 273 },
          ],
          sources: [
            { source: "answer", question_id: question?.id ?? "", question: Scenario.question, text: Scenario.answer },
          ],
        },
      ])
      assert.deepStrictEqual(yield* stored, [
        {
          state: "done",
          attempts: 1,
          evaluator: "test 1",
          error: null,
          score: 7.5,
          score_status: "scored",
          reported: true,
          status: "evaluated",
        },
      ])
      assert.deepStrictEqual(yield* events, [eventOf(candidate, 7.5, "scored")])
      const kept = yield* sql`
        select input, evaluated_at, input_hash = sha256(convert_to(input::text, 'UTF8')) as hashed,
          event_id = (select id from webhook_event where event_type = 'interview.evaluation.update') as linked
        from evaluation`
      assert.deepStrictEqual(kept, [{ input: asked[0], evaluated_at: new Date(start), hashed: true, linked: true }])
      assert.strictEqual(yield* round, 0)
      assert.strictEqual(yield* sendHeld, 0)
    }).pipe(
      Pod.provide({
        evaluate: (input) => {
          asked.push(input)
          return Pod.strong(input)
        },
      }),
    ),
  )

  it.effect("is stored without the characters that Postgres cannot store", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      yield* begin()
      yield* round
      assert.deepStrictEqual(yield* sql`select raw, evaluator, model from evaluation`, [
        { raw: { said: ["a", "b\ufffd"], "": 1 }, evaluator: "test 1", model: "m" },
      ])
    }).pipe(
      Pod.provide({
        evaluate: (input) =>
          Effect.map(Pod.strong(input), (output) => ({
            ...output,
            model: "m\0",
            raw: { said: ["a\0", "b\ud800"], "\0": 1 },
          })),
      }),
    ),
  )

  const shown: Array<EvaluationInput> = []
  it.effect(
    "is shown to the evaluator without the candidate's name and contacts; quotes are in the candidate's own words",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        yield* TestClock.setTime(start)
        const candidate = yield* Scenario.invited(yield* Scenario.organization())
        yield* sql`update candidate set name = null, firstname = 'Ada', lastname = 'Lovelace', phone = '020 7946 0958'
        where id = ${candidate.subject.candidate_id}::uuid`
        const said = "I, Ada Lovelace (ada@example.com, 2079460958, linkedin.com/in/ada), ran PostgreSQL. Ask LOVELACE!"
        yield* Scenario.completed(candidate, said)
        yield* round
        const text = "I, ███ ████████ (███████████████, ██████████, ███████████████████), ran PostgreSQL. Ask ████████!"
        assert.deepStrictEqual(
          shown.flatMap(({ sources }) => sources.map((one) => one.text)),
          [text],
        )
        const [kept] = yield* sql`
        select input #>> '{sources,0,text}' as text, result #>> '{criteria,0,evidence,0,quote}' as quote from evaluation`
        assert.deepStrictEqual(kept, { text, quote: said })
      }).pipe(
        Pod.provide({
          evaluate: (input) => {
            shown.push(input)
            return Pod.strong(input)
          },
        }),
      ),
  )

  it.effect("of a set without requirements is not_scored, and the evaluator is not called", () =>
    Effect.gen(function* () {
      const candidate = yield* begin({ iai_requirements: [] })
      yield* round
      assert.deepStrictEqual(yield* events, [eventOf(candidate, null, "not_scored")])
      const [row] = yield* stored
      assert.deepInclude(row, { state: "done", evaluator: null, score: null, status: "evaluated", reported: true })
    }).pipe(Pod.provide({ evaluate: () => Effect.die("asked") })),
  )

  it.effect("that the evaluator cannot rate is cannot_evaluate without a score", () =>
    Effect.gen(function* () {
      const candidate = yield* begin()
      yield* round
      assert.deepStrictEqual(yield* events, [eventOf(candidate, null, "cannot_evaluate")])
    }).pipe(
      Pod.provide({ evaluate: (input) => Effect.map(Pod.strong(input), (output) => ({ ...output, ratings: [] })) }),
    ),
  )

  it.effect("publishes one event when a worker that lost its lease settles it again", () =>
    Effect.gen(function* () {
      yield* begin()
      const { queue } = yield* EvaluationQueue
      const late = yield* Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform))
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* round, 1)
      yield* queue.settle(late)
      assert.strictEqual((yield* events).length, 1)
    }).pipe(Pod.provide()),
  )
})

describe("an evaluator that is unavailable", () => {
  it.effect("is retried on its schedule, and after the last retry the submission is not_scored", () =>
    Effect.gen(function* () {
      const candidate = yield* begin()
      const delays = yield* RetryPolicy.delays(RetryPolicy.schedule(retries))
      assert.strictEqual(yield* round, 1)
      for (const delay of delays.map(Duration.toMillis)) {
        const [row] = yield* stored
        assert.deepInclude(row, { state: "queued", error: "overloaded", score_status: null, status: "completed" })
        yield* TestClock.adjust(delay - 1)
        assert.strictEqual(yield* round, 0)
        yield* TestClock.adjust(delay * 0.1 + 1)
        assert.deepStrictEqual(yield* events, [])
        assert.strictEqual(yield* round, 1)
      }
      const [row] = yield* stored
      const attempts = delays.length + 1
      assert.deepInclude(row, { state: "done", attempts, error: "overloaded", score: null, status: "evaluated" })
      assert.deepStrictEqual(yield* events, [eventOf(candidate, null, "not_scored")])
      yield* TestClock.adjust("7 days")
      assert.strictEqual(yield* round, 0)
    }).pipe(Pod.provide({ evaluate: () => unavailable(true) })),
  )

  it.effect("is not retried when its error is permanent", () =>
    Effect.gen(function* () {
      const candidate = yield* begin()
      yield* round
      assert.deepStrictEqual(yield* events, [eventOf(candidate, null, "not_scored")])
    }).pipe(Pod.provide({ evaluate: () => unavailable(false) })),
  )

  let calls = 0
  it.effect("scores the submission when a retry succeeds", () =>
    Effect.gen(function* () {
      const candidate = yield* begin()
      yield* round
      yield* TestClock.adjust("1 minute")
      yield* round
      assert.deepStrictEqual(yield* events, [eventOf(candidate, 7.5, "scored")])
      const [row] = yield* stored
      assert.deepInclude(row, { attempts: 2, error: null })
    }).pipe(Pod.provide({ evaluate: (input) => (calls++ === 0 ? unavailable(true) : Pod.strong(input)) })),
  )
})

describe("an evaluation whose computation fails", () => {
  const reason = "The evaluation takes more than 30 seconds."
  const failing = Pod.provide({ evaluate: () => Effect.die(new ComputationFailed({ reason })) })

  it.effect("is not_scored with the reason after the third failure, and reported", () =>
    Effect.gen(function* () {
      const candidate = yield* begin()
      const { queue } = yield* EvaluationQueue
      for (const attempt of [1, 2]) {
        const jobs = yield* queue.claim(1)
        assert.deepStrictEqual(
          jobs.map(({ unended_attempts }) => unended_attempts),
          [attempt],
        )
        const [exit] = yield* Effect.forEach(jobs, (job) => Effect.exit(queue.perform(job)))
        assert.isTrue(exit !== undefined && Exit.hasDies(exit))
        yield* queue.release(jobs, Duration.zero, "started")
      }
      assert.strictEqual(yield* round, 1)
      assert.deepInclude((yield* stored)[0], { state: "done", error: reason, score: null, score_status: "not_scored" })
      assert.deepStrictEqual(yield* events, [eventOf(candidate, null, "not_scored")])
    }).pipe(failing),
  )
})

describe("an evaluation whose attempts end their processes", () => {
  it.effect("is not performed again, is not_scored with the reason, keeps no text and is reported", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const candidate = yield* begin()
      const { queue } = yield* EvaluationQueue
      for (const attempt of [1, 2, 3, 4, 5]) {
        const [job] = yield* queue.claim(1)
        if (job === undefined) return assert.fail("it is due")
        if (attempt >= 3) assert.isTrue(yield* queue.startAlone(job))
        yield* TestClock.adjust("10 minutes")
      }
      assert.strictEqual(yield* round, 1)
      const error = "Each attempt to perform this failed unexpectedly or ended its process."
      assert.deepInclude((yield* stored)[0], { state: "done", attempts: 1, error, score_status: "not_scored" })
      assert.deepStrictEqual(yield* events, [eventOf(candidate, null, "not_scored")])
      const [row] = yield* sql`
        select input, result ->> 'summary' as summary, result #>> '{criteria,0,rationale}' as rationale from evaluation`
      assert.deepStrictEqual(row, { input: null, summary: `No requirement could be rated. ${error}`, rationale: error })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* round, 0)
    }).pipe(Pod.provide({ evaluate: () => Effect.die("it is not performed") })),
  )
})

describe("while the candidate can improve", () => {
  it.effect("the event is held until the window closes, and sent once by two processes", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const organization = yield* Scenario.organization({ number_of_retakes: 1 })
      const candidates = yield* Effect.forEach(["a", "b", "c", "d", "e"], (name) =>
        Effect.tap(Scenario.invited(organization, `${name}@example.com`), Scenario.completed),
      )
      while ((yield* round) > 0);
      for (const row of yield* stored) {
        assert.deepInclude(row, { state: "done", score: 7.5, reported: false, status: "completed" })
      }
      yield* TestClock.adjust(Duration.subtract(Duration.hours(2), Duration.millis(1)))
      assert.strictEqual(yield* sendHeld, 0)
      assert.deepStrictEqual(yield* events, [])
      yield* TestClock.adjust(1)
      const pods = yield* Effect.all([Pod.start(), Pod.start()])
      const sent = yield* Effect.all(
        [...pods, ...pods].map((pod) => Context.get(pod, EvaluationQueue).sendHeld),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(
        sent.reduce((a, b) => a + b),
        5,
      )
      const bySubmission = (all: ReadonlyArray<Record<string, unknown>>) =>
        all.toSorted((a, b) => String(a["submission_id"]).localeCompare(String(b["submission_id"])))
      assert.deepStrictEqual(
        bySubmission(yield* events),
        bySubmission(candidates.map((candidate) => eventOf(candidate, 7.5, "scored"))),
      )
      for (const row of yield* stored) assert.deepInclude(row, { reported: true, status: "evaluated" })
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* sendHeld, 0)
      assert.strictEqual((yield* events).length, 5)
    }).pipe(Pod.provide({ settings: { IMPROVEMENT_WINDOW: "2 hours" } })),
  )

  it.effect("an evaluation after the window is reported at once", () =>
    Effect.gen(function* () {
      const candidate = yield* begin({ number_of_retakes: 3 })
      yield* TestClock.adjust("24 hours")
      yield* round
      assert.deepStrictEqual(yield* events, [eventOf(candidate, 7.5, "scored")])
      assert.strictEqual(yield* sendHeld, 0)
    }).pipe(Pod.provide()),
  )
})
