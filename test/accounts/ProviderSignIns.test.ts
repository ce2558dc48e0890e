/** Sign-in at a real provider over real HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Setup } from "../../src/accounts/sign-in/Setup.ts"
import { EmailLinks } from "../../src/emails/EmailLinks.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { EmailId, type OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import * as Mails from "../support/Mails.ts"
import { fieldsOf, withFields } from "../support/Members.ts"
import { client, OpenIdProvider } from "../support/OpenIdProvider.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const stage = (settings: Record<string, string> = {}) =>
  Layer.unwrap(
    Effect.map(OpenIdProvider, ({ issuer }) =>
      Server.layer.pipe(
        Layer.provide(App.serve(App.pages)),
        Layer.provideMerge(
          Pod.layer({
            settings: {
              PORT: "0",
              TRUSTED_PROXIES: "127.0.0.1/32,::1/128",
              OIDC_ISSUER: issuer,
              OIDC_CLIENT_ID: client.id,
              OIDC_CLIENT_SECRET: client.secret,
              OIDC_NAME: "Nordlicht ID",
              ...settings,
            },
          }),
        ),
      ),
    ),
  ).pipe(Layer.provideMerge(OpenIdProvider.layer({ callback: "http://localhost:8080/sign-in/callback" })))

let clients = 0
const from = (client = `198.51.100.${++clients % 250}`) => ({ "x-forwarded-for": client })

let memberCount = 0
/** An invited member without a password. */
const invited = Effect.fnUntraced(function* (organization: OrganizationId, role: "owner" | "recruiter" = "recruiter") {
  const { email, id } = yield* Workspace.member(organization, `p${++memberCount}@example.com`, role)
  const { sql } = yield* Database
  yield* sql`update member set password_hash = null where id = ${id}::uuid`
  return { email, id }
})

/** An account at the provider. */
const account = Effect.fnUntraced(function* (name: string, email: string, email_verified: boolean | "unsaid" = true) {
  const { accounts } = yield* OpenIdProvider
  accounts.set(name, { email, ...(email_verified === "unsaid" ? {} : { email_verified }) })
})

const cookieOf = (cookies: ReadonlyArray<string>, name: string) =>
  cookies.find((one) => one.startsWith(`${name}=`))?.split(";")[0]

/** Starts a sign-in; returns the provider's URL and the cookie. */
const leave = Effect.fnUntraced(function* (next?: string) {
  const query = next === undefined ? "" : `?next=${encodeURIComponent(next)}`
  const answer = yield* Workspace.request("GET", `/sign-in/continue${query}`)
  assert.strictEqual(answer.status, 303, answer.text)
  return { url: new URL(answer.location ?? ""), cookie: cookieOf(answer.cookies, "sign_in") ?? "", answer }
})

/** Signs in at the provider; returns the path that it redirects to. */
const visit = Effect.fnUntraced(function* (url: URL, name: string | undefined) {
  const back = yield* (yield* OpenIdProvider).visit(url.href, name)
  return `${back.pathname}${back.search}`
})

const comeBack = (path: string, cookie: string | undefined, headers: Record<string, string> = from()) =>
  Workspace.request("GET", path, { cookie, headers })

/** Signs in from start to redirect. */
const signIn = Effect.fnUntraced(function* (name: string | undefined, next?: string) {
  const { cookie, url } = yield* leave(next)
  const answer = yield* comeBack(yield* visit(url, name), cookie)
  return { answer, session: cookieOf(answer.cookies, "session") }
})

const identities = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql<{ subject: string; email: string }>`
    select i.subject, m.email from member_identity i join member m on m.id = i.member_id
    where m.deactivated_at is null order by i.subject`
})
const emailOf = (session: string | undefined) =>
  Effect.map(Workspace.request("GET", "/account", { cookie: session }), ({ status, text }) =>
    status === 200 ? /<bdi>([^<]*@[^<]*)<\/bdi>/.exec(text)?.[1] : undefined,
  )

/** Asserts that the sign-in was refused. */
const refused = ({ cookies, status, text }: Effect.Success<ReturnType<typeof comeBack>>, words: string) => {
  assert.strictEqual(status, 422, text)
  assert.include(text, words)
  assert.isUndefined(cookieOf(cookies, "session"))
  assert.match(cookies.join("\n"), /^sign_in=; Max-Age=0/m)
}
const stale = "started in another browser"
const unknown = "no member here has your account at Nordlicht ID"

const warnings: Array<string> = []
const watching = Logger.layer([
  Logger.make(({ logLevel, message }) => {
    if (logLevel === "Warn") warnings.push(JSON.stringify(message))
  }),
])

layer(stage().pipe(Layer.provide(watching)))("an account without a usable address", (it) => {
  it.effect.each([
    ["missing", {}, "the provider sent no email claim, neither in the ID token nor from userinfo: allow this client"],
    ["invalid", { email: "zoe" }, "the email claim of the provider is no email address: check which attribute"],
    ["unverified", { email: "zoe@example.com" }, "the provider does not say that the address is verified"],
  ] as const)("is refused, and the log says what to do: %s", ([name, claims, reason]) =>
    Effect.gen(function* () {
      yield* Scenario.organization()
      const { accounts } = yield* OpenIdProvider
      accounts.set(name, claims)
      warnings.length = 0
      const { answer } = yield* signIn(name)
      refused(answer, unknown)
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0], "sign-in refused")
      assert.include(warnings[0], reason)
      assert.notInclude(warnings[0], "zoe")
    }),
  )
})

layer(stage())("sign-in at a provider", (it) => {
  it.effect("is offered beside the password, signs the member in, and adds an audit entry", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { id: organization } = yield* Scenario.organization()
      const { email, id } = yield* invited(organization)
      yield* account("one", email.toUpperCase())
      const shown = yield* Workspace.request("GET", "/sign-in?next=%2Faccount%3Fa%3Db")
      assert.include(shown.text, 'href="/sign-in/continue?next=%2Faccount%3Fa%3Db"')
      assert.include(shown.text, "Sign in with <bdi>Nordlicht ID</bdi>")
      assert.include(shown.text, 'type="password"')
      const { answer: away, cookie, url } = yield* leave("/account?a=b")
      assert.match(away.cookies[0] ?? "", /^sign_in=[\w-]+; Max-Age=900; Path=\/; .*HttpOnly; SameSite=Lax/)
      assert.strictEqual(away.headers.get("cache-control"), "no-store")
      const state = url.searchParams.get("state") ?? ""
      assert.isNotEmpty(state)
      assert.notInclude(Buffer.from(cookie.slice(8), "base64url").toString("latin1"), state, "sealed")
      const before = yield* Workspace.member(organization, `p${++memberCount}@example.com`)
      const old = yield* Workspace.signIn(before.email, { headers: from() })
      const answer = yield* comeBack(yield* visit(url, "one"), `${cookie}; ${old.cookie}`)
      assert.strictEqual(answer.status, 303, answer.text)
      assert.strictEqual(answer.location, "/account?a=b")
      assert.match(answer.cookies.join("\n"), /^session=[\w-]{43}; Max-Age=2592000; Path=\/; .*HttpOnly; SameSite=Lax/m)
      assert.match(answer.cookies.join("\n"), /^sign_in=; Max-Age=0/m)
      assert.strictEqual(yield* emailOf(cookieOf(answer.cookies, "session")), email)
      assert.isUndefined(yield* emailOf(old.cookie), "the previous session has ended")
      const rows = yield* sql<{ action: string; member_id: string; detail: { issuer: string } }>`
        select action, member_id, detail from audit_log where record_id = ${id} and action like '%identity'`
      assert.deepStrictEqual(
        rows.map(({ action, member_id }) => [action, member_id]),
        [["member.link_identity", id]],
      )
      assert.strictEqual(rows[0]?.detail.issuer, `${(yield* OpenIdProvider).issuer}/`)
      yield* signIn("one")
      const again = yield* sql`select from audit_log where record_id = ${id} and action like '%identity'`
      assert.lengthOf(again, 1, "only the first sign-in adds an entry")
    }),
  )

  it.effect("keeps the linked member when the account's address changes, and links no other account", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const [{ email }, other] = [yield* invited(organization), yield* invited(organization)]
      yield* account("ann", email)
      yield* signIn("ann")
      yield* account("ann", "married@example.com")
      assert.strictEqual(yield* emailOf((yield* signIn("ann")).session), email)
      // not even with another member's verified address
      yield* account("ann", other.email)
      assert.strictEqual(yield* emailOf((yield* signIn("ann")).session), email)
      yield* account("ann", "x@example.com", false)
      assert.strictEqual(yield* emailOf((yield* signIn("ann")).session), email)
      yield* account("successor", email)
      refused((yield* signIn("successor")).answer, unknown)
      assert.deepStrictEqual(
        (yield* identities).filter((one) => one.email === email),
        [{ subject: "ann", email }],
      )
    }),
  )

  it.effect("refuses accounts of non-members alike and adds no member", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { id: organization } = yield* Scenario.organization()
      const [member, gone] = [yield* invited(organization), yield* invited(organization)]
      yield* account("gone", gone.email)
      yield* signIn("gone")
      yield* sql`update member set deactivated_at = now() where id = ${gone.id}::uuid`
      yield* account("nobody", "nobody@example.com")
      yield* account("claims", member.email, false)
      yield* account("silent", member.email, "unsaid")
      yield* account("odd", `${member.email}\0`)
      const count = Effect.map(sql`select from member`, (rows) => rows.length)
      const before = [yield* count, yield* identities]
      const texts = new Set<string>()
      for (const name of ["nobody", "claims", "silent", "odd", "gone", "never heard of"]) {
        const { answer } = yield* signIn(name)
        refused(answer, unknown)
        assert.include(answer.text, "Ask the owner or admin who invited you")
        texts.add(answer.text)
      }
      assert.strictEqual(texts.size, 1)
      assert.deepStrictEqual([yield* count, yield* identities], before)
    }),
  )

  it.effect("signs a removed and reinvited member in as the new member", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const first = yield* invited(organization)
      yield* account("back", first.email)
      const { session } = yield* signIn("back")
      const owner = yield* invited(organization, "owner")
      yield* account("owner", owner.email)
      const removed = yield* Workspace.request("POST", `/settings/members/${first.id}/remove`, {
        cookie: (yield* signIn("owner")).session,
      })
      assert.strictEqual(removed.status, 303)
      assert.isUndefined(yield* emailOf(session))
      refused((yield* signIn("back")).answer, unknown)
      yield* Workspace.member(organization, first.email)
      assert.strictEqual(yield* emailOf((yield* signIn("back")).session), first.email)
    }),
  )

  it.effect("links one identity when two first sign-ins run at once", () =>
    Effect.gen(function* () {
      const { email } = yield* invited((yield* Scenario.organization()).id)
      yield* account("twice", email)
      const both = yield* Effect.all([signIn("twice"), signIn("twice")], { concurrency: "unbounded" })
      for (const { session } of both) assert.strictEqual(yield* emailOf(session), email)
      assert.lengthOf(
        (yield* identities).filter((one) => one.subject === "twice"),
        1,
      )
    }),
  )

  it.effect("accepts an answer once, within 15 minutes, from the browser that started", () =>
    Effect.gen(function* () {
      const { email } = yield* invited((yield* Scenario.organization()).id)
      yield* account("sue", email)
      const { cookie, url } = yield* leave()
      const path = yield* visit(url, "sue")
      refused(yield* comeBack(path, undefined), stale)
      refused(yield* comeBack(path, (yield* leave()).cookie), stale)
      const sealed = cookie.slice("sign_in=".length)
      const flipped = (at: number) => {
        const bytes = Buffer.from(sealed, "base64url")
        bytes.writeUInt8((bytes.at(at) ?? 0) ^ 1, at < 0 ? bytes.length + at : at)
        return bytes.toString("base64url")
      }
      for (const tampered of ["", "x", "A".repeat(2000), sealed.slice(0, 12), flipped(0), flipped(40), flipped(-1)]) {
        refused(yield* comeBack(path, `sign_in=${tampered}`), stale)
      }
      refused(yield* comeBack(path.replace(/state=[^&]*/, "state=x"), cookie), stale)
      refused(yield* comeBack(path.replace(/iss=[^&]*/, "iss=https%3A%2F%2Fevil.example"), cookie), stale)
      refused(yield* comeBack(path.replace(/code=[^&]*/, "code=x"), cookie), stale)
      refused(yield* comeBack("/sign-in/callback", cookie), stale)
      refused(yield* comeBack(`${path}&x=${"x".repeat(9_000)}`, cookie), stale)
      assert.strictEqual((yield* comeBack(path, cookie)).status, 303, "the code is still unused")
      refused(yield* comeBack(path, cookie), stale)

      const late = yield* leave("/account")
      const back = yield* visit(late.url, "sue")
      yield* TestClock.adjust("15 minutes")
      const answer = yield* comeBack(back, late.cookie)
      refused(answer, stale)
    }),
  )

  it.effect("refuses a token with another nonce or verifier", () =>
    Effect.gen(function* () {
      const { email } = yield* invited((yield* Scenario.organization()).id)
      yield* account("max", email)
      for (const name of ["nonce", "code_challenge"]) {
        const { cookie, url } = yield* leave()
        url.searchParams.set(name, "A".repeat(43))
        refused(yield* comeBack(yield* visit(url, "max"), cookie), stale)
      }
      assert.notInclude(
        (yield* identities).map(({ subject }) => subject),
        "max",
      )
    }),
  )

  it.effect("reports that the person cancelled at the provider", () =>
    Effect.gen(function* () {
      const { answer } = yield* signIn(undefined, "/account")
      refused(answer, "Nordlicht ID did not sign you in")
      assert.notInclude(answer.text, "They went away")
      assert.include(answer.text, 'href="/sign-in/continue?next=%2Faccount"', "keeps the requested page")
    }),
  )

  it.effect.each(["//evil.example", "/\\evil.example", "https://evil.example/", "/sign-out"])(
    "does not redirect to %s",
    (next) =>
      Effect.gen(function* () {
        const { email } = yield* invited((yield* Scenario.organization()).id)
        yield* account(email, email)
        assert.strictEqual((yield* signIn(email, next)).answer.location, "/home")
      }),
  )

  it.effect("returns 503 while the provider is down, and works as soon as it is back", () =>
    Effect.gen(function* () {
      const { set } = yield* OpenIdProvider
      const { email } = yield* invited((yield* Scenario.organization()).id)
      yield* account("pat", email)
      const { cookie, url } = yield* leave("/account")
      const path = yield* visit(url, "pat")
      set("broken")
      const answers = [
        yield* comeBack(path, cookie),
        yield* Workspace.request("GET", "/sign-in/continue?next=%2Faccount"),
      ]
      for (const { cookies, status, text } of answers) {
        assert.strictEqual(status, 503)
        assert.include(text, "Nordlicht ID cannot be reached at the moment")
        assert.include(text, 'href="/sign-in/continue?next=%2Faccount"')
        assert.include(text, 'type="password"')
        assert.isUndefined(cookieOf(cookies, "session"))
      }
      assert.strictEqual(
        (yield* Workspace.request("GET", "/sign-in")).status,
        200,
        "the sign-in page does not need the provider",
      )
      set("up")
      assert.strictEqual(yield* emailOf((yield* signIn("pat")).session), email)
    }),
  )

  it.effect("limits a client's failed attempts; successful and unstarted ones do not count", () =>
    Effect.gen(function* () {
      const { email } = yield* invited((yield* Scenario.organization()).id)
      yield* account("tom", email)
      const client = from("203.0.113.77")
      for (let i = 0; i < 40; i++)
        assert.strictEqual((yield* comeBack("/sign-in/callback?code=x", undefined, client)).status, 422)
      const { cookie, url } = yield* leave()
      assert.strictEqual((yield* comeBack(yield* visit(url, "tom"), cookie, client)).status, 303)
      for (let i = 0; i < 30; i++)
        assert.strictEqual((yield* comeBack("/sign-in/callback?code=x", cookie, client)).status, 422)
      const rests = yield* comeBack("/sign-in/callback?code=x", cookie, client)
      assert.strictEqual(rests.status, 429)
      assert.strictEqual(rests.headers.get("retry-after"), "900")
    }),
  )

  it.effect("accepts an invitation at the provider, which ends its link", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const owner = yield* Workspace.member(organization, `p${++memberCount}@example.com`)
      const { cookie } = yield* Workspace.signIn(owner.email, { headers: from() })
      const email = `p${++memberCount}@example.com`
      const form = yield* Workspace.request("GET", "/settings/members/new", { cookie })
      const fields = withFields(fieldsOf(form.text, "/settings/members"), { email, role: "recruiter" })
      assert.strictEqual(
        (yield* Workspace.request("POST", "/settings/members", { cookie, fields: new URLSearchParams(fields) })).status,
        303,
      )
      const mail = (yield* Mails.written).find(({ recipient }) => recipient === email)
      const link = /\/password\/[\w-]{44}/.exec(mail?.text ?? "")?.[0] ?? ""
      const welcome = yield* Workspace.request("GET", link)
      assert.include(welcome.text, 'href="/sign-in/continue"')
      assert.include(welcome.text, 'type="password"')
      const list = () => Effect.map(Workspace.request("GET", "/settings/members", { cookie }), ({ text }) => text)
      assert.include(yield* list(), "Send again")
      yield* account("new", email)
      assert.strictEqual(yield* emailOf((yield* signIn("new")).session), email)
      assert.notInclude(yield* list(), "Send again")
      assert.strictEqual((yield* Workspace.request("GET", link)).status, 404)
    }),
  )

  it.effect("counts an owner without a password who is linked, and keeps the last one", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { id: organization } = yield* Scenario.organization()
      const [one, other] = [yield* invited(organization, "owner"), yield* invited(organization, "owner")]
      yield* account("one-owner", one.email)
      const { session } = yield* signIn("one-owner")
      const act = (path: string, fields: Record<string, string> = {}) =>
        Workspace.request("POST", `/settings/members/${path}`, { cookie: session, fields })
      for (const path of [`${one.id}/remove`, `${one.id}/unlink`]) {
        const answer = yield* act(path)
        assert.strictEqual(answer.status, 409, path)
        assert.include(answer.text, "the last owner who can sign in")
      }
      assert.strictEqual((yield* act(one.id, { role: "admin" })).status, 409)
      yield* account("other-owner", other.email)
      yield* signIn("other-owner")
      assert.strictEqual((yield* act(one.id, { role: "recruiter" })).status, 303)
      assert.strictEqual((yield* act(`${other.id}/unlink`)).status, 403, "recruiters may not")
      // with a password, the owner can still sign in and may be unlinked
      yield* sql`update member set password_hash = (
        select password_hash from member where password_hash is not null limit 1
      ), role = 'owner' where id = ${one.id}::uuid`
      assert.strictEqual((yield* act(`${other.id}/unlink`)).status, 303)
      assert.strictEqual((yield* act(`${one.id}/unlink`)).status, 303)
      assert.isUndefined(yield* emailOf(session), "unlinking ends the sessions")
      yield* account("successor-of-one", one.email)
      assert.strictEqual(yield* emailOf((yield* signIn("successor-of-one")).session), one.email)
    }),
  )

  it.effect("keeps one owner who can sign in when two leave or are unlinked at once", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      for (let round = 0; round < 5; round++) {
        const { id: organization } = yield* Scenario.organization()
        const owners = [yield* invited(organization, "owner"), yield* invited(organization, "owner")]
        const sessions: Array<string | undefined> = []
        for (const { email } of owners) {
          yield* account(email, email)
          sessions.push((yield* signIn(email)).session)
        }
        const answers = yield* Effect.forEach(
          owners,
          ({ id }, i) =>
            Workspace.request("POST", `/settings/members/${id}/${i === 0 ? "unlink" : "remove"}`, {
              cookie: sessions[i],
            }),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [303, 409])
        const [left] = yield* sql<{ owners: number }>`
          select count(*)::int as owners from member m join member_identity i on i.member_id = m.id
          where m.organization_id = ${organization}::int and m.deactivated_at is null and m.role = 'owner'`
        assert.isAtLeast(left?.owners ?? 0, 1)
      }
    }),
  )

  it.effect("shows a linked account, whose member can still set a password", () =>
    Effect.gen(function* () {
      const { email } = yield* invited((yield* Scenario.organization()).id)
      yield* account("acc", email)
      const { session } = yield* signIn("acc")
      const { text } = yield* Workspace.request("GET", "/account", { cookie: session })
      assert.include(text, "Your account at the provider was linked")
      assert.include(text, "You have no password.")
      assert.notInclude(text, "Current password")
    }),
  )
})

layer(stage({ OIDC_PASSWORDS: "off" }))("with OIDC_PASSWORDS=off", (it) => {
  it.effect("signs owners and members in at the provider only", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const code = Redacted.value(yield* (yield* Setup).code)
      const page = yield* Workspace.request("GET", "/setup")
      assert.notInclude(page.text, 'type="password"')
      const founded = yield* Workspace.request("POST", "/setup", {
        fields: { code, organization: "Nordlicht", name: "Grace", email: "grace@nordlicht.example" },
      })
      assert.strictEqual(founded.status, 303, founded.text)
      const shown = yield* Workspace.request("GET", "/sign-in")
      assert.notInclude(shown.text, 'type="password"')
      assert.include(shown.text, 'class="button primary large" href="/sign-in/continue"')
      yield* account("grace", "grace@nordlicht.example")
      assert.strictEqual(yield* emailOf((yield* signIn("grace")).session), "grace@nordlicht.example")

      const [{ id: organization } = { id: 0 }] = yield* sql<{ id: number }>`select id from organization`
      const owner = yield* Workspace.member(organization as OrganizationId, "pass@nordlicht.example")
      const fields = { email: owner.email, password: Workspace.password }
      const answer = yield* Workspace.request("POST", "/sign-in", { fields, headers: from() })
      assert.strictEqual(answer.status, 422)
      assert.isUndefined(cookieOf(answer.cookies, "session"))
      assert.strictEqual((yield* Workspace.request("GET", "/forgot-password")).location, "/sign-in")
      assert.strictEqual((yield* Workspace.request("POST", "/forgot-password", { fields })).location, "/sign-in")
      assert.lengthOf(yield* sql`select from password_link`, 0)

      // an owner with only a password cannot sign in now
      const { session } = yield* signIn("grace")
      const [grace] = yield* sql<{ id: string }>`select id from member where email = 'grace@nordlicht.example'`
      const leave = yield* Workspace.request("POST", `/settings/members/${grace?.id}/remove`, { cookie: session })
      assert.strictEqual(leave.status, 409)
      assert.notInclude((yield* Workspace.request("GET", "/account", { cookie: session })).text, 'type="password"')
    }),
  )

  it.effect("leads an invitation's link to the provider and sets no password", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { id: organization } = yield* Scenario.organization()
      const { id } = yield* invited(organization)
      const mail = EmailId.make("0190b5a2-7c1e-7def-8abc-0123456789ab")
      const path = new URL((yield* EmailLinks).password(mail)).pathname
      yield* sql`insert into password_link (token_hash, organization_id, member_id, created_at, expires_at)
        values (sha256(${Buffer.from(mail)}), ${organization}, ${id}::uuid, now(), now() + interval '1000 years')`
      const { text } = yield* Workspace.request("GET", path)
      assert.include(text, "Welcome")
      assert.include(text, 'href="/sign-in/continue"')
      assert.notInclude(text, "<form")
      const set = yield* Workspace.request("POST", path, { fields: { password: Workspace.password } })
      assert.strictEqual(set.location, "/sign-in")
      assert.deepStrictEqual(yield* sql`select password_hash from member where id = ${id}::uuid`, [
        { password_hash: null },
      ])
    }),
  )
})
