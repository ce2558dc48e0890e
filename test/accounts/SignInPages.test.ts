/** Sign-in to the workspace over real HTTP: cookies, rate limits, senders of forms, redirects. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { SignIn, SignInUnavailable } from "../../src/accounts/sign-in/SignIn.ts"
import { SignInAttempts } from "../../src/accounts/sign-in/SignInAttempts.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Server } from "../support/Api.ts"
import { withoutPasswords } from "../support/Overload.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const pages = (settings: Record<string, string> = {}, ports: Pod.Ports = {}) =>
  Server.layer.pipe(
    Layer.provide(App.serve(App.pages)),
    Layer.provideMerge(
      Pod.layer({ ...ports, settings: { PORT: "0", TRUSTED_PROXIES: "127.0.0.1/32,::1/128", ...settings } }),
    ),
  )

/** Requests from a new client address each time, so that limits do not add up. */
let clients = 0
const from = (client = `198.51.100.${++clients}`) => ({ "x-forwarded-for": client })

let members = 0
const newMember = Effect.gen(function* () {
  const { id } = yield* Scenario.organization()
  return { organization: id, ...(yield* Workspace.member(id, `member${++members}@example.com`)) }
})

const attempt = (email: string, password: string, headers = from()) =>
  Workspace.request("POST", "/sign-in", { fields: { email, password }, headers })

const sessions = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql<{ token_hash: Uint8Array; last_seen_at: Date }>`select token_hash, last_seen_at from session`
})

layer(pages())("sign-in", (it) => {
  it.effect("redirects from a workspace page to the sign-in page and back", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const redirect = yield* Workspace.request("GET", "/submissions?cursor=x")
      assert.strictEqual(redirect.status, 303)
      assert.strictEqual(redirect.location, "/sign-in?next=%2Fsubmissions%3Fcursor%3Dx")
      const form = yield* Workspace.request("GET", redirect.location ?? "")
      assert.include(form.text, '<input type="hidden" name="next" value="/submissions?cursor=x">')
      assert.match(form.text, /<input id="email" [^>]*autofocus/)
      const { answer, cookie } = yield* Workspace.signIn(email, {
        fields: { next: "/submissions?cursor=x" },
        headers: from(),
      })
      assert.strictEqual(answer.location, "/submissions?cursor=x")
      const set = answer.cookies.find((one) => one.startsWith("session=")) ?? ""
      assert.match(set, /; Max-Age=2592000; Path=\/; .*HttpOnly/)
      assert.include(set, "SameSite=Lax")
      assert.notInclude(set, "Secure", "APP_URL is not https")
      const list = yield* Workspace.request("GET", "/submissions", { cookie })
      assert.strictEqual(list.status, 200)
      assert.include(list.text, email)
      assert.strictEqual(list.headers.get("cache-control"), "no-store")
      assert.include(list.headers.get("content-security-policy") ?? "", "default-src 'none'")
      // the sign-in page redirects signed-in members
      assert.strictEqual(
        (yield* Workspace.request("GET", "/sign-in?next=/submissions", { cookie })).location,
        "/submissions",
      )
    }),
  )

  it.effect("stores only the SHA-256 of the token", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const { cookie } = yield* Workspace.signIn(email, { headers: from() })
      const token = cookie.slice(cookie.indexOf("=") + 1)
      const { sql } = yield* Database
      const [row] = yield* sql<{ hashed: boolean; text: string }>`
        select token_hash = sha256(${Buffer.from(token, "base64url")}) as hashed, to_jsonb(s)::text as text from session s
        order by created_at desc, token_hash = sha256(${Buffer.from(token, "base64url")}) desc limit 1`
      assert.isTrue(row?.hashed)
      assert.notInclude(row?.text ?? "", token)
    }),
  )

  it.effect.each([
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/..//evil.example",
    "/./\\evil.example",
    "/%0d%0aset-cookie:x",
    "submissions",
    "/sign-out",
    "/sign-in?next=/",
    `/${"a".repeat(3000)}`,
  ])("does not lead to %s", (next) =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const { answer } = yield* Workspace.signIn(email, { fields: { next }, headers: from() })
      const to = new URL(answer.location ?? "", "http://localhost:8080")
      assert.strictEqual(to.origin, "http://localhost:8080")
      assert.isTrue(answer.location === "/home" || next.startsWith("/%0d"), String(answer.location))
      const shown = yield* Workspace.request("GET", `/sign-in?next=${encodeURIComponent(next)}`)
      assert.notInclude(shown.text, "evil.example")
    }),
  )

  it.effect(
    "answers alike for a wrong password, an unknown address, a member without a password and a removed one",
    () =>
      Effect.gen(function* () {
        const [known, bare, gone] = [yield* newMember, yield* newMember, yield* newMember]
        const { sql } = yield* Database
        yield* sql`update member set password_hash = null where id = ${bare.id}::uuid`
        yield* sql`update member set deactivated_at = now() where id = ${gone.id}::uuid`
        const before = (yield* sessions).length
        const answers = [
          yield* attempt(known.email, "wrong password"),
          yield* attempt("nobody@example.com", Workspace.password),
          yield* attempt(bare.email, "null"),
          yield* attempt(gone.email, Workspace.password),
        ]
        for (const answer of answers) {
          assert.strictEqual(answer.status, 422)
          assert.deepStrictEqual(answer.cookies, [])
          const plain = answer.text.replaceAll(/value="[^"]*@example\.com"/g, "")
          assert.strictEqual(plain, answers[0]?.text.replaceAll(/value="[^"]*@example\.com"/g, ""))
        }
        assert.include(answers[0]?.text ?? "", `value="${known.email}"`)
        assert.notInclude(answers[0]?.text ?? "", "wrong password")
        assert.lengthOf(yield* sessions, before)
      }),
  )

  it.effect("ignores case and surrounding blanks of the address", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      yield* Workspace.signIn(` ${email.toUpperCase()} `, { headers: from() })
    }),
  )

  it.effect("never adopts a given token, and ends the previous session", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const fixed = `session=${"A".repeat(43)}`
      const first = yield* Workspace.signIn(email, { cookie: fixed, headers: from() })
      assert.notStrictEqual(first.cookie, fixed)
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", { cookie: fixed })).status, 303)
      const second = yield* Workspace.signIn(email, { cookie: first.cookie, headers: from() })
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", { cookie: first.cookie })).status, 303)
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", { cookie: second.cookie })).status, 200)
    }),
  )

  it.effect("ends the session when signing out, but not on a GET", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const { cookie } = yield* Workspace.signIn(email, { headers: from() })
      const other = yield* Workspace.signIn(email, { headers: from() })
      yield* Workspace.request("GET", "/sign-out", { cookie })
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", { cookie })).status, 200)
      const out = yield* Workspace.request("POST", "/sign-out", { cookie })
      assert.strictEqual(out.location, "/sign-in")
      assert.match(out.cookies[0] ?? "", /^session=; Max-Age=0/)
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", { cookie })).status, 303)
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", other)).status, 200)
    }),
  )

  it.effect("ends access at once when a member is deactivated or deleted", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const [one, other] = [yield* newMember, yield* newMember]
      const first = yield* Workspace.signIn(one.email, { headers: from() })
      const second = yield* Workspace.signIn(other.email, { headers: from() })
      yield* sql`update member set deactivated_at = now() where id = ${one.id}::uuid`
      yield* sql`delete from member where id = ${other.id}::uuid`
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", first)).status, 303)
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", second)).status, 303)
    }),
  )

  it.effect(
    "ends a session two weeks after its last use and a month after its start, and notes uses once a minute",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        yield* sql`delete from session`
        const { email } = yield* newMember
        const { cookie } = yield* Workspace.signIn(email, { headers: from() })
        const status = Effect.map(Workspace.request("GET", "/submissions", { cookie }), (answer) => answer.status)
        const seen = Effect.map(sessions, ([one]) => one?.last_seen_at.getTime() ?? 0)
        const began = yield* seen
        yield* TestClock.adjust("59 seconds")
        assert.strictEqual(yield* status, 200)
        assert.strictEqual(yield* seen, began)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* status, 200)
        assert.strictEqual(yield* seen, began + 60_000)
        yield* TestClock.adjust("13 days")
        assert.strictEqual(yield* status, 200)
        yield* TestClock.adjust("13 days")
        assert.strictEqual(yield* status, 200)
        yield* TestClock.adjust("4 days")
        assert.strictEqual(yield* status, 303, "a month")
        const again = yield* Workspace.signIn(email, { headers: from() })
        yield* TestClock.adjust("14 days")
        assert.strictEqual(
          (yield* Workspace.request("GET", "/submissions", again)).status,
          303,
          "two weeks without use",
        )
        assert.lengthOf(yield* sessions, 2)
        assert.isAbove(yield* (yield* SignInAttempts).forget, 1)
        assert.lengthOf(yield* sessions, 0)
      }),
  )

  it.effect("blocks a client and address for 15 minutes after five wrong passwords", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const client = from()
      for (let i = 0; i < 5; i++) assert.strictEqual((yield* attempt(email, "wrong", client)).status, 422)
      const refused = yield* attempt(email, Workspace.password, client)
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers.get("retry-after"), "900")
      assert.include(refused.text, "Try again in 15 minutes")
      // another address from this client, and this address from another client, are not blocked
      yield* Workspace.signIn(email, { headers: from() })
      yield* Workspace.signIn((yield* newMember).email, { headers: client })
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* attempt(email, Workspace.password, client)).headers.get("retry-after"), "300")
      yield* TestClock.adjust("5 minutes")
      yield* Workspace.signIn(email, { headers: client })
    }),
  )

  it.effect("counts concurrent attempts before comparing passwords", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const client = from()
      const answers = yield* Effect.all(
        Array.from({ length: 12 }, () => attempt(email, "wrong", client)),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [
        ...Array(5).fill(422),
        ...Array(7).fill(429),
      ])
    }),
  )

  it.effect("shows the form again with 503 when too many passwords are checked, and does not count the attempt", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const client = from()
      const refused = yield* withoutPasswords(Effect.replicateEffect(attempt(email, Workspace.password, client), 6))
      for (const { cookies, headers, status, text } of refused) {
        assert.strictEqual(status, 503)
        assert.strictEqual(headers.get("retry-after"), "5")
        assert.include(headers.get("content-type") ?? "", "text/html")
        assert.include(text, "Too many people are signing in at the moment. Try again in 5 seconds.")
        assert.include(text, `value="${email}"`)
        assert.deepStrictEqual(cookies, [])
      }
      for (let i = 0; i < 4; i++) assert.strictEqual((yield* attempt(email, "wrong", client)).status, 422)
      yield* Workspace.signIn(email, { headers: client })
    }),
  )

  it.effect("limits unknown addresses alike", () =>
    Effect.gen(function* () {
      const client = from()
      for (let i = 0; i < 5; i++) yield* attempt("no-one@example.com", "x", client)
      const refused = yield* attempt("no-one@example.com", "x", client)
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers.get("retry-after"), "900")
    }),
  )

  it.effect(
    "limits a client over all addresses, counts IPv6 by /64, and does not let one client exhaust an address",
    () =>
      Effect.gen(function* () {
        const { email } = yield* newMember
        const client = from()
        for (let i = 0; i < 60; i++) yield* attempt(email, "wrong", client)
        yield* Workspace.signIn(email, { headers: from() })
        let refused = 0
        for (let i = 0; i < 31; i++) {
          refused += (yield* attempt(`a${i}@example.com`, "x", from(`2001:db8:0:7::${i + 1}`))).status === 429 ? 1 : 0
        }
        assert.strictEqual(refused, 1)
        assert.strictEqual((yield* attempt("b@example.com", "x", from("2001:db8:0:8::1"))).status, 422)
      }),
  )

  it.effect("limits an address over all clients, for 15 minutes even if attempts continue", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const { device } = yield* Workspace.signIn(email, { headers: from() })
      for (let i = 0; i < 50; i++) assert.strictEqual((yield* attempt(email, "wrong")).status, 422)
      assert.strictEqual((yield* attempt(email, Workspace.password)).status, 429)
      // a known device of the owner is not blocked, and its cookie is valid for no other address
      const owner = yield* Workspace.request("POST", "/sign-in", {
        cookie: device,
        fields: { email, password: Workspace.password },
        headers: from(),
      })
      assert.strictEqual(owner.status, 303)
      const { device: foreign } = yield* Workspace.signIn((yield* newMember).email, { headers: from() })
      const fields = { email, password: Workspace.password }
      assert.strictEqual(
        (yield* Workspace.request("POST", "/sign-in", { cookie: foreign, fields, headers: from() })).status,
        429,
      )
      yield* TestClock.adjust("14 minutes")
      for (let i = 0; i < 5; i++) assert.strictEqual((yield* attempt(email, "wrong")).status, 429)
      yield* TestClock.adjust("1 minute")
      yield* Workspace.signIn(email, { headers: from() })
    }),
  )

  it.effect("stores neither addresses nor clients in the counts", () =>
    Effect.gen(function* () {
      yield* attempt("someone@example.com", "x", from("203.0.113.9"))
      const { sql } = yield* Database
      const rows = yield* sql<{ text: string }>`select encode(key, 'escape') as text from sign_in_attempt`
      assert.isNotEmpty(rows)
      for (const { text } of rows) assert.notMatch(text, /someone|example|203\.0/)
    }),
  )

  it.effect("ends sessions when the password changes, and normalizes Unicode", () =>
    Effect.gen(function* () {
      const { email, organization } = yield* newMember
      const { cookie } = yield* Workspace.signIn(email, { headers: from() })
      const organizations = yield* Organizations
      yield* organizations.setPassword(organization, email, Redacted.make("Caf\u00e9 au lait"))
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", { cookie })).status, 303)
      assert.strictEqual((yield* attempt(email, Workspace.password)).status, 422)
      assert.strictEqual((yield* attempt(email, "Cafe\u0301 au lait")).status, 303)
      const elsewhere = (yield* Scenario.organization()).id
      yield* Effect.flip(organizations.setPassword(elsewhere, email, Redacted.make("not theirs")))
      for (const refused of ["short", "x".repeat(501)]) {
        yield* Effect.flip(organizations.setPassword(organization, email, Redacted.make(refused)))
      }
      assert.strictEqual((yield* attempt(email, "Café au lait")).status, 303)
    }),
  )

  it.effect("refuses a too long password", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* attempt("a@example.com", "x".repeat(60_000))).status, 422)
    }),
  )
})

layer(pages({ APP_URL: "https://app.example.com" }))("over https", (it) => {
  it.effect("sets a Secure cookie with the __Host- prefix", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const headers = { ...from(), origin: "https://app.example.com" }
      const { answer, cookie } = yield* Workspace.signIn(email, { headers })
      assert.match(answer.cookies.join("\n"), /__Host-session=[\w-]{43}; .*Secure/)
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", { cookie })).status, 200)
      const plain = cookie.replace("__Host-", "")
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", { cookie: plain })).status, 303)
    }),
  )

  it.effect("refuses forms of pages loaded over http", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      const { host } = new URL((yield* Server).url)
      for (const [origin, status] of [
        [`http://${host}`, 403],
        [`https://${host}`, 303],
      ] as const) {
        const fields = { email, password: Workspace.password }
        const answer = yield* Workspace.request("POST", "/sign-in", { fields, headers: { ...from(), origin } })
        assert.strictEqual(answer.status, status, origin)
      }
    }),
  )
})

layer(pages({ TRUSTED_PROXIES: "" }))("without proxies", (it) => {
  it.effect("ignores X-Forwarded-For", () =>
    Effect.gen(function* () {
      const { email } = yield* newMember
      for (let i = 0; i < 5; i++) yield* attempt(email, "wrong")
      assert.strictEqual((yield* attempt(email, Workspace.password)).status, 429)
    }),
  )
})

const unavailable = Layer.succeed(
  SignIn,
  SignIn.of({
    form: { prove: () => Effect.fail(new SignInUnavailable({ reason: "the directory is away" })) },
    provider: undefined,
  }),
)

layer(pages({}, { signIn: unavailable }))("while passwords cannot be checked", (it) => {
  it.effect("counts no attempt", () =>
    Effect.gen(function* () {
      const client = from()
      for (let i = 0; i < 6; i++) assert.strictEqual((yield* attempt("a@example.com", "x", client)).status, 503)
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
  )
})

const provider = SignIn.layerTest(
  "https://provider.example/authorize",
  Redacted.make("a state; of any characters"),
  (fields) =>
    fields.get("code") === "right"
      ? { issuer: "https://provider.example", subject: "1", email: "grace@example.com" }
      : undefined,
)

layer(pages({}, { signIn: provider }))("at a provider", (it) => {
  it.effect("redirects to the provider and back to the requested page", () =>
    Effect.gen(function* () {
      const { id } = yield* Scenario.organization()
      const back = "/sign-in/callback?code=right"
      const begin = Effect.gen(function* () {
        const away = yield* Workspace.request("GET", "/sign-in/continue?next=%2Fsubmissions%3Fa%3Db")
        const [kept = ""] = away.cookies[0]?.split(";") ?? []
        return { away, kept }
      })
      const form = yield* Workspace.request("GET", "/sign-in?next=%2Fsubmissions%3Fa%3Db")
      assert.include(form.text, 'href="/sign-in/continue?next=%2Fsubmissions%3Fa%3Db"')
      assert.notInclude(form.text, 'type="password"')
      const { away, kept } = yield* begin
      assert.strictEqual(away.status, 303)
      const url = new URL(away.location ?? "")
      assert.strictEqual(url.origin, "https://provider.example")
      assert.strictEqual(url.searchParams.get("redirect_uri"), "http://localhost:8080/sign-in/callback")
      assert.match(away.cookies[0] ?? "", /^sign_in=.*HttpOnly/)
      const stranger = yield* Workspace.request("GET", back, { cookie: kept })
      assert.strictEqual(stranger.status, 422, "no member has that address")
      assert.include(stranger.text, "no member here has your account")
      yield* Workspace.member(id)
      assert.strictEqual((yield* Workspace.request("GET", back)).status, 422, "another browser")
      assert.strictEqual(
        (yield* Workspace.request("GET", "/sign-in/callback?code=wrong", { cookie: kept })).status,
        422,
      )
      const answer = yield* Workspace.request("GET", back, { cookie: kept })
      assert.strictEqual(answer.status, 303)
      assert.strictEqual(answer.location, "/submissions?a=b")
      const cookie = answer.cookies.find((one) => one.startsWith("session="))?.split(";")[0]
      assert.isTrue(answer.cookies.some((one) => one.startsWith("sign_in=;")))
      assert.strictEqual((yield* Workspace.request("GET", "/submissions", { cookie })).status, 200)
    }),
  )
})
