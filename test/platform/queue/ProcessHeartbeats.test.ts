/** Processes that end without a shutdown are noticed, and only those. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../../src/platform/database/Database.ts"
import * as ProcessHeartbeats from "../../../src/platform/queue/ProcessHeartbeats.ts"
import { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const provide = Effect.provide(QueueNotifier.layer.pipe(Layer.provideMerge(TestDatabase.layer)))

const ended = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ id: number }>`select id from worker_process where ended_at is not null order by id`
  return rows.map(({ id }) => id)
})

/** Two processes that have read each other's first beat. */
const begin = Effect.gen(function* () {
  const own = yield* ProcessHeartbeats.make
  const other = yield* ProcessHeartbeats.make
  yield* own.round
  yield* other.round
  yield* own.round
  return { own, other, id: own.claimer().id ?? 0, otherId: other.claimer().id ?? 0 }
})

/** Reads once a second. */
const during = (seconds: number, { round }: Effect.Success<typeof begin>["own"]) =>
  Effect.replicateEffect(Effect.andThen(TestClock.adjust("1 second"), round), seconds, { discard: true })

describe("a process", () => {
  it.effect("has ended when it has not beaten for five seconds; workers of others are woken", () =>
    Effect.gen(function* () {
      const { own, otherId } = yield* begin
      const notifier = yield* QueueNotifier
      yield* during(4, own)
      assert.deepStrictEqual([yield* ended, own.claimer().ended], [[], []])
      const waiting = yield* Effect.forkChild(notifier.wait("cv", Duration.hours(1)))
      yield* during(1, own)
      assert.deepStrictEqual([yield* ended, own.claimer().ended], [[otherId], [otherId]])
      yield* Fiber.join(waiting)
    }).pipe(provide),
  )

  it.effect("reads which queues are stopped, and wakes workers when one is started again", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const notifier = yield* QueueNotifier
      yield* sql`insert into queue_pause (queue, paused_at) values ('cv', now()), ('email', now())`
      const own = yield* ProcessHeartbeats.make
      yield* own.round
      assert.deepStrictEqual(own.claimer().paused, ["cv", "email"])
      yield* sql`delete from queue_pause where queue = 'cv'`
      const waiting = yield* Effect.forkChild(notifier.wait("cv", Duration.hours(1)))
      yield* during(1, own)
      assert.deepStrictEqual(own.claimer().paused, ["email"])
      yield* Fiber.join(waiting)
      const [row] = yield* sql<{
        host: string
        version: string
      }>`select host, version from worker_process where id = ${own.claimer().id}::int`
      assert.match(row?.version ?? "", /^\d+\.\d+\.\d+/)
      assert.notStrictEqual(row?.host, "")
    }).pipe(provide),
  )

  it.effect("lives while it beats, however seldom within five seconds", () =>
    Effect.gen(function* () {
      const { other, own } = yield* begin
      for (let i = 0; i < 4; i++) {
        yield* during(4, own)
        yield* other.round
      }
      assert.deepStrictEqual([yield* ended, own.claimer().ended], [[], []])
    }).pipe(provide),
  )

  it.effect("is not ended by a process that could not read its beats meanwhile", () =>
    Effect.gen(function* () {
      const { own } = yield* begin
      yield* during(3, own)
      // a pause, or an outage of the database
      yield* TestClock.adjust("1 hour")
      yield* own.round
      yield* during(4, own)
      assert.deepStrictEqual([yield* ended, own.claimer().ended], [[], []])
    }).pipe(provide),
  )

  it.effect("that others have ended, because it was paused, claims under another id", () =>
    Effect.gen(function* () {
      const { id, other, otherId, own } = yield* begin
      yield* during(5, own)
      yield* other.round
      const { ended: free, id: next } = other.claimer()
      assert.notInclude([null, id, otherId], next)
      assert.deepStrictEqual(yield* ended, [otherId])
      // it may still perform what it claimed under its former id
      assert.deepStrictEqual(free, [])
    }).pipe(provide),
  )

  it.effect("whose last beats the server has lost claims under another id, and others take over its jobs", () =>
    Effect.gen(function* () {
      const { other, otherId, own } = yield* begin
      yield* during(2, own)
      yield* other.round
      const { sql } = yield* Database
      yield* sql`update worker_process set beats = beats - 2 where id = ${otherId}::int`
      yield* other.round
      assert.notInclude([null, otherId], other.claimer().id)
      for (let i = 0; i < 5; i++) {
        yield* during(1, own)
        yield* other.round
      }
      assert.deepStrictEqual(own.claimer().ended, [otherId])
      assert.deepStrictEqual(other.claimer().ended, [])
      assert.notInclude(yield* ended, other.claimer().id)
    }).pipe(provide),
  )

  it.effect("is ended by one of several", () =>
    Effect.gen(function* () {
      const { own, otherId } = yield* begin
      const third = yield* ProcessHeartbeats.make
      yield* third.round
      yield* own.round
      yield* third.round
      yield* Effect.replicateEffect(
        TestClock.adjust("1 second").pipe(Effect.andThen(Effect.all([own.round, third.round], { concurrency: 2 }))),
        6,
      )
      assert.deepStrictEqual(yield* ended, [otherId])
      yield* Effect.all([own.round, third.round])
      assert.deepStrictEqual([own.claimer().ended, third.claimer().ended], [[otherId], [otherId]])
    }).pipe(provide),
  )

  it.effect("has ended after a shutdown, and its row is deleted after an hour", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { other, otherId, own } = yield* begin
      yield* other.leave
      yield* own.round
      assert.deepStrictEqual([yield* ended, own.claimer().ended], [[otherId], [otherId]])
      yield* TestClock.adjust("1 hour")
      yield* own.forget
      assert.deepStrictEqual(yield* ended, [otherId])
      yield* TestClock.adjust("1 second")
      yield* own.forget
      const rows = yield* sql<{ id: number }>`select id from worker_process`
      assert.deepStrictEqual(
        rows.map(({ id }) => id),
        [own.claimer().id],
      )
    }).pipe(provide),
  )
})
