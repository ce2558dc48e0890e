import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { EvaluationRepository } from "../../src/evaluations/EvaluationRepository.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const start = Date.UTC(2026, 0, 1)
const round = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))

/** A candidate who has submitted, and whose evaluations may run from `until` at the earliest. */
const begin = Effect.fnUntraced(function* (until: number) {
  const { sql } = yield* Database
  yield* TestClock.setTime(start)
  const candidate = yield* Scenario.invited(yield* Scenario.organization())
  yield* sql`update submission set notice_until = ${new Date(until)} where id = ${candidate.subject.submission_id}::uuid`
  yield* Scenario.completed(candidate)
  return candidate
})

describe("a submission whose notice has a period", () => {
  const until = start + 1000

  it.effect("is evaluated when the period is over", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      yield* begin(until)
      assert.deepStrictEqual(yield* sql`select due_at from evaluation`, [{ due_at: new Date(until) }])
      assert.strictEqual(yield* round, 0)
      yield* TestClock.setTime(until)
      assert.strictEqual(yield* round, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("is not evaluated earlier because its recordings are ready", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { organization, subject } = yield* begin(until)
      yield* sql`update evaluation set due_at = ${new Date(until + 60_000)}`
      yield* (yield* EvaluationRepository).hasten(organization, subject.submission_id)
      assert.deepStrictEqual(yield* sql`select due_at from evaluation`, [{ due_at: new Date(until) }])
    }).pipe(Pod.provide()),
  )

  it.effect("is not evaluated earlier when it was queued before the notice was given", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      yield* begin(start - 1000)
      yield* sql`update submission set notice_until = ${new Date(until)}`
      assert.deepStrictEqual(yield* sql`select due_at from evaluation`, [{ due_at: new Date(until) }])
      assert.strictEqual(yield* round, 0)
    }).pipe(Pod.provide()),
  )

  it.effect("is evaluated at once when the period is over before", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      yield* begin(start - 1000)
      assert.deepStrictEqual(yield* sql`select due_at from evaluation`, [{ due_at: new Date(start) }])
      assert.strictEqual(yield* round, 1)
    }).pipe(Pod.provide()),
  )
})
