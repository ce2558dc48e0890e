import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/platform/database/Database.ts"
import { type Claimer, CurrentClaimer } from "../../src/platform/queue/QueueSql.ts"
import type { EndpointId } from "../../src/values/Ids.ts"
import { ClaimWatermark, QuickLook } from "../../src/webhooks/deliveries/ClaimPlan.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { begin } from "../support/Webhooks.ts"

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)
const nanos = (millis: number) => BigInt(millis) * 1_000_000n

/** A watermark at 10 seconds in both lanes, after a full look of 10 ms. */
const active = () => {
  const watermark = new ClaimWatermark(nanos(2))
  assert.deepStrictEqual(watermark.begin(0n, []), { from: undefined })
  assert.isFalse(watermark.end(undefined, { first: at(10), retry: at(10) }, 0n, nanos(10)))
  return watermark
}

describe("the watermark", () => {
  it("is set by a slow full look and removed by a quick one", () => {
    const watermark = active()
    assert.deepStrictEqual(watermark.current, { first: at(10), retry: at(10) })
    assert.deepStrictEqual(watermark.begin(nanos(2000), []), { from: undefined })
    watermark.end(undefined, { first: at(10), retry: at(10) }, nanos(2000), nanos(2001))
    assert.isUndefined(watermark.current)
    assert.isUndefined(watermark.begin(nanos(2500), []))
  })

  it("moves forward with looks from the watermark, and stays when a look fails", () => {
    const watermark = active()
    const from = { first: at(10), retry: at(10) }
    assert.isUndefined(watermark.begin(nanos(100), []))
    assert.deepStrictEqual(watermark.begin(nanos(200), []), { from })
    assert.isUndefined(watermark.begin(nanos(200), []), "one look at a time")
    watermark.end(from, undefined, nanos(200), nanos(201))
    assert.deepStrictEqual(watermark.current, from)
    assert.deepStrictEqual(watermark.begin(nanos(400), []), { from })
    assert.isFalse(watermark.end(from, { first: at(11), retry: at(12) }, nanos(400), nanos(401)))
    assert.deepStrictEqual(watermark.current, { first: at(11), retry: at(12) })
  })

  it("waits 20 times the duration of a full look before the next one", () => {
    const watermark = active()
    watermark.begin(nanos(1010), [])
    watermark.end(undefined, { first: at(10), retry: at(10) }, nanos(1010), nanos(1510))
    const beforeFull = nanos(1510 + 20 * 500 - 1)
    assert.deepStrictEqual(watermark.begin(beforeFull, []), { from: { first: at(10), retry: at(10) } })
  })

  it("makes a full look due at once when a process has ended", () => {
    assert.deepStrictEqual(active().begin(nanos(150), [7]), { from: undefined })
  })

  it("is lowered by a slow full look that finds a row below it, and soon moves on again", () => {
    const watermark = active()
    watermark.begin(nanos(2000), [])
    const lowered = { first: at(2), retry: at(10) }
    assert.isTrue(watermark.end(undefined, lowered, nanos(2000), nanos(3000)))
    assert.deepStrictEqual(watermark.current, lowered)
    assert.isUndefined(watermark.begin(nanos(3099), []))
    assert.deepStrictEqual(watermark.begin(nanos(3101), []), { from: lowered })
  })
})

/** Inserts deliveries to an endpoint that fell due `ago` seconds ago; returns their ids. */
const insertLate = Effect.fnUntraced(function* (endpoint: EndpointId, count: number, ago: number, attempts = 0) {
  const { now, sql } = yield* Database
  const rows = yield* sql<{ id: string }>`
    insert into webhook_delivery (organization_id, endpoint_id, event_id, due_at, attempts)
    select organization_id, id, (select id from webhook_event limit 1), ${yield* now} - ${ago}::int * interval '1 second',
      ${attempts}::int
    from webhook_endpoint, generate_series(1, ${count}::int) where id = ${endpoint}::uuid
    returning id::text as id`
  return rows.map(({ id }) => id)
})

const claimIds = Effect.fnUntraced(function* (limit: number) {
  const jobs = yield* (yield* DeliveryQueue).queue.claim(limit)
  return jobs.map(({ id }) => String(id))
})

/** Waits until no statement runs: a look runs in parallel with claims, and time that passes meanwhile counts as its own. */
const lookEnded = Effect.gen(function* () {
  const { sql } = yield* Database
  const running = sql`select 1 from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`
  const isIdle = Effect.map(running, (rows) => rows.length === 0)
  // several times: the look waits for a connection before it begins, and continues after its result has arrived
  yield* Effect.repeat(
    Effect.map(Effect.replicateEffect(isIdle, 5), (all) => all.every((one) => one)),
    { until: (isOver) => isOver },
  )
})

/** Claims every 200 ms for some seconds; returns the claimed ids. */
const claimFor = Effect.fnUntraced(function* (seconds: number, limit = 1000) {
  const claimed: Array<string> = []
  for (let i = 0; i < seconds * 5; i++) {
    claimed.push(...(yield* claimIds(limit)))
    yield* lookEnded
    yield* TestClock.adjust("200 millis")
  }
  return claimed
})

/** An empty queue whose claims use a watermark. */
const emptyQueue = Effect.gen(function* () {
  const started = yield* begin(1)
  const { sql } = yield* Database
  yield* sql`delete from webhook_delivery`
  yield* TestClock.adjust("10 seconds")
  yield* claimFor(2)
  return started
})

const settings = { WEBHOOK_ENDPOINT_CONCURRENCY: "1000" }
const bounded = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  test.pipe(Pod.provide({ settings }), Effect.provideService(QuickLook, -1n))

/** Seconds with several full looks, also when a look that waits for a new connection lasts some seconds of the test's clock. */
const soon = 25

describe("a claim from a watermark", () => {
  it.effect("does not read below it", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* emptyQueue
      yield* insertLate(endpoint, 1, 5)
      assert.deepStrictEqual(yield* claimIds(10), [])
      const [inTime = ""] = yield* insertLate(endpoint, 1, 0)
      assert.include(yield* claimIds(10), inTime)
    }).pipe(bounded),
  )

  for (const count of [1, 100, 500]) {
    it.effect(`finds deliveries committed late, first attempts and retries: ${count} of each insert`, () =>
      Effect.gen(function* () {
        const { endpoint, organization } = yield* emptyQueue
        const other = yield* Scenario.endpoint(organization.id, { url: "https://other.example/" })
        const late = [
          ...(yield* insertLate(endpoint, count, 5)),
          ...(yield* insertLate(other.id, count, 8, 1)),
          ...(yield* insertLate(endpoint, count, 3, 2)),
        ]
        const claimed = yield* claimFor(soon)
        assert.sameMembers(claimed, late)
      }).pipe(bounded),
    )
  }

  it.effect("finds deliveries committed late when each claim reaches its limit", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* emptyQueue
      const other = yield* Scenario.endpoint(organization.id, { url: "https://other.example/" })
      yield* insertLate(endpoint, 5000, 0)
      const late = yield* insertLate(other.id, 30, 5)
      const claimed = yield* claimFor(2 * soon, 20)
      assert.includeMembers(claimed, late)
    }).pipe(bounded),
  )

  it.effect("takes a delivery whose lease has ended", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* emptyQueue
      const ids = yield* insertLate(endpoint, 3, 0)
      assert.sameMembers(yield* claimIds(10), ids)
      // the lease: three timeouts of 10 seconds and 30 more
      assert.deepStrictEqual(yield* claimFor(59), [])
      assert.sameMembers(yield* claimFor(soon), ids)
    }).pipe(bounded),
  )

  it.effect("takes released deliveries, and those of an ended process", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* emptyQueue
      const { sql } = yield* Database
      yield* sql`insert into worker_process default values`
      let claimer: Claimer = { id: 1, ended: [] }
      const claims = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.provideService(effect, CurrentClaimer, () => claimer)
      const ids = yield* insertLate(endpoint, 4, 0)
      const { queue } = yield* DeliveryQueue
      const jobs = yield* claims(queue.claim(10))
      assert.lengthOf(jobs, 4)
      yield* claimFor(5)
      yield* queue.release(jobs.slice(0, 2), Duration.zero, "unclaimed")
      assert.sameMembers(yield* claimFor(1), ids.slice(0, 2))
      claimer = { id: null, ended: [1] }
      assert.sameMembers(yield* claims(claimFor(soon)), ids.slice(2))
    }).pipe(bounded),
  )

  it.effect("finds deliveries queued after the database's clock was set back", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* emptyQueue
      const later = at(0).getTime() + 60_000
      yield* TestClock.setTime(later)
      yield* claimFor(5)
      yield* TestClock.setTime(later - 50_000)
      const ids = yield* insertLate(endpoint, 2, 0)
      assert.sameMembers(yield* claimFor(soon), ids)
    }).pipe(bounded),
  )
})
