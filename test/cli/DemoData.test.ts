/** The sample data of repeated `npm start`. */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { seed } from "../../src/cli/demo/DemoData.ts"
import { CommandFailed } from "../../src/cli/Environment.ts"
import * as Pod from "../support/Pod.ts"

/** The webhook URL of a server whose /health/live responds with `body`. */
const served = (body: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((_, response) => void response.end(body))
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
      const url = yield* served('{"status":"live","checks":{}}')
      yield* seed(directory, url)
      const error = yield* Effect.flip(seed(directory, "http://127.0.0.1:1/receiver"))
      assert.instanceOf(error, CommandFailed)
      assert.match(error.message, /^another process serves this data at http:\/\/127\.0\.0\.1:\d+: stop it/)
    }).pipe(Effect.provide(Pod.layer())),
  )

  it.live("moves to this process when another program or none listens on the old port", () =>
    Effect.gen(function* () {
      const directory = yield* dataDir
      const first = yield* seed(directory, yield* served("another program"))
      const second = yield* seed(directory, "http://127.0.0.1:1/receiver")
      const third = yield* seed(directory, "http://127.0.0.1:2/receiver")
      assert.deepStrictEqual([second.webhookSecret, third.webhookSecret], [first.webhookSecret, first.webhookSecret])
    }).pipe(Effect.provide(Pod.layer())),
  )
})
