/** The sample data of repeated `npm start`. */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { CommandFailed } from "../../src/cli/Environment.ts"
import { seed } from "../../src/cli/StartData.ts"
import * as Pod from "../support/Pod.ts"

/** The webhook URL of a server whose /health/live responds with `body`, and whose API accepts `keys`. */
const served = (body: string, keys: ReadonlySet<string> = new Set()) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer(({ headers, url }, response) => {
        const isKnown = url === "/health/live" || keys.has(String(headers["x-api-key"]))
        response.writeHead(isKnown ? 200 : 401).end(body)
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/receiver`, close: () => void server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close),
  ).pipe(Effect.map(({ url }) => url))

const dataDir = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "interview-demo-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

describe("sample data", () => {
  it.live("is refused while another process serves it on another port", () =>
    Effect.gen(function* () {
      const directory = yield* dataDir
      const keys = new Set<string>()
      const url = yield* served('{"status":"live","checks":{}}', keys)
      keys.add(Redacted.value((yield* seed(directory, url)).apiKey))
      const error = yield* Effect.flip(seed(directory, "http://127.0.0.1:1/receiver"))
      assert.instanceOf(error, CommandFailed)
      assert.match(error.message, /^another process serves this data at http:\/\/127\.0\.0\.1:\d+: stop it/)
    }).pipe(Effect.provide(Pod.layer())),
  )

  it.live("moves to this process when another program, another installation or none listens on the old port", () =>
    Effect.gen(function* () {
      const directory = yield* dataDir
      const first = yield* seed(directory, yield* served("another program"))
      const others = [
        yield* served('{"status":"live","checks":{}}'),
        "http://127.0.0.1:1/receiver",
        "http://127.0.0.1:2/receiver",
      ]
      for (const url of others) {
        assert.deepStrictEqual((yield* seed(directory, url)).webhookSecret, first.webhookSecret, url)
      }
    }).pipe(Effect.provide(Pod.layer())),
  )
})
