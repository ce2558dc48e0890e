/** Tests that every implementation of the WebhookTransport port must pass, with receivers on 127.0.0.1. */
import type { IncomingMessage } from "node:http"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, type Layer } from "effect"
import type { AllowedNetworks } from "../../src/values/OutboundAddress.ts"
import { WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { issue } from "./certificates.ts"
import { hostileReceivers } from "./hostileReceivers.ts"
import {
  answered,
  body,
  closed,
  failed,
  headers,
  loopback,
  post,
  rawReceiver,
  read,
  receiver,
  tlsReceiver,
} from "./receivers.ts"

interface TransportOptions {
  /** Networks that requests may reach besides public addresses. */
  readonly allowed: AllowedNetworks
  /** Time for one request, from the connection to the end of the response. */
  readonly timeout: Duration.Duration
}

/**
 * Defines the tests of a WebhookTransport. `name` is part of their title. `layerOf` builds the layer with the networks and
 * the timeout of a test.
 */
export const webhookTransportSuite = (
  name: string,
  layerOf: (options: TransportOptions) => Layer.Layer<WebhookTransport>,
) => {
  // Longer than a test may take, so that a transport that waits for its timeout fails the test.
  const patient = layerOf({ allowed: loopback, timeout: Duration.minutes(5) })
  const hasty = layerOf({ allowed: loopback, timeout: Duration.millis(300) })

  describe(`${name}, hostile receivers`, () => hostileReceivers(patient, hasty))

  describe(name, () => {
    it.effect("sends exactly the given bytes and headers, and no header that identifies the client", () =>
      Effect.gen(function* () {
        const received = yield* Deferred.make<{ request: IncomingMessage; bytes: Buffer }>()
        const { url } = yield* receiver(async (request, response) => {
          Deferred.doneUnsafe(received, Exit.succeed({ request, bytes: await read(request) }))
          response.end("thanks")
        })
        const result = answered(yield* post(`${url}?a=%20b&c#part`))
        const { request, bytes } = yield* Deferred.await(received)
        assert.deepStrictEqual(new Uint8Array(bytes), body)
        assert.strictEqual(request.method, "POST")
        assert.strictEqual(request.url, "/hook?a=%20b&c")
        const { host, connection, ...rest } = request.headers
        assert.strictEqual(host, new URL(url).host)
        assert.deepStrictEqual(rest, { ...headers, "accept-encoding": "identity", "content-length": `${body.length}` })
        assert.deepInclude(result, { status: 200, body: "thanks", truncated: false })
        assert.isTrue(Number.isInteger(result.durationMs))
        assert.notProperty(result, "location")
      }).pipe(Effect.provide(patient)),
    )

    it.effect.each([200, 201, 204, 299, 304, 400, 410, 429, 500, 503, 599, 999])("returns status %d", (status) =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => response.writeHead(status).end())
        assert.deepInclude(answered(yield* post(url)), { status, body: "", truncated: false })
      }).pipe(Effect.provide(patient)),
    )

    it.effect("returns Retry-After of responses that are not 2xx, cut to 100 characters", () =>
      Effect.gen(function* () {
        const answers = [
          [429, "120"],
          [503, `Thu, 01 Jan 2026 00:01:30 GMT${" ".repeat(10)}${"x".repeat(200)}`],
          [200, "120"],
          [500, undefined],
        ] as const
        let next = 0
        const { url } = yield* receiver((_, response) => {
          const [status, value] = answers[next++] ?? [200, undefined]
          response.writeHead(status, value === undefined ? {} : { "retry-after": value }).end()
        })
        assert.deepInclude(answered(yield* post(url)), { status: 429, retryAfter: "120" })
        assert.strictEqual(answered(yield* post(url)).retryAfter, answers[1][1].slice(0, 100))
        assert.notProperty(answered(yield* post(url)), "retryAfter")
        assert.notProperty(answered(yield* post(url)), "retryAfter")
      }).pipe(Effect.provide(patient)),
    )

    it.effect.each([301, 302, 303, 307, 308])("returns the location of a %d and does not follow it", (status) =>
      Effect.gen(function* () {
        const paths: Array<string | undefined> = []
        const elsewhere = yield* receiver((_, response) => response.end())
        const { url } = yield* receiver((request, response) => {
          paths.push(request.url)
          response.writeHead(status, { location: elsewhere.url }).end("moved")
        })
        assert.deepInclude(answered(yield* post(url)), { status, location: elsewhere.url, body: "moved" })
        assert.deepStrictEqual(paths, ["/hook"])
        assert.lengthOf(elsewhere.connections, 0)
      }).pipe(Effect.provide(patient)),
    )

    it.effect("cuts a location to 2,048 characters", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) =>
          response.writeHead(302, { location: `/${"é".repeat(4_000)}` }).end(),
        )
        assert.strictEqual(answered(yield* post(url)).location?.length, 2_048)
      }).pipe(Effect.provide(patient)),
    )

    it.effect("returns the final status after informational ones", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => {
          response.writeProcessing()
          response.writeEarlyHints({ link: "</style.css>; rel=preload" })
          response.writeHead(202).end("later")
        })
        assert.deepInclude(answered(yield* post(url)), { status: 202, body: "later", truncated: false })
      }).pipe(Effect.provide(patient)),
    )

    // Up to two: a connection that is not yet free again leads to a second one.
    it.effect("reuses connections", () =>
      Effect.gen(function* () {
        const { url, connections } = yield* receiver((_, response) => response.end("x".repeat(10 * 1024)))
        for (let i = 0; i < 10; i++) assert.isTrue(answered(yield* post(url)).truncated)
        assert.isAtMost(connections.length, 2)
      }).pipe(Effect.provide(patient)),
    )

    it.effect("returns a body of exactly 4 KiB in full", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => response.end("x".repeat(4096)))
        assert.deepInclude(answered(yield* post(url)), { body: "x".repeat(4096), truncated: false })
      }).pipe(Effect.provide(patient)),
    )

    it.effect("does not decompress a gzip bomb", () =>
      Effect.gen(function* () {
        const bomb = gzipSync(Buffer.alloc(8_000_000))
        const { url } = yield* receiver((_, response) =>
          response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
        )
        const result = answered(yield* post(url))
        assert.strictEqual(result.status, 200)
        assert.isTrue(result.body.startsWith("\u001f\uFFFD"))
        assert.isAtMost(result.body.length, 4096)
      }).pipe(Effect.provide(patient)),
    )

    it.effect("replaces invalid UTF-8 and NUL", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => response.end(Buffer.from([0x61, 0xff, 0x00, 0x62, 0xc3])))
        assert.strictEqual(answered(yield* post(url)).body, "a\uFFFD\uFFFDb\uFFFD")
      }).pipe(Effect.provide(patient)),
    )

    it.effect("cuts a body between characters", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => response.end(`${"x".repeat(4095)}é`))
        assert.deepInclude(answered(yield* post(url)), { body: "x".repeat(4095), truncated: true })
      }).pipe(Effect.provide(patient)),
    )

    it.effect.each<[string, string, boolean]>([
      ["is cut off", "content-length: 100\r\n\r\nhalf", true],
      ["is cut off between chunks", "transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n", true],
      ["breaks its declared framing", "transfer-encoding: chunked\r\n\r\n4\r\nhalfway\r\n", true],
      ["ends with the connection", "\r\nhalf", false],
      ["has trailers", "transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\na: b\r\n\r\n", false],
    ])("returns the status when the body %s", ([_, rest, truncated]) =>
      Effect.gen(function* () {
        const { url } = yield* rawReceiver((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))
        assert.deepInclude(answered(yield* post(url)), { status: 200, body: "half", truncated })
      }).pipe(Effect.provide(patient)),
    )

    it.effect("closes the connection when it is interrupted", () =>
      Effect.gen(function* () {
        const arrived = yield* Deferred.make<void>()
        const { url, connections } = yield* receiver(() => Deferred.doneUnsafe(arrived, Exit.void))
        const fiber = yield* Effect.forkChild(post(url))
        yield* Deferred.await(arrived)
        yield* Fiber.interrupt(fiber)
        yield* closed(connections[0])
      }).pipe(Effect.provide(patient)),
    )

    it.effect("reports a refused connection as connect", () =>
      Effect.gen(function* () {
        const { url } = yield* Effect.scoped(receiver(() => undefined))
        for (let i = 0; i < 3; i++) assert.strictEqual(failed(yield* post(url)).cause, "connect")
      }).pipe(Effect.provide(patient)),
    )

    it.effect("reports a name that does not resolve as dns", () =>
      Effect.gen(function* () {
        assert.strictEqual(failed(yield* post("https://receiver.invalid/hook")).cause, "dns")
      }).pipe(Effect.provide(patient)),
    )

    it.effect("reports a self-signed certificate as tls", () =>
      Effect.gen(function* () {
        const selfSigned = issue({ name: "receiver.test", hosts: ["127.0.0.1"] })
        const { url } = yield* tlsReceiver(selfSigned, (_, response) => response.end())
        const { cause, message } = failed(yield* post(url))
        assert.deepStrictEqual([cause, message], ["tls", "The certificate is self-signed"])
      }).pipe(Effect.provide(patient)),
    )

    it.effect("reports an https address without TLS as tls", () =>
      Effect.gen(function* () {
        const { port } = yield* receiver((_, response) => response.end())
        assert.strictEqual(failed(yield* post(`https://127.0.0.1:${port}/`)).cause, "tls")
      }).pipe(Effect.provide(patient)),
    )

    it.effect("opens no connection to a refused address, in any notation", () =>
      Effect.gen(function* () {
        const { port, connections } = yield* receiver((_, response) => response.end())
        const hosts = ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "localhost", "a.localhost.", "0"]
        for (const host of hosts) {
          assert.strictEqual(failed(yield* post(`https://${host}:${port}/`)).cause, "refused")
          assert.strictEqual(failed(yield* post(`http://${host}:${port}/`)).cause, "refused")
        }
        assert.lengthOf(connections, 0)
      }).pipe(Effect.provide(layerOf({ allowed: [], timeout: Duration.seconds(30) }))),
    )

    it.effect("reaches localhost when loopback is allowed", () =>
      Effect.gen(function* () {
        const { port } = yield* receiver((_, response) => response.end())
        assert.strictEqual(answered(yield* post(`http://localhost:${port}/`)).status, 200)
      }).pipe(Effect.provide(patient)),
    )

    it.effect("dies on a header value that contains a line break", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => response.end())
        const transport = yield* WebhookTransport
        const exit = yield* Effect.exit(transport.post({ url, headers: { "x-a": "b\r\nx-c: d" }, body }))
        assert.isTrue(Exit.hasDies(exit))
      }).pipe(Effect.provide(patient)),
    )
  })
}
