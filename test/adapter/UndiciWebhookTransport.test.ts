import type { LookupAddress, LookupOptions } from "node:dns"
import { once } from "node:events"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Layer, Schema } from "effect"
import { AddressRefused, guardedLookup, type Resolve, ResolveFailed } from "../../src/adapter/OutboundGuard.ts"
import * as UndiciWebhookTransport from "../../src/adapter/UndiciWebhookTransport.ts"
import { AllowedNetworks } from "../../src/domain/OutboundAddress.ts"
import { WebhookTransport } from "../../src/port/WebhookTransport.ts"
import {
  answered,
  certificate,
  failed,
  loopback,
  post,
  receiver,
  tlsReceiver,
  webhookTransportSuite,
} from "../port/WebhookTransportSuite.ts"

const timeout = Duration.seconds(30)

webhookTransportSuite("UndiciWebhookTransport", (options) =>
  UndiciWebhookTransport.layer({ ...options, connectionsPerOrigin: 4 }),
)

const lookup = (
  addresses: ReadonlyArray<string>,
  options: { readonly host?: string; readonly all?: boolean; readonly allowed?: AllowedNetworks } = {},
) =>
  new Promise<NodeJS.ErrnoException | string | ReadonlyArray<LookupAddress>>((resolve) => {
    const { host = "receiver.test", all = true, allowed = [] } = options
    const asked: LookupOptions = { all }
    guardedLookup(allowed, async () => addresses)(host, asked, (error, answer) => resolve(error ?? answer))
  })

describe("guardedLookup", () => {
  it("gives every address, in order, with its family", async () => {
    assert.deepStrictEqual(await lookup(["8.8.8.8", "2606:4700::1"]), [
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1", family: 6 },
    ])
    assert.strictEqual(await lookup(["8.8.8.8", "9.9.9.9"], { all: false }), "8.8.8.8")
  })

  it.each(["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fe80::1%eth0", "not an address"])(
    "refuses the name if any address is refused: %s",
    async (address) => {
      for (const all of [true, false]) {
        const answer = await lookup(["8.8.8.8", address], { all })
        assert.instanceOf(answer, AddressRefused)
      }
    },
  )

  it("gives an address of an allowed network", async () => {
    assert.deepStrictEqual(await lookup(["127.0.0.2"], { allowed: loopback }), [{ address: "127.0.0.2", family: 4 }])
  })

  it("knows localhost without asking, and gives of it what is allowed", async () => {
    const host = "app.localhost"
    const v4 = Schema.decodeSync(AllowedNetworks)("127.0.0.0/8")
    assert.deepStrictEqual(await lookup(["8.8.8.8"], { host, allowed: v4 }), [{ address: "127.0.0.1", family: 4 }])
    assert.instanceOf(await lookup(["8.8.8.8"], { host }), AddressRefused)
  })

  it("says that a name does not resolve", async () => {
    assert.instanceOf(await lookup([]), ResolveFailed)
    const broken: Resolve = () => Promise.reject(new Error("broken"))
    const error = await new Promise((resolve) => {
      guardedLookup([], broken)("receiver.test", { all: true }, resolve)
    })
    assert.instanceOf(error, ResolveFailed)
  })
})

/** A transport for names that the given answers, one a connection, resolve; and how often it was asked. */
const withAnswers = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const asked: Array<string> = []
  const resolve: Resolve = async (host) => answers[asked.push(host) - 1] ?? []
  const options = { allowed: loopback, timeout, connectionsPerOrigin: 1 }
  return { asked, layer: UndiciWebhookTransport.layer(options, resolve) }
}

/** Trusts the suite's certificate for as long as the test runs. */
const trusting = Effect.acquireRelease(
  Effect.sync(() => {
    const before = getCACertificates("default")
    setDefaultCACertificates([...before, certificate.cert])
    return before
  }),
  (before) => Effect.sync(() => setDefaultCACertificates(before)),
)

describe("UndiciWebhookTransport, names", () => {
  it.effect("checks the addresses of each new connection, so that a name cannot turn inwards later", () => {
    const { asked, layer } = withAnswers(["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "10.0.0.1"])
    return Effect.gen(function* () {
      yield* trusting
      const { port, connections } = yield* tlsReceiver((_, response) => response.end("secure"))
      const url = `https://receiver.test:${port}/hook`
      assert.strictEqual(answered(yield* post(url)).body, "secure")
      assert.strictEqual(answered(yield* post(url)).body, "secure")
      assert.deepStrictEqual(asked, ["receiver.test"])

      const [first] = connections
      if (first !== undefined) yield* Effect.promise(() => once(first.destroy(), "close"))
      assert.deepInclude(failed(yield* post(url)), {
        cause: "refused",
        message: "receiver.test: 10.0.0.1 is a private address",
      })
      assert.strictEqual(failed(yield* post(url)).cause, "refused")
      assert.lengthOf(asked, 3)
      assert.lengthOf(connections, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("says that the certificate is for another name", () =>
    Effect.gen(function* () {
      yield* trusting
      const { url } = yield* tlsReceiver((_, response) => response.end())
      const { cause, message } = failed(yield* post(url))
      assert.deepStrictEqual([cause, message], ["tls", "The certificate is not valid for this host name"])
    }).pipe(Effect.provide(withAnswers().layer)),
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

  it.effect("never sends a request that was given up while it waited for a connection", () => {
    const hasty = { allowed: loopback, timeout: Duration.millis(300), connectionsPerOrigin: 1 }
    return Effect.gen(function* () {
      const paths: Array<string | undefined> = []
      const { url } = yield* receiver((request, response) => {
        paths.push(request.url)
        if (request.url === "/hook?last") response.end()
      })
      const results = yield* Effect.all([post(`${url}?first`), post(`${url}?second`)], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        results.map((result) => failed(result).cause),
        ["timeout", "timeout"],
      )
      assert.strictEqual(answered(yield* post(`${url}?last`)).status, 200)
      assert.deepStrictEqual(paths, ["/hook?first", "/hook?last"])
    }).pipe(Effect.provide(UndiciWebhookTransport.layer(hasty)))
  })

  it.effect("closes its connections with its scope, and takes a use after that for our own fault", () =>
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
