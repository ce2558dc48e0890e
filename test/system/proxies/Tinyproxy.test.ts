/** Requests of all kinds through a real proxy (OUTBOUND_PROXY). The rules one by one: test/platform/outbound/ProxyTunnel.test.ts. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Cause, ConfigProvider, Context, Effect, Exit, Layer, Redacted, Stream } from "effect"
import * as Adapters from "../../../src/Adapters.ts"
import { SignIn } from "../../../src/accounts/sign-in/SignIn.ts"
import { files, outboundProxy } from "../../../src/config/AdapterSettings.ts"
import { CvFetcher } from "../../../src/cv/CvFetcher.ts"
import { EmailSender } from "../../../src/emails/EmailSender.ts"
import * as SendGridEmailSender from "../../../src/emails/SendGridEmailSender.ts"
import { BlobStore } from "../../../src/files/BlobStore.ts"
import * as S3BlobStore from "../../../src/files/S3BlobStore.ts"
import { joined } from "../../../src/values/Bytes.ts"
import { BlobId, OrganizationId } from "../../../src/values/Ids.ts"
import { Overloaded } from "../../../src/values/Problem.ts"
import { issue, trusting } from "../../port/certificates.ts"
import { mail } from "../../port/EmailSenderSuite.ts"
import { answered, failed, forward, post, tlsReceiver } from "../../port/receivers.ts"
import { s3Server } from "../../port/s3Server.ts"
import { apiKey, sendGridApi } from "../../port/sendGridApi.ts"
import { client, OpenIdProvider } from "../../support/OpenIdProvider.ts"
import * as TestApp from "../../support/TestApp.ts"
import * as Tinyproxy from "../../support/Tinyproxy.ts"

/** Names that only the proxy finds. */
const names = ["hooks.test", "cv.test", "mail.test", "id.test", "files.test"]
const authority = issue({ name: "Test authority" })
const certificate = issue({ name: "good", hosts: names, issuer: authority })
const callback = "https://app.example.com/sign-in/callback"

const begin = Effect.gen(function* () {
  yield* trusting(authority)
  return yield* Tinyproxy.start(names)
})

const portsOf = (url: string, settings: Record<string, string> = {}) =>
  Layer.build(
    Adapters.adapters.pipe(
      Layer.provide(TestApp.base({ OUTBOUND_PROXY: url, OUTBOUND_ALLOW: "", ...settings })),
      Layer.provide(NodeServices.layer),
    ),
  )

/** Reads settings as commands do. */
const reading = <A, E>(effect: Effect.Effect<A, E>, settings: Record<string, string>) =>
  Effect.provideService(effect, ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(settings))

describe.skipIf(Tinyproxy.missing !== undefined)(
  `tinyproxy${Tinyproxy.missing ? `: ${Tinyproxy.missing}` : ""}`,
  () => {
    it.live("carries webhooks and CVs, by name and with the receiver's certificate", () =>
      Effect.gen(function* () {
        const through = yield* begin
        const { port } = yield* tlsReceiver(certificate, (_, response) => response.end("I ran PostgreSQL."))
        const ports = yield* portsOf(through.url)
        const sent = yield* Effect.provide(post(`https://hooks.test:${port}/hook`), ports)
        assert.strictEqual(answered(sent).body, "I ran PostgreSQL.")
        const cv = yield* Context.get(ports, CvFetcher).fetch(`https://cv.test:${port}/cv.txt`)
        assert.strictEqual(new TextDecoder().decode(cv), "I ran PostgreSQL.")
        assert.deepStrictEqual(yield* through.asked, [`hooks.test:${port}`, `cv.test:${port}`])

        const unknown = failed(yield* Effect.provide(post("https://unknown.test/hook"), ports))
        assert.strictEqual(unknown.cause, "connect")
        assert.match(unknown.message, /^The outbound proxy .* unknown\.test \(it answered \d{3}\)$/)
      }).pipe(Effect.scoped),
    )

    it.live("is not asked for what the guard refuses, though it would connect", () =>
      Effect.gen(function* () {
        const through = yield* begin
        const { connections, port } = yield* tlsReceiver(certificate, (_, response) => response.end("reached"))
        const ports = yield* portsOf(through.url)
        const hosts = [
          "127.0.0.1",
          "[::ffff:127.0.0.1]",
          "localhost",
          "10.0.0.1",
          "169.254.169.254",
          "printer.local",
          "metadata",
        ]
        for (const host of hosts) {
          const url = `https://${host}:${port}/hook`
          assert.strictEqual(failed(yield* Effect.provide(post(url), ports)).cause, "refused", url)
          yield* Effect.flip(Context.get(ports, CvFetcher).fetch(url))
        }
        assert.strictEqual(failed(yield* Effect.provide(post(`http://hooks.test:${port}/`), ports)).cause, "refused")
        assert.deepStrictEqual(yield* through.asked, [])
        assert.lengthOf(connections, 0)
      }).pipe(Effect.scoped),
    )

    it.live("that refuses the credentials is a fault of the installation, not of the receiver", () =>
      Effect.gen(function* () {
        const through = yield* begin
        const ports = yield* portsOf(through.withoutLogin)
        const exit = yield* Effect.exit(Effect.provide(post("https://hooks.test/hook"), ports))
        assert.instanceOf(Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit, Overloaded)
      }).pipe(Effect.scoped),
    )

    it.live("carries emails to a provider over https", () =>
      Effect.gen(function* () {
        const through = yield* begin
        const { baseUrl, faults, requests } = yield* sendGridApi
        const { port } = yield* tlsReceiver(certificate, (request, response) => forward(baseUrl, request, response))
        const options = {
          apiKey: Redacted.make(apiKey),
          from: { name: "Acme", address: "jobs@acme.example" },
          baseUrl: `https://mail.test:${port}`,
          proxy: yield* reading(outboundProxy, { OUTBOUND_PROXY: through.url }),
        }
        const sender = Context.get(yield* Layer.build(SendGridEmailSender.layer(options)), EmailSender)
        yield* sender.send(mail())
        assert.deepStrictEqual(faults, [])
        assert.lengthOf(requests, 1)
        assert.deepStrictEqual(yield* through.asked, [`mail.test:${port}`])
      }).pipe(Effect.scoped),
    )

    it.live("carries sign-ins at an OpenID provider", () =>
      Effect.gen(function* () {
        const through = yield* begin
        let behind = ""
        const { port } = yield* tlsReceiver(certificate, (request, response) => {
          request.headers["x-forwarded-host"] = request.headers.host
          request.headers["x-forwarded-proto"] = "https"
          forward(behind, request, response)
        })
        const origin = `https://id.test:${port}`
        const provider = Context.get(yield* Layer.build(OpenIdProvider.layer({ callback, origin })), OpenIdProvider)
        behind = provider.url
        provider.accounts.set("grace", { email: "grace@example.com", email_verified: true })
        const settings = { OIDC_ISSUER: origin, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret }
        const ways = Context.get(yield* portsOf(through.url, settings), SignIn)
        const way = ways.provider ?? assert.fail("there is no provider")
        const begun = yield* way.begin(callback)
        const back = yield* provider.visit(begun.url, "grace")
        const answer = { fields: Redacted.make(new Map(back.searchParams)), kept: begun.kept }
        assert.deepInclude(yield* way.prove(answer), { subject: "grace", email: "grace@example.com" })
        const asked = yield* through.asked
        assert.isNotEmpty(asked)
        for (const target of asked) assert.strictEqual(target, `id.test:${port}`)
      }).pipe(Effect.scoped),
    )

    it.live("carries files to a bucket, and back", () =>
      Effect.gen(function* () {
        const through = yield* begin
        const server = yield* s3Server
        const { port } = yield* tlsReceiver(certificate, (request, response) =>
          forward(server.endpoint, request, response),
        )
        const settings = {
          OUTBOUND_PROXY: through.url,
          BLOB_STORE: "s3",
          S3_BUCKET: server.bucket,
          S3_REGION: "us-east-1",
          S3_ENDPOINT: `https://files.test:${port}`,
        }
        const { s3 = assert.fail("no bucket") } = yield* reading(files, settings)
        const store = Context.get(yield* Layer.build(S3BlobStore.layer(s3)), BlobStore)
        const key = { organization: OrganizationId.make(7), id: BlobId.make("00000000-0000-7000-8000-000000000001") }
        // two parts
        const bytes = Buffer.alloc(6 * 1024 * 1024, "0123456789abcdef")
        yield* store.put(key, Stream.make(bytes), 20 * 1024 * 1024)
        assert.isTrue(Buffer.from(joined(yield* Stream.runCollect(store.get(key)))).equals(bytes))
        const asked = yield* through.asked
        assert.isNotEmpty(asked)
        for (const target of asked) assert.strictEqual(target, `files.test:${port}`)

        // of a private network: without the proxy
        const direct = yield* reading(files, { ...settings, S3_ENDPOINT: server.endpoint })
        const near = Context.get(yield* Layer.build(S3BlobStore.layer(direct.s3 ?? s3)), BlobStore)
        assert.isTrue(Buffer.from(joined(yield* Stream.runCollect(near.get({ ...key })))).equals(bytes))
        assert.lengthOf(yield* through.asked, asked.length)
      }).pipe(Effect.scoped),
    )
  },
)
