/** Limits of requests without an account: size, fields, time, requests per minute. */
import { setImmediate } from "node:timers/promises"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../../src/App.ts"
import * as Api from "../../support/Api.ts"
import * as Contract from "../../support/Contract.ts"
import * as Pod from "../../support/Pod.ts"
import { connect } from "../../support/RawHttp.ts"
import * as Workspace from "../../support/Workspace.ts"

const maxBody = 128 * 1024
const maxPublicForm = 65_536
const settings = {
  PORT: "0",
  MAX_BODY: "128 KiB",
  RATE_LIMIT: "0",
  TRUSTED_PROXIES: "127.0.0.1/32,::1/128",
}

const served = Api.Server.layer.pipe(
  Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
  Layer.provideMerge(Pod.layer({ settings })),
)

const me = "/company/integration/me/v1"
const { createSet } = Api.paths
const json = "Content-Type: application/json\n"

/** The head of a form as a page of this service sends it. */
const form = (path: string, headers: string) =>
  `POST ${path} HTTP/1.1\nHost: x\nOrigin: http://localhost:8080\nContent-Type: application/x-www-form-urlencoded\n${headers}`

const answerTo = (head: string, body = "") =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* connect
      yield* connection.send(`${head}\n`, body)
      const answer = yield* connection.answer
      assert(answer, head)
      return answer
    }),
  )

const from = (client: string) => ({ "x-forwarded-for": client })

layer(served)("requests without an account", (it) => {
  // /setup is open until an organization exists, so this test is first
  it.effect.each(["/setup", "/sign-in", "/forgot-password"])(
    "%s refuses more than 64 KiB and more than 1,000 fields",
    (path) =>
      Effect.gen(function* () {
        // no byte of the body is sent
        const announced = yield* answerTo(form(path, `Content-Length: ${maxPublicForm + 1}\n`))
        assert.strictEqual(announced.status, 413)
        assert.strictEqual(announced.headers.get("connection"), "close")
        const chunked = `${(maxPublicForm + 1).toString(16)}\r\n${"x".repeat(maxPublicForm + 1)}\r\n0\r\n\r\n`
        assert.strictEqual((yield* answerTo(form(path, "Transfer-Encoding: chunked\n"), chunked)).status, 413)
        const post = (body: string) => answerTo(form(path, `Content-Length: ${body.length}\n`), body)
        assert.strictEqual((yield* post("a&".repeat(1_001))).status, 413)
        assert.strictEqual((yield* post("a&".repeat(1_000))).status, 422)
        assert.strictEqual((yield* post("x".repeat(maxPublicForm))).status, 422)
      }),
  )

  it.effect.each(["/i/unknown/answers", "/i/unknown/finish", "/password/unknown"])(
    "%s returns 404 without waiting for the body",
    (path) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* answerTo(form(path, "Content-Length: 1000\n"))).status, 404)
        const upload = form(path, "Content-Length: 1000\n").replace("x-www-form-urlencoded", "x;")
        assert.strictEqual((yield* answerTo(upload)).status, 404)
      }),
  )

  it.effect("returns 429 to an address after 300 forms in a minute, before reading the form", () =>
    Effect.gen(function* () {
      const headers = from("198.51.100.1")
      const post = Workspace.request("POST", "/forgot-password", { fields: {}, headers })
      const answers = yield* Effect.all(
        Array.from({ length: 300 }, () => post),
        { concurrency: 20 },
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [422])
      const refused = yield* answerTo(form("/sign-in", "Content-Length: 1000\nX-Forwarded-For: 198.51.100.1\n"))
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers.get("retry-after"), "60")
      const other = { fields: {}, headers: from("198.51.100.2") }
      assert.strictEqual((yield* Workspace.request("POST", "/forgot-password", other)).status, 422)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* post).status, 422)
    }),
  )

  it.effect("returns 429 to an address after 120 unknown links in a minute", () =>
    Effect.gen(function* () {
      const headers = from("198.51.100.3")
      const visit = (path: string) => Workspace.request("GET", path, { headers })
      const answers = yield* Effect.all(
        Array.from({ length: 120 }, (_, i) => visit(["/i/unknown", "/password/unknown", "/c/unknown"][i % 3] ?? "")),
        { concurrency: 20 },
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [404])
      assert.strictEqual((yield* visit("/i/unknown")).status, 429)
      const refused = yield* visit("/password/unknown")
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers.get("retry-after"), "60")
    }),
  )

  it.effect(
    "returns 429 to an address after 300 refused API keys in a minute, but not for keys that were accepted before",
    () =>
      Effect.gen(function* () {
        const headers = from("198.51.100.4")
        const known = yield* Api.account
        const unseen = yield* Api.account
        assert.strictEqual((yield* Api.call("GET", me, { key: known.key, headers })).status, 200)
        const answers = yield* Effect.all(
          Array.from({ length: 301 }, () => Api.call("GET", me, { headers })),
          { concurrency: 20 },
        )
        assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [401])
        for (const key of [unseen.key, undefined, `iv_live_zzzzzzzz.${"A".repeat(43)}`]) {
          const refused = yield* Api.call("GET", me, { key, headers })
          Contract.problem(refused, 429, "rate_limited")
          assert.strictEqual(refused.headers.get("retry-after"), "60")
        }
        assert.strictEqual((yield* Api.call("GET", me, { key: known.key, headers })).status, 200)
        assert.strictEqual((yield* Api.call("GET", me, { key: unseen.key, headers: from("198.51.100.5") })).status, 200)
      }),
  )

  it.effect("aborts a body that stops arriving after 10 seconds, and closes its connection", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const connection = yield* connect
      yield* connection.send(
        `POST ${createSet} HTTP/1.1\nHost: x\nX-API-Key: ${key}\n${json}Content-Length: 13\n\n`,
        "{",
      )
      const later = Effect.andThen(
        TestClock.adjust("5 seconds"),
        Effect.promise(() => setImmediate()),
      )
      const answer = yield* Effect.raceFirst(connection.answer, Effect.forever(later))
      assert(answer)
      Contract.problem(answer, 408, "request_timeout")
      assert.strictEqual(answer.headers.get("connection"), "close")
      assert.isUndefined(yield* connection.answer)
    }),
  )

  it.effect("limits the bodies of one address to 2 MiB of memory: 503 beyond it, until clients disconnect", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const create = (client: string) =>
        Api.call("POST", createSet, { key, json: { title: "x" }, headers: from(client) })
      const head = `POST ${createSet} HTTP/1.1\nHost: x\nX-API-Key: ${key}\nX-Forwarded-For: 198.51.100.6\n${json}`
      for (let round = 0; round < 2; round++) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const open = Effect.gen(function* () {
              const connection = yield* connect
              yield* connection.send(`${head}Content-Length: ${maxBody}\n\n`, " ".repeat(maxBody - 1))
              return connection
            })
            const slow = yield* Effect.replicateEffect(open, 20)
            const refused = yield* Effect.raceAllFirst(slow.map(({ answer }) => answer))
            assert(refused)
            Contract.problem(refused, 503, "unavailable")
            assert.strictEqual(refused.headers.get("retry-after"), "10")
            assert.strictEqual(refused.headers.get("connection"), "close")
            assert.strictEqual((yield* create("198.51.100.7")).status, 201)
          }),
        )
        // the server may not have noticed yet that the clients disconnected
        let status = 0
        for (let turn = 0; turn < 100 && status !== 201; turn++) status = (yield* create("198.51.100.6")).status
        assert.strictEqual(status, 201)
      }
    }),
  )

  it.effect(
    "limits forms without an account to a quarter of the memory: 503 beyond it, and the API still answers",
    () =>
      Effect.gen(function* () {
        const { key } = yield* Api.account
        yield* Effect.scoped(
          Effect.gen(function* () {
            const slow = yield* Effect.forEach(Array.from({ length: 36 }), (_, i) =>
              Effect.gen(function* () {
                const connection = yield* connect
                const head = form("/sign-in", `X-Forwarded-For: 198.51.101.${i}\nContent-Length: ${maxPublicForm}\n\n`)
                yield* connection.send(head, "x".repeat(maxPublicForm - 1))
                return connection
              }),
            )
            const refused = yield* Effect.raceAllFirst(slow.map(({ answer }) => answer))
            assert(refused)
            assert.strictEqual(refused.status, 503)
            const headers = from("198.51.102.1")
            assert.strictEqual((yield* Api.call("POST", createSet, { key, json: { title: "x" }, headers })).status, 201)
          }),
        )
      }),
  )
})
