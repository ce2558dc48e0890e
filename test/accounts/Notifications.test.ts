/** Emails to members that each member chooses, and the links that end them. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { EmailLinks } from "../../src/emails/EmailLinks.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import type { OutgoingEmail } from "../../src/emails/EmailSender.ts"
import { Accommodations } from "../../src/interviews/Accommodations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { MemberId, type OrganizationId } from "../../src/values/Ids.ts"
import { EndpointProbes } from "../../src/webhooks/endpoints/EndpointProbes.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { post, settings, signedIn } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const sent = Ref.makeUnsafe<ReadonlyArray<OutgoingEmail>>([])

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings, evaluate: Dossier.evaluate, mails: sent })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const send = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))

/** Sends all queued emails; returns those to members. */
const delivered = Effect.gen(function* () {
  yield* Ref.set(sent, [])
  yield* send
  return (yield* Ref.get(sent)).filter(({ to }) => /^m\d+@example\.com$/.test(to))
})

const choicesOf = Effect.fnUntraced(function* (id: MemberId) {
  const { sql } = yield* Database
  const [row] = yield* sql<Record<string, string>>`
    select mails_mentions, mails_comments, mails_assignments, mails_submitted, mails_accommodations, mails_webhooks from member where id = ${id}::uuid`
  return Object.values(row ?? {}).join(" ")
})

/** An organization with a submitted interview, an owner and a reviewer. */
const furnished = Effect.gen(function* () {
  const whole = yield* Dossier.whole()
  const owner = yield* signedIn(whole.organization)
  const reviewer = yield* signedIn(whole.organization, "reviewer")
  const path = `/submissions/${whole.submission}`
  yield* send
  return { ...whole, owner, reviewer, path }
})

const deactivate = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { id } = yield* Scenario.endpoint(organization)
  const probes = yield* EndpointProbes
  yield* probes.deactivated([
    {
      ...{
        id,
        name: "ERP",
        url: "https://erp.example",
        organization_id: organization,
        consecutive_failures: 1,
        last_error: null,
      },
      inactive_reason: "gone",
    },
  ])
})

layer(pages)("notifications", (it) => {
  it.effect("have a link and headers that end emails of their kind, without signing in and only on POST", () =>
    Effect.gen(function* () {
      const { owner, path, reviewer } = yield* furnished
      yield* post(`${path}/reviewers`, owner.cookie, { member: reviewer.id })
      const [mail, ...others] = yield* delivered
      assert.isEmpty(others)
      const url = new URL(mail?.unsubscribeUrl ?? "")
      assert.match(url.pathname, /^\/notifications\/[\w-]{44}\/assignments$/)
      assert.include(mail?.text, url.href)
      assert.include(mail?.html, `href="${url.href}"`)
      const before = "now daily now daily now now"
      const shown = yield* Workspace.request("GET", url.pathname)
      assert.strictEqual(shown.status, 200)
      assert.include(shown.text, "Get no more of these emails?")
      assert.include(shown.text, `<bdi>${reviewer.email}</bdi> when a colleague asks you to review a candidate`)
      assert.strictEqual(yield* choicesOf(reviewer.id), before, "opening the page changes nothing")
      const ended = yield* Workspace.request("POST", url.pathname, {
        fields: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
      })
      assert.strictEqual(ended.status, 200)
      assert.include(ended.text, "You get no more of these emails")
      assert.strictEqual(yield* choicesOf(reviewer.id), "now daily off daily now now")
      assert.include((yield* Workspace.request("GET", url.pathname)).text, "You get no more of these emails")
      yield* post(`${path}/reviewers/remove`, owner.cookie, { member: reviewer.id })
      yield* post(`${path}/reviewers`, owner.cookie, { member: reviewer.id })
      assert.isEmpty(yield* delivered)
      const { sql } = yield* Database
      const [entry] = yield* sql<{ member_id: string; detail: unknown }>`
        select member_id, detail from audit_log where record_id = ${reviewer.id} and action = 'member.update'`
      assert.deepStrictEqual(entry, {
        member_id: reviewer.id,
        detail: { before: { mails_assignments: "now" }, after: { mails_assignments: "off" } },
      })
    }),
  )

  it.effect("ends all daily emails with one link, and knows no other tokens and kinds", () =>
    Effect.gen(function* () {
      const { owner } = yield* furnished
      const links = yield* EmailLinks
      const path = (id: MemberId, kind: string) => new URL(links.notifications(id, kind)).pathname
      yield* Workspace.request("POST", path(owner.id, "daily"))
      assert.strictEqual(yield* choicesOf(owner.id), "now off now off now now")
      for (const method of ["GET", "POST"]) {
        const stranger = MemberId.make("00000000-0000-7000-8000-000000000009")
        for (const one of [
          path(owner.id, "everything"),
          path(stranger, "daily"),
          `/notifications/${"A".repeat(44)}/daily`,
        ])
          assert.strictEqual((yield* Workspace.request(method, one)).status, 404, one)
      }
    }),
  )

  it.effect("do not reach a member who was removed before they were sent", () =>
    Effect.gen(function* () {
      const { owner, path, reviewer } = yield* furnished
      const links = yield* EmailLinks
      yield* post(`${path}/reviewers`, owner.cookie, { member: reviewer.id })
      const { sql } = yield* Database
      yield* sql`update member set deactivated_at = now() where id = ${reviewer.id}::uuid`
      assert.isEmpty(yield* delivered)
      const link = new URL(links.notifications(reviewer.id, "mentions")).pathname
      assert.strictEqual((yield* Workspace.request("GET", link)).status, 404)
    }),
  )

  it.effect("tell those who review a candidate about comments, once, and not those who are mentioned", () =>
    Effect.gen(function* () {
      const { organization, owner, path } = yield* furnished
      const [involved, mentioned, stranger] = yield* Effect.all([
        signedIn(organization, "admin"),
        signedIn(organization, "admin"),
        signedIn(organization, "admin"),
      ])
      for (const { cookie } of [involved, mentioned, stranger])
        yield* post("/account/notifications", cookie, { mails_comments: "now", mails_assignments: "off" })
      for (const { id } of [involved, mentioned]) yield* post(`${path}/reviewers`, owner.cookie, { member: id })
      const comment = {
        id: "018f0000-0000-7000-8000-000000000001",
        question: "",
        text: `Secret words, @${mentioned.email}`,
      }
      yield* post(`${path}/comments`, owner.cookie, comment)
      const mails = yield* delivered
      assert.sameDeepMembers(
        mails.map(({ subject, to }) => [to, subject]),
        [
          [involved.email, `${owner.email} commented on a candidate for Backend Engineer`],
          [mentioned.email, `${owner.email} mentioned you in a comment`],
        ],
      )
      for (const { html, text } of mails) assert.notMatch(`${html}${text}`, /Secret words|Ada/)
    }),
  )

  it.effect("about submitted interviews reach at once those with access who chose it, once also after a retake", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const owner = yield* signedIn(id)
      const recruiter = yield* signedIn(id, "recruiter")
      const daily = yield* signedIn(id, "admin")
      for (const { cookie } of [owner, recruiter])
        yield* post("/account/notifications", cookie, { mails_submitted: "now" })
      const invited = yield* Scenario.invited({ id, set })
      yield* Scenario.completed(invited)
      const mails = yield* delivered
      assert.deepStrictEqual(
        mails.map(({ subject, to }) => [to, subject]),
        [[owner.email, "Interview submitted: Backend Engineer"]],
      )
      assert.include(mails[0]?.text, `/submissions/${invited.subject.submission_id}`)
      assert.notMatch(`${mails[0]?.html}${mails[0]?.text}`, /Ada|billing/)
      const { sql } = yield* Database
      const waiting = yield* sql<{ member_id: string; kind: string }>`
        select member_id, kind from member_notice where organization_id = ${id}::int`
      assert.deepStrictEqual(waiting, [{ member_id: daily.id, kind: "submitted" }])
    }),
  )

  it.effect(
    "about what candidates need reach those with access who want them, but no reviewer, and once for a request",
    () =>
      Effect.gen(function* () {
        const invited = yield* Scenario.invited(yield* Scenario.organization())
        const { organization: id, token } = invited
        const owner = yield* signedIn(id)
        const off = yield* signedIn(id, "owner")
        const daily = yield* signedIn(id, "admin")
        yield* signedIn(id, "recruiter")
        const reviewer = yield* signedIn(id, "reviewer")
        yield* post(`/submissions/${invited.subject.submission_id}/reviewers`, owner.cookie, { member: reviewer.id })
        yield* post("/account/notifications", off.cookie, { mails_accommodations: "off" })
        yield* post("/account/notifications", daily.cookie, { mails_accommodations: "daily" })
        yield* delivered
        const { ask } = yield* Accommodations
        yield* ask(token, { needs: ["time"], text: "I am dyslexic." })
        yield* ask(token, { needs: ["time"], text: "I am dyslexic." })
        const mails = yield* delivered
        assert.deepStrictEqual(
          mails.map(({ subject, to }) => [to, subject]),
          [[owner.email, "A candidate needs something to take part: Backend Engineer"]],
        )
        assert.include(mails[0]?.text, "/accommodations")
        assert.match(mails[0]?.unsubscribeUrl ?? "", /\/accommodations$/)
        assert.notMatch(`${mails[0]?.html}${mails[0]?.text}`, /Ada|dyslexic/)
        const { sql } = yield* Database
        const waiting = yield* sql<{ member_id: string; kind: string }>`
        select member_id, kind from member_notice where organization_id = ${id}::int and kind = 'accommodations'`
        assert.deepStrictEqual(waiting, [{ member_id: daily.id, kind: "accommodations" }])
      }),
  )

  it.effect("about webhooks reach owners and admins who chose them", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* furnished
      const admin = yield* signedIn(organization, "admin")
      yield* signedIn(organization, "recruiter")
      yield* post("/account/notifications", admin.cookie, { mails_webhooks: "off" })
      yield* deactivate(organization)
      const mails = yield* delivered
      assert.deepStrictEqual(
        mails.map(({ to }) => to),
        [owner.email],
      )
      assert.match(mails[0]?.unsubscribeUrl ?? "", /\/webhooks$/)
      assert.include(mails[0]?.text, mails[0]?.unsubscribeUrl ?? "none")
    }),
  )
})
