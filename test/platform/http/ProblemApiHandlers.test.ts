/** Problems that depend on settings and on the database. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, References, Stream } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { inject } from "vitest"
import * as App from "../../../src/App.ts"
import { BlobStoreUnavailable } from "../../../src/files/BlobStore.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { seeOther } from "../../../src/platform/http/Pages.ts"
import * as Api from "../../support/Api.ts"
import { execute } from "../../support/databases.ts"
import * as Pod from "../../support/Pod.ts"
import { connect } from "../../support/RawHttp.ts"
import { createSet, detail, invite, nobodys, problem } from "../../support/Specification.ts"

describe("Problems", () => {
  it.live("returns 413 for a body larger than MAX_BODY", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const large = { title: "x", description: "x".repeat(64 * 1024) }
      problem(yield* Api.call("POST", createSet, { key, json: large }), 413, "body_too_large")
    }).pipe(Effect.provide(Api.layer({ settings: { MAX_BODY: "64 KiB" } }))),
  )

  it.live("returns 404 for a malformed id in a path, with the form of an id", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const malformed = yield* Api.call("GET", detail("sub-1"), { key })
      problem(malformed, 404, "not_found")
      assert.propertyVal(
        malformed.body,
        "detail",
        "no such record in this organization; in the path, id must be a UUID",
      )
      const resend = `/company/integration/webhooks/v1/${nobodys}/deliveries/x/resend`
      const { body } = yield* Api.call("POST", resend, { key })
      assert.include(JSON.stringify(body), "; in the path, delivery must be a delivery's number, such as 17")
    }).pipe(Effect.provide(Api.layer())),
  )

  it.live("returns 503 with Retry-After on every route that needs the database during an outage", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { sql } = yield* Database
      const [row] = yield* sql<{ name: string }>`select current_database() as name`
      assert.strictEqual((yield* Api.call("GET", "/health/ready")).status, 200)
      yield* execute(inject("postgres").url, `drop database ${row?.name} with (force)`)
      for (const request of [
        Api.call("POST", createSet, { key, json: { title: "x" } }),
        Api.call("POST", invite, { key, json: {} }),
        Api.call("GET", detail(nobodys), { key }),
      ]) {
        const answer = yield* request
        problem(answer, 503, "unavailable")
        assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
      }
      assert.strictEqual((yield* Api.call("GET", "/health/ready")).status, 503)
      assert.strictEqual((yield* Api.call("GET", "/health/live")).status, 200)
    }).pipe(Effect.provide(Layer.provide(Api.layer(), Layer.succeed(References.MinimumLogLevel, "None")))),
  )

  it.live("answers problem+json when writing fails, and logs the reason with the request's id", () => {
    const lines: Array<Record<string, unknown>> = []
    const logger = Logger.make(({ fiber, logLevel, message }) => {
      if (logLevel === "Error" || logLevel === "Warn")
        lines.push({ message, ...fiber.getRef(References.CurrentLogAnnotations) })
    })
    const away = Stream.fail(new BlobStoreUnavailable({ reason: "away" }))
    const stream = (content: Stream.Stream<Uint8Array, BlobStoreUnavailable>) =>
      Effect.succeed(HttpServerResponse.stream(content, { contentLength: 10, contentType: "text/plain" }))
    const routes = HttpRouter.use((router) =>
      Effect.all([
        router.add("GET", "/broken-header", HttpServerResponse.empty({ headers: { location: "/\u202e" } })),
        router.add("GET", "/encoded", Effect.succeed(seeOther("/i/\u202e\n \ud800%20?a=\u00e9"))),
        router.add("GET", "/empty-body", Effect.succeed(HttpServerResponse.stream(Stream.empty))),
        router.add("GET", "/body-away", stream(away)),
        router.add("GET", "/body-breaks", stream(Stream.concat(Stream.make(Buffer.from("12345")), away))),
        router.add("GET", "/body", stream(Stream.make(Buffer.from("12345"), Buffer.from("67890")))),
      ]),
    )
    const service = Api.Server.layer.pipe(
      Layer.provide(App.serve(Layer.merge(App.health, routes))),
      Layer.provideMerge(Pod.layer({ settings: { PORT: "0" } })),
      Layer.provide(Logger.layer([logger])),
    )
    return Effect.gen(function* () {
      const ask = (path: string) => Api.call("GET", path, { headers: { "x-request-id": path.slice(1) } })
      problem(yield* ask("/broken-header"), 500, "internal_error")
      const encoded = yield* ask("/encoded")
      assert.strictEqual(encoded.status, 303)
      assert.strictEqual(encoded.headers.get("location"), "/i/%E2%80%AE%0A%20%EF%BF%BD%20?a=%C3%A9")
      problem(yield* ask("/body-away"), 503, "unavailable")
      assert.strictEqual((yield* ask("/body")).body, "1234567890")
      assert.isUndefined((yield* ask("/empty-body")).body)
      const connection = yield* connect
      yield* connection.send("GET /body-breaks HTTP/1.1\nHost: x\nX-Request-Id: body-breaks\n\n")
      assert.isUndefined(yield* connection.answer)
      assert.deepStrictEqual(
        lines.map(({ request_id }) => request_id),
        ["broken-header", "body-away", "body-breaks"],
      )
    }).pipe(Effect.scoped, Effect.provide(service))
  })

  it.live("logs each request that fails with its id, and the same stack at most once a minute", () => {
    const lines: Array<Record<string, unknown>> = []
    const logger = Logger.make(({ cause, fiber, logLevel, message }) => {
      const { request_id } = fiber.getRef(References.CurrentLogAnnotations)
      if (logLevel === "Error") lines.push({ request_id, message, hasStack: cause.reasons.length > 0 })
    })
    const routes = HttpRouter.use((router) =>
      Effect.all([
        router.add("GET", "/one", Effect.die(new Error("one"))),
        router.add("GET", "/other", Effect.die(new Error("other"))),
      ]),
    )
    const service = Api.Server.layer.pipe(
      Layer.provide(App.serve(Layer.merge(App.health, routes))),
      Layer.provideMerge(Pod.layer({ settings: { PORT: "0" } })),
      Layer.provide(Logger.layer([logger])),
    )
    return Effect.gen(function* () {
      for (const [id, path] of Object.entries({ a: "/one", b: "/one", c: "/other", d: "/one" })) {
        problem(yield* Api.call("GET", path, { headers: { "x-request-id": id } }), 500, "internal_error")
      }
      const failed = (request_id: string, hasStack: boolean, fields: object) => ({
        request_id,
        message: ["request failed", fields],
        hasStack,
      })
      assert.deepStrictEqual(lines, [
        failed("a", true, { failures: 1 }),
        failed("b", false, { error: "one" }),
        failed("c", true, { failures: 1 }),
        failed("d", false, { error: "one" }),
      ])
    }).pipe(Effect.scoped, Effect.provide(service))
  })
})
