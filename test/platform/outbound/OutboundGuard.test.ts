import { assert, describe, it, vi } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { type Dispatcher, request } from "undici"
import { ConnectFailed } from "../../../src/platform/outbound/OutboundErrors.ts"
import { type GuardOptions, guardedDispatcher } from "../../../src/platform/outbound/OutboundGuard.ts"
import { closed, loopback, networks, rawReceiver, receiver } from "../../port/receivers.ts"

const options: GuardOptions = {
  allowed: loopback,
  timeout: Duration.seconds(30),
  connectionsPerOrigin: 4,
  maxAnswer: 100_000,
}

/** A request through the guard to an unchecked URL. */
const get = (dispatcher: Dispatcher, url: string) =>
  Effect.promise(() =>
    request(url, { dispatcher }).then(
      async ({ body, statusCode }) => ({ status: statusCode, text: await body.text().catch(String) }),
      (error: unknown) => (error instanceof ConnectFailed ? error.message : String(error)),
    ),
  )

/** Timers that advance only on demand. */
const stoppedTimers = Effect.acquireRelease(
  Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
  () => Effect.sync(() => vi.useRealTimers()),
)

describe("guardedDispatcher", () => {
  it.effect("connects to allowed addresses", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver((_, response) => response.end("hello"))
      const dispatcher = yield* guardedDispatcher(options)
      for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
        assert.deepStrictEqual(yield* get(dispatcher, `http://${host}:${port}/`), { status: 200, text: "hello" })
    }),
  )

  it.effect("refuses all other origins", () =>
    Effect.gen(function* () {
      const { port, connections } = yield* receiver((_, response) => response.end())
      const dispatcher = yield* guardedDispatcher({ ...options, allowed: [], resolve: async () => ["127.0.0.1"] })
      const hosts = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "receiver.test", "0", "[::]"]
      for (const host of hosts) {
        assert.match(String(yield* get(dispatcher, `https://${host}:${port}/`)), /loopback|own machine|unspecified/)
        // the scheme is refused before the name is looked up
        const expected = host === "receiver.test" ? /https/ : /loopback|own machine|unspecified/
        assert.match(String(yield* get(dispatcher, `http://${host}:${port}/`)), expected)
      }
      assert.lengthOf(connections, 0)
    }),
  )

  it.effect("aborts a response that exceeds its limit", () =>
    Effect.gen(function* () {
      const { url, connections } = yield* receiver((_, response) => response.end(Buffer.alloc(50_000_000)))
      const dispatcher = yield* guardedDispatcher(options)
      assert.deepStrictEqual(yield* get(dispatcher, url), { status: 200, text: "AnswerTooLong" })
      yield* closed(connections[0])
    }),
  )

  it.effect("counts each response on a connection separately", () =>
    Effect.gen(function* () {
      const { url, connections } = yield* receiver((_, response) => response.end("x".repeat(90_000)))
      const dispatcher = yield* guardedDispatcher({ ...options, connectionsPerOrigin: 1 })
      for (let i = 0; i < 5; i++) {
        const answer = yield* get(dispatcher, url)
        assert.deepStrictEqual(answer, { status: 200, text: "x".repeat(90_000) })
      }
      assert.lengthOf(connections, 1)
    }),
  )

  it.effect("closes a connection that has been idle for 4 seconds", () =>
    Effect.gen(function* () {
      const { url, connections } = yield* rawReceiver((socket) =>
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
      )
      const dispatcher = yield* guardedDispatcher(options)
      yield* stoppedTimers
      yield* get(dispatcher, url)
      // undici's idle timer begins a turn of the event loop after the response
      while (vi.getTimerCount() === 0) yield* Effect.promise(() => new Promise(setImmediate))
      vi.advanceTimersByTime(3_999)
      assert.isFalse(connections[0]?.closed)
      assert.deepInclude(yield* get(dispatcher, url), { status: 200 })
      assert.lengthOf(connections, 1)
      while (vi.getTimerCount() === 0) yield* Effect.promise(() => new Promise(setImmediate))
      vi.advanceTimersByTime(4_000)
      yield* closed(connections[0])
    }),
  )

  it.effect("closes each connection after its response while a thousand are open", () =>
    Effect.gen(function* () {
      const kept: Array<string | undefined> = []
      // the default closes idle connections after 5 s, which the first ones reach on a slow machine
      const keepAliveTimeout = 600_000
      const { port } = yield* receiver(
        (request, response) => {
          kept.push(request.headers.connection)
          response.end()
        },
        { keepAliveTimeout },
      )
      const allowed = networks("127.0.0.0/8, 172.16.0.0/12")
      const dispatcher = yield* guardedDispatcher({ ...options, allowed, resolve: async () => ["127.0.0.1"] })
      // no connection is idle for too long, however slow this machine is
      yield* stoppedTimers
      const origins = Array.from({ length: 1_100 }, (_, i) => `http://receiver-${i}:${port}/`)
      yield* Effect.forEach(origins, (url) => get(dispatcher, url), { concurrency: 20 })
      assert.lengthOf(kept, 1_100)
      const alive = kept.filter((connection) => connection === "keep-alive").length
      assert.isAtLeast(alive, 1_001)
      assert.isAtMost(alive, 1_021)
    }),
  )

  it.effect("closes open and opening connections with its scope", () =>
    Effect.gen(function* () {
      const { url, port, connections } = yield* rawReceiver((socket, count) => {
        if (count === 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
      })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const dispatcher = yield* guardedDispatcher(options)
          yield* get(dispatcher, url)
          yield* Effect.forkChild(get(dispatcher, `https://127.0.0.1:${port}/`))
          while (connections.length < 2) yield* Effect.promise(() => new Promise(setImmediate))
        }),
      )
      for (const socket of connections) yield* closed(socket)
    }),
  )
})
