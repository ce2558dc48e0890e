/** Passkeys over real HTTP: added, used, removed, and refused. */
import { assert, layer } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { TestClock } from "effect/testing"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import * as Authenticator from "../support/Authenticator.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const mails = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])

const origin = "http://localhost:8080"
const domain = new URL(origin).hostname

const cookieOf = (cookies: ReadonlyArray<string>, name: string) =>
  cookies.find((one) => one.startsWith(`${name}=`))?.split(";")[0]

const challengeOf = (text: string): string => /"challenge":"([^"]+)"/.exec(text)?.[1] ?? assert.fail(text)

/** The first step of a new passkey: the browser's cookies and the challenge. */
const ask = Effect.fnUntraced(function* (cookie: string, proof: string = Workspace.password) {
  const options = yield* Workspace.request("POST", "/account/passkeys/options", { cookie, fields: { proof } })
  assert.strictEqual(options.status, 200)
  const state = cookieOf(options.cookies, "passkey") ?? assert.fail("no state")
  return {
    cookie: `${cookie}; ${state}`,
    text: options.text,
    ceremony: { challenge: challengeOf(options.text), origin, domain },
  }
})

const add = Effect.fnUntraced(function* (cookie: string, name = "Laptop") {
  const authenticator = Authenticator.make()
  const { ceremony, cookie: both } = yield* ask(cookie)
  const fields = { passkey_name: name, passkey_answer: authenticator.create(ceremony) }
  const added = yield* Workspace.request("POST", "/account/passkeys", { cookie: both, fields })
  assert.strictEqual(added.location, "/account?done=passkey")
  return authenticator
})

/** The first step of a sign-in. */
const begin = Effect.gen(function* () {
  const options = yield* Workspace.request("POST", "/sign-in/passkey/options", { fields: {} })
  const cookie = cookieOf(options.cookies, "passkey") ?? assert.fail("no state")
  return { cookie, ceremony: { challenge: challengeOf(options.text), origin, domain } }
})

const use = (cookie: string, answer: string) =>
  Workspace.request("POST", "/sign-in/passkey", { cookie, fields: { passkey_answer: answer, next: "/submissions" } })

layer(Settings.layer({ mails }))("passkeys", (it) => {
  it.effect("are added after the password, sign in once for each signature, and are removed", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const { sql } = yield* Database
      yield* sql`update organization set requires_second_factor = true where id = ${organization.id}::int`
      yield* sql`
        insert into second_factor (member_id, organization_id, secret, last_step, created_at)
        values (${owner.id}::uuid, ${organization.id}::int, '', 0, now())`
      const key = yield* add(owner.cookie, "  Laptop ")
      const page = yield* Workspace.request("GET", "/account", { cookie: owner.cookie })
      assert.include(page.text, "<bdi>Laptop</bdi>")
      assert.include(page.text, "not used yet")
      yield* sql`delete from second_factor where member_id = ${owner.id}::uuid`
      const { ceremony, cookie } = yield* begin
      const answer = key.get(ceremony)
      const [one, other] = yield* Effect.all([use(cookie, answer), use(cookie, answer)], { concurrency: 2 })
      assert.sameMembers([one.status, other.status], [303, 422], "of two uses of one signature")
      const signedIn = one.status === 303 ? one : other
      assert.strictEqual(signedIn.location, "/submissions")
      const session = cookieOf(signedIn.cookies, "session") ?? assert.fail("no session")
      // a passkey is the second factor that the organization requires
      const account = yield* Workspace.request("GET", "/account", { cookie: session })
      assert.strictEqual(account.status, 200)
      assert.include(account.text, "last used")
      const again = yield* begin
      assert.strictEqual((yield* use(again.cookie, answer)).status, 422, "a signature of another challenge")
      const remove = (proof: string) =>
        Workspace.request("POST", "/account/passkeys/remove", {
          cookie: session,
          fields: { passkey: key.id, [`removal_proof_${key.id}`]: proof },
        })
      const unproven = yield* remove("wrong")
      assert.strictEqual(unproven.status, 422)
      assert.include(unproven.text, `href="#removal_proof_${key.id}"`)
      assert.include(unproven.text, "<bdi>Laptop</bdi>")
      assert.strictEqual((yield* remove(Workspace.password)).location, "/account?done=no_passkey")
      assert.strictEqual((yield* Workspace.request("GET", "/account", { cookie: session })).status, 200)
      // the other session, which may be of the lost device
      assert.match((yield* Workspace.request("GET", "/account", { cookie: owner.cookie })).location ?? "", /^\/sign-in/)
      assert.strictEqual((yield* use(again.cookie, key.get(again.ceremony))).status, 422, "removed")
      const log = JSON.stringify(yield* Settings.audit(organization.id))
      assert.include(log, "member.add_passkey")
      assert.include(log, "member.remove_passkey")
      yield* runOnce((yield* EmailQueue).queue)
      const sent = (yield* Ref.get(mails)).filter(({ to }) => to === owner.email)
      assert.lengthOf(sent, 2)
      assert.include(sent[0]?.text, "the passkey “Laptop” of")
    }),
  )

  it.effect("are removed by a new password of a link, as they may be another person's", () =>
    Effect.gen(function* () {
      const { organization, owner, recruiter } = yield* Settings.begin
      const key = yield* add(recruiter.cookie)
      yield* Settings.as(owner).post(`/settings/members/${recruiter.id}/link`)
      yield* runOnce((yield* EmailQueue).queue)
      const mail = (yield* Ref.get(mails)).findLast(
        ({ to, text }) => to === recruiter.email && text.includes("/password/"),
      )
      const path = /(\/password\/[\w-]{44})\n/.exec(mail?.text ?? "")?.[1] ?? assert.fail("no link")
      const set = yield* Workspace.request("POST", path, { fields: { password: "quite another password" } })
      assert.strictEqual(set.status, 303)
      const { ceremony, cookie } = yield* begin
      assert.strictEqual((yield* use(cookie, key.get(ceremony))).status, 422)
      const log = JSON.stringify(yield* Settings.audit(organization.id))
      assert.match(log, /removed passkeys.{0,4}:1/)
    }),
  )

  it.effect("are refused for another origin, domain, key, member or time, and without the lock of the device", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const key = yield* add(owner.cookie)
      const isRefused = Effect.fnUntraced(function* (
        why: string,
        answerOf: (ceremony: Authenticator.Ceremony) => string,
      ) {
        const { ceremony, cookie } = yield* begin
        const answer = yield* use(cookie, answerOf(ceremony))
        assert.strictEqual(answer.status, 422, why)
        assert.isUndefined(cookieOf(answer.cookies, "session"), why)
      })
      yield* isRefused("origin", (ceremony) => key.get({ ...ceremony, origin: "https://evil.example" }))
      yield* isRefused("domain", (ceremony) => key.get({ ...ceremony, domain: "evil.example" }))
      yield* isRefused("challenge", (ceremony) => key.get({ ...ceremony, challenge: "AAAA" }))
      yield* isRefused("lock of the device", (ceremony) => key.get(ceremony, false))
      yield* isRefused("key", (ceremony) =>
        Authenticator.make()
          .get(ceremony)
          .replaceAll(/"(id|rawId)":"[^"]*"/g, `"$1":"${key.id}"`),
      )
      yield* isRefused("unknown passkey", (ceremony) => Authenticator.make().get(ceremony))
      yield* isRefused("another member", (ceremony) =>
        key.get(ceremony).replace('"clientDataJSON"', '"userHandle":"AAAA","clientDataJSON"'),
      )
      yield* isRefused("no JSON", () => "{")
      const late = yield* begin
      yield* TestClock.adjust("11 minutes")
      assert.strictEqual((yield* use(late.cookie, key.get(late.ceremony))).status, 422, "too late")
      const { ceremony, cookie } = yield* begin
      assert.strictEqual((yield* use("", key.get(ceremony))).status, 422, "no cookie")
      assert.strictEqual((yield* use(cookie, key.get(ceremony))).status, 303, "the right one")
    }),
  )

  it.effect("need the password before, a name, and are at most ten", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const { cookie } = owner
      const wrong = yield* Workspace.request("POST", "/account/passkeys/options", {
        cookie,
        fields: { proof: "wrong" },
      })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, "The password or code is wrong")
      assert.isUndefined(cookieOf(wrong.cookies, "passkey"))
      const { ceremony, cookie: both } = yield* ask(cookie)
      const answer = Authenticator.make().create(ceremony)
      const post = (fields: Readonly<Record<string, string>>, as = both) =>
        Workspace.request("POST", "/account/passkeys", { cookie: as, fields })
      const unnamed = yield* post({ passkey_name: "", passkey_answer: answer })
      assert.strictEqual(unnamed.status, 422)
      assert.include(unnamed.text, 'href="#passkey_name"')
      assert.strictEqual(
        (yield* post({ passkey_name: "Phone", passkey_answer: answer }, cookie)).status,
        422,
        "no state",
      )
      assert.strictEqual((yield* post({ passkey_name: "Phone", passkey_answer: "{}" })).status, 422)
      const { sql } = yield* Database
      yield* sql`
        insert into passkey (credential_id, organization_id, member_id, name, public_key, counter, transports, created_at)
        select sha256(n::text::bytea || ${owner.id}::text::bytea), m.organization_id, m.id, 'Key ' || n, '', 0, '{}', now()
        from member m, generate_series(1, 10) n where m.id = ${owner.id}::uuid`
      const full = yield* post({ passkey_name: "Phone", passkey_answer: answer })
      assert.strictEqual(full.status, 409)
      assert.include(full.text, "you have 10 passkeys")
    }),
  )
})
