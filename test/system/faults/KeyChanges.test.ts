/** API keys that are changed while several pods accept them: no pod accepts the former key after the change was answered. */
import { connect, createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { keyOf, paths } from "../../support/Api.ts"
import * as Scenario from "../../support/Scenario.ts"
import { provide, startPod, stop, timeout, untilSync, useUrl } from "./stage.ts"

/** Passes connections on to the database until `cut`, which also refuses new ones. */
const gate = Effect.fnUntraced(function* (url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on("error", () => {}).on("close", () => to.destroy())
      from.pipe(to)
    }
  })
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(cut),
  )
  const address = server.address()
  const through = new URL(url)
  through.hostname = "127.0.0.1"
  through.port = String(typeof address === "object" ? address?.port : 0)
  return { url: through.href, cut }
})

/** On SIGUSR2, the clock of the process is set back by five minutes. */
const settable = `const right = Date.now.bind(Date); let by = 0
  process.on("SIGUSR2", () => { by = -300_000 })
  globalThis.Date = class extends Date {
    constructor(...given) { super(...(given.length > 0 ? given : [right() + by])) }
    static now() { return right() + by }
  }`

interface Asked {
  readonly begun: number
  readonly status: number
}

/** Sends requests with validation errors, one after another, until the scope closes: a pod needs the database for the key only. */
const ask = Effect.fnUntraced(function* (url: string, key: string) {
  const asked: Array<Asked> = []
  const request = Effect.promise(async (signal) => {
    const begun = performance.now()
    const headers = { "x-api-key": key, "content-type": "application/json" }
    const response = await fetch(url + paths.createSet, { method: "POST", headers, body: "{}", signal })
    await response.text()
    asked.push({ begun, status: response.status })
  })
  yield* Effect.forkScoped(Effect.forever(request))
  return asked
})

/** Of a request whose key is accepted. */
const accepted = 422

describe("a key that several pods accept", () => {
  it.live.each([
    ["is deleted", (keys: ApiKeys["Service"]) => keys.remove, 401],
    [
      "loses a scope",
      (keys: ApiKeys["Service"]) =>
        (...[viewer, id]: Parameters<typeof keys.remove>) =>
          keys.update(viewer, id, { scopes: ["read"] }),
      403,
    ],
  ] as const)(
    "%s: each pod refuses it after the answer, also one whose clock is set and one that loses the database",
    ([, change, refusal]) =>
      Effect.gen(function* () {
        const { id: organization } = yield* Scenario.organization()
        const { id, key } = yield* keyOf(organization)
        const database = yield* useUrl(gate)
        const steady = yield* startPod()
        const set = yield* startPod({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(settable)}` })
        const alone = yield* startPod({ DATABASE_URL: database.url })
        const asked = {
          steady: yield* ask(steady.url, key),
          set: yield* ask(set.url, key),
          alone: yield* ask(alone.url, key),
        }
        const all = Object.values(asked)
        yield* untilSync("each pod accepts the key", () => all.every((one) => one.length > 20))
        assert(all.every((one) => one.every(({ status }) => status === accepted)))

        database.cut()
        set.signal("SIGUSR2")
        yield* change(yield* ApiKeys)(operator(organization), id)
        const answered = performance.now()
        const later = (one: ReadonlyArray<Asked>) => one.filter(({ begun }) => begun > answered)
        yield* untilSync("each pod was asked again", () => all.every((one) => later(one).length > 0))

        const statuses = (one: ReadonlyArray<Asked>) => [...new Set(later(one).map(({ status }) => status))]
        assert.deepStrictEqual(statuses(asked.steady), [refusal])
        assert.deepStrictEqual(statuses(asked.set), [refusal])
        assert.deepStrictEqual(statuses(asked.alone), [503])
        yield* stop(steady, set, alone)
      }).pipe(provide),
    timeout,
  )
})
