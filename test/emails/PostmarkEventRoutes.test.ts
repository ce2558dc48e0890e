/** Postmark's webhooks, from the authenticated request to the webhook event (docs/mails.md). */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import { basic, eventsSecret, post, report } from "../support/PostmarkApi.ts"
import { apply, sent, standing, start, statusesOf, storedReports } from "../support/SentEmails.ts"

const service = Api.layer({
  settings: { POSTMARK_EVENTS_SECRET: eventsSecret },
  send: ({ id }) => Effect.succeed({ providerMessageId: `pm-${id}`, delivered: false }),
})

layer(service)("POST /providers/postmark/events", (it) => {
  it.effect.each<{
    readonly type: string
    readonly more?: object
    readonly status?: string
    readonly failure?: string
    readonly suppression?: string
  }>([
    { type: "Delivery", more: { Details: "Test delivery webhook details" }, status: "delivered delivered" },
    { type: "Open", status: "opened opened" },
    { type: "Click", more: { OriginalLink: "http://localhost:8080/i/x" }, status: "clicked clicked" },
    { type: "Click", more: { OriginalLink: `http://localhost:8080/unsubscribe/${"x".repeat(30)}` } },
    {
      type: "Bounce",
      more: { Type: "HardBounce", Details: "smtp;550 5.1.1 The email account does not exist" },
      status: "failed bounce",
      failure: "bounce",
    },
    {
      type: "Bounce",
      more: { Type: "HardBounce", Details: "Test bounce details" },
      status: "failed bounce",
      failure: "bounce",
    },
    {
      type: "Bounce",
      more: { Type: "HardBounce", Details: "smtp;550 5.7.1 blocked using spamhaus" },
      status: "failed dropped",
      failure: "dropped",
    },
    { type: "Bounce", more: { Type: "BadEmailAddress" }, status: "failed bounce", failure: "bounce" },
    {
      type: "Bounce",
      more: { Type: "SoftBounce", Details: "smtp;552 5.2.2 mailbox full" },
      status: "failed dropped",
      failure: "dropped",
    },
    { type: "Bounce", more: { Type: "Blocked", Details: "content" }, status: "failed dropped", failure: "dropped" },
    { type: "Bounce", more: { Type: "DMARCPolicy" }, status: "failed dropped", failure: "dropped" },
    { type: "Bounce", more: { Type: "SpamNotification" }, status: "failed dropped", failure: "dropped" },
    { type: "Bounce", more: { Type: "ManuallyDeactivated" }, status: "failed dropped", failure: "dropped" },
    { type: "Bounce", more: { Type: "Transient" } },
    { type: "Bounce", more: { Type: "DnsError" } },
    { type: "Bounce", more: { Type: "AutoResponder" } },
    { type: "SpamComplaint", more: { Type: "SpamComplaint" }, status: "spam spam", suppression: "spam" },
    {
      type: "SubscriptionChange",
      more: { SuppressSending: true, SuppressionReason: "ManualSuppression", Origin: "Recipient" },
      suppression: "unsubscribed",
    },
    {
      type: "SubscriptionChange",
      more: { SuppressSending: true, SuppressionReason: "ManualSuppression", Origin: "Customer" },
    },
    {
      type: "SubscriptionChange",
      more: { SuppressSending: true, SuppressionReason: "HardBounce", Origin: "Recipient" },
    },
    { type: "SubscriptionChange", more: { SuppressSending: false, SuppressionReason: null, Origin: "Recipient" } },
  ])("applies $type $more", ({ failure, more, status, suppression, type }) =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      assert.strictEqual((yield* post(report(type, candidate.emailId, more))).status, 200)
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), status === undefined ? [] : [`invitation_email_${status}`])
      assert.deepInclude(yield* standing(candidate), {
        failure_reason: failure ?? null,
        suppression: suppression ?? null,
        waiting: 0,
      })
    }),
  )

  it.effect("stores a report once, however often it is sent", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const before = (yield* storedReports).length
      const one = report("Delivery", candidate.emailId)
      for (let i = 0; i < 3; i++) assert.strictEqual((yield* post(one)).status, 200)
      yield* post(report("Open", candidate.emailId, { ReceivedAt: one.ReceivedAt }))
      assert.lengthOf(yield* storedReports, before + 2)
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), [
        "invitation_email_delivered delivered",
        "invitation_email_opened opened",
      ])
    }),
  )

  it.effect("returns 401 and stores nothing without the secret, and does not repeat it", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const before = yield* storedReports
      const one = report("Open", candidate.emailId)
      for (const headers of [
        {},
        basic("wrong"),
        basic(""),
        basic(`${eventsSecret} `),
        { authorization: `Bearer ${eventsSecret}` },
        { authorization: `Basic ${eventsSecret}` },
        { authorization: "Basic" },
        { "x-webhook-secret": "wrong" },
        { ...basic(), "x-webhook-secret": "wrong" },
      ]) {
        const answer = yield* post(one, headers as Record<string, string>)
        assert.strictEqual(answer.status, 401, JSON.stringify(headers))
        assert.deepInclude(answer.body, { status: 401, code: "unauthorized" })
        assert.notInclude(JSON.stringify(answer.body), eventsSecret)
      }
      assert.deepStrictEqual(yield* storedReports, before)
    }),
  )

  it.effect("accepts the secret in a header, and as the password of any user", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      for (const headers of [{ "x-webhook-secret": eventsSecret }, basic(eventsSecret, ""), basic(eventsSecret, "a")]) {
        assert.strictEqual(
          (yield* post(report("Open", candidate.emailId), headers as Record<string, string>)).status,
          200,
        )
      }
    }),
  )

  it.effect("finds an email by Postmark's id when the metadata is missing", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const { sql } = yield* Database
      yield* sql`update email set provider = 'postmark', provider_message_id = 'pm-1' where id = ${candidate.emailId}::uuid`
      yield* post(report("Open", undefined, { MessageID: "pm-1" }))
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), ["invitation_email_opened opened"])
    }),
  )

  it.effect("skips what is no report, and refuses what is no JSON or too large", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const before = yield* storedReports
      for (const body of [
        "null",
        "[]",
        "{}",
        '"text"',
        '{"RecordType":"Open"}',
        '{"RecordType":"Inbound","MessageID":"x"}',
      ]) {
        assert.strictEqual((yield* post(body)).status, 200, body)
      }
      const answer = yield* post("{")
      assert.deepInclude(answer.body, { status: 400, code: "bad_request" })
      assert.strictEqual((yield* post(`["${"x".repeat(2 * 1024 * 1024)}"]`)).status, 413)
      assert.deepStrictEqual(yield* storedReports, before)
    }),
  )
})

layer(Api.layer())("without POSTMARK_EVENTS_SECRET", (it) => {
  it.effect("returns 401", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      assert.strictEqual((yield* post(report("Open", undefined))).status, 401)
    }),
  )
})
