import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { EndpointId } from "../../src/values/Ids.ts"
import { DeliveryId } from "../../src/values/Ids.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Webhooks from "../support/Webhooks.ts"

const { begin, down, requests, round, script, start, states, times } = Webhooks
const { answered } = Pod

const once = { WEBHOOK_RETRY_TIMES: "0", WEBHOOK_DEACTIVATE_AFTER: "100" }

describe("DeliveryLog", () => {
  it.effect("lists an endpoint's queued and finished deliveries, newest first", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization } = yield* begin(1)
      const log = yield* Deliveries
      yield* round
      yield* Scenario.publish(candidate)
      yield* round
      yield* TestClock.adjust("1 minute")
      yield* Scenario.publish(candidate)
      const all = yield* log.list(operator(organization.id), endpoint, {}, 50)
      assert.deepStrictEqual(
        all.map(({ attempts, event_status, event_type, state }) => [state, attempts, event_type, event_status]),
        [
          ["queued", 0, "interview.status.update", "started"],
          ["delivered", 1, "interview.status.update", "started"],
          ["failed", 1, "interview.status.update", "started"],
        ],
      )
      const [newest, second, oldest] = all
      assert.deepStrictEqual([newest?.finished_at, second?.finished_at], [null, new Date(start)])
      assert.deepStrictEqual(
        oldest?.attempt_log.map(({ error, status }) => [status, error]),
        [[503, "The receiver answered 503"]],
      )
      const states = (filter: Parameters<typeof log.list>[2], limit = 50) =>
        Effect.map(log.list(operator(organization.id), endpoint, filter, limit), (rows) =>
          rows.map(({ state }) => state),
        )
      assert.deepStrictEqual(yield* states({ state: "failed" }), ["failed"])
      assert.deepStrictEqual(yield* states({ since: new Date(start + 1) }), ["queued"])
      assert.deepStrictEqual(yield* states({ before: second?.id }), ["failed"])
      assert.deepStrictEqual(yield* states({}, 2), ["queued", "delivered"])
      assert.deepStrictEqual(yield* states({ event_type: "interview.evaluation.update" }), [])

      const other = yield* Scenario.organization({}, "Other")
      const id = yield* Effect.fromNullishOr(newest?.id)
      assert.strictEqual((yield* Effect.flip(log.list(operator(other.id), endpoint, {}, 50)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(log.find(operator(other.id), id)))._tag, "NotFound")
      assert.strictEqual((yield* log.find(operator(organization.id), id)).state, "queued")
    }).pipe(Pod.provide({ receive: script(down, answered(200)), settings: once })),
  )

  it.effect("lists deliveries before a time among many later ones", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(1)
      const log = yield* Deliveries
      const { sql } = yield* Database
      // one every 20 minutes; a later id may have an earlier created_at
      yield* sql`
        insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at, finished_at,
          state, attempts)
        select 1000 + 3 * n, ${organization.id}::int, ${endpoint}::uuid, gen_random_uuid(), '[]', at, at + interval '2 days',
          'delivered', 1
        from generate_series(1, 1000) n,
          lateral (select ${new Date(start)} - interval '20 minutes' * (1000 - n) - interval '10 seconds' * (n % 7) as at) t`
      const day = 86_400_000
      for (const until of [
        start + day,
        start,
        start - 3 * day,
        start - 5.5 * day,
        start - 13.8 * day,
        start - 20 * day,
      ]) {
        const rows = yield* log.list(operator(organization.id), endpoint, { until: new Date(until) }, 50)
        const expected = yield* sql<{ id: string }>`
          select id::text as id from webhook_delivery_history
          where endpoint_id = ${endpoint}::uuid and created_at < ${new Date(until)} order by webhook_delivery_history.id desc limit 50`
        assert.deepStrictEqual(
          rows.filter(({ state }) => state === "delivered").map(({ id }) => String(id)),
          expected.slice(0, rows.filter(({ state }) => state === "delivered").length).map(({ id }) => id),
        )
        assert.isAtLeast(rows.length, expected.length)
      }
    }).pipe(Pod.provide({ receive: script(down), settings: once })),
  )

  it.effect("sends a finished delivery again as a new delivery of the same event", () =>
    Effect.gen(function* () {
      const { endpoint, events, organization } = yield* begin(1)
      const log = yield* Deliveries
      const [queued] = yield* log.list(operator(organization.id), endpoint, {}, 1)
      const id = yield* Effect.fromNullishOr(queued?.id)
      assert.strictEqual((yield* Effect.flip(log.resend(operator(organization.id), id)))._tag, "Conflict")
      yield* round
      const again = yield* log.resend(operator(organization.id), id)
      assert.notStrictEqual(again, id)
      assert.deepStrictEqual(yield* states, { "failed 1": 1, "queued 0": 1 })
      assert.deepStrictEqual((yield* log.find(operator(organization.id), id)).resent_at, new Date(start))
      yield* round
      assert.deepStrictEqual(yield* states, { "failed 1": 1, "delivered 1": 1 })
      const sent = yield* requests
      assert.deepStrictEqual(
        sent.map(({ headers }) => headers["webhook-id"]),
        [String(events[0]), String(events[0])],
      )
      assert.deepStrictEqual(sent[0]?.body, sent[1]?.body)

      const other = yield* Scenario.organization({}, "Other")
      assert.strictEqual((yield* Effect.flip(log.resend(operator(other.id), id)))._tag, "NotFound")
      assert.strictEqual(
        (yield* Effect.flip(log.resend(operator(organization.id), DeliveryId.make("99"))))._tag,
        "NotFound",
      )
      yield* (yield* Endpoints).disable(operator(organization.id), endpoint)
      assert.strictEqual((yield* Effect.flip(log.resend(operator(organization.id), id)))._tag, "Conflict")
      yield* (yield* Endpoints).remove(operator(organization.id), endpoint)
      const deleted = yield* Effect.flip(log.resend(operator(organization.id), id))
      assert.include(deleted._tag === "Conflict" ? deleted.reason : deleted._tag, "webhook endpoint was deleted")
    }).pipe(Pod.provide({ receive: script(down, answered(200)), settings: once })),
  )

  it.effect("sends each delivery that failed since a time again once", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization } = yield* begin(2)
      const log = yield* Deliveries
      yield* round
      yield* TestClock.adjust("1 hour")
      yield* Scenario.publish(candidate, 3)
      yield* round
      assert.deepStrictEqual(yield* states, { "failed 1": 5 })
      const since = new Date(start + 1)
      const counts = yield* Effect.all(
        [
          log.resendFailed(operator(organization.id), endpoint, { since }),
          log.resendFailed(operator(organization.id), endpoint, { since }),
        ],
        { concurrency: "unbounded" },
      )
      assert.strictEqual(counts[0] + counts[1], 3)
      assert.strictEqual(yield* log.resendFailed(operator(organization.id), endpoint, { since }), 0)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* round, 3)
      assert.deepStrictEqual(yield* states, { "failed 1": 5, "delivered 1": 3 })
      assert.strictEqual(yield* log.resendFailed(operator(organization.id), endpoint, { since: new Date(0) }), 2)
    }).pipe(Pod.provide({ receive: script(...times(5, down), answered(200)), settings: once })),
  )

  it.effect("sends a delivery again once when two requests run at the same time", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(1)
      const log = yield* Deliveries
      yield* round
      const [failed] = yield* log.list(operator(organization.id), endpoint, {}, 1)
      // all calls have the same `seen`
      const resend = Effect.result(
        log.resend(operator(organization.id), yield* Effect.fromNullishOr(failed?.id), { seen: null }),
      )
      const results = yield* Effect.all([resend, resend, resend, resend], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* states, { "failed 1": 1, "queued 0": 1 })
      const refused = results.flatMap((one) => (one._tag === "Failure" ? [one.failure] : []))
      assert.lengthOf(refused, 3)
      for (const one of refused) {
        assert.include(one._tag === "Conflict" ? one.reason : one._tag, "was sent again meanwhile")
      }
    }).pipe(Pod.provide({ receive: script(down), settings: once })),
  )

  it.effect("does not deadlock when several resend the same deliveries in different orders", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization } = yield* begin(0)
      const { id: second } = yield* Scenario.endpoint(organization.id, { url: "https://second.example/" })
      const log = yield* Deliveries
      yield* Scenario.publish(candidate, 40)
      yield* Effect.repeat(round, { until: (done) => done === 0 })
      assert.deepStrictEqual(yield* states, { "failed 1": 80 })
      const since = new Date(0)
      const deliveries = [
        ...(yield* log.list(operator(organization.id), endpoint, {}, 50)),
        ...(yield* log.list(operator(organization.id), second, {}, 50)),
      ]
      // each event has a delivery to both endpoints: all calls lock the same rows
      const one = Effect.forEach(deliveries, ({ id }) => Effect.option(log.resend(operator(organization.id), id)))
      const all = (id: EndpointId) =>
        Effect.map(log.resendFailed(operator(organization.id), id, { since }), (count) => [count])
      const done = yield* Effect.all([one, all(endpoint), all(second), all(endpoint), all(second), one], {
        concurrency: "unbounded",
      })
      assert.isAtMost((done[1][0] ?? 0) + (done[3][0] ?? 0), 40)
      assert.isAtMost((done[2][0] ?? 0) + (done[4][0] ?? 0), 40)
      assert.strictEqual(yield* log.resendFailed(operator(organization.id), endpoint, { since }), 0)
    }).pipe(Pod.provide({ receive: script(down), settings: { ...once, WEBHOOK_DEACTIVATE_AFTER: "1000" } })),
  )

  it.effect("fails with a conflict when the event was deleted as old", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { endpoint, organization } = yield* begin(1)
      const log = yield* Deliveries
      yield* round
      const [failed] = yield* log.list(operator(organization.id), endpoint, {}, 1)
      yield* sql`delete from webhook_event`
      const id = yield* Effect.fromNullishOr(failed?.id)
      assert.strictEqual((yield* Effect.flip(log.resend(operator(organization.id), id)))._tag, "Conflict")
      assert.strictEqual(yield* log.resendFailed(operator(organization.id), endpoint, { since: new Date(0) }), 0)
      assert.deepInclude({ ...(yield* log.find(operator(organization.id), id)) }, { event_type: null, resent_at: null })
    }).pipe(Pod.provide({ receive: script(down), settings: once })),
  )
})
