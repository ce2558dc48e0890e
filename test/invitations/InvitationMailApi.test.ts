/** The invitation mail: the message with its tokens, and the link. */
import { assert, layer } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { errorsOf, invited, invitedOne, newSet, layer as specification } from "../support/Specification.ts"

const mails = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])

/** Sends the due mails. */
const sent = Effect.gen(function* () {
  const { queue } = yield* EmailQueue
  yield* Ref.set(mails, [])
  while ((yield* runOnce(queue)) > 0);
  return yield* Ref.get(mails)
})

const message = "Dear {{name}}, until then."

layer(specification({ mails }), { excludeTestServices: true })("an invitation's mail", (it) => {
  it.effect.each<readonly [quote: string, message: string, candidate: object, text: string, html: string]>([
    [
      "{{name}} is the display name",
      message,
      { name: "Ada L." },
      "Dear Ada L., until then.",
      "Dear Ada L., until then.",
    ],
    [
      "{{name}} falls back to firstname and lastname",
      message,
      { firstname: "Ada", lastname: "Lovelace" },
      "Dear Ada Lovelace,",
      "Dear Ada Lovelace,",
    ],
    [
      "{{name}} falls back to one of firstname and lastname",
      message,
      { lastname: "Lovelace" },
      "Dear Lovelace,",
      "Dear Lovelace,",
    ],
    ["{{name}} is left out without a name", message, {}, "Dear, until then.", "Dear, until then."],
    ["{{name}} ignores blank names", message, { name: " " }, "Dear, until then.", "Dear, until then."],
    [
      "{{name}} prefers name to first and last name",
      message,
      { name: "Dr. L", firstname: "Ada" },
      "Dear Dr. L,",
      "Dear Dr. L,",
    ],
    [
      "{{firstname}}",
      "Hello {{firstname}}, well",
      { firstname: "Ada", name: "Dr. L" },
      "Hello Ada, well",
      "Hello Ada, well",
    ],
    [
      "{{lastname}}",
      "Hello {{lastname}}, well",
      { lastname: "Lovelace" },
      "Hello Lovelace, well",
      "Hello Lovelace, well",
    ],
    ["{{interview}}", "Hello: {{interview}}.", {}, 'Hello: Backend "A&B".', "Hello: Backend &quot;A&amp;B&quot;."],
    ["{{organization}}", "{{organization}} invites you", {}, "Nordlicht invites you", "Nordlicht invites you"],
    ["single braces stay", "Hello {name} { {name} }", {}, "Hello {name} { {name} }", "Hello {name} { {name} }"],
    [
      "HTML-escaped in HTML mail",
      "Dear {{name}}, welcome",
      { name: "<b>A&B</b>" },
      "Dear <b>A&B</b>, welcome",
      "Dear &lt;b&gt;A&amp;B&lt;/b&gt;, welcome",
    ],
    [
      "HTML-escaped in HTML mail (the message)",
      "<script>x</script>",
      {},
      "<script>x</script>",
      "&lt;script&gt;x&lt;/script&gt;",
    ],
    [
      "tokens in a name are not filled in",
      "Dear {{name}}, welcome",
      { name: "{{organization}}" },
      "Dear {{organization}}, welcome",
      "Dear {{organization}}, welcome",
    ],
    ["all occurrences of a token are replaced", "{{name}}{{name}} {{ name }}", { name: "A" }, "AA A", "AA A"],
    [
      "text of any script, in lines",
      "Hallo {{name}}\nשלום \u{1F680}!",
      { name: "عدا" },
      "Hallo عدا\nשלום \u{1F680}!",
      "Hallo عدا<br>שלום \u{1F680}!",
    ],
  ])("%s: %s", ([, invitation_message, candidate, text, html]) =>
    Effect.gen(function* () {
      const set = yield* newSet({ title: 'Backend "A&B"' })
      const email = "ada.l+x@example.com"
      const { sql } = yield* Database
      yield* sql`update candidate set name = null, firstname = null, lastname = null`
      const { invitation } = yield* invitedOne(
        { com_interview_set_id: set, invitation_message },
        { email, ...candidate },
      )
      const [mail, ...others] = yield* sent
      assert.deepStrictEqual(others, [])
      assert.strictEqual(mail?.to, email)
      assert.include(mail?.text, text)
      assert.include(mail?.html, html)
      for (const part of [mail?.text, mail?.html]) assert.include(part, String(invitation?.interview_url))
      assert.notInclude(mail?.html, "<script")
    }),
  )

  it.effect("{{deadline}}; expired (30 days, INVITATION_EXPIRES)", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const set = yield* newSet()
      const request = { com_interview_set_id: set, invitation_message: "Please answer until {{deadline}}." }
      yield* invitedOne(request, { email: "ada@example.com" })
      const [row] = yield* sql<{ expires_at: Date; days: number }>`
        select expires_at, round(extract(epoch from expires_at - created_at) / 86400)::int as days
        from invitation where interview_set_id = ${set}::uuid`
      assert.strictEqual(row?.days, 30)
      const [mail] = yield* sent
      const parts = /until (\w+), (\d+ \w+ \d{4}) at \d\d:\d\d UTC\./.exec(mail?.text ?? "")
      assert.strictEqual(
        new Date(`${parts?.[2]} UTC`).toDateString(),
        new Date(row?.expires_at.toDateString() ?? "").toDateString(),
      )
    }),
  )

  it.effect("names the organization, interview and link without a message", () =>
    Effect.gen(function* () {
      const set = yield* newSet({ title: "Backend Engineer", interview_duration: 45 })
      const { invitation } = yield* invitedOne({ com_interview_set_id: set }, { email: "ada@example.com", name: "Ada" })
      const [mail] = yield* sent
      for (const part of ["Ada", "Nordlicht", "Backend Engineer", "45 minutes", String(invitation?.interview_url)]) {
        assert.include(mail?.text, part)
        assert.include(mail?.html, part)
      }
    }),
  )

  it.effect("sends nothing twice, and nothing without an invitation", () =>
    Effect.gen(function* () {
      const set = yield* newSet()
      const cv_link = "https://files.example.com/ada.pdf"
      const candidates = [
        { email: "one@example.com" },
        { email: "ONE@example.com" },
        { email: "nobody" },
        { cv_link },
        { email: "two@example.com", cv_link: "x" },
      ]
      const request = { com_interview_set_id: set, candidates }
      const results = yield* invited(request)
      assert.deepStrictEqual(
        results.map((one) => errorsOf(one).length),
        [0, 0, 2, 0, 2],
      )
      yield* invited(request)
      assert.sameMembers(
        (yield* sent).map(({ to }) => to),
        ["one@example.com", "two@example.com"],
      )
      yield* invited(request)
      yield* invited({ com_interview_set_id: yield* newSet(), send_invite: false, candidates })
      yield* invited({
        com_interview_set_id: yield* newSet({ set_type: 2 }),
        candidates: [{ email: "three@example.com", cv_link }],
      })
      assert.deepStrictEqual(yield* sent, [])
    }),
  )

  it.effect("moves from pending to sent to delivered, with an event on delivery", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const set = yield* newSet()
      const first = yield* invitedOne({ com_interview_set_id: set }, { email: "ada@example.com" })
      assert.strictEqual(first.invitation?.status_text, "pending")
      yield* sent
      const second = yield* invitedOne({ com_interview_set_id: set }, { email: "ada@example.com" })
      assert.deepStrictEqual(
        [second.invitation?.id, second.invitation?.status_text],
        [first.invitation?.id, "delivered"],
      )
      const events =
        yield* sql`select status from webhook_event where submission_id = ${String(first.submission?.id)}::uuid`
      assert.deepStrictEqual(events, [{ status: "invitation_email_delivered" }])
    }),
  )
})
