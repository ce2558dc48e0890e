/** Emails to candidates after an interview: receipts and letters about decisions, over HTTP and through the queue. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { SuppressionRepository } from "../../src/emails/SuppressionRepository.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { leavesAt } from "../../src/invitations/FollowUp.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { fieldsOf, get, post, signedIn, viewer, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

const round = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))

const emails = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ kind: string; state: string; recipient: string; subject: string | null }>`
    select kind, state, recipient, subject from email where submission_id is not null order by created_at, id`
  return rows.map((row) => ({ ...row }))
})

/** Runs a test with the service and the emails that were handed to the provider. */
const served = <A, E, R>(test: (sent: Effect.Effect<ReadonlyArray<OutgoingEmail>>) => Effect.Effect<A, E, R>) => {
  const sent = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])
  const send = () => Effect.succeed({ providerMessageId: null, delivered: false })
  return test(Ref.get(sent)).pipe(Effect.provide(Settings.layer({ send, mails: sent })))
}

/** An invited candidate whose invitation was sent, and a signed-in owner. */
const begin = Effect.fnUntraced(function* (changes: Parameters<typeof Scenario.organization>[0] = {}) {
  yield* TestClock.setTime(Date.parse("2026-11-02T16:42:00Z"))
  const organization = yield* Scenario.organization(changes, "Nordlicht")
  const invited = yield* Scenario.invited(organization)
  yield* round
  const member = yield* signedIn(organization.id)
  return { organization, invited, member, submission: invited.subject.submission_id }
})

describe("the receipt of an interview", () => {
  it.effect("is sent once, in the language of the set, and after a retake not again", () =>
    served((sent) =>
      Effect.gen(function* () {
        const { invited } = yield* begin({ cfg_lingual_ids: [2], number_of_retakes: 1 })
        yield* Scenario.completed(invited)
        yield* round
        const [, receipt, ...others] = yield* sent
        assert.lengthOf(others, 0)
        assert.isDefined(receipt)
        assert.strictEqual(receipt.to, "ada@example.com")
        assert.strictEqual(receipt.subject, "Ihr Interview ist angekommen: Backend Engineer")
        for (const part of ["Guten Tag Ada,", "Nordlicht", "Backend Engineer", "entscheiden und schreiben Ihnen"]) {
          assert.include(receipt.text, part)
          assert.include(receipt.html, part)
        }
        assert.isNull(receipt.unsubscribeUrl)
        const interviews = yield* Interviews
        yield* interviews.reopen(invited.token)
        yield* interviews.finish(invited.token, [])
        assert.strictEqual(yield* round, 0)
        const { sql } = yield* Database
        assert.deepStrictEqual(yield* sql`select status from invitation`, [{ status: "sent" }])
      }),
    ),
  )

  it.effect("waits for the end of a retake that begins before it is sent", () =>
    served((sent) =>
      Effect.gen(function* () {
        const { invited } = yield* begin({ number_of_retakes: 1 })
        yield* Scenario.completed(invited)
        const interviews = yield* Interviews
        yield* interviews.reopen(invited.token)
        yield* round
        assert.lengthOf(yield* sent, 1)
        yield* interviews.finish(invited.token, [])
        yield* round
        assert.lengthOf(yield* sent, 2)
        assert.deepStrictEqual(
          (yield* emails).map(({ state }) => state),
          ["cancelled", "sent"],
        )
      }),
    ),
  )

  it.effect(
    "is not sent when the organization has turned it off, to suppressed or erased addresses, or without an email before",
    () =>
      served((sent) =>
        Effect.gen(function* () {
          const { organization, invited, member } = yield* begin()
          const { sql } = yield* Database
          // to a suppressed address
          const suppressions = yield* SuppressionRepository
          yield* Scenario.completed(invited)
          yield* suppressions.add([
            { organization_id: organization.id, email: "ada@example.com", reason: "unsubscribed" },
          ])
          yield* round
          assert.deepInclude((yield* emails)[0], { kind: "receipt", state: "cancelled" })
          assert.deepStrictEqual(yield* sql`select status from invitation`, [{ status: "sent" }])
          // to an erased person
          const bo = yield* Scenario.invited(organization, "bo@example.com")
          yield* round
          yield* Scenario.completed(bo)
          yield* (yield* People).erase(viewer(organization.id, member), bo.subject.candidate_id)
          yield* round
          assert.deepInclude((yield* emails)[1], { state: "cancelled", recipient: "" })
          // without an email of this service
          yield* Scenario.completed(yield* Scenario.invited(organization, "cy@example.com"))
          assert.lengthOf(yield* emails, 2)
          // turned off
          const path = "/settings/organization"
          const fields = fieldsOf((yield* get(path, member.cookie)).text, path)
          assert.deepInclude(fields, ["confirms_receipt", "yes"])
          yield* post(
            path,
            member.cookie,
            fields.filter(([name]) => name !== "confirms_receipt"),
          )
          const di = yield* Scenario.invited(organization, "di@example.com")
          yield* round
          yield* Scenario.completed(di)
          assert.lengthOf(yield* emails, 2)
          assert.isFalse((yield* sent).some(({ subject }) => subject.includes("received")))
        }),
      ),
  )
})

const letter = {
  subject: "Your interview: {{interview}}",
  text: "Dear {{firstname}},\n\nwe would like to meet you.\n\n{{organization}}",
}

const decided = Effect.fnUntraced(function* (decision: "advance" | "reject" = "advance") {
  const one = yield* begin()
  yield* Scenario.completed(one.invited)
  yield* round
  const page = `/submissions/${one.submission}`
  const answer = yield* post(`${page}/decision`, one.member.cookie, { decision, changes: "0" })
  assert.strictEqual(answer.status, 303)
  return { ...one, page, href: `${page}/letter` }
})

describe("a letter about a decision", () => {
  it.effect("is previewed, leaves after its delay, and says so on the page and in the audit log", () =>
    served((sent) =>
      Effect.gen(function* () {
        const { href, member, organization, page } = yield* decided()
        assert.lengthOf(yield* sent, 2, "a decision alone sends nothing")
        assert.include((yield* get(page, member.cookie)).text, `<a href="${href}">Write to the candidate</a>`)
        const fields = withFields(fieldsOf((yield* get(href, member.cookie)).text, href), letter)
        const preview = yield* post(href, member.cookie, [...fields, ["do", "preview"]])
        assert.include(preview.text, "<dd><bdi>Your interview: Backend Engineer</bdi></dd>")
        assert.include(preview.text, "we would like to meet you.")
        assert.deepInclude(fieldsOf(preview.text, href), ["text", letter.text])
        const written = yield* post(href, member.cookie, [...fields, ["do", "send"]])
        assert.strictEqual(written.location, `${page}?done=written`, written.text)
        assert.match(
          (yield* get(page, member.cookie)).text,
          /“<bdi>Your interview: Backend Engineer<\/bdi>” leaves <time datetime="2026-11-02T16:52:00.000Z"/,
        )
        // sent twice
        const again = yield* post(href, member.cookie, [...fields, ["do", "send"]])
        assert.strictEqual(again.status, 409)
        assert.include(again.text, "an email about a decision is waiting already")
        yield* TestClock.adjust("9 minutes")
        assert.strictEqual(yield* round, 0)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* round, 1)
        const mail = (yield* sent)[2]
        assert.isDefined(mail)
        assert.strictEqual(mail.subject, "Your interview: Backend Engineer")
        assert.strictEqual(mail.text.split("\n\n--\n")[0], "Dear Ada,\n\nwe would like to meet you.\n\nNordlicht")
        assert.strictEqual(mail.fromName, "Nordlicht")
        assert.include((yield* get(page, member.cookie)).text, "“<bdi>Your interview: Backend Engineer</bdi>” was sent")
        const last = (yield* Settings.audit(organization.id)).at(-1)
        assert.isDefined(last)
        assert.strictEqual(last.action, "submission.write")
        assert.deepStrictEqual(last.detail, { leaves_at: "2026-11-02T16:52:00.000Z" })
      }),
    ),
  )

  it.effect(
    "begins with a suggestion in the candidate's language, which becomes a template, then with the template",
    () =>
      served(() =>
        Effect.gen(function* () {
          const { invited, member, submission } = yield* begin({ cfg_lingual_ids: [3] })
          yield* Scenario.completed(invited)
          const page = `/submissions/${submission}`
          const href = `${page}/letter`
          yield* post(`${page}/decision`, member.cookie, { decision: "reject", changes: "0" })
          const { text } = yield* get(href, member.cookie)
          assert.include(text, '<span lang="fr">Français</span>')
          assert.deepInclude(fieldsOf(text, href), ["subject", "Votre entretien\u00a0: {{interview}}"])
          assert.include(text, "<dd><bdi>Votre entretien\u00a0: Backend Engineer</bdi></dd>")
          assert.include(text, "Bonjour Ada,")
          const create = "/message-templates/new?kind=reject&amp;language=fr"
          assert.include(text, `href="${create}"`)
          const form = fieldsOf((yield* get(create.replace("&amp;", "&"), member.cookie)).text, "/message-templates")
          assert.deepInclude(form, ["subject", "Votre entretien\u00a0: {{interview}}"])
          const own = withFields(form, { name: "Refus", subject: "Notre réponse" })
          assert.strictEqual((yield* post("/message-templates", member.cookie, own)).status, 303)
          const again = (yield* get(href, member.cookie)).text
          assert.deepInclude(fieldsOf(again, href), ["subject", "Notre réponse"])
          assert.notInclude(again, "Français")
        }),
      ),
  )

  it.effect("can be undone until a worker has claimed it, and leaves no more after another decision", () =>
    served((sent) =>
      Effect.gen(function* () {
        const { href, member, page } = yield* decided("reject")
        const { sql } = yield* Database
        const send = Effect.gen(function* () {
          const fields = withFields(fieldsOf((yield* get(href, member.cookie)).text, href), letter)
          assert.strictEqual((yield* post(href, member.cookie, [...fields, ["do", "send"]])).status, 303)
          const text = (yield* get(page, member.cookie)).text
          return fieldsOf(text, `${href}/undo`)
        })
        const first = yield* send
        assert.strictEqual((yield* post(`${href}/undo`, member.cookie, first)).location, `${page}?done=unwritten`)
        const twice = yield* post(`${href}/undo`, member.cookie, first)
        assert.strictEqual(twice.status, 409)
        assert.include(twice.text, "Not undone: the email has left, is being sent, or was undone before.")
        const withdrawn = "was withdrawn before it left."
        assert.include(twice.text, withdrawn)
        // claimed
        const second = yield* send
        yield* sql`update email set claim_id = gen_random_uuid(), leased_until = now() + interval '1 hour'
          where state = 'queued'`
        assert.strictEqual((yield* post(`${href}/undo`, member.cookie, second)).status, 409)
        // its attempt begins after another decision
        yield* TestClock.adjust("1 second")
        yield* post(`${page}/decision`, member.cookie, { decision: "advance", changes: "1" })
        yield* sql`update email set claim_id = null, leased_until = null where state = 'queued'`
        yield* TestClock.adjust("1 hour")
        yield* round
        assert.notInclude((yield* get(page, member.cookie)).text, withdrawn, "below a later decision")
        // the decision is undone
        yield* send
        assert.strictEqual((yield* post(`${page}/decision/undo`, member.cookie, { changes: "2" })).status, 303)
        yield* TestClock.adjust("1 hour")
        yield* round
        assert.deepStrictEqual(
          (yield* emails).map(({ kind, state }) => `${kind} ${state}`),
          ["receipt sent", "decision_reject cancelled", "decision_reject cancelled", "decision_advance cancelled"],
        )
        assert.lengthOf(yield* sent, 2)
      }),
    ),
  )

  it.effect("is refused with the words that it may not have, without a loss", () =>
    served(() =>
      Effect.gen(function* () {
        const { href, member, page, organization, submission } = yield* decided()
        const fields = fieldsOf((yield* get(href, member.cookie)).text, href)
        const refused = Effect.fnUntraced(function* (changes: Record<string, string>) {
          const answer = yield* post(href, member.cookie, [
            ...withFields(fields, { ...letter, ...changes }),
            ["do", "send"],
          ])
          assert.strictEqual(answer.status, 422)
          return answer.text
        })
        assert.include(yield* refused({ text: "Dear {{vorname}}, hello." }), "{{vorname}} in line 1")
        assert.include(
          yield* refused({ subject: "Until {{deadline}}" }),
          "must have no words in double braces other than",
        )
        assert.include(yield* refused({ subject: "" }), "The subject must not be blank.")
        assert.include(
          yield* refused({ subject: "a\r\nBcc: eve@example.com" }),
          "contains characters that cannot be stored",
        )
        const kept = yield* refused({ text: "{{open", subject: "Kept" })
        assert.deepInclude(fieldsOf(kept, href), ["subject", "Kept"])
        // another decision since the page was opened
        yield* post(`${page}/decision`, member.cookie, { decision: "reject", changes: "1" })
        const stale = yield* post(href, member.cookie, [...withFields(fields, letter), ["do", "send"]])
        assert.strictEqual(stale.status, 409)
        assert.include(stale.text, "Not sent: the decision has changed since you opened the page.")
        // a recruiter without access, and another organization
        const stranger = yield* signedIn(organization.id, "recruiter")
        assert.strictEqual((yield* get(href, stranger.cookie)).status, 403)
        assert.strictEqual((yield* post(`${href}/undo`, stranger.cookie, { letter: submission })).status, 403)
        // without a decision that has letters
        yield* post(`${page}/decision`, member.cookie, { decision: "hold", changes: "2" })
        assert.strictEqual((yield* get(href, member.cookie)).location, page)
        assert.deepStrictEqual(
          (yield* emails).map(({ kind }) => kind),
          ["receipt"],
        )
      }),
    ),
  )

  it.effect(
    "comes from a template with a subject, also for many at once from the page that confirms their decision",
    () =>
      served((sent) =>
        Effect.gen(function* () {
          const { organization, invited, member, submission } = yield* begin()
          yield* Scenario.completed(invited)
          const bo = yield* Scenario.invited(organization, "bo@example.com")
          yield* round
          yield* Scenario.completed(bo)
          const templates = "/message-templates"
          const form = fieldsOf((yield* get(`${templates}/new?kind=reject`, member.cookie)).text, templates)
          assert.deepInclude(form, ["kind", "reject"])
          const wrong = yield* post(
            templates,
            member.cookie,
            withFields(form, { name: "No", subject: "", text: "Dear {{first}}" }),
          )
          assert.include(wrong.text, "The subject must not be blank.")
          assert.include(wrong.text, "{{first}} in line 1")
          const created = yield* post(templates, member.cookie, withFields(form, { name: "No", ...letter }))
          assert.strictEqual(created.status, 303, created.text)
          const { sql } = yield* Database
          const [template] = yield* sql<{ id: string }>`select id from message_template where kind = 'reject'`
          const rows: ReadonlyArray<readonly [string, string]> = [submission, bo.subject.submission_id].map((id) => [
            "selected",
            `${id}:0`,
          ])
          yield* sql`update invitation set status = 'failed', failure_reason = 'bounce'
            where submission_id = ${bo.subject.submission_id}::uuid`
          const decide = "/submissions/decide"
          const question = yield* post(decide, member.cookie, [...rows, ["decision", "reject"]])
          assert.include(question.text, "Email to the candidates")
          assert.match(question.text, /The last email did not arrive: <bdi>[^<]+<\/bdi>\./)
          const asked = withFields(fieldsOf(question.text, decide), { template: template?.id ?? "", delay: "1h" })
          const preview = yield* post(decide, member.cookie, [...asked, ["preview", "reject"]])
          assert.include(preview.text, "<dd><bdi>Your interview: Backend Engineer</bdi></dd>")
          assert.include(preview.text, "<dd><bdi>ada@example.com</bdi></dd>")
          const done = yield* post(decide, member.cookie, [...asked, ["decision", "reject"]])
          assert.strictEqual(done.status, 303, done.text)
          const list = yield* get(done.location ?? "", member.cookie)
          assert.include(list.text, "Rejected: 2 candidates. 2 emails leave in 1 hour, unless you undo the decision.")
          yield* TestClock.adjust("1 hour")
          yield* round
          assert.deepStrictEqual(
            (yield* sent)
              .filter(({ subject }) => subject.startsWith("Your interview"))
              .map(({ to }) => to)
              .toSorted(),
            ["ada@example.com", "bo@example.com"],
          )
          // an invitation does not offer it
          const invite = yield* get(`/interview-sets/${organization.set.id}/invite`, member.cookie)
          assert.notInclude(invite.text, template?.id ?? "no template")
        }),
      ),
  )
})

describe("suggested letters for many candidates", () => {
  it.effect(
    "are in each candidate's language, sent only when chosen, and can be written and undone after the decision",
    () =>
      served((sent) =>
        Effect.gen(function* () {
          const { organization, invited, member, submission } = yield* begin()
          const german = yield* (yield* InterviewSets).create(operator(organization.id), {
            title: "Pflegekraft",
            cfg_lingual_ids: [2],
          })
          const bo = yield* Scenario.invited({ id: organization.id, set: german }, "bo@example.com")
          yield* round
          for (const one of [invited, bo]) yield* Scenario.completed(one)
          yield* round
          const before = (yield* sent).length
          const [decide, write, undo] = ["/submissions/decide", "/submissions/write", "/submissions/undo"] as const
          const rows = [submission, bo.subject.submission_id].map((id) => ["selected", `${id}:0`] as const)
          const question = yield* post(decide, member.cookie, [...rows, ["decision", "reject"]])
          assert.match(question.text, /<option value=""[^>]*>No email</)
          assert.notInclude(question.text, 'id="preview"')
          const asked = fieldsOf(question.text, decide)
          const preview = yield* post(decide, member.cookie, [
            ...withFields(asked, { template: "suggested" }),
            ["preview", "reject"],
          ])
          assert.match(
            preview.text,
            />English: 1 candidate<[\s\S]*Your interview: Backend Engineer[\s\S]*>Deutsch: 1 candidate<[\s\S]*Ihr Interview: Pflegekraft/,
          )
          const removed = yield* post(decide, member.cookie, [
            ...withFields(asked, { template: "0190b5a2-7c1e-7def-8abc-0123456789ab" }),
            ["decision", "reject"],
          ])
          assert.strictEqual(removed.status, 422)
          assert.include(removed.text, "the template was removed meanwhile")
          const decided = yield* post(decide, member.cookie, [
            ...withFields(asked, { template: "" }),
            ["decision", "reject"],
          ])
          const list = Effect.map(get(decided.location ?? "", member.cookie), ({ text }) => text)
          assert.include(yield* list, "Rejected: 2 candidates.")
          // written afterwards, twice by the same form, undone, and written again
          const open = Effect.gen(function* () {
            const page = yield* post(write, member.cookie, fieldsOf(yield* list, write))
            assert.include(page.text, "<h1>Write to 2 candidates</h1>")
            assert.include(page.text, ">Deutsch: 1 candidate<")
            return withFields(fieldsOf(page.text, write), { template: "suggested", delay: "1h" })
          })
          const first = yield* open
          const written = yield* post(write, member.cookie, first)
          assert.strictEqual((yield* post(write, member.cookie, first)).location, written.location)
          const told = (yield* get(written.location ?? "", member.cookie)).text
          assert.include(told, "2 emails leave in 1 hour, unless you undo them.")
          const undone = yield* post(undo, member.cookie, fieldsOf(told, undo))
          assert.include(
            (yield* get(undone.location ?? "", member.cookie)).text,
            "2 emails were undone and are not sent.",
          )
          yield* post(write, member.cookie, yield* open)
          yield* TestClock.adjust("1 hour")
          yield* round
          assert.deepStrictEqual(
            (yield* sent)
              .slice(before)
              .map(({ subject, to }) => [to, subject])
              .toSorted(),
            [
              ["ada@example.com", "Your interview: Backend Engineer"],
              ["bo@example.com", "Ihr Interview: Pflegekraft"],
            ],
          )
        }),
      ),
  )
})

describe("the delay of a letter", () => {
  it("ends after ten minutes or an hour, or at the next 9:00 in the organization's time zone", () => {
    const at = (text: string) => new Date(text)
    assert.deepStrictEqual(leavesAt("10m", at("2026-11-02T16:42:00Z"), "UTC"), at("2026-11-02T16:52:00Z"))
    assert.deepStrictEqual(leavesAt("1h", at("2026-11-02T16:42:00Z"), "UTC"), at("2026-11-02T17:42:00Z"))
    for (const [now, zone, expected] of [
      ["2026-11-02T16:42:00Z", "Europe/Berlin", "2026-11-03T08:00:00Z"],
      ["2026-11-02T06:42:00Z", "Europe/Berlin", "2026-11-02T08:00:00Z"],
      ["2026-11-30T23:30:00Z", "Asia/Tokyo", "2026-12-01T00:00:00Z"],
      ["2026-12-31T12:00:00Z", "America/Los_Angeles", "2026-12-31T17:00:00Z"],
      // the clocks change in the night
      ["2026-10-24T20:00:00Z", "Europe/Berlin", "2026-10-25T08:00:00Z"],
    ] as const) {
      assert.deepStrictEqual(leavesAt("morning", at(now), zone), at(expected), `${now} ${zone}`)
    }
  })
})
