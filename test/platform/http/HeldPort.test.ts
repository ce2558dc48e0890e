/** A port that is held until the server takes it over, as `npm start` and the demo do. */
import { createServer } from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../../src/App.ts"
import { freePort, Held, holdPort } from "../../../src/platform/http/HeldPort.ts"
import * as Api from "../../support/Api.ts"
import * as Pod from "../../support/Pod.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

/** The code of the error when another server binds the port; undefined: it is free. */
const bindError = (port: number) =>
  Effect.callback<string | undefined>((resume) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code)))
    server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.undefined)))
  })

describe("a held port", () => {
  it.live("is not free for others until its scope closes", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(
        Effect.gen(function* () {
          const held = yield* holdPort("127.0.0.1")
          assert.strictEqual(yield* bindError(held.port), "EADDRINUSE")
          return held.port
        }),
      )
      assert.isUndefined(yield* bindError(port))
      assert.isUndefined(yield* bindError(yield* freePort))
    }),
  )

  it.live("is of this machine: another address is an error", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(holdPort("203.0.113.1")))
      assert.include(error.message, "EADDRNOTAVAIL")
    }),
  )
})

const served = Api.Server.layer.pipe(
  Layer.provide(App.serve(App.api)),
  Layer.provideMerge(Pod.services({ settings: { PORT: "0" } })),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(Layer.effect(Held, holdPort("127.0.0.1"))),
)

layer(served, { excludeTestServices: true })("a server with a held port", (it) => {
  it.effect("listens on it", () =>
    Effect.gen(function* () {
      const held = yield* Held
      const { url } = yield* Api.Server
      assert.strictEqual(url, `http://127.0.0.1:${held?.port}`)
      assert.strictEqual((yield* Api.call("GET", "/company/integration/me/v1")).status, 401)
    }),
  )
})
