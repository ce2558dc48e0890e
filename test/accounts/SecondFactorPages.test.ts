/** The second factor over real HTTP: set-up, sign-in in two steps, recovery codes, removal, enforcement, attacks. */
import { assert, layer } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { TestClock } from "effect/testing"
import { Secret, TOTP } from "otpauth"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const href = "/account/second-factor"
const mails = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])

const subjectsTo = Effect.fnUntraced(function* (email: string) {
  yield* runOnce((yield* EmailQueue).queue)
  return (yield* Ref.get(mails)).filter(({ to }) => to === email).map(({ subject }) => subject)
})

/** As an authenticator app shows it, `steps` of 30 seconds later. */
const codeOf = (key: string, steps = 0) =>
  Effect.map(
    Effect.clockWith((clock) => clock.currentTimeMillis),
    (now) => new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: now + steps * 30_000 }),
  )

const wrongOf = (code: string): string => (code === "000000" ? "111111" : "000000")

interface Signed {
  readonly cookie: string
  readonly email: string
}

/** Returns the key, the recovery codes and the cookie of the new session. */
const setUp = Effect.fnUntraced(function* ({ cookie, email }: Signed) {
  const browser = Settings.as({ cookie })
  const page = (yield* browser.get(href)).text
  assert.include(page, '<svg class="qr"')
  const key = (/<code data-secret>([A-Z2-7 ]{39})<\/code>/.exec(page)?.[1] ?? assert.fail("no key")).replaceAll(" ", "")
  const pending = Settings.hidden(page, "pending")
  const code = yield* codeOf(key)
  const wrong = yield* browser.post(href, { pending, code: wrongOf(code), proof: Workspace.password })
  assert.strictEqual(wrong.status, 422)
  // the same key again, which the app has already
  assert.strictEqual(Settings.hidden(wrong.text, "pending"), pending)
  // a stolen session alone cannot lock the member out
  for (const proof of [{}, { proof: "wrong" }]) {
    const unproven = yield* browser.post(href, { pending, code, ...proof })
    assert.strictEqual(unproven.status, 422)
    assert.include(unproven.text, 'href="#proof"')
  }
  const done = yield* browser.post(href, { pending, code, proof: Workspace.password })
  assert.strictEqual(done.status, 200)
  const codes = /data-secret>((?:[a-z2-7-]{19}\n?){10})<\/pre>/.exec(done.text)?.[1]?.split("\n") ?? []
  assert.lengthOf(new Set(codes), 10)
  const fresh = done.cookies.find((one) => one.startsWith("session="))?.split(";")[0] ?? assert.fail("no session")
  assert.notStrictEqual(fresh, cookie)
  assert.strictEqual((yield* Workspace.request("GET", "/home", { cookie })).status, 303, "the session before ends")
  return { email, key, codes, pending, cookie: fresh }
})

/** The first step; returns the cookie that waits for the code. */
const enterPassword = Effect.fnUntraced(function* (email: string) {
  const answer = yield* Workspace.request("POST", "/sign-in", { fields: { email, password: Workspace.password } })
  assert.strictEqual(answer.location, "/sign-in/code")
  assert.isFalse(answer.cookies.some((one) => one.startsWith("session=")))
  return answer.cookies.find((one) => one.startsWith("code="))?.split(";")[0] ?? assert.fail("no cookie")
})

const enterCode = (cookie: string | undefined, code: string) =>
  Workspace.request("POST", "/sign-in/code", { cookie, fields: { code } })

const isSignedIn = (answer: { readonly cookies: ReadonlyArray<string> }) =>
  answer.cookies.some((one) => /^session=[\w-]{43};/.test(one))

layer(Settings.layer({ mails }))("the second factor", (it) => {
  it.effect("asks for a code after the password, accepts each code once, and clocks that differ by one step", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const { codes, cookie, key } = yield* setUp(owner)
      const waiting = yield* enterPassword(owner.email)
      assert.strictEqual((yield* Workspace.request("GET", "/home", { cookie: waiting })).status, 303)
      assert.include((yield* Workspace.request("GET", "/sign-in/code", { cookie: waiting })).text, "Enter a code")
      // the code of the set-up
      assert.strictEqual((yield* enterCode(waiting, yield* codeOf(key))).status, 422)
      const next = yield* codeOf(key, 1)
      const [one, other] = yield* Effect.all([enterCode(waiting, next), enterCode(waiting, next)], { concurrency: 2 })
      assert.strictEqual([one, other].filter(isSignedIn).length, 1, "of two concurrent uses")
      assert.strictEqual((yield* enterCode(waiting, next)).status, 422, "used")
      assert.strictEqual((yield* enterCode(waiting, yield* codeOf(key, 2))).status, 422, "two steps early")
      yield* TestClock.adjust("15 minutes")
      const later = yield* enterPassword(owner.email)
      assert.strictEqual((yield* enterCode(later, yield* codeOf(key, -2))).status, 422, "two steps late")
      assert.isTrue(isSignedIn(yield* enterCode(later, yield* codeOf(key, -1))))
      const { sql } = yield* Database
      const stored = yield* sql<{ text: string }>`
        select (select jsonb_agg(f)::text from second_factor f) || (select jsonb_agg(c)::text from recovery_code c) as text`
      const bytes = Buffer.from(Secret.fromBase32(key).bytes).toString("hex")
      assert.notInclude(stored[0]?.text ?? "", bytes)
      assert.notInclude(stored[0]?.text ?? "", codes[0] ?? "")
      const log = JSON.stringify(yield* Settings.audit(organization.id))
      assert.include(log, "member.set_second_factor")
      assert.notInclude(log, key)
      assert.deepStrictEqual(yield* subjectsTo(owner.email), ["Your second factor was changed"])
      assert.include((yield* Settings.as({ cookie }).get("/settings/members")).text, '<span class="tag on">On</span>')
    }),
  )

  it.effect("accepts a recovery code once, also of two sign-ins at the same time, and tells the member", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const { codes } = yield* setUp(owner)
      const code = codes[3]?.toUpperCase().replaceAll("-", " ") ?? ""
      const [first, second] = [yield* enterPassword(owner.email), yield* enterPassword(owner.email)]
      const answers = yield* Effect.all([enterCode(first, code), enterCode(second, code)], { concurrency: 2 })
      assert.strictEqual(answers.filter(isSignedIn).length, 1)
      assert.strictEqual((yield* enterCode(first, code)).status, 422)
      const cookie =
        answers
          .find(isSignedIn)
          ?.cookies.find((one) => one.startsWith("session="))
          ?.split(";")[0] ?? ""
      const page = (yield* Settings.as({ cookie }).get(href)).text
      assert.include(page, "9 recovery codes left")
      assert.lengthOf(yield* subjectsTo(owner.email), 2)
      // new ones need a proof, and end the earlier ones
      const browser = Settings.as({ cookie })
      assert.strictEqual((yield* browser.post(`${href}/codes`, { proof: "wrong" })).status, 422)
      const fresh = yield* browser.post(`${href}/codes`, { proof: Workspace.password })
      assert.include(fresh.text, "Your recovery codes")
      assert.strictEqual((yield* enterCode(second, codes[5] ?? "")).status, 422)
      const again = /data-secret>([a-z2-7-]{19})/.exec(fresh.text)?.[1] ?? ""
      assert.isTrue(isSignedIn(yield* enterCode(second, again)))
    }),
  )

  it.effect("refuses codes of another member, without the password, after ten minutes, and after a new password", () =>
    Effect.gen(function* () {
      const { admin, organization, owner } = yield* Settings.begin
      const [one, other] = [yield* setUp(owner), yield* setUp(admin)]
      const waiting = yield* enterPassword(owner.email)
      assert.strictEqual((yield* enterCode(waiting, yield* codeOf(other.key, 1))).status, 422)
      assert.strictEqual((yield* enterCode(waiting, other.codes[0] ?? "")).status, 422)
      const forged = `code=${Buffer.from("{}").toString("base64url")}`
      for (const cookie of [undefined, forged, `code=${one.pending}`, one.cookie]) {
        const refused = yield* enterCode(cookie, yield* codeOf(one.key, 1))
        assert.isFalse(isSignedIn(refused))
        assert.strictEqual(refused.status, 422)
      }
      const foreign = yield* Workspace.request("POST", "/sign-in/code", {
        cookie: waiting,
        fields: { code: yield* codeOf(one.key, 1) },
        headers: { origin: "https://evil.example" },
      })
      assert.strictEqual(foreign.status, 403)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* enterCode(waiting, yield* codeOf(one.key))).status, 422)
      const late = yield* enterPassword(owner.email)
      const { sql } = yield* Database
      yield* sql`update member set password_hash = 'another' where id = ${owner.id}::uuid and organization_id = ${organization.id}::int`
      assert.strictEqual((yield* enterCode(late, yield* codeOf(one.key))).status, 422)
      const gone = yield* enterPassword(admin.email)
      yield* sql`update member set deactivated_at = now() where id = ${admin.id}::uuid and organization_id = ${organization.id}::int`
      assert.strictEqual((yield* enterCode(gone, yield* codeOf(other.key))).status, 422)
    }),
  )

  it.effect("limits wrong codes", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const { key } = yield* setUp(owner)
      const waiting = yield* enterPassword(owner.email)
      for (let i = 0; i < 5; i++) assert.strictEqual((yield* enterCode(waiting, "12345")).status, 422)
      const refused = yield* enterCode(waiting, yield* codeOf(key, 1))
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers.get("retry-after"), "900")
      yield* TestClock.adjust("15 minutes")
      assert.isTrue(isSignedIn(yield* enterCode(yield* enterPassword(owner.email), yield* codeOf(key))))
    }),
  )

  it.effect("is not skipped by a link for a new password", () =>
    Effect.gen(function* () {
      const { owner, recruiter } = yield* Settings.begin
      yield* setUp(recruiter)
      yield* Settings.as(owner).post(`/settings/members/${recruiter.id}/link`)
      yield* subjectsTo(recruiter.email)
      const mail = (yield* Ref.get(mails)).findLast(
        ({ to, text }) => to === recruiter.email && text.includes("/password/"),
      )
      const path = /(\/password\/[\w-]{44})\n/.exec(mail?.text ?? "")?.[1] ?? assert.fail("no link")
      const answer = yield* Workspace.request("POST", path, { fields: { password: "quite another password" } })
      assert.strictEqual(answer.location, "/sign-in/code")
      assert.isFalse(isSignedIn(answer))
    }),
  )

  it.effect("is removed with the password or a code, by an owner or admin, or by command", () =>
    Effect.gen(function* () {
      const { admin, foreigner, organization, owner, recruiter } = yield* Settings.begin
      const own = yield* setUp(recruiter)
      const browser = Settings.as(own)
      assert.strictEqual((yield* browser.post(`${href}/remove`, { removal_proof: "wrong" })).status, 422)
      const removed = yield* browser.post(`${href}/remove`, { removal_proof: yield* codeOf(own.key, 1) })
      assert.strictEqual(removed.location, "/account?done=factor")
      const cookie = (yield* Workspace.signIn(recruiter.email)).cookie
      const again = yield* setUp({ cookie, email: recruiter.email })
      const path = `/settings/members/${recruiter.id}/second-factor`
      assert.strictEqual((yield* Settings.as(foreigner).post(path)).status, 404)
      assert.strictEqual((yield* Settings.as(again).post(path)).status, 403)
      assert.strictEqual(
        (yield* Settings.as(admin).post(path)).location,
        `/settings/members/${recruiter.id}?done=factor`,
      )
      assert.strictEqual((yield* Workspace.request("GET", "/home", again)).status, 303, "sessions end")
      yield* Workspace.signIn(recruiter.email)
      const owned = yield* setUp(owner)
      // only owners change owners
      assert.strictEqual((yield* Settings.as(admin).post(`/settings/members/${owner.id}/second-factor`)).status, 403)
      const organizations = yield* Organizations
      assert.isTrue(yield* organizations.resetSecondFactor(organization.id, owner.email))
      assert.isFalse(yield* organizations.resetSecondFactor(organization.id, owner.email))
      assert.strictEqual((yield* Workspace.request("GET", "/home", owned)).status, 303)
      yield* Workspace.signIn(owner.email)
      const log = yield* Settings.audit(organization.id)
      const actions = log.map(({ action, member_id }) => [action, member_id])
      assert.deepInclude(actions, ["member.reset_second_factor", admin.id])
      assert.deepInclude(actions, ["member.reset_second_factor", null])
      assert.deepInclude(actions, ["member.remove_second_factor", recruiter.id])
    }),
  )

  it.effect("is the only thing that members can set up where the organization requires it", () =>
    Effect.gen(function* () {
      const { organization, owner, recruiter } = yield* Settings.begin
      yield* (yield* Organizations).update(
        { _tag: "Operator", organizationId: organization.id },
        { requires_second_factor: true },
      )
      const browser = Settings.as(recruiter)
      for (const path of ["/home", "/submissions", "/account", "/submissions.csv"]) {
        assert.strictEqual((yield* browser.get(path)).location, href, path)
      }
      assert.strictEqual((yield* browser.post("/account/name", { name: "Eve" })).location, href)
      assert.strictEqual((yield* Settings.as(owner).get("/settings/members")).location, href)
      assert.include((yield* browser.get(href)).text, "requires a second factor")
      const done = yield* setUp(recruiter)
      assert.strictEqual((yield* Settings.as(done).get("/home")).status, 200)
      assert.strictEqual((yield* browser.post("/sign-out")).location, "/sign-in")
    }),
  )
})
