/** Members, invitations and lost passwords over real HTTP, as in a browser without scripts. */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Redacted, Ref } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { withoutPasswords } from "../support/Overload.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const base = "/settings/members"
const mails = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])

/** The mails sent to an address, newest last. */
const mailsTo = Effect.fnUntraced(function* (email: string) {
  yield* runOnce((yield* EmailQueue).queue)
  return (yield* Ref.get(mails)).filter(({ to }) => to === email)
})

/** The path of the link in the newest mail to an address with one; mails of one round are sent in any order. */
const linkTo = Effect.fnUntraced(function* (email: string) {
  const links = (yield* mailsTo(email)).flatMap(
    ({ text }) => /http:\/\/localhost:8080(\/password\/[\w-]{44})\n/.exec(text)?.[1] ?? [],
  )
  return links.at(-1) ?? assert.fail("no link")
})

const roles = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const rows = yield* sql<{ email: string; role: string }>`
    select email, role from member where organization_id = ${organization}::int and deactivated_at is null order by role, email`
  return rows.map(({ role }) => role)
})

let number = 0
const invite = Effect.fnUntraced(function* (
  browser: ReturnType<typeof Settings.as>,
  change: Record<string, string> = {},
) {
  const id = Settings.hidden((yield* browser.get(`${base}/new`)).text, "id")
  const fields = { id, email: `new${++number}@example.com`, name: "", role: "recruiter", ...change }
  return { id, fields, answer: yield* browser.post(base, fields) }
})

const newPassword = "quite another password"

layer(Settings.layer({ mails }))("the pages of members", (it) => {
  it.effect("signs an invited member in after choosing a password with the mailed link, once", () =>
    Effect.gen(function* () {
      const { admin, organization } = yield* Settings.begin
      const browser = Settings.as(admin)
      const { answer, fields, id } = yield* invite(browser, { name: Settings.hostile, role: "admin" })
      assert.strictEqual(answer.location, `${base}?done=invited`)
      assert.strictEqual((yield* browser.post(base, fields)).location, `${base}?done=invited`)
      assert.include((yield* browser.get(base)).text, "Invited")
      const path = yield* linkTo(fields.email)
      assert.lengthOf(yield* mailsTo(fields.email), 1)
      // not even with an empty password
      const signIn = { email: fields.email, password: "" }
      assert.strictEqual((yield* Workspace.request("POST", "/sign-in", { fields: signIn })).status, 422)
      const page = yield* Workspace.request("GET", path)
      assert.strictEqual(page.status, 200)
      assert.include(page.text, fields.email)
      const short = yield* Workspace.request("POST", path, { fields: { name: "Ann", password: "short" } })
      assert.strictEqual(short.status, 422)
      assert.include(short.text, 'value="Ann"')
      const refused = yield* withoutPasswords(
        Workspace.request("POST", path, { fields: { name: "Ann", password: newPassword } }),
      )
      assert.strictEqual(refused.status, 503)
      assert.strictEqual(refused.headers.get("retry-after"), "5")
      assert.include(refused.text, "Nothing was saved.</strong> Too many passwords are being checked at the moment.")
      assert.include(refused.text, 'value="Ann"')
      const chosen = yield* Workspace.request("POST", path, { fields: { name: "Ann", password: newPassword } })
      assert.strictEqual(chosen.location, "/home")
      const cookie = chosen.cookies[0]?.split(";")[0] ?? ""
      assert.include((yield* Settings.as({ cookie }).get(base)).text, "Ann")
      for (const method of ["GET", "POST"]) {
        const again = yield* Workspace.request(
          method,
          path,
          method === "POST" ? { fields: { password: "x".repeat(20) } } : {},
        )
        assert.strictEqual(again.status, 404)
      }
      yield* Workspace.signIn(fields.email, { fields: { password: newPassword } })
      const log = (yield* Settings.audit(organization.id)).filter(({ record_id }) => record_id === id)
      assert.deepStrictEqual(
        log.map(({ action, member_id }) => [action, member_id]),
        [
          ["member.invite", admin.id],
          ["member.set_password", id],
        ],
      )
      assert.notInclude(JSON.stringify(log), path.slice(10))
    }),
  )

  it.effect("shows when a member was last seen, also after sign-out, and writes it once a quarter of an hour", () =>
    Effect.gen(function* () {
      const { admin, organization, owner } = yield* Settings.begin
      const { sql } = yield* Database
      const seen = Effect.map(
        sql<{ at: Date }>`
          select last_seen_at as at from member where id = ${admin.id}::uuid and organization_id = ${organization.id}::int`,
        ([row]) => row?.at.toISOString(),
      )
      const row = Effect.map(Settings.as(owner).get(base), ({ text }) =>
        text.slice(text.indexOf(`${base}/${admin.id}"`)).slice(0, text.indexOf("</tr>")),
      )
      yield* TestClock.adjust("14 minutes")
      yield* Settings.as(admin).get(base)
      assert.strictEqual(yield* seen, "2026-11-02T09:42:00.000Z")
      yield* TestClock.adjust("1 minute")
      yield* Settings.as(admin).get(base)
      assert.strictEqual(yield* seen, "2026-11-02T09:57:00.000Z")
      yield* Settings.as(admin).post("/sign-out")
      yield* TestClock.adjust("2 hours")
      assert.include(yield* row, "2 hours ago")
      const links = /<td><a href="([^"]*)">Edit/.exec(yield* row)?.[1]
      assert.strictEqual(links, `${base}/${admin.id}#role`)
    }),
  )

  it.effect("ends a link when it expires, another link is used, or the member is removed", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const browser = Settings.as(owner)
      const { fields, id } = yield* invite(browser)
      const first = yield* linkTo(fields.email)
      yield* TestClock.adjust(Duration.days(7))
      assert.strictEqual((yield* Workspace.request("GET", first)).status, 404)
      assert.strictEqual((yield* Workspace.request("POST", first, { fields: { password: newPassword } })).status, 404)
      const cookie = (yield* Workspace.signIn(owner.email)).cookie
      const later = Settings.as({ cookie })
      assert.include((yield* later.get(base)).text, "Invitation expired")
      assert.strictEqual((yield* later.post(`${base}/${id}/link`)).location, `${base}/${id}?done=link`)
      const second = yield* linkTo(fields.email)
      // a double click sends one link
      const sent = yield* mailsTo(fields.email)
      const form = { id: Settings.hidden((yield* later.get(`${base}/${id}`)).text, "id") }
      const press = later.post(`${base}/${id}/link`, form)
      for (const { location } of yield* Effect.all([press, press], { concurrency: 2 })) {
        assert.strictEqual(location, `${base}/${id}?done=link`)
      }
      assert.lengthOf(yield* mailsTo(fields.email), sent.length + 1)
      yield* later.post(`${base}/${id}/link`)
      const third = yield* linkTo(fields.email)
      assert.strictEqual((yield* Workspace.request("GET", second)).status, 200)
      yield* Workspace.request("POST", third, { fields: { password: newPassword } })
      assert.strictEqual((yield* Workspace.request("GET", second)).status, 404)
      yield* later.post(`${base}/${id}/link`)
      const fourth = yield* linkTo(fields.email)
      yield* later.post(`${base}/${id}/remove`)
      assert.strictEqual((yield* Workspace.request("GET", fourth)).status, 404)
      assert.strictEqual((yield* Workspace.request("POST", fourth, { fields: { password: newPassword } })).status, 404)
      // the address is free again
      const again = yield* invite(later, { email: fields.email.toUpperCase() })
      assert.strictEqual(again.answer.location, `${base}?done=invited`)
    }),
  )

  it.effect("sets one password when a link is used twice at once", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const { fields } = yield* invite(Settings.as(owner))
      const path = yield* linkTo(fields.email)
      const all = yield* Effect.forEach(
        ["password number one", "password number two", "password number three"],
        (password) => Workspace.request("POST", path, { fields: { password } }),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(all.map(({ status }) => status).toSorted(), [303, 404, 404])
    }),
  )

  it.effect("resets a lost password by mail, ends all sessions, and answers alike for unknown addresses", () =>
    Effect.gen(function* () {
      const { recruiter } = yield* Settings.begin
      const ask = (email: string) => Workspace.request("POST", "/forgot-password", { fields: { email } })
      const answers = yield* Effect.forEach([recruiter.email.toUpperCase(), "nobody@example.com"], ask)
      for (const { location, status } of answers) {
        assert.deepStrictEqual({ location, status }, { location: "/forgot-password?done=sent", status: 303 })
      }
      assert.lengthOf(yield* mailsTo("nobody@example.com"), 0)
      const path = yield* linkTo(recruiter.email)
      assert.strictEqual((yield* Settings.as(recruiter).get("/submissions")).status, 200)
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(
        (yield* Workspace.request("POST", path, { fields: { password: newPassword } })).location,
        "/home",
      )
      assert.strictEqual((yield* Settings.as(recruiter).get("/submissions")).status, 303)
      // the fourth request in an hour is refused, for members and others alike
      for (const email of [recruiter.email, "nobody@example.com"]) {
        yield* TestClock.adjust("2 hours")
        yield* Effect.forEach([1, 2, 3], () => ask(email))
        const refused = yield* ask(` ${email} `)
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(refused.headers.get("retry-after"), "3600")
      }
      assert.strictEqual((yield* ask("grace")).status, 422)
      yield* TestClock.adjust("2 hours")
      yield* ask(recruiter.email)
      const stale = yield* linkTo(recruiter.email)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Workspace.request("GET", stale)).status, 404)
      const { sql } = yield* Database
      const hashes = yield* sql<{ n: number }>`select count(*)::int as n from password_link
        where encode(token_hash, 'escape') like '%' || ${stale.slice(10)} || '%'`
      assert.strictEqual(hashes[0]?.n, 0)
    }),
  )

  it.effect("sends an email without links about a changed password, but not about a first one", () =>
    Effect.gen(function* () {
      const { organization, owner, recruiter } = yield* Settings.begin
      const { sql } = yield* Database
      const noticesTo = Effect.fnUntraced(function* (email: string) {
        const sent = (yield* mailsTo(email)).filter(({ subject }) => subject === "Your password was changed")
        for (const { html, text } of sent) {
          assert.notMatch(`${html} ${text}`, /href=|https?:\/\//)
          assert.include(text, email)
        }
        return sent.map(({ text }) => /, (on your account page|with a link|by the operator)[^.]*/.exec(text)?.[1])
      })
      const { fields } = yield* invite(Settings.as(owner))
      const first = yield* linkTo(fields.email)
      yield* Workspace.request("POST", first, { fields: { password: newPassword } })
      assert.deepStrictEqual(yield* noticesTo(fields.email), [])

      yield* Workspace.request("POST", "/forgot-password", { fields: { email: recruiter.email } })
      const link = yield* linkTo(recruiter.email)
      assert.strictEqual((yield* Workspace.request("POST", link, { fields: { password: "short" } })).status, 422)
      assert.deepStrictEqual(yield* noticesTo(recruiter.email), [])
      yield* Workspace.request("POST", link, { fields: { password: newPassword } })
      assert.deepStrictEqual(yield* noticesTo(recruiter.email), ["with a link"])
      const { cookie } = yield* Workspace.signIn(recruiter.email, { fields: { password: newPassword } })
      const change = { current: newPassword, password: "a third one, as long" }
      assert.strictEqual((yield* Settings.as({ cookie }).post("/account/password", change)).status, 303)
      assert.deepStrictEqual(yield* noticesTo(recruiter.email), ["with a link", "on your account page"])

      const organizations = yield* Organizations
      yield* sql`update member set password_hash = null where id = ${owner.id}::uuid`
      yield* organizations.setPassword(organization.id, owner.email, Redacted.make(newPassword))
      assert.deepStrictEqual(yield* noticesTo(owner.email), [])
      yield* organizations.setPassword(organization.id, owner.email, Redacted.make(newPassword))
      assert.deepStrictEqual(yield* noticesTo(owner.email), ["by the operator"])
      const [mail] = (yield* mailsTo(owner.email)).slice(-1)
      assert.match(mail?.text ?? "", /was changed on .*2026.*UTC/)
    }),
  )

  it.effect("refuses admins who change or invite owners, and taken or invalid values", () =>
    Effect.gen(function* () {
      const { admin, foreigner, organization, owner, recruiter } = yield* Settings.begin
      const before = yield* roles(organization.id)
      for (const [path, fields] of [
        [`${base}/${owner.id}`, { role: "recruiter" }],
        [`${base}/${owner.id}/link`, {}],
        [`${base}/${owner.id}/remove`, {}],
      ] as const) {
        assert.strictEqual((yield* Settings.as(admin).post(path, fields)).status, 403, path)
      }
      assert.strictEqual((yield* Settings.as(admin).post(`${base}/${recruiter.id}`, { role: "owner" })).status, 403)
      assert.strictEqual((yield* invite(Settings.as(admin), { role: "owner" })).answer.status, 403)
      assert.deepStrictEqual(yield* roles(organization.id), before)
      const refused = yield* invite(Settings.as(admin), { email: foreigner.email, name: "Kept" })
      assert.strictEqual(refused.answer.status, 422)
      assert.include(refused.answer.text, "belongs to a member already")
      assert.include(refused.answer.text, 'value="Kept"')
      for (const change of [{ email: "no address" }, { role: "king" }, { name: "n".repeat(201) }]) {
        assert.strictEqual((yield* invite(Settings.as(admin), change)).answer.status, 422)
      }
    }),
  )

  it.effect("applies a role at once, keeps the last owner, and signs out a removed member", () =>
    Effect.gen(function* () {
      const { admin, organization, owner, recruiter } = yield* Settings.begin
      const browser = Settings.as(owner)
      for (const [path, fields] of [
        [`${base}/${owner.id}`, { role: "admin" }],
        [`${base}/${owner.id}/remove`, {}],
      ] as const) {
        const refused = yield* browser.post(path, fields)
        assert.strictEqual(refused.status, 409, path)
        assert.include(refused.text, "This is the last owner")
      }
      // an invited owner who has not joined does not count
      yield* invite(browser, { role: "owner" })
      assert.strictEqual((yield* browser.post(`${base}/${owner.id}`, { role: "admin" })).status, 409)
      assert.strictEqual(
        (yield* browser.post(`${base}/${recruiter.id}`, { role: "admin" })).location,
        `${base}/${recruiter.id}?done=saved`,
      )
      assert.strictEqual((yield* Settings.as(recruiter).get(base)).status, 200)
      yield* browser.post(`${base}/${admin.id}`, { role: "owner" })
      assert.strictEqual((yield* browser.post(`${base}/${owner.id}`, { role: "recruiter" })).status, 303)
      assert.strictEqual((yield* browser.get(base)).status, 403)
      assert.strictEqual(
        (yield* Settings.as(admin).post(`${base}/${owner.id}/remove`)).location,
        `${base}?done=removed`,
      )
      assert.strictEqual((yield* Settings.as(admin).post(`${base}/${owner.id}/remove`)).location, `${base}?done=gone`)
      assert.strictEqual((yield* browser.get("/submissions")).status, 303)
      const fields = { email: owner.email, password: Workspace.password }
      assert.strictEqual((yield* Workspace.request("POST", "/sign-in", { fields })).status, 422)
      const removed = (yield* Settings.audit(organization.id)).at(-1)
      assert.deepInclude({ ...removed }, { action: "member.remove", member_id: admin.id, record_id: owner.id })
    }),
  )

  it.effect("keeps one owner when owners demote or remove each other at once", () =>
    Effect.gen(function* () {
      for (const step of ["", "/remove"]) {
        const { organization, owner } = yield* Settings.begin
        const others = yield* Effect.forEach([1, 2, 3], () =>
          Effect.gen(function* () {
            const { email, id } = yield* Workspace.member(organization.id, `o${++number}@example.com`, "owner")
            return { id, cookie: (yield* Workspace.signIn(email)).cookie }
          }),
        )
        const ring = [owner, ...others]
        yield* Effect.forEach(
          ring,
          (one, index) =>
            Settings.as(one).post(`${base}/${ring[(index + 1) % ring.length]?.id}${step}`, { role: "recruiter" }),
          { concurrency: "unbounded" },
        )
        assert.include(yield* roles(organization.id), "owner")
        // all leave at once
        const left = yield* Effect.forEach(ring, (one) => Settings.as(one).post(`${base}/${one.id}/remove`), {
          concurrency: "unbounded",
        })
        assert.isNotEmpty(left)
        assert.include(yield* roles(organization.id), "owner")
      }
    }),
  )
})
