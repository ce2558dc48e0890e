/** POST …/resend-failed: sends the failed deliveries of an endpoint again (docs/webhook-endpoints.md). */

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { EndpointId, OrganizationId } from "../../src/values/Ids.ts"
import { maxBatch } from "../../src/webhooks/deliveries/Delivery.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import * as Scenario from "../support/Scenario.ts"
import { rounds } from "../support/Webhooks.ts"

const since = "2026-11-20T00:00:00Z"
const pathOf = (endpoint: string) => `/company/integration/webhooks/v1/${endpoint}/resend-failed`

/**
 * Failed deliveries, one a second from `since`; of each ten the first is of interview.status.update, the others of
 * interview.evaluation.update.
 */
const addFailed = Effect.fnUntraced(function* (organization: OrganizationId, endpoint: EndpointId, count: number) {
  const { sql } = yield* Database
  yield* sql`
    with made as (
      select gen_random_uuid() as id, ${since}::timestamptz + n * interval '1 second' as at,
        case n % 10 when 0 then 'interview.status.update' else 'interview.evaluation.update' end as type, n
      from generate_series(0, ${count - 1}::int) n
    ), event as (
      insert into webhook_event (id, organization_id, xid, event_type, status, body, created_at)
      select id, ${organization}::int, pg_current_xact_id(), type, 'completed', '{}', at from made
    )
    insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at, finished_at, state,
      attempts)
    select (select coalesce(max(id), 0) from webhook_delivery_history) + 1000000 + n, ${organization}::int, ${endpoint}::uuid, id, '[]', at, at, 'failed', 1
    from made`
})

const account = Effect.fnUntraced(function* (failed: number) {
  const { id } = yield* Scenario.organization()
  const endpoint = yield* Scenario.endpoint(id)
  yield* addFailed(id, endpoint.id, failed)
  const { key } = yield* Api.keyOf(id)
  return { organization: id, endpoint: endpoint.id, key, path: pathOf(endpoint.id) }
})

/** Milliseconds between the queued deliveries of an endpoint, in the order of their time, and how often. */
const spacings = Effect.fnUntraced(function* (endpoint: EndpointId) {
  const { sql } = yield* Database
  return yield* sql<{ apart: number; times: number }>`
    select apart, count(*)::int as times from (
      select (extract(epoch from due_at - lag(due_at) over (order by due_at)) * 1000)::float8 as apart
      from webhook_delivery where endpoint_id = ${endpoint}::uuid) d
    where apart is not null group by apart order by apart`
})

const queuedTwice = Effect.fnUntraced(function* (endpoint: EndpointId) {
  const { sql } = yield* Database
  return yield* sql`
    select event_id from webhook_delivery where endpoint_id = ${endpoint}::uuid group by event_id having count(*) > 1`
})

const auditOf = Effect.fnUntraced(function* (endpoint: EndpointId) {
  const { sql } = yield* Database
  const rows = yield* sql<{ detail: object }>`
    select detail from audit_log where record_id = ${endpoint} and action = 'webhook_endpoint.resend_failed' order by id`
  return rows.map(({ detail }) => detail)
})

layer(Api.layer({ settings: { RATE_LIMIT: "0", WEBHOOK_RETRY_TIMES: "0" } }), { excludeTestServices: true })(
  "POST …/resend-failed",
  (it) => {
    it.effect("sends 5,000 of many, oldest first, and says whether others remain; all keep the pace", () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const { endpoint, key, path } = yield* account(2 * maxBatch + 1)
        const send = Api.results(200, "POST", path, { key, json: { since } })
        assert.deepStrictEqual(yield* send, { queued: maxBatch, has_more: true })
        const [oldest] = yield* sql<{ first: Date; last: Date }>`
          select min(finished_at) as first, max(finished_at) as last from webhook_delivery_history
          where endpoint_id = ${endpoint}::uuid and resent_at is not null`
        assert.deepStrictEqual(
          [oldest?.first.getTime(), oldest?.last.getTime()],
          [Date.parse(since), Date.parse(since) + (maxBatch - 1) * 1000],
        )
        assert.deepStrictEqual(yield* send, { queued: maxBatch, has_more: true })
        assert.deepStrictEqual(yield* send, { queued: 1, has_more: false })
        assert.deepStrictEqual(yield* send, { queued: 0, has_more: false })
        assert.deepStrictEqual(yield* spacings(endpoint), [{ apart: 20, times: 2 * maxBatch }])
        assert.deepStrictEqual(yield* queuedTwice(endpoint), [])
        assert.deepStrictEqual(
          yield* auditOf(endpoint),
          [maxBatch, maxBatch, 1].map((queued) => ({ since: new Date(since).toISOString(), queued })),
        )
      }),
    )

    it.effect("sends each delivery once when requests run at once, and once per Idempotency-Key", () =>
      Effect.gen(function* () {
        const { endpoint, key, path } = yield* account(300)
        const headers = { "idempotency-key": "outage" }
        const once = Api.call("POST", path, { key, json: { since }, headers })
        const other = Api.call("POST", path, { key, json: { since } })
        const answers = yield* Effect.all([other, other, once, other], { concurrency: "unbounded" })
        const queued = answers.map(({ body }) => (body as { results: { queued: number } }).results.queued)
        assert.strictEqual(
          queued.reduce((sum, count) => sum + count, 0),
          300,
        )
        assert.deepStrictEqual(yield* queuedTwice(endpoint), [])
        const replayed = yield* once
        assert.strictEqual(replayed.headers.get("idempotency-replayed"), "true")
        assert.deepStrictEqual(replayed.body, answers[2]?.body)
      }),
    )

    it.effect("sends those of a span and of some events", () =>
      Effect.gen(function* () {
        const { endpoint, key, path } = yield* account(100)
        const at = (second: number) => new Date(Date.parse(since) + second * 1000).toISOString()
        const send = (json: object) => Api.results(200, "POST", path, { key, json })
        const of = { since: at(10), until: at(30), event_types: ["interview.status.update"] }
        // the 10th and 20th: until is exclusive
        assert.deepStrictEqual(yield* send(of), { queued: 2, has_more: false })
        assert.deepStrictEqual(yield* send({ since: at(10), until: at(11) }), { queued: 0, has_more: false })
        assert.deepStrictEqual(yield* send({ since: at(11), until: at(12) }), { queued: 1, has_more: false })
        // null means absent
        assert.deepStrictEqual(yield* send({ since: at(98), until: null, event_types: null }), {
          queued: 2,
          has_more: false,
        })
        assert.deepStrictEqual(yield* auditOf(endpoint).pipe(Effect.map((details) => details[0])), { ...of, queued: 2 })
        // a time with another zone and without milliseconds
        assert.deepStrictEqual(yield* send({ since: "2026-11-20T02:00:00+02:00" }), { queued: 95, has_more: false })
      }),
    )

    it.effect("does not send deliveries whose event was deleted, nor those of another endpoint", () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const { endpoint, key, organization, path } = yield* account(20)
        const other = yield* Scenario.endpoint(organization, { url: "https://other.example/" })
        yield* addFailed(organization, other.id, 5)
        yield* sql`delete from webhook_event v using webhook_delivery_history h
          where h.endpoint_id = ${endpoint}::uuid and v.id = h.event_id and v.event_type = 'interview.evaluation.update'`
        const send = Api.results(200, "POST", path, { key, json: { since } })
        assert.deepStrictEqual(yield* send, { queued: 2, has_more: false })
        const rows = yield* sql`select id from webhook_delivery where endpoint_id = ${other.id}::uuid`
        assert.isEmpty(rows)
      }),
    )

    it.effect("sends a delivery that failed again only without until", () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const { endpoint, key, path } = yield* account(1)
        const send = (json: object) => Api.results(200, "POST", path, { key, json })
        const until = new Date().toISOString()
        assert.deepStrictEqual(yield* send({ since, until }), { queued: 1, has_more: false })
        yield* sql`update webhook_delivery set attempts = 6 where endpoint_id = ${endpoint}::uuid`
        yield* sql`
          with failed as (delete from webhook_delivery where endpoint_id = ${endpoint}::uuid returning *)
          insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at, finished_at,
            state, attempts)
          select id, organization_id, endpoint_id, event_id, '[]', created_at, now() + interval '1 second', 'failed', 6 from failed`
        assert.deepStrictEqual(yield* send({ since, until }), { queued: 0, has_more: false })
        assert.deepStrictEqual(yield* send({ since }), { queued: 1, has_more: false })
        yield* rounds
      }),
    )

    it.effect("refuses an inactive endpoint, and wrong bodies with what to send", () =>
      Effect.gen(function* () {
        const { endpoint, key, organization, path } = yield* account(1)
        const errorsOf = Effect.fnUntraced(function* (json: object) {
          const { errors = [] } = Contract.problem(
            yield* Api.call("POST", path, { key, json }),
            422,
            "validation_failed",
          )
          return errors.map(({ code, message, pointer }) => `${pointer} ${code}: ${message}`)
        })
        const asTime = "must be an ISO 8601 time with its zone, such as 2030-01-31T18:00:00Z"
        assert.deepStrictEqual(yield* errorsOf({}), ["#/since required: is required"])
        assert.deepStrictEqual(yield* errorsOf({ since: "2026-11-20", until: "soon" }), [
          `#/since invalid_date: ${asTime}`,
          `#/until invalid_date: ${asTime}`,
        ])
        assert.deepStrictEqual(yield* errorsOf({ since, until: since }), ["#/until out_of_range: must be after since"])
        assert.deepStrictEqual(yield* errorsOf({ since, event_types: [] }), [
          "#/event_types too_few: must have at least one item",
        ])
        assert.match(
          (yield* errorsOf({ since, event_types: ["interview.status.update.completed"] }))[0] ?? "",
          /^#\/event_types\/0 not_one_of: /,
        )
        assert.match(
          (yield* errorsOf({ since, event_types: Array(51).fill("x") }))[0] ?? "",
          /^#\/event_types too_many/,
        )
        const typo = yield* Api.call("POST", path, {
          key,
          json: { since, event_type: "submission.review", until: "2026-11-20T00:00:00.001Z" },
        })
        assert.deepInclude(typo.body as object, { results: { queued: 1, has_more: false } })
        assert.match(JSON.stringify(typo.body), /did you mean event_types\?/)

        yield* (yield* Endpoints).disable(operator(organization), endpoint)
        const refused = yield* Api.call("POST", path, { key, json: { since } })
        assert.match(Contract.problem(refused, 409, "conflict").detail, /setting its status to active$/)
        const removed = yield* Scenario.endpoint(organization, { url: "https://removed.example/" })
        yield* (yield* Endpoints).remove(operator(organization), removed.id)
        const gone = yield* Api.call("POST", pathOf(removed.id), { key, json: { since } })
        Contract.problem(gone, 404, "not_found")
      }),
    )
  },
)
