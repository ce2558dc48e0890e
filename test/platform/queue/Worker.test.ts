import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Latch, Layer, Logger, References, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../../src/platform/database/Database.ts"
import { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import { type Claimed, CurrentClaimer, maxUnended } from "../../../src/platform/queue/QueueSql.ts"
import * as Worker from "../../../src/platform/queue/Worker.ts"
import type { Ended, WorkQueue } from "../../../src/platform/queue/WorkQueue.ts"
import { Overloaded } from "../../../src/values/Problem.ts"
import { DeliveryQueue } from "../../../src/webhooks/deliveries/DeliveryQueue.ts"
import * as MemoryQueue from "../../support/MemoryQueue.ts"
import * as Pod from "../../support/Pod.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import * as Webhooks from "../../support/Webhooks.ts"

/** Moves the clock in small steps until the condition holds. */
const until = (so: () => boolean) => Effect.repeat(TestClock.adjust("20 millis"), { while: () => !so() })

const wake = Effect.flatMap(QueueNotifier, (wakeups) => wakeups.wake("webhook_delivery"))

/** Runs the queue; the returned effect drains it. */
const run = Effect.fnUntraced(function* <Job extends Claimed, Outcome extends Ended, Key extends string>(
  queue: WorkQueue<Job, Outcome, Key>,
) {
  const scope = yield* Scope.make()
  yield* Scope.provide(Worker.run(queue), scope)
  yield* Effect.yieldNow
  return Scope.close(scope, Exit.void)
})

describe("a worker", () => {
  const never = () => Effect.never
  const memory = Effect.provide(MemoryQueue.wakeups, { local: true })

  it.effect("performs due jobs at its start and after a wake-up, without waiting for a poll", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const { add, log, queue } = MemoryQueue.make({
        perform: (id) => (id === "late" ? Deferred.succeed(started, undefined) : Effect.void),
      })
      yield* add("a", "b")
      const stop = yield* run(queue)
      yield* until(() => log.settled.length === 2)
      assert.deepStrictEqual(log.settled, ["a", "b"])
      yield* add("late")
      yield* wake
      yield* Deferred.await(started)
      yield* until(() => log.settled.length === 3)
      assert.deepStrictEqual(log.settled, ["a", "b", "late"])
      yield* stop
      assert.deepStrictEqual(log.released, [])
    }).pipe(memory),
  )

  it.effect("logs a database outage when it begins, then once a minute with a count, and when it recovers", () => {
    const logged: Array<string> = []
    const logger = Logger.make<unknown, void>(({ message }) => void logged.push(JSON.stringify(message)))
    return Effect.gen(function* () {
      const { client: sql } = yield* Database
      const outage = yield* Effect.flip(
        sql.unsafe("do $$ begin raise exception using errcode = '25006', message = 'read-only'; end $$"),
      )
      let fault: unknown = outage
      const { add, log, queue } = MemoryQueue.make({
        perform: () => Effect.void,
        before: () => (fault === undefined ? Effect.void : Effect.die(fault)),
      })
      yield* add("a")
      const stop = yield* run(queue)
      for (let second = 0; second < 150; second++) yield* TestClock.adjust("1 second")
      const waiting = "webhook_delivery: claiming failed: waiting for the database"
      assert.deepStrictEqual(
        logged,
        [1, 60, 60].map((failures) => JSON.stringify([waiting, { failures, error: "read-only" }])),
      )
      // another failure does not wait until the minute is over
      fault = new Error("own")
      for (let second = 0; second < 2; second++) yield* TestClock.adjust("1 second")
      assert.lengthOf(logged, 4)
      assert.include(logged[3], '["webhook_delivery: claiming failed",{"failures":1}')
      fault = undefined
      yield* until(() => log.settled.length === 1)
      yield* stop
      assert.lengthOf(logged, 5)
      assert.match(logged[4] ?? "", /^\["webhook_delivery: claiming works again",\{"failures":15\d\}\]$/)
    }).pipe(
      Effect.provide(Logger.layer([logger])),
      Effect.provide(Layer.merge(MemoryQueue.wakeups, TestDatabase.layer), { local: true }),
    )
  })

  it.effect("logs jobs that die of an outage once a minute, and each job that dies of its own defect", () => {
    const logged: Array<string> = []
    const logger = Logger.make<unknown, void>(({ message }) => void logged.push(JSON.stringify(message)))
    return Effect.gen(function* () {
      const { client: sql } = yield* Database
      const outage = yield* Effect.flip(
        sql.unsafe("do $$ begin raise exception using errcode = '58030', message = 'no disk'; end $$"),
      )
      const { add, log, queue } = MemoryQueue.make({
        perform: (id) => Effect.die(id.startsWith("own") ? new Error("own") : outage),
      })
      yield* add("a", "b", "c", "own 1", "own 2")
      const stop = yield* run(queue)
      yield* until(() => log.released.length === 5)
      yield* stop
      const died = '["webhook_delivery: a job died, released"'
      assert.lengthOf(
        logged.filter((line) => line.includes("waiting for the database")),
        1,
      )
      assert.lengthOf(
        logged.filter((line) => line.startsWith(died)),
        2,
      )
    }).pipe(
      Effect.provide(Logger.layer([logger])),
      Effect.provide(Layer.merge(MemoryQueue.wakeups, TestDatabase.layer), { local: true }),
    )
  })

  it.effect("performs no more jobs than it has slots, and a slow job takes one slot", () =>
    Effect.gen(function* () {
      let [open, max] = [0, 0]
      const { add, log, queue } = MemoryQueue.make({
        concurrency: 2,
        perform: (id) =>
          Effect.acquireUseRelease(
            Effect.sync(() => {
              open++
              max = Math.max(max, open)
            }),
            () => (id === "slow" ? Effect.never : Effect.yieldNow),
            () => Effect.sync(() => void open--),
          ),
      })
      const quick = Array.from({ length: 9 }, (_, i) => `${i}`)
      yield* add("slow", ...quick)
      const stop = yield* run(queue)
      yield* until(() => log.settled.length === quick.length)
      assert.deepStrictEqual(log.settled, quick)
      assert.strictEqual(max, 2)
      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(log.released, ["slow"])
    }).pipe(memory),
  )

  it.effect("drains: stops claiming, settles open jobs, and releases jobs that take too long", () =>
    Effect.gen(function* () {
      const go = yield* Latch.make(false)
      const { add, log, queue } = MemoryQueue.make({ perform: (id) => (id === "stuck" ? Effect.never : go.await) })
      yield* add("a", "b", "stuck")
      const stopping = yield* Effect.forkChild(yield* run(queue))
      yield* TestClock.adjust("10 seconds")
      yield* add("later")
      yield* wake
      assert.isUndefined(stopping.pollUnsafe())
      assert.deepStrictEqual(log, {
        claimed: ["a", "b", "stuck"],
        performed: ["a", "b", "stuck"],
        settled: [],
        released: [],
      })
      yield* go.open
      yield* until(() => log.settled.length === 2)
      assert.deepStrictEqual(log.settled, ["a", "b"])
      assert.isUndefined(stopping.pollUnsafe())
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(log.released, ["stuck"])
      assert.deepStrictEqual(log.claimed, ["a", "b", "stuck"])
    }).pipe(memory),
  )

  it.effect("interrupts jobs that outlast the grace before it releases them", () =>
    Effect.gen(function* () {
      const steps: Array<string> = []
      const { add, queue } = MemoryQueue.make({
        perform: () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => void steps.push("interrupted"))),
        before: (step) => Effect.sync(() => void (step === "release" && steps.push(step))),
      })
      yield* add("stuck")
      const stopping = yield* Effect.forkChild(yield* run(queue))
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(steps, ["interrupted", "release"])
    }).pipe(memory),
  )

  it.effect("drains the jobs of a claim that is running when it stops", () =>
    Effect.gen(function* () {
      const [claiming, answer] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const { add, log, queue } = MemoryQueue.make({
        perform: () => Effect.void,
        before: (step) =>
          step === "claim"
            ? Effect.andThen(Deferred.succeed(claiming, undefined), Deferred.await(answer))
            : Effect.void,
      })
      yield* add("a")
      const stop = yield* run(queue)
      yield* Deferred.await(claiming)
      const stopping = yield* Effect.forkChild(stop, { startImmediately: true })
      yield* Deferred.succeed(answer, undefined)
      yield* until(() => log.settled.length === 1)
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(log, { claimed: ["a"], performed: ["a"], settled: ["a"], released: [] })
    }).pipe(memory),
  )

  it.effect("retries a failed settlement until it succeeds, and performs the job once", () =>
    Effect.gen(function* () {
      let failures = 0
      const { add, log, queue } = MemoryQueue.make({
        perform: () => Effect.void,
        before: (step) => (step === "settle" && failures++ < 3 ? Effect.die("database away") : Effect.void),
      })
      yield* add("a")
      const stop = yield* run(queue)
      for (const tries of [1, 2, 3]) {
        yield* until(() => failures === tries)
        assert.deepStrictEqual(log.settled, [])
      }
      yield* until(() => log.settled.length > 0)
      assert.deepStrictEqual(log, { claimed: ["a"], performed: ["a"], settled: ["a"], released: [] })
      yield* stop
    }).pipe(memory),
  )

  it.effect("releases a job that dies and retries it; other jobs continue", () =>
    Effect.gen(function* () {
      const { add, log, queue, rested } = MemoryQueue.make({
        perform: (id) => (id === "bad" && log.performed.length < 3 ? Effect.die("our fault") : Effect.void),
      })
      yield* add("bad", "good")
      const stop = yield* run(queue)
      yield* until(() => log.settled.length === 1)
      assert.deepStrictEqual(log.settled, ["good"])
      yield* until(() => log.released.length > 0)
      assert.deepStrictEqual(log.released, ["bad"])
      yield* rested
      yield* wake
      yield* until(() => log.settled.length === 2)
      assert.deepStrictEqual(log.performed, ["bad", "good", "bad"])
      assert.deepStrictEqual(log.settled, ["good", "bad"])
      yield* stop
    }).pipe(memory),
  )

  it.effect("counts an attempt of a job that dies, unless the process is the cause", () =>
    Effect.gen(function* () {
      const { add, charged, log, queue } = MemoryQueue.make({
        perform: (id) =>
          Effect.die(id === "poison" ? new Error("stack overflow") : new Overloaded({ reason: "full", retryAfter: 1 })),
      })
      yield* add("poison", "unlucky")
      const stop = yield* run(queue)
      yield* until(() => log.released.length === 2)
      assert.deepStrictEqual(charged, ["poison"])
      yield* stop
    }).pipe(memory),
  )

  it.effect("performs third and fourth attempts one at a time, each after the previous one is settled", () =>
    Effect.gen(function* () {
      let settling = false
      const go = yield* Latch.make(false)
      const { add, alone, log, queue } = MemoryQueue.make({
        perform: (id) => (id === "first" ? go.await : Effect.void),
        alone: (id) => (id === "fresh" ? null : "waiting"),
        before: (step) => (step === "settle" && !settling ? Effect.die("database away") : Effect.void),
      })
      yield* add("first", "second", "third", "fresh")
      const stop = yield* run(queue)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(log.performed.toSorted(), ["first", "fresh"])
      yield* go.open
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(alone, ["first"])
      settling = true
      yield* until(() => log.settled.length === 4)
      assert.deepStrictEqual(alone, ["first", "second", "third"])
      yield* stop
    }).pipe(memory),
  )

  it.effect("releases jobs that wait to be performed alone at once when it drains, without counting an attempt", () =>
    Effect.gen(function* () {
      const go = yield* Latch.make(false)
      const { add, charged, log, queue } = MemoryQueue.make({ perform: () => go.await, alone: () => "waiting" })
      yield* add("first", "second")
      const stopping = yield* Effect.forkChild(yield* run(queue))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([log.performed, log.released], [["first"], ["second"]])
      yield* go.open
      yield* until(() => log.settled.length === 1)
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(charged, [])
    }).pipe(memory),
  )

  it.effect("releases a job that could not be started alone until that succeeds, and then performs it", () =>
    Effect.gen(function* () {
      const failures = { claim: 0, startAlone: 1, release: 2, settle: 0 }
      const { add, charged, log, queue, rested } = MemoryQueue.make({
        perform: () => Effect.void,
        alone: () => "waiting",
        before: (step) => (failures[step]-- > 0 ? Effect.die("database away") : Effect.void),
      })
      yield* add("suspect")
      const stop = yield* run(queue)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([log.released, charged], [["suspect"], []])
      yield* rested
      yield* wake
      yield* until(() => log.settled.length === 1)
      assert.deepStrictEqual(log.performed, ["suspect"])
      yield* stop
    }).pipe(memory),
  )

  it.effect("abandons a job after its last attempt did not end, without performing it", () =>
    Effect.gen(function* () {
      const { add, log, queue } = MemoryQueue.make({ perform: () => Effect.void, unended: maxUnended })
      yield* add("poison")
      const stop = yield* run(queue)
      yield* until(() => log.settled.length === 1)
      assert.deepStrictEqual(log, { claimed: ["poison"], performed: [], settled: ["poison"], released: [] })
      yield* stop
    }).pipe(memory),
  )

  it.effect("continues when a claim dies, and repeats the release of a job that died until it succeeds", () =>
    Effect.gen(function* () {
      const failures = { claim: 1, startAlone: 0, release: 2, settle: 0 }
      const { add, log, queue } = MemoryQueue.make({
        concurrency: 1,
        perform: (id) => (id === "bad" ? Effect.die("our fault") : Effect.void),
        before: (step) => (failures[step]-- > 0 ? Effect.die("database away") : Effect.void),
      })
      yield* add("bad", "good")
      const stop = yield* run(queue)
      yield* until(() => log.settled.length === 1 && log.released.length === 1)
      assert.deepStrictEqual(log, {
        claimed: ["bad", "good"],
        performed: ["bad", "good"],
        settled: ["good"],
        released: ["bad"],
      })
      yield* stop
    }).pipe(memory),
  )

  it.effect("claims again when a job of a full partition ends", () =>
    Effect.gen(function* () {
      const { add, log, queue } = MemoryQueue.make({
        partition: { of: () => "only", max: 1 },
        // as if the claim had skipped it until the first one ended
        perform: (id) => (id === "first" ? add("second") : Effect.void),
      })
      yield* add("first")
      const stop = yield* run(queue)
      yield* until(() => log.settled.length === 2)
      assert.deepStrictEqual(log.settled, ["first", "second"])
      yield* stop
    }).pipe(memory),
  )

  const partitionOf = ({ id }: Claimed) => id.slice(0, 1)

  it.effect("starts prefetched jobs as slots become free, at most the maximum of each partition", () =>
    Effect.gen(function* () {
      const open = new Map<string, Latch.Latch>()
      const { add, log, queue } = MemoryQueue.make({
        concurrency: 3,
        prefetch: 5,
        partition: { of: partitionOf, max: 2 },
        perform: (id) =>
          Effect.suspend(() => {
            const latch = Latch.makeUnsafe(false)
            open.set(id, latch)
            return latch.await
          }),
      })
      const end = (id: string) => Effect.andThen(Latch.open(open.get(id) ?? Latch.makeUnsafe(true)), Effect.yieldNow)
      yield* add("a1", "a2", "a3", "a4", "b1", "b2", "c1", "c2", "c3")
      const stop = yield* run(queue)
      yield* until(() => log.performed.length === 3)
      assert.deepStrictEqual(log.claimed, ["a1", "a2", "a3", "a4", "b1", "b2", "c1", "c2"])
      // a3 and a4 wait for a slot of their partition
      assert.deepStrictEqual(log.performed, ["a1", "a2", "b1"])
      yield* end("b1")
      assert.deepStrictEqual(log.performed.slice(3), ["b2"])
      yield* end("a2")
      // no later job takes the slot that a3 waits for
      assert.deepStrictEqual(log.performed.slice(4), ["a3"])
      yield* end("b2")
      assert.deepStrictEqual(log.performed.slice(5), ["c1"])
      yield* end("c1")
      assert.deepStrictEqual(log.performed.slice(6), ["c2"])
      for (const id of ["a1", "a3", "c2"]) yield* end(id)
      yield* until(() => open.has("c3") && open.has("a4"))
      for (const id of ["a4", "c3"]) yield* end(id)
      yield* until(() => log.settled.length === 9)
      yield* stop
      assert.deepStrictEqual(log.released, [])
    }).pipe(memory),
  )

  it.effect("releases the jobs that wait behind a slow job, except the next one", () =>
    Effect.gen(function* () {
      const { add, log, queue } = MemoryQueue.make({
        concurrency: 5,
        prefetch: 5,
        partition: { of: partitionOf, max: 1 },
        perform: (id) => (id === "a1" ? Effect.sleep("101 millis") : Effect.sleep("1 hour")),
      })
      yield* add("a1", "a2", "a3", "a4", "b1")
      const stop = yield* run(queue)
      yield* until(() => log.performed.length === 2)
      yield* TestClock.adjust("101 millis")
      yield* until(() => log.performed.length === 3)
      assert.deepStrictEqual(log.performed, ["a1", "b1", "a2"])
      yield* TestClock.adjust("20 millis")
      yield* until(() => log.released.length === 2)
      assert.deepStrictEqual(log.released, ["a3", "a4"])
      const stopping = yield* Effect.forkChild(stop)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(stopping)
    }).pipe(memory),
  )

  it.effect("releases prefetched jobs at once when it stops, and starts none of them", () =>
    Effect.gen(function* () {
      const go = yield* Latch.make(false)
      const { add, log, queue } = MemoryQueue.make({
        concurrency: 2,
        prefetch: 4,
        partition: { of: partitionOf, max: 1 },
        perform: () => go.await,
      })
      yield* add("a1", "a2", "b1", "b2", "c1")
      const stopping = yield* Effect.forkChild(yield* run(queue))
      yield* until(() => log.released.length === 3)
      assert.deepStrictEqual(log.performed, ["a1", "b1"])
      assert.sameMembers(log.released, ["a2", "b2", "c1"])
      assert.isUndefined(stopping.pollUnsafe())
      yield* go.open
      yield* until(() => log.settled.length === 2)
      yield* Fiber.join(stopping)
      assert.strictEqual(log.performed.length, 2)
    }).pipe(memory),
  )

  it.effect(
    "starts none of its prefetched jobs after others have ended its process, and releases them in an outage",
    () => {
      let id = 1
      return Effect.gen(function* () {
        let failures = 2
        const { add, log, queue } = MemoryQueue.make({
          concurrency: 2,
          prefetch: 4,
          partition: { of: partitionOf, max: 1 },
          perform: never,
          before: (step) => (step === "release" && failures-- > 0 ? Effect.die("database away") : Effect.void),
        })
        yield* add("a1", "a2", "a3")
        const stop = yield* run(queue)
        yield* until(() => log.claimed.length === 3)
        id = 2
        yield* wake
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual([log.performed, log.released], [["a1"], ["a2", "a3"]])
        const stopping = yield* Effect.forkChild(stop)
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(stopping)
      }).pipe(
        Effect.provideService(CurrentClaimer, () => ({ id, ended: [] })),
        memory,
      )
    },
  )

  it.effect("claims nothing while its queue is stopped, and goes on when it is started again", () => {
    let paused: ReadonlyArray<string> = ["email", "webhook_delivery"]
    return Effect.gen(function* () {
      const { add, log, queue } = MemoryQueue.make({ perform: () => Effect.void })
      yield* add("a", "b")
      const stop = yield* run(queue)
      yield* wake
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(log.claimed, [])
      paused = ["email"]
      yield* wake
      yield* until(() => log.settled.length === 2)
      yield* stop
    }).pipe(
      Effect.provideService(CurrentClaimer, () => ({ id: 1, ended: [], paused })),
      memory,
    )
  })

  it.effect("performs many waiting jobs that end at once, without recursion", () =>
    Effect.gen(function* () {
      const { add, log, queue } = MemoryQueue.make({ concurrency: 1, prefetch: 20_000, perform: () => Effect.void })
      yield* add(...Array.from({ length: 20_000 }, (_, i) => `${i}`))
      const stop = yield* run(queue)
      yield* until(() => log.settled.length === 20_000)
      yield* stop
    }).pipe(memory),
  )

  it.effect("stops at once while it is idle", () =>
    Effect.gen(function* () {
      const { queue } = MemoryQueue.make({ perform: never })
      yield* yield* run(queue)
    }).pipe(memory),
  )
})

describe("workers on Postgres", () => {
  const { answered } = Pod
  const worker = Effect.flatMap(DeliveryQueue, ({ queue }) => run(queue))
  const quiet = Effect.provideService(References.MinimumLogLevel, "None")

  /** Makes endpoints with this number of deliveries each. */
  const begin = Effect.fnUntraced(function* (endpoints: number, each: number) {
    const organization = yield* Scenario.organization()
    const created = yield* Effect.forEach(Array.from({ length: endpoints }), (_, i) =>
      Scenario.endpoint(organization.id, { url: `https://r${i}.example/` }),
    )
    yield* Scenario.publish(yield* Scenario.invited(organization), each)
    return created.map(({ id }) => id)
  })

  const seen: Array<string> = []
  const all = Deferred.makeUnsafe<void>()
  const counting: Pod.Ports = {
    receive: ({ headers, url }) =>
      Effect.suspend(() => {
        seen.push(`${url} ${headers["webhook-id"]}`)
        return Effect.as(seen.length < 300 ? Effect.yieldNow : Deferred.succeed(all, undefined), answered(204))
      }),
  }
  it.live("two of them send each of 300 deliveries exactly once", () =>
    Effect.gen(function* () {
      const other = yield* Pod.start(counting)
      const stops = [yield* worker, yield* Effect.provideContext(worker, other)]
      yield* begin(3, 100)
      yield* Deferred.await(all)
      yield* Effect.all(stops, { concurrency: "unbounded" })
      assert.strictEqual(seen.length, 300)
      assert.strictEqual(new Set(seen).size, 300)
      assert.deepStrictEqual(yield* Webhooks.states, { "delivered 1": 300 })
    }).pipe(Pod.provide(counting), quiet),
  )

  it.live("limits an endpoint that hangs to its slots", () => {
    const [hanging, quick] = [{ open: 0, max: 0 }, { done: 0 }]
    const [go, others, last] = [Latch.makeUnsafe(false), Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    let left = 20
    const receive: Pod.Ports["receive"] = ({ url }) =>
      Effect.gen(function* () {
        if (url !== "https://r0.example/") {
          if (++quick.done === 20) yield* Deferred.succeed(others, undefined)
          return answered(200)
        }
        hanging.max = Math.max(hanging.max, ++hanging.open)
        yield* go.await
        hanging.open--
        if (--left === 0) yield* Deferred.succeed(last, undefined)
        return answered(200)
      })
    const settings = { WEBHOOK_ENDPOINT_CONCURRENCY: "2", WEBHOOK_CONCURRENCY: "5" }
    return Effect.gen(function* () {
      yield* begin(2, 20)
      const stop = yield* worker
      yield* Deferred.await(others)
      assert.isAtMost(hanging.max, 2)
      yield* go.open
      yield* Deferred.await(last)
      yield* stop
      assert.strictEqual(hanging.max, 2)
      assert.deepStrictEqual(yield* Webhooks.states, { "delivered 1": 40 })
    }).pipe(Pod.provide({ receive, settings }), quiet)
  })

  it.live("charges an internal error neither to the endpoint nor to the delivery", () => {
    const sent = Deferred.makeUnsafe<void>()
    let calls = 0
    const receive: Pod.Ports["receive"] = () =>
      calls++ === 0
        ? Effect.die(new Error("no file descriptors left"))
        : Effect.as(Deferred.succeed(sent, undefined), answered(500))
    return Effect.gen(function* () {
      const [endpoint] = yield* begin(1, 1)
      const { client: sql } = yield* Database
      const stop = yield* worker
      // the release delays it; this makes it due
      yield* sql`update webhook_delivery set due_at = now() where claim_id is null and due_at > now() returning id`.pipe(
        Effect.repeat({ until: (rows) => rows.length === 1 }),
      )
      yield* (yield* QueueNotifier).wake("webhook_delivery")
      yield* Deferred.await(sent)
      yield* stop
      yield* Webhooks.expectEndpoint(yield* Effect.fromNullishOr(endpoint), "active", 1)
      const [row] = yield* Webhooks.rows
      assert.deepInclude({ ...row }, { state: "queued", attempts: 1 })
      assert.strictEqual(row?.attempt_log.length, 1)
    }).pipe(Pod.provide({ receive }), quiet)
  })

  it.live("wakes other processes after a commit", () =>
    Effect.gen(function* () {
      const other = yield* Pod.start()
      const waiting = Effect.provideContext(
        Effect.flatMap(QueueNotifier, ({ wait }) => wait("webhook_delivery", Duration.infinity)),
        other,
      )
      // open once as soon as it listens, for rows queued before
      yield* waiting
      const woken = yield* Effect.forkChild(waiting, { startImmediately: true })
      yield* begin(1, 1)
      yield* Fiber.join(woken)
    }).pipe(Pod.provide()),
  )
})
