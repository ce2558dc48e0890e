import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Server from "../../src/http/Server.ts"

describe("Server", () => {
  it.live("answers 503 as long as no routes are attached, and leaves the answer to them then", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(Effect.sync(Server.make), (made) =>
        Effect.sync(() => {
          made.closeAllConnections()
          made.close()
        }),
      )
      server.listen(0, "127.0.0.1")
      yield* Effect.promise(() => once(server, "listening"))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const ask = Effect.promise((signal) => fetch(`http://127.0.0.1:${port}/`, { signal }))
      const early = yield* ask
      assert.strictEqual(early.status, 503)
      assert.strictEqual(early.headers.get("content-type"), "application/problem+json")
      assert.match(early.headers.get("retry-after") ?? "", /^\d+$/)
      assert.deepInclude(yield* Effect.promise(() => early.json()), { status: 503, code: "unavailable" })
      server.on("request", (_request, response) => response.end("routes"))
      const later = yield* ask
      assert.strictEqual(yield* Effect.promise(() => later.text()), "routes")
    }).pipe(Effect.scoped),
  )
})
