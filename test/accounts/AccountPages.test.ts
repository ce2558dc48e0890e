/** The account page and the organization's settings over real HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/platform/database/Database.ts"
import { withoutPasswords } from "../support/Overload.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const newPassword = "quite another password"

const change = (browser: ReturnType<typeof Settings.as>, fields: Record<string, string>) =>
  browser.post("/account/password", { current: Workspace.password, password: newPassword, ...fields })

layer(Settings.layer())("the account page", (it) => {
  it.effect("changes a recruiter's name and escapes it", () =>
    Effect.gen(function* () {
      const { organization, recruiter } = yield* Settings.begin
      const browser = Settings.as(recruiter)
      const page = yield* browser.get("/account")
      assert.strictEqual(page.status, 200)
      assert.include(page.text, recruiter.email)
      assert.strictEqual(
        (yield* browser.post("/account/name", { name: ` ${Settings.hostile} ` })).location,
        "/account?done=name",
      )
      yield* browser.post("/account/name", { name: Settings.hostile })
      assert.include((yield* browser.get("/account")).text, "&lt;script&gt;")
      const long = yield* browser.post("/account/name", { name: "n".repeat(201) })
      assert.strictEqual(long.status, 422)
      assert.include(long.text, "n".repeat(201))
      const lines = yield* browser.post("/account/name", { name: "Eve\r\nBcc: eve@example.com\u001b[2J" })
      assert.strictEqual(lines.status, 422)
      assert.include(lines.text, "cannot be stored")
      const log = (yield* Settings.audit(organization.id)).filter(({ record_id }) => record_id === recruiter.id)
      assert.deepStrictEqual(
        log.map(({ action, detail }) => [action, detail["after"]]),
        [["member.update", { name: Settings.hostile }]],
      )
    }),
  )

  it.effect("chooses when a member gets which emails", () =>
    Effect.gen(function* () {
      const { organization, recruiter } = yield* Settings.begin
      const browser = Settings.as(recruiter)
      const chosen = Effect.map(browser.get("/account"), ({ text }) =>
        [
          ...text.matchAll(
            /name="mails_(\w+)">[^<]*(?:<option[^>]*>[^<]*<\/option>\s*)*?<option value="(\w+)" selected/g,
          ),
        ].map(([, kind, time]) => `${kind} ${time}`),
      )
      const defaults = [
        "mentions now",
        "assignments now",
        "comments daily",
        "submitted daily",
        "accommodations now",
        "person_reviews now",
        "remarks now",
      ]
      assert.deepStrictEqual(yield* chosen, defaults, "a recruiter gets no emails about webhooks")
      assert.strictEqual((yield* browser.post("/account/notifications")).location, "/account?done=notifications")
      assert.deepStrictEqual(yield* chosen, defaults)
      const fields = { mails_mentions: "off", mails_comments: "now", mails_submitted: "weekly", mails_webhooks: "off" }
      yield* browser.post("/account/notifications", fields)
      assert.deepStrictEqual(yield* chosen, [
        "mentions off",
        "assignments now",
        "comments now",
        "submitted daily",
        "accommodations now",
        "person_reviews now",
        "remarks now",
      ])
      const log = (yield* Settings.audit(organization.id)).filter(({ record_id }) => record_id === recruiter.id)
      assert.deepStrictEqual(
        log.map(({ detail }) => detail["after"]),
        [{ mails_mentions: "off", mails_comments: "now" }],
      )
    }),
  )

  it.effect("changes the password with the current one, ends all other sessions, renews the token", () =>
    Effect.gen(function* () {
      const { admin } = yield* Settings.begin
      const other = yield* Workspace.signIn(admin.email)
      const browser = Settings.as(admin)
      const wrong = yield* change(browser, { current: "wrong" })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, 'id="current-error"')
      assert.strictEqual((yield* change(browser, { password: "short" })).status, 422)
      const refused = yield* withoutPasswords(change(browser, {}))
      assert.strictEqual(refused.status, 503)
      assert.strictEqual(refused.headers.get("retry-after"), "5")
      assert.include(refused.text, "Nothing was saved.</strong> Too many passwords are being checked at the moment.")
      const changed = yield* change(browser, {})
      assert.strictEqual(changed.location, "/account?done=password")
      const cookie = changed.cookies[0]?.split(";")[0] ?? ""
      assert.strictEqual((yield* Settings.as({ cookie }).get("/account")).status, 200)
      for (const gone of [admin, other]) assert.strictEqual((yield* Settings.as(gone).get("/account")).status, 303)
      yield* Workspace.signIn(admin.email, { fields: { password: newPassword } })
      // limits guesses with a stolen session
      const mine = Settings.as({ cookie })
      const guesses = yield* Effect.forEach(Array.from({ length: 11 }), (_, i) =>
        change(mine, { current: `guess ${i}` }),
      )
      assert.deepStrictEqual([guesses[9]?.status, guesses[10]?.status], [422, 429])
      assert.strictEqual((yield* change(mine, { current: newPassword })).status, 429)
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* change(mine, { current: newPassword })).status, 303)
    }),
  )

  it.effect("lists and ends the member's own sessions only", () =>
    Effect.gen(function* () {
      const { owner, recruiter } = yield* Settings.begin
      const agents = ["Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0", Settings.hostile]
      const others = yield* Effect.forEach(agents, (agent) =>
        Workspace.signIn(owner.email, { headers: { "user-agent": agent } }),
      )
      const browser = Settings.as(owner)
      const page = yield* browser.get("/account")
      assert.include(page.text, "Firefox on Windows")
      assert.include(page.text, "This browser")
      const ids = [...page.text.matchAll(/name="session" value="([\w-]{43})"/g)].map(([, id]) => id ?? "")
      assert.lengthOf(ids, 2)
      for (const { cookie } of [owner, ...others]) assert.notInclude(page.text, cookie.split("=")[1] ?? "")
      // the id does not authenticate, and another member cannot end the session with it
      assert.strictEqual((yield* Settings.as({ cookie: `session=${ids[0]}` }).get("/account")).status, 303)
      yield* Settings.as(recruiter).post("/account/sessions/end", { session: ids[0] ?? "" })
      yield* Settings.as(recruiter).post("/account/sessions/end-others")
      for (const { cookie } of others) assert.strictEqual((yield* Settings.as({ cookie }).get("/account")).status, 200)
      yield* browser.post("/account/sessions/end", { session: ids[0] ?? "" })
      yield* browser.post("/account/sessions/end", { session: ids[0] ?? "" })
      const left = yield* Effect.forEach(others, ({ cookie }) => Settings.as({ cookie }).get("/account"))
      assert.deepStrictEqual(left.map(({ status }) => status).toSorted(), [200, 303])
      assert.strictEqual((yield* browser.post("/account/sessions/end-others")).location, "/account?done=others")
      const none = yield* Effect.forEach(others, ({ cookie }) => Settings.as({ cookie }).get("/account"))
      assert.deepStrictEqual(
        none.map(({ status }) => status),
        [303, 303],
      )
      assert.strictEqual((yield* browser.get("/account")).status, 200)
    }),
  )

  it.effect("lets owners and admins change the organization's name and contacts, with audit entries", () =>
    Effect.gen(function* () {
      const { admin, organization, other } = yield* Settings.begin
      const path = "/settings/organization"
      const fields = {
        name: " Nordlicht & Co ",
        contact: "jobs@acme.example",
        privacy_contact: "https://acme.example/privacy",
        time_zone: "Asia/Ho_Chi_Minh",
      }
      const browser = Settings.as(admin)
      assert.strictEqual((yield* browser.post(path, fields)).location, `${path}?done=saved`)
      yield* browser.post(path, fields)
      const page = yield* browser.get(path)
      assert.include(page.text, 'value="Nordlicht &amp; Co"')
      const audit = (yield* browser.get("/settings/audit")).text
      assert.include(audit, 'data-zone="Asia/Ho_Chi_Minh"')
      assert.match(audit, /<time datetime="[^"]+Z" data-local="clock">\d\d:\d\d<\/time>/)
      assert.include(audit, "the time zone of the organization, Asia/Ho_Chi_Minh.")
      assert.notInclude(audit, "UTC</time>")
      const faulty = yield* browser.post(path, {
        name: " ",
        contact: "javascript:alert(1)",
        privacy_contact: Settings.hostile,
        time_zone: "Saigon",
      })
      assert.strictEqual(faulty.status, 422)
      for (const name of ["name", "contact", "privacy_contact", "time_zone"])
        assert.include(faulty.text, `id="${name}-error"`)
      assert.include(faulty.text, "javascript:alert(1)")
      const { sql } = yield* Database
      const rows = yield* sql`
        select name, contact, privacy_contact, time_zone from organization where id in (${organization.id}, ${other.id}) order by id`
      assert.deepStrictEqual(
        rows.map((row) => ({ ...row })),
        [
          { ...fields, name: "Nordlicht & Co" },
          { name: "Other", contact: null, privacy_contact: null, time_zone: "UTC" },
        ],
      )
      const log = yield* Settings.audit(organization.id)
      assert.deepStrictEqual(
        log.map(({ action, member_id }) => [action, member_id]),
        [["organization.update", admin.id]],
      )
    }),
  )
})
