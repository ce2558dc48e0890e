/** Links of mails work for the reader and are never stored in a table. */
import { assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { EmailEventReceiver } from "../../src/emails/EmailEventReceiver.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import * as SendGridEvents from "../../src/emails/SendGridEventRoutes.ts"
import * as SmtpEmailSender from "../../src/emails/SmtpEmailSender.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { smtpServer } from "../port/smtpServer.ts"
import { Server } from "../support/Api.ts"
import * as Mails from "../support/Mails.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { placesOf } from "../support/Tables.ts"
import * as Workspace from "../support/Workspace.ts"

class Smtp extends Context.Service<Smtp, Effect.Success<ReturnType<typeof smtpServer>>>()(
  "interview-invitations/test/EmailLinksSmtp",
) {
  static readonly layer = Layer.effect(Smtp, smtpServer())
}

const stage = Layer.unwrap(
  Effect.gen(function* () {
    const { port } = yield* Smtp
    const emailSender = SmtpEmailSender.layer({
      url: Redacted.make(`smtp://127.0.0.1:${port}`),
      from: { name: "Acme", address: "jobs@acme.example" },
    })
    return Server.layer.pipe(
      Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages, App.dev))),
      Layer.provideMerge(Pod.layer({ emailSender, settings: { PORT: "0" } })),
    )
  }),
).pipe(Layer.provideMerge(Smtp.layer))

const send = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))
const newPassword = "quite another password"

/** The columns that contain a token or its decoded bytes; must be empty. */
const stored = Effect.gen(function* () {
  const tokens = (yield* Mails.written).flatMap(({ html, text }) =>
    [...`${html}${text}`.matchAll(/\/(?:i|o|c|unsubscribe|password)\/([\w-]{20,})/g)].map(([, token = ""]) => token),
  )
  assert.isNotEmpty(tokens)
  return yield* placesOf([...new Set(tokens)].map((token) => token.toLowerCase()))
})

/** Queues an invitation of a member, one of a candidate, and a link for a lost password. */
const begin = Effect.gen(function* () {
  const { sql } = yield* Database
  yield* sql`delete from email`
  const { organization, owner, recruiter } = yield* Settings.begin
  const browser = Settings.as(owner)
  const id = Settings.hidden((yield* browser.get("/settings/members/new")).text, "id")
  const email = `new${id}@example.com`
  const fields = { id, email, name: "", role: "recruiter" }
  assert.strictEqual((yield* browser.post("/settings/members", fields)).status, 303)
  const lost = yield* Workspace.request("POST", "/forgot-password", { fields: { email: recruiter.email } })
  assert.strictEqual(lost.location, "/forgot-password?done=sent")
  const candidate = yield* Scenario.invited(organization, `candidate${id}@example.com`)
  return { candidate, browser, member: { id, email }, recruiter }
})

layer(stage)("links of mails", (it) => {
  it.effect("work in a mail by SMTP and are stored in no table", () =>
    Effect.gen(function* () {
      const { candidate, member, recruiter } = yield* begin
      const { script, taken } = yield* Smtp
      script.data = 451
      yield* send
      assert.deepStrictEqual(yield* stored, [], "while they wait for another attempt")
      script.data = undefined
      yield* TestClock.adjust(Duration.minutes(5))
      assert.strictEqual(yield* send, 3)
      assert.deepStrictEqual(yield* stored, [], "after they were sent")
      const textTo = (to: string) => taken.findLast((mail) => mail.to === to)?.text ?? assert.fail(`no mail to ${to}`)
      for (const email of [member.email, recruiter.email]) {
        const [, path = ""] = /http:\/\/localhost:8080(\/password\/[\w-]{44})\n/.exec(textTo(email)) ?? []
        const set = yield* Workspace.request("POST", path, { fields: { name: "", password: newPassword } })
        assert.strictEqual(set.location, "/home")
        assert.strictEqual((yield* Workspace.request("GET", path)).status, 404, "a link works once")
        yield* Workspace.signIn(email, { fields: { password: newPassword } })
      }
      assert.include(textTo(`candidate${member.id}@example.com`), `http://localhost:8080/i/${candidate.token}\n`)
      assert.strictEqual((yield* Workspace.request("GET", `/i/${candidate.token}`)).status, 200)
      for (const mail of taken) assert.notInclude(mail.raw, "link.invalid")
    }),
  )

  it.effect("are stored in no table when a server quotes them or a provider reports a click", () =>
    Effect.gen(function* () {
      const { candidate } = yield* begin
      const { script } = yield* Smtp
      const { sql } = yield* Database
      const links = (yield* Mails.written).map(({ text }) => /http:\S+\/(?:i|password)\/\S+/.exec(text)?.[0])
      Object.assign(script, {
        data: 554,
        says: `spam: ${links.join(" ")} http://localhost:8080/i/${candidate.token}`,
      })
      yield* send
      script.data = undefined
      const mails = yield* sql<{ id: string; state: string; error: string }>`select id, state, error from email`
      for (const { error, state } of mails) {
        assert.strictEqual(state, "queued")
        assert.include(error, "spam: http://localhost:8080/password/… ")
      }
      const url = `http://localhost:8080/i/${candidate.token}`
      const click = { event: "click", timestamp: 1, sg_event_id: "click", email_id: mails[0]?.id, url }
      yield* (yield* EmailEventReceiver).receive("sendgrid", [click], SendGridEvents.read)
      assert.deepStrictEqual(yield* stored, [])
    }),
  )

  it.effect("work in the mailbox", () =>
    Effect.gen(function* () {
      const { member } = yield* begin
      yield* send
      const [mail] = (yield* Mails.written).filter(({ recipient }) => recipient === member.email)
      const shown = yield* Workspace.request("GET", `/mailbox/${mail?.id}`)
      const [, path = ""] = /http:\/\/localhost:8080(\/password\/[\w-]{44})/.exec(shown.text) ?? []
      assert.strictEqual((yield* Workspace.request("GET", path)).status, 200)
      const followed = yield* Workspace.request("GET", `/mailbox/${mail?.id}/links/0`)
      assert.strictEqual(followed.location, `http://localhost:8080${path}`)
      assert.deepStrictEqual(yield* stored, [])
    }),
  )

  it.effect("work for their own kind only", () =>
    Effect.gen(function* () {
      const { candidate } = yield* begin
      for (const token of [candidate.token, "A".repeat(44), "A".repeat(43)]) {
        assert.strictEqual((yield* Workspace.request("GET", `/password/${token}`)).status, 404)
      }
    }),
  )
})
