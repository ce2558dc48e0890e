/** Outbound requests through a CONNECT proxy on this machine (OUTBOUND_PROXY). */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Duration, Effect, Exit, Layer } from "effect"
import * as Adapters from "../../../src/Adapters.ts"
import { connectors } from "../../../src/ats/Connectors.ts"
import { HiringSystemClient } from "../../../src/ats/HiringSystemClient.ts"
import { CvFetcher } from "../../../src/cv/CvFetcher.ts"
import { EmailSender } from "../../../src/emails/EmailSender.ts"
import { Embedder } from "../../../src/evaluations/Embedder.ts"
import { Evaluator } from "../../../src/evaluations/Evaluator.ts"
import { type Resolve, ResolveFailed } from "../../../src/platform/outbound/OutboundNames.ts"
import type { AllowedNetworks } from "../../../src/values/OutboundAddress.ts"
import { readProxy } from "../../../src/values/OutboundProxy.ts"
import { Overloaded } from "../../../src/values/Problem.ts"
import * as UndiciWebhookTransport from "../../../src/webhooks/deliveries/UndiciWebhookTransport.ts"
import { issue, trusting } from "../../port/certificates.ts"
import { chatServer } from "../../port/chatServer.ts"
import { mail } from "../../port/EmailSenderSuite.ts"
import { countsOf, embedding, embeddingsServer } from "../../port/embeddingsServer.ts"
import { type Proxying, proxying } from "../../port/proxy.ts"
import { answered, failed, forward, loopback, networks, post, receiver, tlsReceiver } from "../../port/receivers.ts"
import { apiKey, sendGridApi } from "../../port/sendGridApi.ts"
import { eventsKey } from "../../support/SendGrid.ts"
import * as TestApp from "../../support/TestApp.ts"

const authority = issue({ name: "Test authority" })
const certificate = issue({ name: "good", hosts: ["receiver.test", "127.0.0.1"], issuer: authority })
const tenNet = networks("10.0.0.0/8")
/** A public address, which only the proxy reaches. */
const remote = "93.184.216.34"

const unknown: Resolve = async (host) => {
  throw new ResolveFailed({ host, code: "ENOTFOUND" })
}
const resolvesTo =
  (...addresses: ReadonlyArray<string>): Resolve =>
  async () =>
    addresses

const sending = (
  { proxy }: Pick<Proxying, "proxy">,
  url: string,
  { allowed = [], resolve = unknown }: { readonly allowed?: AllowedNetworks; readonly resolve?: Resolve } = {},
) =>
  Effect.provide(
    post(url),
    UndiciWebhookTransport.layer({ allowed, timeout: Duration.seconds(5), connectionsPerOrigin: 2, proxy }, resolve),
  )

/** The settings of a program whose requests go through the proxy. */
const settingsOf = ({ proxy }: Pick<Proxying, "proxy">) => ({ OUTBOUND_PROXY: `http://${proxy.host}:${proxy.port}` })

/** The ports of that program. */
const portsOf = (through: Pick<Proxying, "proxy">, settings: Record<string, string> = {}) =>
  Layer.build(
    Adapters.adapters.pipe(
      Layer.provide(TestApp.base({ ...settingsOf(through), ...settings })),
      Layer.provide(NodeServices.layer),
    ),
  )

describe("webhooks", () => {
  it.live.each([
    ["that does not resolve here", unknown, false],
    ["of a public address", resolvesTo(remote), false],
    ["over an https proxy", unknown, true],
  ] as const)(
    "go through the proxy to a name %s, by name, with credentials and end-to-end TLS",
    ([, resolve, isSecure]) =>
      Effect.gen(function* () {
        yield* trusting(authority)
        const { port } = yield* tlsReceiver(certificate, (_, response) => response.end("through"))
        const through = yield* proxying(port, isSecure ? { certificate } : {})
        assert.strictEqual(
          answered(yield* sending(through, "https://receiver.test:8443/hook", { resolve })).body,
          "through",
        )
        assert.deepStrictEqual(through.asked, [
          { target: "receiver.test:8443", authorization: `Basic ${btoa("user:p@ss")}` },
        ])
      }).pipe(Effect.scoped),
  )

  it.live("are refused by the guard before the proxy is asked", () =>
    Effect.gen(function* () {
      const through = yield* proxying(1)
      for (const [url, resolve] of [
        ["https://receiver.test/hook", resolvesTo("10.0.0.1")],
        ["https://receiver.test/hook", resolvesTo(remote, "169.254.169.254")],
        ["https://10.0.0.1/hook", unknown],
        ["https://metadata.google.internal/hook", unknown],
        ["https://localhost/hook", unknown],
        ["http://receiver.test/hook", unknown],
      ] as const) {
        assert.strictEqual(failed(yield* sending(through, url, { resolve })).cause, "refused", url)
      }
      // a private name that must be in an allowed network, and cannot be looked up
      const hidden = yield* sending(through, "http://receiver.internal/hook", { allowed: [...loopback, ...tenNet] })
      assert.strictEqual(failed(hidden).cause, "dns")
      assert.deepStrictEqual(through.asked, [])
    }).pipe(Effect.scoped),
  )

  it.live("to allowed networks do not go through the proxy", () =>
    Effect.gen(function* () {
      const { port, url } = yield* receiver((_, response) => response.end("direct"))
      const through = yield* proxying(1)
      assert.strictEqual(answered(yield* sending(through, url, { allowed: loopback })).body, "direct")
      const named = `http://receiver.internal:${port}/hook`
      const options = { allowed: [...loopback, ...tenNet], resolve: resolvesTo("127.0.0.1") }
      assert.strictEqual(answered(yield* sending(through, named, options)).body, "direct")
      assert.deepStrictEqual(through.asked, [])
    }).pipe(Effect.scoped),
  )

  it.live.each([
    [403, "The outbound proxy refused the connection to receiver.test (it answered 403)"],
    [502, "The outbound proxy could not connect to receiver.test (it answered 502)"],
  ] as const)("fail when the proxy answers %s", ([status, message]) =>
    Effect.gen(function* () {
      const through = yield* proxying(1, { status })
      assert.deepInclude(failed(yield* sending(through, "https://receiver.test/hook")), { cause: "connect", message })
    }).pipe(Effect.scoped),
  )

  it.live("are not charged to the endpoint when the proxy refuses the credentials or is down", () =>
    Effect.gen(function* () {
      const refusing = yield* proxying(1, { status: 407 })
      const gone = readProxy("http://127.0.0.1:1")
      if (gone === undefined) return assert.fail("not a proxy")
      for (const through of [refusing, { proxy: gone }]) {
        const exit = yield* Effect.exit(sending(through, "https://receiver.test/hook"))
        const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit
        assert.instanceOf(defect, Overloaded)
        assert.include((defect as Overloaded).reason, "the outbound proxy")
      }
    }).pipe(Effect.scoped),
  )
})

const secure = issue({ name: "remote", hosts: [remote, "model.test", "api.sendgrid.com"], issuer: authority })

describe("other requests", () => {
  it.live("fetch CVs and send webhooks through OUTBOUND_PROXY", () =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const { port } = yield* tlsReceiver(secure, (_, response) => response.end("I ran PostgreSQL."))
      const through = yield* proxying(port)
      const ports = yield* portsOf(through)
      const cv = yield* Context.get(ports, CvFetcher).fetch(`https://${remote}/cv.txt`)
      assert.strictEqual(new TextDecoder().decode(cv), "I ran PostgreSQL.")
      const sent = yield* Effect.provide(post(`https://${remote}:8443/hook`), ports)
      assert.strictEqual(answered(sent).status, 200)
      assert.deepStrictEqual(
        through.asked.map(({ target }) => target),
        [`${remote}:443`, `${remote}:8443`],
      )
    }).pipe(Effect.scoped),
  )

  it.live("reach a public model server through the proxy, and one of a private network without it", () =>
    Effect.gen(function* () {
      const server = yield* embeddingsServer
      server.script.reply = ({ input }) => embedding(input.map(countsOf))
      const { port } = new URL(server.url)
      const { asked, proxy } = yield* proxying(Number(port))
      const embedAt = Effect.fnUntraced(function* (url: string) {
        const settings = { ...settingsOf({ proxy }), EMBEDDINGS_URL: url, EMBEDDINGS_NAME: "m", EMBEDDINGS_KEY: "sk-1" }
        const layer = Adapters.defaults.embedder.pipe(Layer.provide(TestApp.config(settings)))
        const embedder = Context.get(yield* Layer.build(layer), Embedder)
        yield* embedder?.embed(["I ran PostgreSQL."]) ?? Effect.void
      })
      yield* embedAt(server.url)
      assert.deepStrictEqual(asked, [])
      yield* embedAt(server.url.replace(/\/\/[^/]+/, `//${remote}`))
      assert.deepStrictEqual(
        asked.map(({ target }) => target),
        [`${remote}:80`],
      )
      assert.lengthOf(server.asked, 2)
    }).pipe(Effect.scoped),
  )
})

describe("services of other companies", () => {
  it.live("get reports on orders through the proxy", () =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const received: Array<string> = []
      const { port } = yield* tlsReceiver(secure, (request, response) => {
        received.push(`${request.method} ${request.url}`)
        response.end("{}")
      })
      const { asked, proxy } = yield* proxying(port)
      const settings = { ...settingsOf({ proxy }), HIRING_SYSTEM_HOSTS: remote }
      const client = HiringSystemClient.layer.pipe(Layer.provide(TestApp.config(settings)))
      const { ask } = Context.get(yield* Layer.build(client), HiringSystemClient)
      const report = {
        method: "PATCH",
        url: `https://${remote}/take_home_tests/1`,
        headers: {},
        body: undefined,
      } as const
      assert.strictEqual(answered(yield* ask(connectors.greenhouse)(report)).status, 200)
      assert.deepStrictEqual(
        asked.map(({ target }) => target),
        [`${remote}:443`],
      )
      assert.deepStrictEqual(received, ["PATCH /take_home_tests/1"])
    }).pipe(Effect.scoped),
  )

  it.live("get emails through the proxy when EMAIL is sendgrid", () =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const { baseUrl, faults, requests } = yield* sendGridApi
      const { port } = yield* tlsReceiver(secure, (request, response) => forward(baseUrl, request, response))
      const through = yield* proxying(port)
      const settings = { EMAIL: "sendgrid", EMAIL_FROM: "jobs@acme.example", SENDGRID_API_KEY: apiKey }
      const ports = yield* portsOf(through, { ...settings, SENDGRID_EVENTS_KEY: eventsKey })
      const { send } = Context.get(ports, EmailSender)
      yield* Effect.all(Array.from({ length: 5 }, () => send(mail())))
      assert.deepStrictEqual(faults, [])
      assert.lengthOf(requests, 5)
      // emails share tunnels; the second email may find the first tunnel not free yet
      assert.include([1, 2], through.asked.length)
      for (const { target } of through.asked) assert.strictEqual(target, "api.sendgrid.com:443")
    }).pipe(Effect.scoped),
  )

  // the test's machine does not find the name: the proxy resolves it
  it.live("get candidates' texts through the proxy when EVALUATOR is model", () =>
    Effect.gen(function* () {
      yield* trusting(authority)
      const server = yield* chatServer
      const { port } = yield* tlsReceiver(secure, (request, response) => forward(server.url, request, response))
      const through = yield* proxying(port)
      const settings = { EVALUATOR: "model", MODEL_URL: "https://model.test/v1", MODEL_NAME: "m", MODEL_KEY: "sk-1" }
      const { evaluate } = Context.get(yield* portsOf(through, settings), Evaluator)
      const output = yield* evaluate({
        interview_title: "Engineer",
        position: null,
        language: "en",
        requirements: [{ id: "r", title: "PostgreSQL", content: null, hint: null, cfg_importance_id: 273 }],
        sources: [
          { source: "cv", question_id: null, question: null, text: "I designed PostgreSQL schemas for years." },
        ],
      })
      assert.lengthOf(output.ratings, 1)
      assert.isNotEmpty(server.asked)
      assert.deepStrictEqual(server.faults, [])
      assert.isNotEmpty(through.asked)
      for (const { target } of through.asked) assert.strictEqual(target, "model.test:443")
    }).pipe(Effect.scoped),
  )
})

describe("readProxy", () => {
  it.each(["socks5://proxy:1080", "proxy:3128", "http://proxy:3128/path", "http://", "http://%zz@proxy", "x"])(
    "refuses %s",
    (text) => assert.isUndefined(readProxy(text)),
  )

  it("reads host, port and credentials, which are not shown", () => {
    const proxy = readProxy("https://user:secret@[::1]:3129")
    assert.deepInclude(proxy, { host: "::1", port: 3129, isSecure: true })
    assert.notInclude(JSON.stringify(proxy), "secret")
    assert.isUndefined(readProxy("http://proxy:3128")?.authorization)
  })
})
