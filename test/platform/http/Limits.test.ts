/** RATE_LIMIT and X-Request-Id (docs/api.md). */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import * as RateLimit from "../../../src/platform/http/RateLimit.ts"
import * as Api from "../../support/Api.ts"

const me = "/company/integration/me/v1"
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

layer(Api.layer({ settings: { RATE_LIMIT: "3" } }), { excludeTestServices: true })("RATE_LIMIT", (it) => {
  it.effect("reports the remaining requests, then 429 with Retry-After, for each key separately", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      for (const left of [2, 1, 0]) {
        const { headers, status } = yield* Api.call("GET", me, { key })
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("ratelimit-policy"), '"minute";q=3;w=60')
        assert.match(headers.get("ratelimit") ?? "", new RegExp(`^"minute";r=${left};t=[0-9]+$`))
      }
      const { body, headers, status } = yield* Api.call("GET", me, { key })
      assert.strictEqual(status, 429)
      assert.strictEqual(headers.get("content-type"), "application/problem+json")
      assert.deepInclude(body, { type: "/docs/errors#rate_limited", status: 429, code: "rate_limited" })
      assert.match(headers.get("ratelimit") ?? "", /^"minute";r=0;t=[0-9]+$/)
      const wait = Number(headers.get("retry-after"))
      assert.isTrue(Number.isInteger(wait) && wait >= 1 && wait <= 60, String(wait))
      const other = (yield* Api.keyOf(organization)).key
      assert.strictEqual((yield* Api.call("GET", me, { key: other })).status, 200)
    }),
  )

  it.effect("applies before the body is read, and counts refused requests of a known key", () =>
    Effect.gen(function* () {
      const { organization } = yield* Api.account
      const { key } = yield* Api.keyOf(organization, { scopes: ["read"] })
      for (const status of [403, 403, 403, 429]) {
        assert.strictEqual((yield* Api.call("POST", Api.paths.createSet, { key, raw: "{" })).status, status)
      }
    }),
  )

  it.effect("omits the headers for an unknown key", () =>
    Effect.gen(function* () {
      const { headers, status } = yield* Api.call("GET", me, { key: `iv_live_zzzzzzzz.${"A".repeat(43)}` })
      assert.strictEqual(status, 401)
      assert.strictEqual(headers.get("ratelimit"), null)
      assert.strictEqual(headers.get("www-authenticate"), "ApiKey")
    }),
  )
})

layer(Api.layer({ settings: { RATE_LIMIT: "0" } }), { excludeTestServices: true })("RATE_LIMIT=0", (it) => {
  it.effect("is off", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { headers, status } = yield* Api.call("GET", me, { key })
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("ratelimit-policy"), null)
    }),
  )
})

describe("RateLimit", () => {
  it.effect("starts a minute with the first request, and keeps the limit for slow requests", () =>
    Effect.gen(function* () {
      const ask = RateLimit.make(10)
      const times = Effect.fnUntraced(function* (count: number) {
        const all = yield* Effect.replicateEffect(ask("key"), count)
        return all.filter(({ isAllowed }) => isAllowed).length
      })
      assert.deepStrictEqual(yield* ask("key"), { isAllowed: true, remaining: 9, resetAfter: 60 })
      assert.strictEqual(yield* times(4), 4)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* times(10), 5)
      assert.deepStrictEqual(yield* ask("key"), { isAllowed: false, remaining: 0, resetAfter: 30 })
      assert.isTrue((yield* ask("other")).isAllowed)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* times(11), 10)
    }),
  )

  it.effect("counts at most 50,000 keys, and drops the oldest first", () =>
    Effect.gen(function* () {
      const ask = RateLimit.make(10)
      const remaining = Effect.fnUntraced(function* (key: string) {
        return (yield* ask(key, 0)).remaining
      })
      for (let key = 0; key < 50_001; key++) yield* ask(String(key))
      assert.strictEqual(yield* remaining("0"), 10)
      assert.strictEqual(yield* remaining("1"), 9)
      assert.strictEqual(yield* remaining("50000"), 9)
    }),
  )
})

describe("X-Request-Id", () => {
  it.live("is the caller's or a new one, on every response and log line", () => {
    const lines: Array<Record<string, unknown>> = []
    const logger = Logger.make(({ fiber, message }) => {
      lines.push({ message, ...fiber.getRef(References.CurrentLogAnnotations) })
    })
    return Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      const given = yield* Api.call("GET", me, { key, headers: { "x-request-id": "ats-4711" } })
      assert.strictEqual(given.headers.get("x-request-id"), "ats-4711")
      const fresh = yield* Api.call("GET", me, { key })
      assert.match(fresh.headers.get("x-request-id") ?? "", uuid)
      for (const bad of ["a b", "x".repeat(129), "\u00e9", ""]) {
        const answer = yield* Api.call("GET", me, { headers: { "x-request-id": bad } })
        assert.strictEqual(answer.status, 401)
        assert.match(answer.headers.get("x-request-id") ?? "", uuid)
      }
      for (const path of ["/nowhere", "/health/live", "/openapi.json", Api.paths.createSet]) {
        assert.isNotNull((yield* Api.call("GET", path)).headers.get("x-request-id"), path)
      }
      for (const path of ["/COMPANY/integration/me/v1", "/%63ompany/integration/me/v1"]) {
        const headers = { "x-request-id": `as ${path}`.replace(" ", ":") }
        assert.strictEqual((yield* Api.call("GET", path, { key, headers })).status, 200)
        assert.isDefined(lines.find(({ request_id }) => request_id === headers["x-request-id"]))
      }
      const line = lines.find(({ request_id }) => request_id === "ats-4711")
      assert.deepInclude(line, { method: "GET", path: me, status: 200 })
      assert.isNumber(line?.["duration_ms"])
      assert.isNumber(line?.["organization"])
      assert.match(String(line?.["api_key"]), uuid)
      const narrow = (yield* Api.keyOf(organization, { scopes: ["read"] })).key
      const sent = { key: narrow, headers: { "x-request-id": "refused" }, json: { title: "Engineer" } }
      assert.strictEqual((yield* Api.call("POST", Api.paths.createSet, sent)).status, 403)
      const refused = lines.find(({ request_id }) => request_id === "refused")
      assert.deepInclude(refused, { status: 403, organization: line?.["organization"] })
      assert.match(String(refused?.["api_key"]), uuid)
      assert.notInclude(JSON.stringify(lines), key.split(".")[1] ?? "")
    }).pipe(Effect.provide(Layer.provide(Api.layer(), Logger.layer([logger]))))
  })

  it.live("is on the log line of a request above RATE_LIMIT, with organization and API key", () => {
    const lines: Array<Record<string, unknown>> = []
    const logger = Logger.make(({ fiber, message }) => {
      lines.push({ message, ...fiber.getRef(References.CurrentLogAnnotations) })
    })
    return Effect.gen(function* () {
      const { key } = yield* Api.account
      for (const [id, status] of [
        ["allowed", 200],
        ["refused", 429],
      ] as const) {
        const answer = yield* Api.call("GET", me, { key, headers: { "x-request-id": id } })
        assert.strictEqual(answer.status, status)
      }
      const [allowed, refused] = ["allowed", "refused"].map((id) => lines.find(({ request_id }) => request_id === id))
      assert.isNumber(allowed?.["organization"])
      assert.match(String(allowed?.["api_key"]), uuid)
      const { api_key, organization } = { ...allowed }
      assert.deepInclude(refused, { method: "GET", path: me, status: 429, organization, api_key })
    }).pipe(Effect.provide(Layer.provide(Api.layer({ settings: { RATE_LIMIT: "1" } }), Logger.layer([logger]))))
  })
})
