/** Headers of every response, for every route. Requests are sent as bytes, so that a body after a HEAD is detected. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../../src/App.ts"
import { Server } from "../../support/Api.ts"
import * as Pod from "../../support/Pod.ts"
import { connect } from "../../support/RawHttp.ts"
import { Routes, recorded } from "../../support/Routes.ts"

const stage = Server.layer.pipe(
  Layer.provide(App.serve(recorded(Layer.mergeAll(App.api, App.pages)))),
  Layer.provideMerge(Routes.layer),
  Layer.provideMerge(
    Pod.layer({ settings: { PORT: "0", APP_URL: "https://interviews.example", METRICS_TOKEN: "a".repeat(32) } }),
  ),
)

/** A path for each route; its parameters name no record. */
const paths = Effect.map(Routes, ({ all }) => [
  ...new Set(all.map(({ path }) => path.replaceAll(/:\w+|\*/g, "nothing"))),
])

const request = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\nHost: x\nAccept: text/html\nOrigin: https://elsewhere.example\nContent-Length: 0\n\n`

layer(stage)("every response", (it) => {
  it.effect("has the security headers, and no body after HEAD", () =>
    Effect.gen(function* () {
      const all = yield* paths
      assert.isAbove(all.length, 100)
      for (const path of [...all, "/nothing", "/company/nothing", "/%ZZ"]) {
        const connection = yield* connect
        for (const method of ["GET", "HEAD", "POST", "DELETE"]) {
          const what = `${method} ${path}`
          yield* connection.send(request(method, path))
          const answer = yield* method === "HEAD" ? connection.head : connection.answer
          assert(answer, what)
          assert.isBelow(answer.status, 500, what)
          const { headers } = answer
          assert.strictEqual(headers.get("x-content-type-options"), "nosniff", what)
          assert.strictEqual(headers.get("strict-transport-security"), "max-age=31536000", what)
          const isKept =
            answer.status < 400 && /^\/(assets\/|docs(\/(?!search$|anchor$).*)?$|openapi\.json$)/.test(path)
          const kept = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache"
          assert.strictEqual(headers.get("cache-control"), isKept ? kept : "no-store", what)
          if (method !== "HEAD" && answer.status >= 400) assert.isDefined(answer.body, what)
        }
      }
    }).pipe(Effect.scoped),
  )

  it.effect("has them when the server answers without a route", () =>
    Effect.gen(function* () {
      for (const head of ["HELLO\n\n", "CONNECT x:443 HTTP/1.1\nHost: x\n\n", "GET / HTTP/1.1\n\n"]) {
        const connection = yield* connect
        yield* connection.send(head)
        const answer = yield* connection.answer
        assert.strictEqual(answer?.status, 400, head)
        assert.strictEqual(answer?.headers.get("x-content-type-options"), "nosniff", head)
        assert.strictEqual(answer?.headers.get("cache-control"), "no-store", head)
        assert.strictEqual(answer?.headers.get("strict-transport-security"), "max-age=31536000", head)
      }
    }).pipe(Effect.scoped),
  )
})
