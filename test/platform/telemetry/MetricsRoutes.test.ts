/** Access to /metrics, and its values. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import packageJson from "../../../package.json" with { type: "json" }
import * as App from "../../../src/App.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { Metrics } from "../../../src/platform/telemetry/Metrics.ts"
import * as Api from "../../support/Api.ts"
import { setMoveState } from "../../support/MoveState.ts"
import { answered } from "../../support/Pod.ts"
import { parse, valueOf } from "../../support/Prometheus.ts"
import * as Scenario from "../../support/Scenario.ts"

const token = "a-token-of-the-scraper-0123456789"
const served = Api.layer({ settings: { METRICS_TOKEN: token, DATABASE_POOL: "7" } })
const ask = (authorization?: string) =>
  Api.call("GET", "/metrics", authorization === undefined ? {} : { headers: { authorization } })

const scrape = Effect.gen(function* () {
  const { body, headers, status } = yield* ask(`Bearer ${token}`)
  assert.strictEqual(status, 200)
  assert.strictEqual(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
  assert.strictEqual(headers.get("cache-control"), "no-store")
  return { text: String(body), families: parse(String(body)) }
})

describe("/metrics", () => {
  it.live("exists only with METRICS_TOKEN, and requires the token", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.provide(ask(`Bearer ${token}`), Api.layer())).status, 404)
      yield* Effect.gen(function* () {
        for (const wrong of [undefined, "", "Bearer", "Bearer ", `Bearer ${token}x`, `Basic ${token}`, token]) {
          const { body, headers, status } = yield* ask(wrong)
          assert.strictEqual(status, 401, wrong)
          assert.strictEqual(headers.get("www-authenticate"), "Bearer")
          assert.notInclude(String(body), "process_")
        }
        assert.strictEqual((yield* ask(`bearer ${token}`)).status, 200)
      }).pipe(Effect.provide(served))
    }),
  )

  it.live("counts requests by method, route and status, not by path", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const detail = "/company/integration/hiring/submissions/:id/detail/v1"
      const ids = ["019fffff-0000-7000-8000-000000000001", "019fffff-0000-7000-8000-000000000002", "no-id"]
      for (const id of ids) yield* Api.call("GET", Api.paths.detail(id), { key })
      yield* Api.call("GET", Api.paths.detail("x"))
      yield* Api.call("GET", "/company/integration/me/v1", { key })
      yield* Api.call("POST", Api.paths.createSet, { key, json: {} })
      for (const path of ["/nowhere", "/i/secret-token", "/%00", '/a"b\\c']) yield* Api.call("GET", path)
      yield* Api.call("PROPFIND", "/nowhere")
      yield* Api.call("DELETE", Api.paths.createSet)
      const { families, text } = yield* scrape
      const requests = (labels: Record<string, string>) => valueOf(families, "interview_http_requests_total", labels)
      assert.strictEqual(requests({ method: "GET", route: detail, status: "404" }), 3)
      assert.strictEqual(requests({ method: "GET", route: detail, status: "401" }), 1)
      assert.strictEqual(requests({ route: "/company/integration/me/v1", status: "200" }), 1)
      assert.strictEqual(requests({ method: "POST", route: Api.paths.createSet, status: "422" }), 1)
      assert.strictEqual(requests({ method: "DELETE", route: Api.paths.createSet, status: "405" }), 1)
      assert.strictEqual(requests({ method: "GET", route: "none", status: "404" }), 4)
      assert.strictEqual(requests({ method: "OTHER", route: "none", status: "404" }), 1)
      const latency = { method: "GET", route: detail }
      assert.strictEqual(valueOf(families, "interview_http_request_duration_seconds_count", latency), 4)
      for (const foreign of [...ids, "secret-token", "PROPFIND", key]) assert.notInclude(text, foreign)
    }).pipe(Effect.provide(served)),
  )

  it.effect("reports the backlog of queues and its age, endpoints and open moves", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const { id } = yield* Scenario.endpoint(organization.id)
      yield* Scenario.endpoint(organization.id, { url: "https://receiver.example/other" })
      const candidate = yield* Scenario.invited(organization)
      yield* Scenario.publish(candidate, 3)
      const { client: sql } = yield* Database
      yield* sql`update webhook_endpoint set status = 'inactive' where id = ${id}::uuid`
      // two retries in the other lane: one due, one not
      yield* sql`update webhook_delivery set attempts = 1, due_at = due_at + case when id % 2 = 0 then interval '1 hour'
        else interval '-10 seconds' end where id in (select id from webhook_delivery order by id limit 2)`
      yield* setMoveState(sql, 7, "draining")
      yield* setMoveState(sql, 8, "moved")
      yield* TestClock.adjust("30 seconds")
      const { families } = yield* scrape
      const due = (queue: string) => valueOf(families, "interview_queue_due", { queue })
      const oldest = (queue: string) => valueOf(families, "interview_queue_oldest_due_seconds", { queue })
      assert.deepStrictEqual(["webhook_delivery", "email", "cv", "evaluation"].map(due), [5, 1, 0, 0])
      assert.deepStrictEqual(["webhook_delivery", "email", "cv", "evaluation"].map(oldest), [40, 30, 0, 0])
      assert.strictEqual(valueOf(families, "interview_organization_moves_open"), 1)
      assert.strictEqual(valueOf(families, "interview_webhook_endpoints", { status: "active" }), 1)
      assert.strictEqual(valueOf(families, "interview_webhook_endpoints", { status: "inactive" }), 1)
    }).pipe(Effect.provide(served)),
  )

  it.live("counts attempts by outcome, and reports the liveness of workers", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      yield* Scenario.endpoint(organization.id)
      const candidate = yield* Scenario.invited(organization)
      yield* Scenario.publish(candidate, 4)
      const attempts = Effect.map(scrape, ({ families }) =>
        Object.fromEntries(
          (families.get("interview_queue_attempts_total")?.samples ?? []).map(({ labels, value }) => [
            `${labels["queue"]} ${labels["outcome"]}`,
            value,
          ]),
        ),
      )
      // those four, and the event of the invitation
      while ((yield* attempts)["webhook_delivery delivered"] !== 5) yield* Effect.sleep("20 millis")
      const { families } = yield* scrape
      assert.deepInclude(yield* attempts, { "webhook_delivery retried": 1, "email sent": 1 })
      assert.isAtLeast(
        valueOf(families, "interview_queue_attempt_duration_seconds_count", { queue: "webhook_delivery" }) ?? 0,
        5,
      )
      assert.strictEqual(families.get("interview_worker_silent_seconds")?.samples.length, 6)
    }).pipe(
      Effect.provide(
        App.workers.pipe(
          Layer.provideMerge(
            Api.layer({
              settings: { METRICS_TOKEN: token, WEBHOOK_RETRY_FIRST: "10 millis" },
              receive: (() => {
                let count = 0
                return () => Effect.sync(() => answered(++count === 1 ? 500 : 200))
              })(),
            }),
          ),
        ),
      ),
    ),
  )

  it.live("reports the process and the connection pool", () =>
    Effect.gen(function* () {
      yield* scrape
      const { families } = yield* scrape
      assert.strictEqual(valueOf(families, "interview_build_info", { version: packageJson.version }), 1)
      assert.strictEqual(valueOf(families, "interview_database_pool_size"), 7)
      assert.strictEqual(valueOf(families, "interview_database_up"), 1)
      assert.isAtLeast(valueOf(families, "interview_database_connections", { state: "active" }) ?? 0, 0)
      for (const name of [
        "process_cpu_seconds_total",
        "process_resident_memory_bytes",
        "process_start_time_seconds",
        "nodejs_heap_size_used_bytes",
        "interview_database_answer_seconds",
      ]) {
        assert.isAbove(valueOf(families, name) ?? 0, 0, name)
      }
      for (const name of ["p50", "p99", "max"]) {
        assert.isAtLeast(valueOf(families, `nodejs_eventloop_lag_${name}_seconds`) ?? -1, 0)
      }
    }).pipe(Effect.provide(served)),
  )

  it.effect("escapes labels and help texts", () =>
    Effect.gen(function* () {
      const { text } = yield* Metrics
      const hostile = 'a"b\\c\nd{e="f"} 1'
      const families = parse(
        text([
          { name: "some_gauge", help: 'line\nbreak \\ and "quote"', type: "gauge", labels: { hostile }, value: 1 },
        ]),
      )
      assert.deepStrictEqual(families.get("some_gauge")?.samples[0]?.labels, { hostile })
      assert.strictEqual(families.get("some_gauge")?.help, 'line\nbreak \\ and "quote"')
    }).pipe(Effect.provide(Metrics.layer)),
  )
})
