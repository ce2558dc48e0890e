/** Tests of WebhookTransport with receivers that disconnect, hang, flood or break the protocol. */
import type { Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, type Layer, Schema } from "effect"
import { type Failed, WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { answered, closed, failed, headers, post, rawReceiver, receiver } from "./receivers.ts"

const flood = (socket: Socket, begin: string, text: string) => {
  const chunk = text.repeat(Math.ceil(65_536 / text.length))
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk)) {}
  }
  socket.write(begin)
  socket.on("drain", pour)
  pour()
}

/** `patient` has a timeout of 5 minutes, `hasty` one of 0.3 s. */
export const hostileReceivers = (patient: Layer.Layer<WebhookTransport>, hasty: Layer.Layer<WebhookTransport>) => {
  it.effect("returns 4 KiB of a large body and closes the connection", () =>
    Effect.gen(function* () {
      const { url, connections } = yield* receiver((_, response) => response.end(Buffer.alloc(50_000_000, "x")))
      const result = answered(yield* post(url))
      assert.deepInclude(result, { status: 200, body: "x".repeat(4096), truncated: true })
      yield* closed(connections[0])
    }).pipe(Effect.provide(patient)),
  )

  it.effect("returns the status when the connection is reset during the body", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const { url, connections } = yield* rawReceiver((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", () => Deferred.doneUnsafe(begun, Exit.void))
      })
      const fiber = yield* Effect.forkChild(post(url))
      yield* Deferred.await(begun)
      yield* Effect.sync(() => connections[0]?.resetAndDestroy())
      assert.deepInclude(answered(yield* Fiber.join(fiber)), { status: 200, body: "half", truncated: true })
    }).pipe(Effect.provide(patient)),
  )

  it.effect("returns an answer that arrives before the request is read, also for the next request", () =>
    Effect.gen(function* () {
      const { url } = yield* receiver((_, response) => response.writeHead(413, { connection: "close" }).end("too big"))
      const transport = yield* WebhookTransport
      const big = transport.post({ url, headers, body: new Uint8Array(64_000_000) })
      for (let i = 0; i < 2; i++) assert.deepInclude(answered(yield* big), { status: 413, body: "too big" })
    }).pipe(Effect.provide(patient)),
  )

  it.effect.each<[string, (socket: Socket) => void]>([
    [
      "arrives slowly without end",
      (socket) => {
        const drip = setInterval(() => socket.write("x"), 10)
        socket.on("close", () => clearInterval(drip))
      },
    ],
    ["never arrives", () => undefined],
  ])("returns the status when the body %s, and closes the connection", ([_, rest]) =>
    Effect.gen(function* () {
      const { url, connections } = yield* rawReceiver((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n")
        rest(socket)
      })
      const result = answered(yield* post(url))
      assert.deepInclude(result, { status: 200, truncated: true })
      assert.match(result.body, /^x*$/)
      yield* closed(connections[0])
    }).pipe(Effect.provide(patient)),
  )

  it.effect.each<[string, string, string]>([
    ["a status line", "HTTP/1.1 200 ", "a"],
    ["line ends", "", "\r\n"],
    ["informational answers", "", "HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n"],
    ["headers", "HTTP/1.1 200 OK\r\n", "a: b\r\n"],
    ["one header", "HTTP/1.1 200 OK\r\na: ", "b"],
  ])("closes the connection to a receiver that floods %s", ([_, begin, text]) =>
    Effect.gen(function* () {
      const { url, connections } = yield* rawReceiver((socket) => flood(socket, begin, text))
      assert.strictEqual(failed(yield* post(url)).cause, "protocol")
      yield* closed(connections[0])
    }).pipe(Effect.provide(patient)),
  )

  it.effect.each<[string, string, string]>([
    ["the body", "\r\n", "a"],
    ["the frame of a chunk", "transfer-encoding: chunked\r\n\r\n5;", "a"],
    ["trailers", "transfer-encoding: chunked\r\n\r\n0\r\n", "a: b\r\n"],
  ])("returns the status and closes the connection to a receiver that floods %s", ([_, begin, text]) =>
    Effect.gen(function* () {
      const { url, connections } = yield* rawReceiver((socket) => flood(socket, `HTTP/1.1 200 OK\r\n${begin}`, text))
      assert.deepInclude(answered(yield* post(url)), { status: 200, truncated: true })
      yield* closed(connections[0])
    }).pipe(Effect.provide(patient)),
  )

  const poison = "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison"
  it.effect.each<[string, string]>([
    ["another answer", poison],
    ["bytes that are not HTTP", "poison"],
    ["a body beyond its declared length", "!HTTP/1.1 200 OK"],
    ["half of an answer", poison.slice(0, 20)],
  ])("keeps %s behind an answer from the next delivery", ([_, garbage]) =>
    Effect.gen(function* () {
      const answer = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`
      for (const together of [true, false]) {
        const { url, connections } = yield* rawReceiver((socket, count) => {
          socket.write(count > 1 ? answer("own") : together ? `${answer("first")}${garbage}` : answer("first"))
        })
        assert.strictEqual(answered(yield* post(url)).body, "first")
        if (!together) connections[0]?.write(garbage)
        yield* closed(connections[0])
        assert.strictEqual(answered(yield* post(url)).body, "own")
      }
    }).pipe(Effect.provide(patient)),
  )

  it.effect("delivers although the receiver closes the connection after every answer", () =>
    Effect.gen(function* () {
      const { url, connections } = yield* rawReceiver((socket) =>
        socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
      )
      for (let i = 0; i < 5; i++) {
        assert.strictEqual(answered(yield* post(url)).status, 200)
        yield* closed(connections[i])
      }
    }).pipe(Effect.provide(patient)),
  )

  // Closing a socket with unread bytes resets its connection. After a turn of the event loop the kernel knows of the reset,
  // and the transport notices it only when the next delivery is already waiting.
  it.effect("sends a delivery on a new connection when the idle one was reset before the request was written", () =>
    Effect.gen(function* () {
      const { url, connections } = yield* rawReceiver((socket) => {
        socket.pause()
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
      })
      const transport = yield* WebhookTransport
      const big = transport.post({ url, headers, body: new Uint8Array(1_000_000) })
      for (let i = 0; i < 5; i++) {
        yield* Effect.promise(() => new Promise(setImmediate))
        yield* Effect.sync(() => connections.at(-1)?.destroy())
        assert.strictEqual(answered(yield* big).status, 200)
      }
      assert.lengthOf(connections, 5)
    }).pipe(Effect.provide(patient)),
  )

  it.effect("times out at a receiver that never answers, and closes the connection", () =>
    Effect.gen(function* () {
      const { url, connections } = yield* receiver(() => undefined)
      const result = failed(yield* post(url))
      assert.strictEqual(result.cause, "timeout")
      assert.strictEqual(result.message, "The receiver did not answer within 0.3 seconds")
      yield* closed(connections[0])
    }).pipe(Effect.provide(hasty)),
  )

  it.effect("times out at a receiver that sends headers without end, and closes the connection", () =>
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

  it.effect("times out at a receiver that does not answer the TLS handshake", () =>
    Effect.gen(function* () {
      const { port } = yield* rawReceiver(() => undefined)
      assert.strictEqual(failed(yield* post(`https://127.0.0.1:${port}/`)).cause, "timeout")
    }).pipe(Effect.provide(hasty)),
  )

  it.effect.each<[string, string, Failed["cause"]]>([
    ["nothing", "", "closed"],
    ["half of the headers", "HTTP/1.1 200 OK\r\na: b\r\n", "closed"],
    ["only an informational status", "HTTP/1.1 103 Early Hints\r\n\r\n", "closed"],
    ["garbage", "220 mail.example.com ESMTP\r\n", "protocol"],
    ["headers without an end", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(10_000)}`, "protocol"],
    ["a status below 100", "HTTP/1.1 099 What\r\ncontent-length: 0\r\n\r\n", "protocol"],
    ["a status of four digits", "HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n", "protocol"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", "protocol"],
    ["NUL in a header", "HTTP/1.1 302 Found\r\nlocation: /a\0b\r\n\r\n", "protocol"],
    ["HTTP/2", "\0\0\u0012\u0004\0\0\0\0\0", "protocol"],
    ["continue", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "protocol"],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", "protocol"],
  ])("fails when the receiver sends %s", ([_, bytes, cause]) =>
    Effect.gen(function* () {
      const { url } = yield* rawReceiver((socket) => socket.end(bytes, "latin1"))
      assert.strictEqual(failed(yield* post(url)).cause, cause)
    }).pipe(Effect.provide(patient)),
  )

  it.effect("reports a reset connection as closed", () =>
    Effect.gen(function* () {
      const { url } = yield* rawReceiver((socket) => socket.resetAndDestroy())
      assert.strictEqual(failed(yield* post(url)).cause, "closed")
    }).pipe(Effect.provide(patient)),
  )

  const pieces = Schema.Literals([
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.0 204 No Content\r\n",
    "HTTP/1.1 302 Found\r\nlocation: \xff\xfe\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 103 Early Hints\r\n\r\n",
    "HTTP/2 000 \r\n",
    "content-length: 0\r\n",
    "content-length: 5\r\n",
    "content-length: 99999999999999999999\r\n",
    "transfer-encoding: chunked\r\n",
    "transfer-encoding: gzip, chunked\r\n",
    "connection: close\r\n",
    "connection: upgrade\r\nupgrade: h2c\r\n",
    "keep-alive: timeout=0\r\n",
    "keep-alive: timeout=99999999999999999999\r\n",
    "__proto__: a\r\n",
    "5\r\n",
    "0\r\n",
    "ffffffffffffffff\r\n",
    "hello",
    "\r\n",
    "\r\n",
    "\n",
    "\0",
    poison,
  ])
  it.effect.prop(
    "returns a result for any bytes of a receiver, and the next delivery gets its own",
    [Schema.Array(pieces), Schema.Literals(["end", "destroy"])],
    ([sent, end]) =>
      Effect.gen(function* () {
        const { url } = yield* rawReceiver((socket, count) => {
          if (count > 1) return socket.end("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nown")
          socket.write(sent.join(""), "latin1", () => socket[end]())
        })
        const result = yield* post(url)
        assert.include(["Answered", "Failed"], result._tag)
        assert.deepInclude(yield* post(url), { status: 200, body: "own" })
      }).pipe(Effect.scoped, Effect.provide(patient)),
  )
}
