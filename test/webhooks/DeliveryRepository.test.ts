import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import type { EndpointId } from "../../src/values/Ids.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { begin } from "../support/Webhooks.ts"

/** Inserts deliveries to an endpoint, due `ago` milliseconds ago, with `attempts` settled attempts. */
const fill = Effect.fnUntraced(function* (endpoint: EndpointId, count: number, ago: number, attempts: number) {
  const { sql } = yield* Database
  yield* sql`
    insert into webhook_delivery (organization_id, endpoint_id, event_id, due_at, attempts)
    select organization_id, ${endpoint}::uuid, (select id from webhook_event limit 1),
      '2026-01-01'::timestamptz - ${ago}::int * interval '1 millisecond', ${attempts}::int
    from webhook_endpoint, generate_series(1, ${count}::int) where id = ${endpoint}::uuid`
})

const claim = Effect.fnUntraced(function* (limit: number) {
  const jobs = yield* (yield* DeliveryQueue).queue.claim(limit)
  return jobs.map(({ attempts, endpoint_id }) => ({ attempts, endpoint_id }))
})

const countBy = <A>(items: ReadonlyArray<A>, key: (item: A) => string | number) =>
  Object.fromEntries([...Map.groupBy(items, key)].map(([name, { length }]) => [name, length]))

const times = (count: number) => Array.from({ length: count }, (_, i) => i)

describe("a claim", () => {
  it.effect("takes as many first attempts as retries", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(1)
      const other = yield* Scenario.endpoint(organization.id, { url: "https://other.example/" })
      yield* fill(other.id, 5000, 60_000, 1)
      yield* fill(endpoint, 30, 1, 0)
      assert.deepStrictEqual(
        countBy(yield* claim(40), ({ attempts }) => attempts),
        { "0": 20, "1": 20 },
      )
      assert.deepStrictEqual(
        countBy(yield* claim(40), ({ attempts }) => attempts),
        { "0": 11, "1": 20 },
      )
    }).pipe(Pod.provide({ settings: { WEBHOOK_ENDPOINT_CONCURRENCY: "100" } })),
  )

  it.effect("takes as many first attempts as retries of one endpoint", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* begin(1)
      yield* fill(endpoint, 5000, 60_000, 1)
      yield* fill(endpoint, 20, 1, 0)
      assert.deepStrictEqual(
        countBy(yield* claim(100), ({ attempts }) => attempts),
        { "0": 5, "1": 5 },
      )
    }).pipe(Pod.provide()),
  )

  it.effect("prefers endpoints with the fewest deliveries in flight", () =>
    Effect.gen(function* () {
      const { endpoint: slow, organization } = yield* begin(1)
      const others = yield* Effect.forEach([1, 2, 3], (n) =>
        Scenario.endpoint(organization.id, { url: `https://other-${n}.example/` }),
      )
      yield* fill(slow, 5000, 3_600_000, 0)
      // fills its limit, so the next claim scans endpoints
      yield* claim(4)
      for (const { id } of others) yield* fill(id, 2, 1, 0)
      const inFlight = new Map([[slow, { count: 4, max: 10 }]])
      const { queue } = yield* DeliveryQueue
      const next = (yield* queue.claim(7, inFlight)).map(({ endpoint_id }) => endpoint_id)
      const { [slow]: ofSlow = 0, ...ofOthers } = countBy(next, (id) => id)
      assert.deepStrictEqual(ofOthers, Object.fromEntries(others.map(({ id }) => [id, 2])))
      assert.isAtMost(ofSlow, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("finds the endpoint with room behind a thousand full ones", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { organization } = yield* begin(1)
      yield* sql`
        insert into webhook_endpoint (id, organization_id, name, url, events, secret, created_at)
        select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${organization.id}::int, n::text, 'https://full.example/',
          '{interview.status.update}', ''::bytea, now()
        from generate_series(1, 1001) n`
      yield* sql`
        insert into webhook_delivery (organization_id, endpoint_id, event_id, due_at)
        select e.organization_id, e.id, (select id from webhook_event limit 1), '2025-01-01'
        from webhook_endpoint e, generate_series(1, 5) where e.url = 'https://full.example/'`
      const ids = yield* sql<{ id: EndpointId }>`
        select id from webhook_endpoint where url = 'https://full.example/' order by id`
      const due = ids.at(-1)?.id
      const inFlight = new Map(ids.slice(0, -1).map(({ id }) => [id, { count: 1, max: 1 }]))
      yield* sql`delete from webhook_delivery where endpoint_id <> all(${ids.map(({ id }) => id)}::uuid[])`
      const { queue } = yield* DeliveryQueue
      // each claim scans the next 500 endpoints
      const claims = yield* Effect.replicateEffect(queue.claim(100, inFlight), 3)
      assert.deepStrictEqual(
        claims.flat().map(({ endpoint_id }) => endpoint_id),
        times(5).map(() => due),
      )
    }).pipe(Pod.provide()),
  )

  it.effect("finds deliveries that have just fallen due while the endpoint scan pauses", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { candidate, endpoint, organization } = yield* begin(1)
      yield* fill(endpoint, 10_000, 3_600_000, 0)
      const { queue } = yield* DeliveryQueue
      const inFlight = new Map([[endpoint, { count: 10, max: 10 }]])
      // each reading of the clock is a second later, so the scan pauses
      const ticking = yield* Effect.map(Clock.Clock, (clock) => {
        let nanos = 0n
        return { ...clock, monotonicTimeNanos: Effect.sync(() => (nanos += 1_000_000_000n)) }
      })
      const claimed = Effect.map(Effect.provideService(queue.claim(100, inFlight), Clock.Clock, ticking), (jobs) =>
        jobs.map(({ endpoint_id }) => endpoint_id),
      )
      assert.deepStrictEqual(yield* claimed, [])
      const other = yield* Scenario.endpoint(organization.id, { url: "https://other.example/" })
      yield* sql`update webhook_endpoint set events = '{invitation.status.update}' where id = ${endpoint}::uuid`
      yield* Scenario.publish(candidate, 2)
      assert.deepStrictEqual(yield* claimed, [other.id, other.id])
    }).pipe(Pod.provide()),
  )

  it.effect("claims again when all claimed deliveries were of inactive endpoints", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { endpoint, organization } = yield* begin(1)
      const inactive = yield* Effect.forEach([1, 2, 3], (n) =>
        Scenario.endpoint(organization.id, { url: `https://inactive-${n}.example/` }),
      )
      for (const { id } of inactive) yield* fill(id, 50, 60_000, 0)
      yield* sql`update webhook_endpoint set status = 'inactive' where url like 'https://inactive%'`
      const claimed = yield* claim(10)
      assert.deepStrictEqual(
        claimed.map(({ endpoint_id }) => endpoint_id),
        [endpoint],
      )
    }).pipe(Pod.provide()),
  )

  it.effect("skips the backlog of full endpoints", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(1)
      const healthy = yield* Effect.forEach([1, 2, 3], (n) =>
        Scenario.endpoint(organization.id, { url: `https://healthy-${n}.example/` }),
      )
      const second = yield* Scenario.endpoint(organization.id, { url: "https://full-too.example/" })
      yield* fill(endpoint, 10_000, 3_600_000, 0)
      yield* fill(second.id, 10_000, 3_600_000, 3)
      for (const { id } of healthy) yield* fill(id, 20, 1, 0)
      const full = [endpoint, second.id]
      const first = countBy(yield* claim(100), (job) => job.endpoint_id)
      assert.deepStrictEqual(first, Object.fromEntries(full.map((id) => [id, 10])))
      const { queue } = yield* DeliveryQueue
      const next = yield* queue.claim(80, new Map(full.map((id) => [id, { count: 10, max: 10 }])))
      assert.deepStrictEqual(
        countBy(next, (job) => job.endpoint_id),
        Object.fromEntries(healthy.map(({ id }) => [id, 10])),
      )
    }).pipe(Pod.provide()),
  )
})
