import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as Server from "../../../src/platform/http/Server.ts"

const options: Server.Options = {
  isDraining: () => false,
  keepAlive: Duration.seconds(75),
  headers: { "x-content-type-options": "nosniff" },
}

const listening = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => Server.make(options)),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      }),
  )
  server.listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const ask = (method: string) => Effect.promise((signal) => fetch(`http://127.0.0.1:${port}/`, { method, signal }))
  return { server, ask }
})

describe("Server", () => {
  it.live("returns 503 while no routes are attached", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* listening
      const early = yield* ask("GET")
      assert.strictEqual(early.status, 503)
      assert.strictEqual(early.headers.get("content-type"), "application/problem+json")
      assert.strictEqual(early.headers.get("x-content-type-options"), "nosniff")
      assert.match(early.headers.get("retry-after") ?? "", /^\d+$/)
      const body = yield* Effect.promise(() => early.text())
      assert.deepInclude(JSON.parse(body), { status: 503, code: "unavailable" })
      const head = yield* ask("HEAD")
      assert.strictEqual(head.status, 503)
      assert.strictEqual(head.headers.get("content-length"), String(Buffer.byteLength(body)))
      assert.strictEqual(yield* Effect.promise(() => head.text()), "")
      server.on("request", (_request, response) => response.end("routes"))
      const later = yield* ask("GET")
      assert.strictEqual(yield* Effect.promise(() => later.text()), "routes")
    }).pipe(Effect.scoped),
  )

  it.live("keeps idle connections open for KEEP_ALIVE and announces it in the Keep-Alive header", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* listening
      server.on("request", (_request, response) => response.end())
      assert.strictEqual(server.keepAliveTimeout, 75_000)
      assert.strictEqual((yield* ask("GET")).headers.get("keep-alive"), "timeout=75")
    }).pipe(Effect.scoped),
  )
})
