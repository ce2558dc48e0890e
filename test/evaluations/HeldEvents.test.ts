/** Held events: one per improvement window, with the last result (docs/evaluation.md). */
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { EvaluationRepository } from "../../src/evaluations/EvaluationRepository.ts"
import { type Evaluator, EvaluatorUnavailable } from "../../src/evaluations/Evaluator.ts"
import type { Level } from "../../src/evaluations/Score.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import * as Cvs from "../support/Cvs.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const round = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))
const sendHeld = Effect.flatMap(EvaluationQueue, (evaluations) => evaluations.sendHeld)
const events = Scenario.dataOf("interview.evaluation.update")
const reported = Effect.map(events, (all) =>
  all.map(({ evaluation_score, evaluation_type }) => [evaluation_type, evaluation_score]),
)

/** A candidate who has submitted and can improve for 24 hours. */
const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const candidate = yield* Scenario.invited(yield* Scenario.organization({ number_of_retakes: 1 }))
  yield* Scenario.completed(candidate)
  return candidate
})

const again = ({ organization, subject }: Scenario.Invited) =>
  Effect.flatMap(Overrides, (overrides) => overrides.evaluateAgain(operator(organization), subject.submission_id))

/** An evaluator whose level the test changes. */
const changing = () => {
  const mind: { level: Level } = { level: "weak" }
  const evaluate: Evaluator["Service"]["evaluate"] = (input) =>
    Effect.map(Pod.strong(input), (output) => ({
      ...output,
      ratings: output.ratings.map((rating) => ({ ...rating, level: mind.level })),
    }))
  return { evaluate, mind }
}

describe("an event that is held", () => {
  const { evaluate, mind } = changing()
  it.effect("reports only the last result when the same answers are evaluated again", () =>
    Effect.gen(function* () {
      const candidate = yield* begin
      mind.level = "weak"
      yield* round
      yield* TestClock.adjust("1 hour")
      yield* again(candidate)
      mind.level = "partial"
      yield* round
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(yield* sendHeld, 1)
      assert.deepStrictEqual(yield* reported, [["interview", 5]])
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* sendHeld, 0)
    }).pipe(Pod.provide({ evaluate })),
  )

  it.effect("waits for an evaluation that is queued when the window closes", () =>
    Effect.gen(function* () {
      const candidate = yield* begin
      yield* Cvs.read(candidate)
      mind.level = "weak"
      yield* round
      yield* TestClock.adjust("23 hours")
      yield* again(candidate)
      mind.level = "full"
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(yield* sendHeld, 0)
      yield* round
      assert.deepStrictEqual(yield* reported, [
        ["cv", 2.5],
        ["cv", 10],
        ["interview", 10],
        ["holistic", 10],
      ])
      assert.strictEqual(yield* sendHeld, 0)
    }).pipe(Pod.provide({ evaluate })),
  )

  let away = false
  it.effect("keeps its result when the evaluator is unavailable for the repetition", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const candidate = yield* begin
      yield* round
      yield* TestClock.adjust("1 hour")
      yield* again(candidate)
      away = true
      yield* round
      const detail = yield* (yield* Submissions).detail(
        operator(candidate.organization),
        candidate.subject.submission_id,
      )
      assert.deepInclude(detail, { score: 7.5, score_status: "scored" })
      assert.deepStrictEqual(yield* sql`select state from evaluation`, [{ state: "done" }])
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* sendHeld, 1)
      assert.deepStrictEqual(yield* reported, [["interview", 7.5]])
    }).pipe(
      Pod.provide({
        evaluate: (input) =>
          away ? Effect.fail(new EvaluatorUnavailable({ reason: "refused", retryable: false })) : Pod.strong(input),
      }),
    ),
  )

  it.effect("is sent when the candidate submits finally or has used all retakes", () =>
    Effect.gen(function* () {
      const final = yield* begin
      const interviews = yield* Interviews
      yield* round
      yield* interviews.declareFinal(final.token)
      assert.strictEqual(yield* sendHeld, 1)
      const last = yield* Scenario.invited({ id: final.organization, set: final.set }, "bo@example.com")
      yield* Scenario.completed(last)
      yield* round
      yield* interviews.reopen(last.token)
      yield* TestClock.adjust("1 hour")
      yield* interviews.finish(last.token, [])
      yield* round
      assert.deepStrictEqual(
        (yield* events).map(({ evaluation_score, submission_id }) => [submission_id, evaluation_score]),
        [
          [final.subject.submission_id, 7.5],
          [last.subject.submission_id, 7.5],
        ],
      )
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* sendHeld, 0)
    }).pipe(Pod.provide()),
  )

  it.effect("reports the set as it was at the evaluation", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const candidate = yield* begin
      yield* Cvs.read(candidate)
      yield* round
      yield* sql`update interview_set set title = 'Something else', deleted_at = now()`
      yield* sql`delete from requirement`
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* sendHeld, 2)
      for (const event of (yield* events).slice(1)) {
        assert.deepInclude(event, { interview_name: "Backend Engineer", evaluation_score: 7.5, score_status: "scored" })
      }
      const detail = yield* (yield* Submissions).detail(
        operator(candidate.organization),
        candidate.subject.submission_id,
      )
      assert.deepStrictEqual(
        detail.evaluations.map(({ criteria }) => criteria.map(({ title, weight }) => [title, weight])),
        [[["PostgreSQL", 4]], [["PostgreSQL", 4]], [["PostgreSQL", 4]]],
      )
    }).pipe(Pod.provide()),
  )

  it.effect("is sent by another process when the first one dies before its commit", () =>
    Effect.gen(function* () {
      yield* begin
      yield* round
      yield* TestClock.adjust("1 day")
      const { transaction } = yield* Database
      const { claimHeld } = yield* EvaluationRepository
      const taken = yield* Deferred.make<void>()
      const dying = yield* Effect.forkChild(
        transaction(
          claimHeld(10).pipe(Effect.andThen(Deferred.succeed(taken, undefined)), Effect.andThen(Effect.never)),
        ),
      )
      yield* Deferred.await(taken)
      const other = Context.get(yield* Pod.start(), EvaluationQueue)
      assert.strictEqual(yield* other.sendHeld, 0, "another process is sending it")
      yield* Fiber.interrupt(dying)
      assert.strictEqual(yield* other.sendHeld, 1)
      assert.strictEqual(yield* sendHeld, 0)
      assert.deepStrictEqual(yield* reported, [["interview", 7.5]])
    }).pipe(Pod.provide()),
  )

  it.effect("stays held with all others when one of them cannot be stored", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const candidate = yield* begin
      yield* Cvs.read(candidate)
      yield* round
      yield* TestClock.adjust("1 day")
      yield* sql`alter table webhook_event add constraint none check (body not like '%holistic%')`
      assert.isTrue(Exit.isFailure(yield* Effect.exit(sendHeld)))
      assert.deepStrictEqual(yield* reported, [["cv", 7.5]])
      yield* sql`alter table webhook_event drop constraint none`
      assert.strictEqual(yield* sendHeld, 2)
      assert.deepStrictEqual((yield* reported).slice(1), [
        ["interview", 7.5],
        ["holistic", 7.5],
      ])
    }).pipe(Pod.provide()),
  )

  it.effect("is never sent once a retake has begun, and neither is its holistic event", () =>
    Effect.gen(function* () {
      const candidate = yield* begin
      yield* Cvs.read(candidate)
      yield* round
      const interviews = yield* Interviews
      yield* interviews.reopen(candidate.token)
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* sendHeld, 0)
      assert.deepStrictEqual(yield* reported, [["cv", 7.5]])
    }).pipe(Pod.provide()),
  )

  it.effect(
    "is sent once per evaluation by concurrent runs in two processes, the interview before the holistic one",
    () =>
      Effect.gen(function* () {
        const first = yield* begin
        const candidates = yield* Effect.forEach(Array.from({ length: 30 }), (_, i) =>
          Effect.tap(
            Scenario.invited({ id: first.organization, set: first.set }, `c${i}@example.com`),
            Scenario.completed,
          ),
        )
        for (const candidate of [first, ...candidates]) yield* Cvs.read(candidate)
        while ((yield* round) > 0);
        yield* TestClock.adjust("1 day")
        const pods = yield* Effect.all([Pod.start(), Pod.start()])
        const sent = yield* Effect.all(
          [...pods, ...pods].map((pod) => Context.get(pod, EvaluationQueue).sendHeld),
          { concurrency: "unbounded" },
        )
        const most = sent.reduce((a, b) => a + b) + (yield* sendHeld)
        assert.strictEqual(most, 62)
        const bySubmission = Map.groupBy(yield* events, ({ submission_id }) => submission_id)
        assert.strictEqual(bySubmission.size, 31)
        for (const all of bySubmission.values()) {
          assert.deepStrictEqual(
            all.map(({ evaluation_type }) => evaluation_type),
            ["cv", "interview", "holistic"],
          )
        }
      }).pipe(Pod.provide()),
  )
})
