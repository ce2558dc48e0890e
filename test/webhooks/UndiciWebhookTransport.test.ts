import { once } from "node:events"
import type { Socket } from "node:net"
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Latch, Layer } from "effect"
import { type Resolve, ResolveFailed } from "../../src/platform/outbound/OutboundNames.ts"
import * as UndiciWebhookTransport from "../../src/webhooks/deliveries/UndiciWebhookTransport.ts"
import { type Failed, WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { issue, trusting } from "../port/certificates.ts"
import {
  answered,
  closed,
  failed,
  loopback,
  networks,
  post,
  rawReceiver,
  receiver,
  tlsReceiver,
} from "../port/receivers.ts"
import { webhookTransportSuite } from "../port/WebhookTransportSuite.ts"

const timeout = Duration.seconds(30)

webhookTransportSuite("UndiciWebhookTransport", (options) =>
  UndiciWebhookTransport.layer({ ...options, connectionsPerOrigin: 4 }),
)

const authority = issue({ name: "Test authority" })
const hosts = ["receiver.test", "127.0.0.1"]
const good = issue({ name: "good", hosts, issuer: authority })

/** A transport whose names resolve to these answers, one per connection; counts the lookups. */
const withAnswers = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const lookups: Array<string> = []
  const resolve: Resolve = async (host) => answers[lookups.push(host) - 1] ?? []
  const options = { allowed: loopback, timeout, connectionsPerOrigin: 1 }
  return { lookups, layer: UndiciWebhookTransport.layer(options, resolve) }
}

describe("UndiciWebhookTransport, addresses as people enter them", () => {
  it.effect.each([
    ["without a path", "", "/"],
    ["with a query only", "?key=a%20b", "/?key=a%20b"],
    ["with a space and letters that are not ASCII", "/Bewerbungen München?ü=1", "/Bewerbungen%20M%C3%BCnchen?%C3%BC=1"],
    ["with a fragment", "/hook#top", "/hook"],
    ["with dots and encoded slashes", "/a/../b/%2Fc//d", "/b/%2Fc//d"],
  ] as const)("are requested %s, with a length and without chunks", ([, given, expected]) =>
    Effect.gen(function* () {
      const { port } = yield* receiver((request, response) => {
        const { "content-length": length, host, "transfer-encoding": encoding } = request.headers
        response.end(JSON.stringify([request.url, length === undefined, encoding ?? null, host]))
      })
      const result = answered(yield* post(`http://127.0.0.1:${port}${given}`))
      assert.deepStrictEqual(JSON.parse(result.body), [expected, false, null, `127.0.0.1:${port}`])
    }).pipe(Effect.provide(UndiciWebhookTransport.layer({ allowed: loopback, timeout, connectionsPerOrigin: 1 }))),
  )

  it.effect("are resolved and verified as ASCII when the host is international or in capitals", () => {
    const { layer, lookups } = withAnswers(["127.0.0.1"], ["127.0.0.1"])
    const host = "xn--bcher-kva.test"
    const certificate = issue({ name: "international", hosts: [host], issuer: authority })
    return Effect.gen(function* () {
      yield* trusting(authority)
      const { port } = yield* tlsReceiver(certificate, (request, response) => response.end(request.headers.host))
      for (const name of ["bücher.test", "BÜCHER.TEST"]) {
        assert.strictEqual(answered(yield* post(`https://${name}:${port}/`)).body, `${host}:${port}`)
      }
      assert.deepStrictEqual([...new Set(lookups)], [host])
    }).pipe(Effect.provide(layer))
  })
})

describe("UndiciWebhookTransport, names", () => {
  it.effect("checks the addresses of each new connection, so a name cannot change to a private one", () => {
    const { lookups, layer } = withAnswers(["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "10.0.0.1"])
    return Effect.gen(function* () {
      yield* trusting(authority)
      const { port, connections } = yield* tlsReceiver(good, (_, response) => response.end("secure"))
      const url = `https://receiver.test:${port}/hook`
      assert.strictEqual(answered(yield* post(url)).body, "secure")
      assert.strictEqual(answered(yield* post(url)).body, "secure")
      assert.deepStrictEqual(lookups, ["receiver.test"])

      const [first] = connections
      if (first !== undefined) yield* Effect.promise(() => once(first.destroy(), "close"))
      assert.deepInclude(failed(yield* post(url)), {
        cause: "refused",
        message: "receiver.test: 10.0.0.1 is a private address",
      })
      assert.strictEqual(failed(yield* post(url)).cause, "refused")
      assert.lengthOf(lookups, 3)
      assert.lengthOf(connections, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("sends http only to a name whose addresses are all allowed", () =>
    Effect.gen(function* () {
      const allowed = networks("127.0.0.0/8, 172.16.0.0/12")
      const addresses: Readonly<Record<string, ReadonlyArray<string>>> = {
        receiver: ["127.0.0.1"],
        mixed: ["127.0.0.1", "8.8.8.8"],
        public: ["8.8.8.8"],
        private: ["10.0.0.1"],
      }
      const resolve: Resolve = async (host) => addresses[host] ?? []
      const { port, connections } = yield* receiver((_, response) => response.end("composed"))
      const to = (host: string) =>
        Effect.provide(
          post(`http://${host}:${port}/hook`),
          UndiciWebhookTransport.layer({ allowed, timeout, connectionsPerOrigin: 1 }, resolve),
        )
      assert.strictEqual(answered(yield* to("receiver")).body, "composed")
      for (const host of ["mixed", "public"]) {
        const { cause, message } = failed(yield* to(host))
        assert.strictEqual(cause, "refused")
        assert.include(message, `${host}: 8.8.8.8 is a public address, which needs https`)
      }
      assert.deepInclude(failed(yield* to("private")), {
        cause: "refused",
        message: "private: 10.0.0.1 is a private address",
      })
      assert.lengthOf(connections, 1)
    }),
  )

  it.effect("rejects the same name when nothing or only loopback is allowed", () =>
    Effect.gen(function* () {
      const { port, connections } = yield* receiver((_, response) => response.end())
      for (const allowed of [[], loopback]) {
        const layer = UndiciWebhookTransport.layer({ allowed, timeout, connectionsPerOrigin: 1 }, async () => [
          "127.0.0.1",
        ])
        assert.deepInclude(failed(yield* Effect.provide(post(`http://receiver:${port}/`), layer)), {
          cause: "refused",
          message: "The URL must start with https://",
        })
      }
      assert.lengthOf(connections, 0)
    }),
  )

  it.effect("reports name server errors", () =>
    Effect.gen(function* () {
      const message = (code: string) => {
        const resolve: Resolve = (host) => Promise.reject(new ResolveFailed({ host, code }))
        const layer = UndiciWebhookTransport.layer({ allowed: [], timeout, connectionsPerOrigin: 1 }, resolve)
        return Effect.provide(Effect.exit(post("https://receiver.test/hook")), layer)
      }
      for (const [code, text] of [
        ["ENOTFOUND", "The name receiver.test does not exist"],
        ["ENODATA", "The name receiver.test has no address"],
        ["ETIMEOUT", "The name receiver.test could not be looked up (ETIMEOUT)"],
      ] as const) {
        const exit = yield* message(code)
        assert.isTrue(Exit.isSuccess(exit))
        if (Exit.isSuccess(exit)) assert.deepInclude(failed(exit.value), { cause: "dns", message: text })
      }
      // an unreachable name server is a defect: it does not count against an endpoint
      assert.isTrue(Exit.hasDies(yield* message("ECONNREFUSED")))
    }),
  )
})

describe("UndiciWebhookTransport, time limit", () => {
  const hasty = { allowed: loopback, timeout: Duration.millis(1500), connectionsPerOrigin: 1 }

  it.effect("reports a timeout of the name server", () =>
    Effect.gen(function* () {
      const layer = UndiciWebhookTransport.layer(hasty, () => new Promise(() => undefined))
      assert.deepInclude(failed(yield* Effect.provide(post("https://receiver.test/hook"), layer)), {
        cause: "timeout",
        message: "The name receiver.test could not be looked up within 1.5 seconds",
      })
    }),
  )

  it.effect("reports a timeout of the TLS handshake", () =>
    Effect.gen(function* () {
      const { port, connections } = yield* rawReceiver(() => undefined)
      assert.deepInclude(failed(yield* post(`https://127.0.0.1:${port}/`)), {
        cause: "timeout",
        message: "No secure connection could be made within 1.5 seconds: the TLS handshake did not end",
      })
      yield* closed(connections[0])
    }).pipe(Effect.provide(UndiciWebhookTransport.layer(hasty))),
  )
})

describe("UndiciWebhookTransport, TLS", () => {
  const patient = UndiciWebhookTransport.layer({ allowed: loopback, timeout, connectionsPerOrigin: 1 })
  const stranger = issue({ name: "Some authority" })

  it.effect(
    "accepts a certificate of a trusted authority for the address or the name, with or without a trailing dot",
    () =>
      Effect.gen(function* () {
        yield* trusting(authority)
        const names: Array<unknown> = []
        const { port, url } = yield* tlsReceiver(good, ({ socket }, response) => {
          names.push("servername" in socket ? socket.servername : undefined)
          response.end()
        })
        const layer = UndiciWebhookTransport.layer(
          { allowed: loopback, timeout, connectionsPerOrigin: 1 },
          async () => ["127.0.0.1"],
        )
        for (const to of [url, `https://receiver.test:${port}/`, `https://receiver.test.:${port}/`])
          assert.strictEqual(answered(yield* Effect.provide(post(to), layer)).status, 200)
        assert.deepStrictEqual(names, [false, "receiver.test", "receiver.test"])
      }),
  )

  it.effect.each<[string, string, Parameters<typeof tlsReceiver>[0]]>([
    [
      "has expired",
      "The certificate has expired",
      issue({ name: "old", hosts, issuer: authority, years: [2020, 2021] }),
    ],
    [
      "is not valid yet",
      "The certificate is not valid yet",
      issue({ name: "new", hosts, issuer: authority, years: [2119, 2120] }),
    ],
    ["is self-signed", "The certificate is self-signed", issue({ name: "self", hosts })],
    [
      "is for another name",
      "The certificate is not valid for this host name",
      issue({ name: "127.0.0.1", hosts: ["127.0.0.2", "example.com"], issuer: authority }),
    ],
    [
      "is of an unknown authority",
      "The certificate's chain is incomplete or its issuer is not known",
      issue({ name: "strange", hosts, issuer: stranger }),
    ],
    [
      "comes with an untrusted authority",
      "The certificate's chain ends in a self-signed certificate",
      (() => {
        const leaf = issue({ name: "strange", hosts, issuer: stranger })
        return { key: leaf.key, cert: leaf.cert + stranger.cert }
      })(),
    ],
  ])("rejects a certificate that %s, with every TLS version, each time", ([_, message, certificate]) =>
    Effect.gen(function* () {
      yield* trusting(authority)
      for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
        let requests = 0
        const { url } = yield* tlsReceiver(
          { ...certificate, minVersion: version, maxVersion: version },
          (_, response) => {
            requests += 1
            response.end()
          },
        )
        for (let i = 0; i < 3; i++) assert.deepInclude(failed(yield* post(url)), { cause: "tls", message })
        assert.strictEqual(requests, 0)
      }
    }).pipe(Effect.provide(patient)),
  )

  it.effect.each<[string, Parameters<typeof tlsReceiver>[0], string]>([
    ["speaks only an old TLS", { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL@SECLEVEL=0" }, "PROTOCOL"],
    ["requires a client certificate", { requestCert: true, maxVersion: "TLSv1.2" }, "HANDSHAKE_FAILURE"],
  ])("reports that the receiver %s", ([_, settings, code]) =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const { url } = yield* tlsReceiver({ ...good, ...settings, rejectUnauthorized: true }, (_, response) =>
        response.end(),
      )
      const { cause, message } = failed(yield* post(url))
      assert.strictEqual(cause, "tls")
      assert.match(message, new RegExp(`^No secure connection could be made \\(ERR_SSL_.*${code}`))
    }).pipe(Effect.provide(patient)),
  )

  it.effect.each<[string, (socket: Socket) => void, Failed["cause"]]>([
    ["hangs up", (socket) => socket.end(), "tls"],
    ["resets", (socket) => socket.resetAndDestroy(), "tls"],
    ["speaks HTTP", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), "tls"],
  ])("reports that the receiver %s during the handshake", ([_, answer, cause]) =>
    Effect.gen(function* () {
      const { port } = yield* rawReceiver(answer)
      assert.strictEqual(failed(yield* post(`https://127.0.0.1:${port}/`)).cause, cause)
    }).pipe(Effect.provide(patient)),
  )

  it.effect("resumes its sessions", () =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const resumed: Array<unknown> = []
      const { url, connections } = yield* tlsReceiver(good, ({ socket }, response) => {
        resumed.push(
          "isSessionReused" in socket && typeof socket.isSessionReused === "function" && socket.isSessionReused(),
        )
        response.setHeader("connection", "close")
        response.end()
      })
      for (let i = 0; i < 3; i++) {
        assert.strictEqual(answered(yield* post(url)).status, 200)
        yield* closed(connections[i])
      }
      assert.deepStrictEqual(resumed, [false, true, true])
    }).pipe(Effect.provide(patient)),
  )
})

describe("UndiciWebhookTransport, connections", () => {
  it.effect("opens no more connections to an origin than its limit", () =>
    Effect.gen(function* () {
      const { url, connections } = yield* receiver((_, response) => response.end())
      yield* Effect.all(
        Array.from({ length: 20 }, () => post(url)),
        { concurrency: "unbounded" },
      )
      assert.lengthOf(connections, 2)
    }).pipe(Effect.provide(UndiciWebhookTransport.layer({ allowed: loopback, timeout, connectionsPerOrigin: 2 }))),
  )

  it.effect("ends a request that waits for a connection with its timeout", () => {
    const hasty = { allowed: loopback, timeout: Duration.millis(300), connectionsPerOrigin: 1 }
    return Effect.gen(function* () {
      const { url } = yield* receiver(() => {})
      const results = yield* Effect.all([post(`${url}?first`), post(`${url}?second`)], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        results.map((result) => failed(result).cause),
        ["timeout", "timeout"],
      )
    }).pipe(Effect.provide(UndiciWebhookTransport.layer(hasty)))
  })

  it.effect("does not send a request that was interrupted while it waited for a connection", () =>
    Effect.gen(function* () {
      const [arrived, ended] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
      const paths: Array<string | undefined> = []
      const { url } = yield* receiver((request, response) => {
        paths.push(request.url)
        arrived.openUnsafe()
        void Effect.runPromise(ended.await).then(() => response.end())
      })
      const first = yield* Effect.forkChild(post(`${url}?first`))
      yield* arrived.await
      const second = yield* Effect.forkChild(post(`${url}?second`), { startImmediately: true })
      // so that it waits in the pool
      yield* Effect.promise(() => setImmediate())
      yield* Fiber.interrupt(second)
      yield* ended.open
      assert.strictEqual(answered(yield* Fiber.join(first)).status, 200)
      assert.strictEqual(answered(yield* post(`${url}?last`)).status, 200)
      assert.deepStrictEqual(paths, ["/hook?first", "/hook?last"])
    }).pipe(Effect.provide(UndiciWebhookTransport.layer({ allowed: loopback, timeout, connectionsPerOrigin: 1 }))),
  )

  it.effect("closes its connections with its scope; a later request dies", () =>
    Effect.gen(function* () {
      const { url, connections } = yield* receiver((_, response) => response.end())
      const layer = UndiciWebhookTransport.layer({ allowed: loopback, timeout, connectionsPerOrigin: 1 })
      const transport = yield* Effect.scoped(
        Effect.gen(function* () {
          const context = yield* Layer.build(layer)
          yield* Effect.provide(post(url), context)
          return yield* Effect.provide(WebhookTransport, context)
        }),
      )
      const [socket] = connections
      if (socket !== undefined && !socket.closed) yield* Effect.promise(() => once(socket, "close"))
      const exit = yield* Effect.exit(transport.post({ url, headers: {}, body: new Uint8Array() }))
      assert.isTrue(Exit.hasDies(exit))
    }),
  )
})
