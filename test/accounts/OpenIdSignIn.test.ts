/** OpenIdSignIn with a real provider. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as OpenIdSignIn from "../../src/accounts/sign-in/OpenIdSignIn.ts"
import { type Identity, SignIn } from "../../src/accounts/sign-in/SignIn.ts"
import { DatabaseClock, timed } from "../../src/platform/database/DatabaseClock.ts"
import { signInSuite } from "../port/SignInSuite.ts"
import { client, OpenIdProvider } from "../support/OpenIdProvider.ts"

const callback = "https://app.example.com/sign-in/callback"
const grace = { email: "grace@example.com", email_verified: true }

/** The conformance suite; the issuer is known once the provider listens. */
const who = (issuer: () => string): Identity => ({
  get issuer() {
    return issuer()
  },
  subject: "grace",
  email: grace.email,
})

const adapter = (
  options: Partial<OpenIdSignIn.OpenIdOptions> = {},
  provider: Partial<Parameters<typeof OpenIdProvider.layer>[0]> = {},
) =>
  Layer.unwrap(
    Effect.map(OpenIdProvider, ({ issuer }) =>
      OpenIdSignIn.layer({
        issuer,
        clientId: client.id,
        clientSecret: Redacted.make(client.secret),
        name: "Nordlicht ID",
        trustsAddresses: false,
        timeout: Duration.seconds(1),
        ...options,
      }),
    ),
  ).pipe(Layer.provide(NodeCrypto.layer), Layer.provideMerge(OpenIdProvider.layer({ callback, ...provider })))

let issuer = ""
signInSuite("OpenID Connect", adapter(), {
  who: who(() => issuer),
  answer: (begun) =>
    Effect.gen(function* () {
      const provider = yield* OpenIdProvider
      issuer = provider.issuer
      provider.accounts.set("grace", grace)
      const back = yield* provider.visit(begun?.url ?? "", "grace")
      return { fields: Redacted.make(new Map(back.searchParams)), kept: begun?.kept }
    }),
})

/** Signs in at the provider; `change` alters the authorization URL. */
const attempt = Effect.fnUntraced(function* (account: string | undefined, change: (url: URL) => void = () => {}) {
  const { provider } = yield* SignIn
  assert(provider !== undefined)
  const { kept, url } = yield* provider.begin(callback)
  const authorizationUrl = new URL(url)
  change(authorizationUrl)
  const back = yield* (yield* OpenIdProvider).visit(authorizationUrl.href, account)
  const answer = { fields: Redacted.make(new Map(back.searchParams)), kept }
  return { answer, prove: provider.prove(answer) }
})
const failed = (account: string | undefined, change?: (url: URL) => void) =>
  Effect.flatMap(attempt(account, change), ({ prove }) => Effect.flip(prove))

layer(adapter())("OpenIdSignIn", (it) => {
  it.effect("requests a code with S256 and a new state and nonce each time", () =>
    Effect.gen(function* () {
      const { provider } = yield* SignIn
      const [one, other] = [
        yield* provider?.begin(callback) ?? Effect.never,
        yield* provider?.begin(callback) ?? Effect.never,
      ]
      const query = new URL(one.url).searchParams
      assert.strictEqual(query.get("response_type"), "code")
      assert.strictEqual(query.get("code_challenge_method"), "S256")
      assert.strictEqual(query.get("scope"), "openid email")
      for (const name of ["state", "nonce", "code_challenge"]) {
        assert.match(query.get(name) ?? "", /^[\w-]{43}$/)
        assert.notStrictEqual(query.get(name), new URL(other.url).searchParams.get(name))
      }
      assert.notInclude(one.url, JSON.parse(Redacted.value(one.kept)).verifier)
    }),
  )

  it.effect("accepts an answer once, and only with its own state", () =>
    Effect.gen(function* () {
      const { prove } = yield* attempt("ada")
      yield* prove
      assert.propertyVal(yield* Effect.flip(prove), "why", "stale")
      const [letters, other] = ["A".repeat(43), "B".repeat(43)]
      assert.propertyVal(yield* failed("ada", (url) => url.searchParams.set("nonce", letters)), "why", "stale")
      assert.propertyVal(yield* failed("ada", (url) => url.searchParams.set("code_challenge", other)), "why", "stale")
      assert.propertyVal(yield* failed("ada", (url) => url.searchParams.set("state", other)), "why", "stale")
      assert.propertyVal(yield* failed(undefined), "why", "denied")
      assert.propertyVal(
        yield* failed("ada", (url) => url.searchParams.set("scope", "email")),
        "_tag",
        "SignInUnavailable",
      )
    }),
  )

  it.effect("returns the address when the provider has verified it", () =>
    Effect.gen(function* () {
      const { accounts } = yield* OpenIdProvider
      for (const [verified, counts] of [
        [true, true],
        ["true", true],
        [false, false],
        ["false", false],
        [undefined, false],
      ] as const) {
        accounts.set("eve", {
          email: "eve@example.com",
          ...(verified === undefined ? {} : { email_verified: verified }),
        })
        const { email } = yield* (yield* attempt("eve")).prove
        assert.strictEqual(email, counts ? "eve@example.com" : undefined)
      }
      for (const email of ["no address", `${"a".repeat(300)}@example.com`]) {
        accounts.set("eve", { email, email_verified: true })
        assert.isUndefined((yield* (yield* attempt("eve")).prove).email)
      }
      accounts.delete("eve")
      assert.isUndefined((yield* (yield* attempt("eve")).prove).email)
    }),
  )

  it.effect("caches metadata for an hour, and requests it again after a failure", () =>
    Effect.gen(function* () {
      const { asked, set } = yield* OpenIdProvider
      const { provider } = yield* SignIn
      assert(provider !== undefined)
      const begin = provider.begin(callback)
      const documents = Effect.map(
        Effect.sync(asked),
        (all) => all.filter((path) => path.includes("well-known")).length,
      )
      yield* TestClock.adjust("2 hours")
      yield* documents
      yield* Effect.all([begin, begin, begin], { concurrency: "unbounded" })
      yield* TestClock.adjust("59 minutes")
      yield* begin
      assert.strictEqual(yield* documents, 1)
      const { prove } = yield* attempt("ada")
      set("broken")
      assert.propertyVal(yield* Effect.flip(prove), "_tag", "SignInUnavailable")
      assert.propertyVal(yield* Effect.flip(begin), "_tag", "SignInUnavailable")
      set("up")
      yield* documents
      yield* begin
      assert.strictEqual(yield* documents, 1)
    }),
  )
})

layer(adapter({ trustsAddresses: true }, { inToken: true }))("OpenIdSignIn with trusted addresses", (it) => {
  it.effect("accepts an address in the ID token without email_verified, but not an unverified one", () =>
    Effect.gen(function* () {
      const { accounts, asked } = yield* OpenIdProvider
      accounts.set("eve", { email: "eve@example.com" })
      asked()
      assert.strictEqual((yield* (yield* attempt("eve")).prove).email, "eve@example.com")
      assert.notInclude(asked(), "/me")
      accounts.set("eve", { email: "eve@example.com", email_verified: false })
      assert.isUndefined((yield* (yield* attempt("eve")).prove).email)
    }),
  )
})

layer(adapter({}))("an ID token", (it) => {
  it.effect("is checked with the database's time", () =>
    Effect.gen(function* () {
      const clock = new DatabaseClock()
      const inTwoDays = Effect.sync(() => Date.now() + 2 * 86_400_000)
      const proved = Effect.gen(function* () {
        yield* Effect.flatMap(timed(inTwoDays), clock.correct)
        return yield* (yield* attempt("ada")).prove
      }).pipe(Effect.provideService(Clock.Clock, clock))
      assert.deepInclude(yield* Effect.flip(proved), { _tag: "SignInRefused", why: "stale" })
    }),
  )
})

layer(adapter({}))("an account without a usable address", (it) => {
  it.effect.each([
    ["missing", {}],
    ["missing", { email: "", email_verified: true }],
    ["invalid", { email: "eve", email_verified: true }],
    ["unverified", { email: "eve@example.com" }],
    ["unverified", { email: "eve@example.com", email_verified: false }],
  ] as const)("is %s: %j", ([why, account]) =>
    Effect.gen(function* () {
      const { accounts } = yield* OpenIdProvider
      accounts.set("eve", account)
      assert.deepInclude(yield* (yield* attempt("eve")).prove, { email: undefined, withoutEmail: why })
    }),
  )
})

layer(adapter({}, { secretIn: "form" }))("a provider that reads the secret in the form only", (it) => {
  it.effect("receives it there", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* (yield* attempt("ada")).prove).subject, "ada")
    }),
  )
})

layer(adapter({ clientSecret: Redacted.make("wrong") }))("a wrong secret", (it) => {
  it.effect("is reported to the operator as unavailable", () =>
    Effect.gen(function* () {
      const error = yield* failed("ada")
      assert.propertyVal(error, "_tag", "SignInUnavailable")
      assert.match(String("reason" in error && error.reason), /401|invalid_client/)
      assert.notInclude(JSON.stringify(error), "wrong")
    }),
  )
})

layer(adapter({ timeout: Duration.millis(300) }))("a provider that does not answer", (it) => {
  it.effect("times out as unavailable", () =>
    Effect.gen(function* () {
      const { set } = yield* OpenIdProvider
      const { provider } = yield* SignIn
      assert(provider !== undefined)
      set("silent")
      const error = yield* Effect.flip(provider.begin(callback))
      assert.match(error.reason, /timed out/)
    }),
  )
})
