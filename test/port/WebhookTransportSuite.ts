/** What every Layer of WebhookTransport must do, shown with real receivers on this machine. */

import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, type Layer, Schema, type Scope } from "effect"
import { AllowedNetworks } from "../../src/domain/OutboundAddress.ts"
import { type Answered, type Failed, type TransportResult, WebhookTransport } from "../../src/port/WebhookTransport.ts"

interface TransportOptions {
  readonly allowed: AllowedNetworks
  readonly timeout: Duration.Duration
}

/** A self-signed certificate for `localhost` and `receiver.test`, made for these tests alone, valid until 2124. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGZp2rJKNAwCqQDfS
Nmt4eLaQKaaK4UckcFPI/SAciyKhRANCAATrgrbT+4MJXDnVgKTj3D4ecb2hyHzx
Lo+XDyI9cfts7lj9MhHe//FtLINplXu5n3yfruQlWJ3qVoyMUI57bDv/
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBdjCCARugAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1yZWNlaXZl
ci50ZXN0MCAXDTI0MDEwMTAwMDAwMFoYDzIxMjQwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1yZWNlaXZlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE64K2
0/uDCVw51YCk49w+HnG9och88S6Plw8iPXH7bO5Y/TIR3v/xbSyDaZV7uZ98n67k
JVid6laMjFCOe2w7/6NUMFIwIwYDVR0RBBwwGoIJbG9jYWxob3N0gg1yZWNlaXZl
ci50ZXN0MAwGA1UdEwQFMAMBAf8wHQYDVR0OBBYEFPiitrT6RkxBUtPqbIpsX0ET
2QncMAoGCCqGSM49BAMCA0kAMEYCIQD8CSYQlnODRqsQHk2CEeaD24r1btl4/7Is
nQEG162WzAIhANEUSwQp5sTBvKGgz0CZNEv0HC3xofFztb2xn6wTYDCc
-----END CERTIFICATE-----`,
}

const networks = Schema.decodeSync(AllowedNetworks)
export const loopback = networks("127.0.0.0/8,::1/128")

/** A receiver that is up for the test: its port, and every connection that it was ever given. */
interface Receiver {
  readonly port: number
  readonly url: string
  readonly connections: ReadonlyArray<Socket>
}

const listening = (server: Server, scheme: string): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const connections: Array<Socket> = []
    server.on("connection", (socket: Socket) => {
      connections.push(socket)
      socket.on("error", () => undefined)
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () =>
        Effect.promise(async () => {
          for (const socket of connections) socket.destroy()
          server.close()
          await once(server, "close")
        }),
    )
    const { port } = server.address() as AddressInfo
    return { port, url: `${scheme}://127.0.0.1:${port}/hook`, connections }
  })

/** An HTTP receiver. */
export const receiver = (listener: RequestListener) => Effect.suspend(() => listening(createServer(listener), "http"))

/** An HTTPS receiver with the certificate above. */
export const tlsReceiver = (listener: RequestListener) =>
  Effect.suspend(() => listening(createTlsServer(certificate, listener), "https"))

/** A receiver that writes what it likes, once the request's first bytes are in. */
const rawReceiver = (answer: (socket: Socket) => void) =>
  Effect.suspend(() =>
    listening(
      createSocketServer((socket) => socket.once("data", () => answer(socket))),
      "http",
    ),
  )

const body = new TextEncoder().encode(`{"name":"Zoë","text":"\\u0000 ☃"}`)
const headers = { "content-type": "application/json", "x-webhook-signature": "t=1,v1=00" }

/** Posts the suite's request. */
export const post = (url: string) =>
  Effect.flatMap(WebhookTransport, (transport) => transport.post({ url, headers, body }))

export const answered = (result: TransportResult): Answered => {
  if (result._tag !== "Answered") return assert.fail(`${result.cause}: ${result.message}`)
  return result
}

export const failed = (result: TransportResult): Failed => {
  if (result._tag !== "Failed") return assert.fail(`answered ${result.status}`)
  return result
}

const read = async (request: IncomingMessage): Promise<Buffer> => Buffer.concat(await request.toArray())

const closed = (socket: Socket | undefined) =>
  Effect.callback<void>((resume) => {
    if (socket === undefined || socket.closed) resume(Effect.void)
    else socket.once("close", () => resume(Effect.void))
  })

export const webhookTransportSuite = (
  name: string,
  layerOf: (options: TransportOptions) => Layer.Layer<WebhookTransport>,
) => {
  // Longer than a test may take: what waits for the time limit does not pass.
  const patient = layerOf({ allowed: loopback, timeout: Duration.minutes(5) })
  const hasty = layerOf({ allowed: loopback, timeout: Duration.millis(300) })

  describe(name, () => {
    it.effect("sends exactly the bytes and headers given, and nothing that tells of us", () =>
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

    it.effect.each([200, 201, 204, 299, 304, 400, 410, 429, 500, 503, 599])(
      "reports the status %d as it is",
      (status) =>
        Effect.gen(function* () {
          const { url } = yield* receiver((_, response) => response.writeHead(status).end())
          assert.deepInclude(answered(yield* post(url)), { status, body: "", truncated: false })
        }).pipe(Effect.provide(patient)),
    )

    it.effect("tells where a redirect points to and does not go there", () =>
      Effect.gen(function* () {
        const paths: Array<string | undefined> = []
        const { url } = yield* receiver((request, response) => {
          paths.push(request.url)
          response.writeHead(302, { location: "/elsewhere" }).end("moved")
        })
        assert.deepInclude(answered(yield* post(url)), { status: 302, location: "/elsewhere", body: "moved" })
        assert.deepStrictEqual(paths, ["/hook"])
      }).pipe(Effect.provide(patient)),
    )

    it.effect("takes the final status after informational ones", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => {
          response.writeProcessing()
          response.writeEarlyHints({ link: "</style.css>; rel=preload" })
          response.writeHead(202).end("later")
        })
        assert.deepInclude(answered(yield* post(url)), { status: 202, body: "later", truncated: false })
      }).pipe(Effect.provide(patient)),
    )

    // A connection may take a moment to be free again, so a second one may be opened; not one for each request.
    it.effect("uses its connections again", () =>
      Effect.gen(function* () {
        const { url, connections } = yield* receiver((_, response) => response.end("x".repeat(10 * 1024)))
        for (let i = 0; i < 10; i++) assert.isTrue(answered(yield* post(url)).truncated)
        assert.isAtMost(connections.length, 2)
      }).pipe(Effect.provide(patient)),
    )

    it.effect("keeps 4 KiB of a big answer and hangs up", () =>
      Effect.gen(function* () {
        const { url, connections } = yield* receiver((_, response) => response.end(Buffer.alloc(50_000_000, "x")))
        const result = answered(yield* post(url))
        assert.deepInclude(result, { status: 200, body: "x".repeat(4096), truncated: true })
        yield* closed(connections[0])
      }).pipe(Effect.provide(patient)),
    )

    it.effect("keeps all of an answer of exactly 4 KiB", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => response.end("x".repeat(4096)))
        assert.deepInclude(answered(yield* post(url)), { body: "x".repeat(4096), truncated: false })
      }).pipe(Effect.provide(patient)),
    )

    it.effect("does not unpack a gzip bomb", () =>
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

    it.effect("replaces what is not UTF-8, and NUL", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => response.end(Buffer.from([0x61, 0xff, 0x00, 0x62, 0xc3])))
        assert.strictEqual(answered(yield* post(url)).body, "a\uFFFD\uFFFDb\uFFFD")
      }).pipe(Effect.provide(patient)),
    )

    it.effect("does not show half a character where it cuts", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => response.end(`${"x".repeat(4095)}é`))
        assert.deepInclude(answered(yield* post(url)), { body: "x".repeat(4095), truncated: true })
      }).pipe(Effect.provide(patient)),
    )

    it.effect("counts a status whose body is cut off", () =>
      Effect.gen(function* () {
        const { url } = yield* rawReceiver((socket) => {
          socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")
        })
        assert.deepInclude(answered(yield* post(url)), { status: 200, body: "half", truncated: true })
      }).pipe(Effect.provide(patient)),
    )

    it.effect("counts a status whose body never ends, and hangs up", () =>
      Effect.gen(function* () {
        const { url, connections } = yield* rawReceiver((socket) => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          const drip = setInterval(() => socket.write("x"), 10)
          socket.on("close", () => clearInterval(drip))
        })
        const result = answered(yield* post(url))
        assert.deepInclude(result, { status: 200, truncated: true })
        assert.match(result.body, /^x*$/)
        yield* closed(connections[0])
      }).pipe(Effect.provide(patient)),
    )

    it.effect("gives up a receiver that never answers, and hangs up", () =>
      Effect.gen(function* () {
        const { url, connections } = yield* receiver(() => undefined)
        const result = failed(yield* post(url))
        assert.strictEqual(result.cause, "timeout")
        assert.strictEqual(result.message, "The receiver did not answer within 0.3 seconds")
        yield* closed(connections[0])
      }).pipe(Effect.provide(hasty)),
    )

    it.effect("gives up a receiver that drips headers, and hangs up", () =>
      Effect.gen(function* () {
        const { url, connections } = yield* rawReceiver((socket) => {
          socket.write("HTTP/1.1 200 OK\r\n")
          const drip = setInterval(() => socket.write("a: b\r\n"), 10)
          socket.on("close", () => clearInterval(drip))
        })
        assert.strictEqual(failed(yield* post(url)).cause, "timeout")
        yield* closed(connections[0])
      }).pipe(Effect.provide(hasty)),
    )

    it.effect("gives up a receiver that answers the TLS handshake with silence", () =>
      Effect.gen(function* () {
        const { port } = yield* rawReceiver(() => undefined)
        assert.strictEqual(failed(yield* post(`https://127.0.0.1:${port}/`)).cause, "timeout")
      }).pipe(Effect.provide(hasty)),
    )

    it.effect("hangs up when it is interrupted", () =>
      Effect.gen(function* () {
        const arrived = yield* Deferred.make<void>()
        const { url, connections } = yield* receiver(() => Deferred.doneUnsafe(arrived, Exit.void))
        const fiber = yield* Effect.forkChild(post(url))
        yield* Deferred.await(arrived)
        yield* Fiber.interrupt(fiber)
        yield* closed(connections[0])
      }).pipe(Effect.provide(patient)),
    )

    it.effect("says that nobody listens", () =>
      Effect.gen(function* () {
        const { url } = yield* Effect.scoped(receiver(() => undefined))
        for (let i = 0; i < 3; i++) assert.strictEqual(failed(yield* post(url)).cause, "connect")
      }).pipe(Effect.provide(patient)),
    )

    it.effect("says that a name does not resolve", () =>
      Effect.gen(function* () {
        assert.strictEqual(failed(yield* post("https://receiver.invalid/hook")).cause, "dns")
      }).pipe(Effect.provide(patient)),
    )

    it.effect("says that the certificate is not to be trusted", () =>
      Effect.gen(function* () {
        const { url } = yield* tlsReceiver((_, response) => response.end())
        const { cause, message } = failed(yield* post(url))
        assert.deepStrictEqual([cause, message], ["tls", "The certificate is self-signed"])
      }).pipe(Effect.provide(patient)),
    )

    it.effect("says that there is no TLS at an https address", () =>
      Effect.gen(function* () {
        const { port } = yield* receiver((_, response) => response.end())
        assert.strictEqual(failed(yield* post(`https://127.0.0.1:${port}/`)).cause, "tls")
      }).pipe(Effect.provide(patient)),
    )

    it.effect.each<[string, string, Failed["cause"]]>([
      ["nothing", "", "closed"],
      ["half of the headers", "HTTP/1.1 200 OK\r\na: b\r\n", "closed"],
      ["only an informational status", "HTTP/1.1 103 Early Hints\r\n\r\n", "closed"],
      ["garbage", "220 mail.example.com ESMTP\r\n", "protocol"],
      ["headers without an end", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(10_000)}`, "protocol"],
      ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", "protocol"],
    ])("does not take %s for an answer", ([_, bytes, cause]) =>
      Effect.gen(function* () {
        const { url } = yield* rawReceiver((socket) => socket.end(bytes))
        assert.strictEqual(failed(yield* post(url)).cause, cause)
      }).pipe(Effect.provide(patient)),
    )

    it.effect("says that the connection was reset", () =>
      Effect.gen(function* () {
        const { url } = yield* rawReceiver((socket) => socket.resetAndDestroy())
        assert.strictEqual(failed(yield* post(url)).cause, "closed")
      }).pipe(Effect.provide(patient)),
    )

    it.effect("sends nothing to an address that is not allowed, in whatever spelling", () =>
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

    it.effect("takes a header that cannot be sent for our own fault", () =>
      Effect.gen(function* () {
        const { url } = yield* receiver((_, response) => response.end())
        const transport = yield* WebhookTransport
        const exit = yield* Effect.exit(transport.post({ url, headers: { "x-a": "b\r\nx-c: d" }, body }))
        assert.isTrue(Exit.hasDies(exit))
      }).pipe(Effect.provide(patient)),
    )
  })
}
