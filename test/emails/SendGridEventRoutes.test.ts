/** SendGrid's reports, from the signed request to the webhook event (docs/mails.md). */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EmailEventReceiver } from "../../src/emails/EmailEventReceiver.ts"
import { EmailQueue } from "../../src/emails/EmailQueue.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { emptyReference } from "../../src/values/ExternalReference.ts"
import * as Api from "../support/Api.ts"
import * as Mails from "../support/Mails.ts"
import * as Scenario from "../support/Scenario.ts"
import { entry, eventsKey, post, postRaw } from "../support/SendGrid.ts"
import { apply, eventsOf, sent, standing, start, statusesOf } from "../support/SentEmails.ts"

const service = Api.layer({
  settings: { SENDGRID_EVENTS_KEY: eventsKey },
  send: ({ id }) => Effect.succeed({ providerMessageId: `sg-${id}`, delivered: false }),
})

layer(service)("POST /providers/sendgrid/events", (it) => {
  it.effect.each<{
    readonly quote: string
    readonly event: string
    readonly more?: object
    readonly status?: string
    readonly reason?: string
    readonly invitation: string
    readonly failure?: string
    readonly suppression?: string
  }>([
    {
      quote: "delivered/open/click → delivered",
      event: "delivered",
      status: "delivered",
      reason: "delivered",
      invitation: "delivered",
    },
    { quote: "delivered/open/click → opened", event: "open", status: "opened", reason: "opened", invitation: "opened" },
    {
      quote: "delivered/open/click → clicked",
      event: "click",
      more: { url: "http://localhost:8080/i/x" },
      status: "clicked",
      reason: "clicked",
      invitation: "clicked",
    },
    {
      quote: "bounce → failed `bounce`",
      event: "bounce",
      more: { type: "bounce", status: "5.1.1", reason: "550 5.1.1 no such user" },
      status: "failed",
      reason: "bounce",
      invitation: "failed",
      failure: "bounce",
    },
    {
      quote: "a bounce without a reason is SendGrid's own judgement",
      event: "bounce",
      status: "failed",
      reason: "bounce",
      invitation: "failed",
      failure: "bounce",
    },
    ...[
      { event: "bounce", more: { type: "blocked" } },
      { event: "bounce", more: { type: "bounce", status: "5.7.1", reason: "550 5.7.1 blocked using spamhaus" } },
      { event: "bounce", more: { type: "blocked", status: "5.7.26", reason: "550 5.7.26 unauthenticated" } },
      { event: "bounce", more: { type: "bounce", status: "5.2.2", reason: "552 5.2.2 mailbox full" } },
      { event: "blocked", more: {} },
    ].map((one) => ({
      ...one,
      quote: `no statement about the recipient → failed \`dropped\` ${JSON.stringify(one.more)}`,
      status: "failed",
      reason: "dropped",
      invitation: "failed",
      failure: "dropped",
    })),
    { quote: "an open by a machine → log only", event: "open", more: { sg_machine_open: true }, invitation: "sent" },
    {
      quote: "an open by a person",
      event: "open",
      more: { sg_machine_open: false },
      status: "opened",
      reason: "opened",
      invitation: "opened",
    },
    {
      quote: "dropped → failed `dropped`",
      event: "dropped",
      more: { reason: "Bounced Address" },
      status: "failed",
      reason: "dropped",
      invitation: "failed",
      failure: "dropped",
    },
    {
      quote: "spamreport → `invitation_email_spam`, reason `spam`, and suppress",
      event: "spamreport",
      status: "spam",
      reason: "spam",
      invitation: "sent",
      suppression: "spam",
    },
    {
      quote: "unsubscribe → suppress, no event",
      event: "unsubscribe",
      invitation: "sent",
      suppression: "unsubscribed",
    },
    {
      quote: "unsubscribe → suppress, no event (group)",
      event: "group_unsubscribe",
      invitation: "sent",
      suppression: "unsubscribed",
    },
    { quote: "processed, deferred → log only", event: "processed", invitation: "sent" },
    {
      quote: "processed, deferred → log only",
      event: "deferred",
      more: { response: "450 later", attempt: "3" },
      invitation: "sent",
    },
    { quote: "an unknown kind → log only", event: "something_new", invitation: "sent" },
  ])("contract: $quote: $event", ({ event, failure, invitation, more, reason, status, suppression }) =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const { organization, subject } = candidate
      assert.strictEqual((yield* post([entry(event, candidate.emailId, more)])).status, 204)
      assert.strictEqual((yield* standing(candidate))?.waiting, 1, "answered, then applied")
      assert.strictEqual(yield* apply, 1)
      assert.deepStrictEqual(yield* standing(candidate), {
        status: invitation,
        failure_reason: failure ?? null,
        suppression: suppression ?? null,
        waiting: 0,
      })
      const events = yield* eventsOf(candidate)
      if (status === undefined) return assert.deepStrictEqual(events, [])
      assert.lengthOf(events, 1)
      // docs/webhooks.md: events of provider reports have no interview_name
      const [body] = events
      assert.deepStrictEqual(body, {
        schema_version: "1.0.0",
        event_type: "invitation.status.update",
        event_id: String(body?.["event_id"]),
        timestamp: "2026-01-01T00:00:00.000Z",
        organization_id: organization,
        data: {
          interview_set_id: subject.interview_set_id,
          candidate_id: subject.candidate_id,
          candidate_email: "ada@example.com",
          status: `invitation_email_${status}`,
          reason: reason ?? "",
          invitation_id: subject.invitation_id,
          ats_candidate_id: null,
          ...emptyReference,
          submission_id: subject.submission_id,
        },
      })
    }),
  )

  it.effect(
    "reports once what SendGrid repeats under another sg_event_id, and keeps a failure over a late delivery",
    () =>
      Effect.gen(function* () {
        const candidate = yield* sent()
        for (const sg_event_id of ["one", "two", "three"]) {
          yield* post([
            entry("bounce", candidate.emailId, { status: "5.1.1", reason: "550 5.1.1 unknown", sg_event_id }),
          ])
          yield* apply
        }
        yield* post([entry("delivered", candidate.emailId, { sg_event_id: "late" })])
        // without an id of the email, as some delayed bounces are
        const bare = {
          event: "bounce",
          email: "ada@example.com",
          sg_message_id: "",
          sg_event_id: "bare",
          status: "5.1.10",
        }
        assert.strictEqual((yield* post([bare])).status, 204)
        yield* apply
        assert.deepInclude({ ...(yield* standing(candidate)) }, { status: "failed", failure_reason: "bounce" })
        assert.deepStrictEqual((yield* statusesOf(candidate)).slice(0, 1), ["invitation_email_failed bounce"])
        assert.lengthOf(
          (yield* statusesOf(candidate)).filter((text) => text.startsWith("invitation_email_failed")),
          1,
        )
      }),
  )

  it.effect("ignores a click on the unsubscribe link", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const mail = (yield* Mails.written).find(({ id }) => id === candidate.emailId)
      const url = /http:\/\/localhost:8080\/unsubscribe\/\S+/.exec(mail?.text ?? "")?.[0] ?? assert.fail("no link")
      yield* post([entry("click", candidate.emailId, { url })])
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), [])
    }),
  )

  it.effect("applies a repeated report once, with or without an id", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const one = entry("delivered", candidate.emailId)
      const { sg_event_id: _, ...nameless } = entry("unsubscribe", candidate.emailId)
      for (let i = 0; i < 2; i++) {
        assert.strictEqual((yield* post([one, nameless, one, nameless])).status, 204)
        assert.strictEqual(yield* apply, i === 0 ? 2 : 0)
      }
      yield* post([entry("delivered", candidate.emailId)])
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), ["invitation_email_delivered delivered"])
    }),
  )

  it.effect("reaches the same state in any order, with one event of each kind", () =>
    Effect.gen(function* () {
      const kinds = ["delivered", "open", "click"]
      const orders = kinds.flatMap((a) =>
        kinds.filter((b) => b !== a).map((b) => [a, b, ...kinds.filter((c) => c !== a && c !== b)]),
      )
      for (const order of orders) {
        const candidate = yield* sent()
        for (const kind of order) {
          yield* post([entry(kind, candidate.emailId), entry(kind, candidate.emailId)])
          yield* apply
        }
        assert.strictEqual((yield* standing(candidate))?.status, "clicked", order.join())
        assert.deepStrictEqual((yield* statusesOf(candidate)).toSorted(), [
          "invitation_email_clicked clicked",
          "invitation_email_delivered delivered",
          "invitation_email_opened opened",
        ])
      }
    }),
  )

  it.effect("applies reports of one request in their natural order", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      yield* post(["click", "open", "processed", "delivered"].map((kind) => entry(kind, candidate.emailId)))
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), [
        "invitation_email_delivered delivered",
        "invitation_email_opened opened",
        "invitation_email_clicked clicked",
      ])
    }),
  )

  it.effect("fails the invitation on a bounce after delivery, but not after a click", () =>
    Effect.gen(function* () {
      const bounced = yield* sent()
      const clicked = yield* sent()
      yield* post([entry("delivered", bounced.emailId), entry("click", clicked.emailId)])
      yield* apply
      yield* post([entry("bounce", bounced.emailId), entry("bounce", clicked.emailId)])
      yield* apply
      assert.deepInclude({ ...(yield* standing(bounced)) }, { status: "failed", failure_reason: "bounce" })
      assert.deepInclude({ ...(yield* standing(clicked)) }, { status: "clicked" })
      assert.include(yield* statusesOf(clicked), "invitation_email_failed bounce")
    }),
  )

  it.effect("applies 1,000 reports in a few statements, with an event each", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { sql } = yield* Database
      const { organization, subject } = yield* Scenario.invited(yield* Scenario.organization())
      // 999 copies of the invited one
      yield* sql`
        with c as (
          insert into candidate (id, organization_id, email, email_key)
          select gen_random_uuid(), ${organization}::int, n || '@many.example', n || '@many.example'
          from generate_series(1, 999) n returning id, email
        ), s as (
          insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at)
          select gen_random_uuid(), ${organization}::int, ${subject.interview_set_id}::uuid, id, 'interview', 'need_interview', now()
          from c returning id, candidate_id
        ), i as (
          insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, status, expires_at)
          select gen_random_uuid(), ${organization}::int, ${subject.interview_set_id}::uuid, c.id, s.id, c.email, 'sent', now()
          from s join c on c.id = s.candidate_id returning id, email
        )
        insert into email (id, organization_id, invitation_id, kind, recipient, state, due_at)
        select gen_random_uuid(), ${organization}::int, id, 'invitation', email, 'sent', null from i`
      const mails = yield* sql<{ id: string }>`select id from email where organization_id = ${organization}::int`
      assert.lengthOf(mails, 1000)
      const kinds = ["delivered", "open", "bounce", "spamreport"]
      const entries = mails.map(({ id }, i) => entry(kinds[i % 4] ?? "", id, { useragent: "x".repeat(500) }))
      assert.strictEqual((yield* post(entries)).status, 204)
      assert.strictEqual(yield* apply, 1000)
      assert.strictEqual(yield* apply, 0)
      const events = yield* sql`
        select status, count(*)::int as count from webhook_event where organization_id = ${organization}::int
        group by status order by status`
      assert.deepStrictEqual(
        events,
        ["delivered", "failed", "opened", "spam"].map((status) => ({
          status: `invitation_email_${status}`,
          count: 250,
        })),
      )
    }),
  )

  it.effect("stores the other entries beside unreadable and foreign ones", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const entries = [
        null,
        "text",
        42,
        [],
        {},
        { event: 1 },
        { event: "x".repeat(100), email_id: candidate.emailId },
        entry("open", candidate.emailId, { event: "op\u0000en" }),
        entry("open", "not an id"),
        entry("open", undefined),
        entry("open", "0190b5a2-7c1e-7def-8abc-0123456789ab"),
        entry("open", candidate.emailId, { sg_event_id: 7, useragent: "\u0000\ud800 \u{1F680}", deep: { "": [null] } }),
        entry("delivered", candidate.emailId, { sg_event_id: "\u0000" }),
      ]
      assert.strictEqual((yield* post(entries)).status, 204)
      assert.strictEqual(yield* apply, 2)
      assert.deepStrictEqual(yield* statusesOf(candidate), [
        "invitation_email_delivered delivered",
        "invitation_email_opened opened",
      ])
    }),
  )

  it.effect("marks a report that cannot be applied and applies the others", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const [bad, good] = [yield* sent("bad@example.com"), yield* sent()]
      yield* sql`
        create function refuse() returns trigger language plpgsql as $$
          begin if new.email = 'bad@example.com' and new.opened_at is not null then raise exception 'no'; end if; return new; end $$`
      yield* sql`create trigger refuse before update on invitation for each row execute function refuse()`
      yield* post([entry("open", bad.emailId), entry("open", good.emailId)])
      assert.strictEqual(yield* apply, 2)
      yield* sql`drop function refuse cascade`
      assert.deepStrictEqual(yield* statusesOf(good), ["invitation_email_opened opened"])
      assert.deepStrictEqual(yield* statusesOf(bad), [])
      const errors = yield* sql`select email_id from email_event where error is not null`
      assert.deepStrictEqual(errors, [{ email_id: bad.emailId }])
      assert.strictEqual(yield* apply, 0)
    }),
  )

  it.effect("finds a mail by SendGrid's id when the custom argument is missing", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const { sql } = yield* Database
      yield* sql`update email set provider = 'sendgrid', provider_message_id = 'q1Ab_c-D' where id = ${candidate.emailId}::uuid`
      yield* post([entry("open", undefined, { sg_message_id: "q1Ab_c-D.recvd-5c9d-abc-1-66.0" })])
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), ["invitation_email_opened opened"])
    }),
  )

  it.effect("applies an entry of any length and stores its beginning", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const [opened, unsubscribed] = [yield* sent(), yield* sent("bob@example.com")]
      const useragent = "x\u{1F680}".repeat(30_000)
      const mail = (yield* Mails.written).find(({ id }) => id === unsubscribed.emailId)
      const url = /http:\/\/localhost:8080\/unsubscribe\/\S+/.exec(mail?.text ?? "")?.[0] ?? assert.fail("no link")
      const entries = [
        entry("open", opened.emailId, { useragent }),
        entry("click", unsubscribed.emailId, { useragent, url }),
      ]
      assert.strictEqual((yield* post(entries)).status, 204)
      assert.strictEqual((yield* post(entries)).status, 204)
      assert.strictEqual(yield* apply, 2)
      assert.deepStrictEqual(yield* statusesOf(opened), ["invitation_email_opened opened"])
      assert.deepStrictEqual(yield* statusesOf(unsubscribed), [], "a click that unsubscribes is none")
      const [longest] = yield* sql<{ length: number; cut: string }>`
        select length(body), body::jsonb ->> 'cut' as cut from email_event where email_id = ${opened.emailId}::uuid`
      assert.isBelow(longest?.length ?? 0, 30_000)
      assert.match(longest?.cut ?? "", /^{"email":"ada@example.com"/)
    }),
  )

  it.effect("does not fail a delivered invitation when a resend or reminder is dropped", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const id = candidate.subject.invitation_id ?? assert.fail()
      const { sql } = yield* Database
      const more = Effect.gen(function* () {
        yield* (yield* Invitations).resend(operator(candidate.organization), id)
        yield* runOnce((yield* EmailQueue).queue)
        const [mail] = yield* sql<{ id: string }>`
          select id from email where invitation_id = ${id}::uuid order by created_at desc, id desc limit 1`
        return mail?.id
      })
      const report = Effect.fnUntraced(function* (kind: string, emailId: string | undefined) {
        yield* post([entry(kind, emailId)])
        yield* apply
        return (yield* standing(candidate))?.status
      })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* report("dropped", yield* more), "sent")
      assert.strictEqual(yield* report("delivered", candidate.emailId), "delivered")
      yield* TestClock.adjust("1 hour")
      const last = yield* more
      assert.strictEqual(yield* report("dropped", last), "delivered")
      assert.strictEqual(yield* report("bounce", candidate.emailId), "failed", "the address is dead")
      yield* TestClock.adjust("1 hour")
      const anew = yield* more
      assert.strictEqual((yield* standing(candidate))?.status, "sent")
      assert.strictEqual(yield* report("dropped", anew), "failed", "no mail of it has arrived")
    }),
  )

  it.effect("settles both mails with the same provider id; reports are about the newer", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const [older, newer] = [yield* sent("old@example.com"), yield* sent("new@example.com")]
      yield* sql`update email set provider = 'sendgrid', provider_message_id = 'twice',
        created_at = created_at + interval '1 hour' * (recipient = 'new@example.com')::int
        where id in (${older.emailId}::uuid, ${newer.emailId}::uuid)`
      yield* post([entry("open", undefined, { sg_message_id: "twice.recvd-1" })])
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(older), [])
      assert.deepStrictEqual(yield* statusesOf(newer), ["invitation_email_opened opened"])
    }),
  )

  it.effect("applies a report once with several processes", () =>
    Effect.gen(function* () {
      const candidates = yield* Effect.forEach(Array.from({ length: 5 }), () => sent())
      yield* post(candidates.flatMap(({ emailId }) => ["delivered", "open"].map((kind) => entry(kind, emailId))))
      const applied = yield* Effect.all([apply, apply, apply], { concurrency: "unbounded" })
      yield* apply
      assert.strictEqual(
        applied.reduce((sum, one) => sum + one, 0),
        10,
      )
      for (const candidate of candidates) assert.lengthOf(yield* statusesOf(candidate), 2)
    }),
  )

  it.effect("suppresses an address for its organization only", () =>
    Effect.gen(function* () {
      const candidate = yield* sent("Ada.X@example.com")
      yield* post([entry("spamreport", candidate.emailId)])
      yield* apply
      const error = yield* Effect.flip(
        (yield* Invitations).resend(operator(candidate.organization), candidate.subject.invitation_id ?? assert.fail()),
      )
      assert.strictEqual(error._tag, "Conflict")
      const again = yield* Scenario.invited({ id: candidate.organization, set: candidate.set }, "ada.x@EXAMPLE.com")
      assert.strictEqual(again.subject.candidate_id, candidate.subject.candidate_id)
      yield* sent("ada.x@example.com")
    }),
  )

  it.effect("returns 401 and stores nothing unless SendGrid signed the body within 25 hours", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const { sql } = yield* Database
      const counted = Effect.map(sql`select id from email_event`, (rows) => rows.length)
      const before = yield* counted
      const one = entry("open", candidate.emailId)
      for (const posted of [
        { signature: undefined },
        { timestamp: undefined },
        { signature: "" },
        { signature: "AAAA" },
        { signature: Buffer.alloc(70, 1).toString("base64") },
        { signature: "not base64 at all" },
        { timestamp: "0" },
        { timestamp: "" },
        { timestamp: "soon" },
        { timestamp: String(start / 1000 + 1) },
        { age: 25 * 3_600 + 1 },
        { age: -601 },
      ]) {
        const answer = yield* post([one], posted)
        assert.strictEqual(answer.status, 401, JSON.stringify(posted))
        assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
        assert.deepInclude(answer.body, { status: 401, code: "unauthorized" })
      }
      assert.strictEqual(yield* counted, before)
      for (const age of [25 * 3_600, -600]) assert.strictEqual((yield* post([one], { age })).status, 204)
      assert.strictEqual(yield* counted, before + 1)
      yield* apply
    }),
  )

  it.effect("reads a single object as one entry, and answers 400 to invalid JSON", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      assert.strictEqual((yield* postRaw(JSON.stringify(entry("open", candidate.emailId)))).status, 204)
      assert.strictEqual(yield* apply, 1)
      const answer = yield* postRaw("[{")
      assert.strictEqual(answer.status, 400)
      assert.deepInclude(answer.body, { code: "bad_request" })
      assert.strictEqual((yield* postRaw("[]")).status, 204)
      assert.strictEqual((yield* postRaw(`["${"x".repeat(2 * 1024 * 1024)}"]`)).status, 413)
    }),
  )

  it.effect("deletes reports after 30 days", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const { sql } = yield* Database
      const { forget } = yield* EmailEventReceiver
      yield* sql`delete from email_event`
      yield* post([entry("open", candidate.emailId)])
      yield* apply
      yield* TestClock.adjust("29 days")
      assert.strictEqual(yield* forget, 0)
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* forget, 1)
    }),
  )
})

layer(Api.layer())("without SENDGRID_EVENTS_KEY", (it) => {
  it.effect("returns 401", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      assert.strictEqual((yield* post([])).status, 401)
    }),
  )
})
