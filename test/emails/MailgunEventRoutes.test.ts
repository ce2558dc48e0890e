/** Mailgun's webhooks, from the signed request to the webhook event (docs/mails.md). */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/platform/database/Database.ts"
import { maxLevels, maxValues } from "../../src/values/Json.ts"
import * as Api from "../support/Api.ts"
import { eventsKey, post, postRaw, report, signed } from "../support/MailgunApi.ts"
import { apply, sent, standing, start, statusesOf, storedReports } from "../support/SentEmails.ts"

const service = Api.layer({
  settings: { MAILGUN_EVENTS_KEY: eventsKey },
  send: ({ id }) => Effect.succeed({ providerMessageId: `mg-${id}`, delivered: false }),
})

const permanent = (status: object, reason = "bounce") => ({
  severity: "permanent",
  reason,
  "delivery-status": { "attempt-no": 1, code: 550, ...status },
})

layer(service)("POST /providers/mailgun/events", (it) => {
  it.effect.each<{
    readonly event: string
    readonly more?: object
    readonly status?: string
    readonly failure?: string
    readonly suppression?: string
  }>([
    { event: "accepted" },
    { event: "delivered", status: "delivered delivered" },
    { event: "opened", more: { "client-info": { bot: "" } }, status: "opened opened" },
    { event: "opened", more: { "client-info": { bot: "apple" } } },
    { event: "clicked", more: { url: "http://localhost:8080/i/x" }, status: "clicked clicked" },
    { event: "clicked", more: { url: "http://localhost:8080/i/x", "client-info": { bot: "generic" } } },
    { event: "clicked", more: { url: `http://localhost:8080/unsubscribe/${"x".repeat(30)}` } },
    {
      event: "failed",
      more: permanent({ message: "5.1.1 The email account does not exist", "enhanced-code": "5.1.1" }),
      status: "failed bounce",
      failure: "bounce",
    },
    {
      event: "failed",
      more: permanent({ message: "", "enhanced-code": "5.1.1" }),
      status: "failed bounce",
      failure: "bounce",
    },
    {
      event: "failed",
      more: permanent({ message: "554 5.7.1 blocked using spamhaus" }),
      status: "failed dropped",
      failure: "dropped",
    },
    {
      event: "failed",
      more: permanent({ description: "Too old" }, "old"),
      status: "failed dropped",
      failure: "dropped",
    },
    {
      event: "failed",
      more: permanent({ code: 605, description: "Not delivering to previously bounced address" }, "suppress-bounce"),
      status: "failed dropped",
      failure: "dropped",
    },
    { event: "failed", more: { severity: "temporary", "delivery-status": { code: 451, message: "greylisted" } } },
    { event: "rejected", more: { reject: { reason: "Sandbox" } }, status: "failed dropped", failure: "dropped" },
    { event: "complained", status: "spam spam", suppression: "spam" },
    { event: "unsubscribed", suppression: "unsubscribed" },
  ])("applies $event $more", ({ event, failure, more, status, suppression }) =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      assert.strictEqual((yield* post(report(event, candidate.emailId, more))).status, 200)
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), status === undefined ? [] : [`invitation_email_${status}`])
      assert.deepInclude(yield* standing(candidate), {
        failure_reason: failure ?? null,
        suppression: suppression ?? null,
        waiting: 0,
      })
    }),
  )

  it.effect("stores nothing when a token is used again, also with another report", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const first = yield* signed(report("delivered", candidate.emailId))
      assert.strictEqual((yield* postRaw(first)).status, 200)
      const before = yield* storedReports
      assert.strictEqual((yield* postRaw(first)).status, 200)
      assert.strictEqual(
        (yield* postRaw({ ...first, "event-data": report("complained", candidate.emailId) })).status,
        200,
      )
      assert.deepStrictEqual(yield* storedReports, before)
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), ["invitation_email_delivered delivered"])
    }),
  )

  it.effect("accepts the signature of the account for a subaccount", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const { signature, ...rest } = yield* signed(report("delivered", candidate.emailId))
      const ofSubaccount = { ...signature, signature: "0".repeat(64), "parent-signature": signature.signature }
      assert.strictEqual((yield* postRaw({ ...rest, signature: ofSubaccount })).status, 200)
      assert.strictEqual(yield* apply, 1)
    }),
  )

  it.effect("returns 401 and stores nothing unless Mailgun signed within 25 hours", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const before = yield* storedReports
      const one = report("opened", candidate.emailId)
      const { signature } = yield* signed(one)
      for (const body of [
        { "event-data": one },
        { signature: null, "event-data": one },
        { signature: {}, "event-data": one },
        { signature: { ...signature, signature: "" }, "event-data": one },
        { signature: { ...signature, signature: "0".repeat(64) }, "event-data": one },
        { signature: { ...signature, signature: 7 }, "event-data": one },
        { signature: { ...signature, timestamp: String(start / 1000 + 1) }, "event-data": one },
        { signature: { ...signature, timestamp: start / 1000 }, "event-data": one },
        { signature: { ...signature, token: `${signature.token}0` }, "event-data": one },
        yield* signed(one, { key: "another" }),
        yield* signed(one, { age: 25 * 3_600 + 1 }),
        yield* signed(one, { age: -601 }),
        "{",
        "null",
        "[]",
      ]) {
        const answer = yield* postRaw(body)
        assert.strictEqual(answer.status, 401, JSON.stringify(body))
        assert.deepInclude(answer.body, { status: 401, code: "unauthorized" })
      }
      assert.deepStrictEqual(yield* storedReports, before)
      assert.strictEqual((yield* post(one, { age: 25 * 3_600 })).status, 200)
      assert.lengthOf(yield* storedReports, before.length + 1)
      yield* apply
    }),
  )

  it.effect("finds an email by its Message-ID when the variable is missing", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const { sql } = yield* Database
      yield* sql`update email set provider = 'mailgun', provider_message_id = 'mg-1@mg.acme.example' where id = ${candidate.emailId}::uuid`
      yield* post(report("opened", undefined, { message: { headers: { "message-id": "mg-1@mg.acme.example" } } }))
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), ["invitation_email_opened opened"])
    }),
  )

  it.effect("does not parse deeper or longer JSON than reports have, also from senders that cannot sign", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const before = yield* storedReports
      const deep: unknown = JSON.parse("[".repeat(maxLevels) + "]".repeat(maxLevels))
      for (const more of [{ more: deep }, { more: Array.from({ length: maxValues }, () => 0) }]) {
        const answer = yield* post(report("opened", candidate.emailId, more))
        assert.strictEqual(answer.status, 401)
        assert.deepInclude(answer.body, { detail: "the request is not signed" })
      }
      assert.deepStrictEqual(yield* storedReports, before)
    }),
  )

  it.effect("skips signed bodies that are no report, and refuses bodies that are too large", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const before = yield* storedReports
      for (const event of [null, "text", [], {}, { event: 1 }, { event: "stored" }]) {
        assert.strictEqual((yield* post(event)).status, 200)
      }
      assert.strictEqual((yield* post("x".repeat(2 * 1024 * 1024))).status, 413)
      assert.deepStrictEqual(yield* storedReports, before)
    }),
  )
})

layer(Api.layer())("without MAILGUN_EVENTS_KEY", (it) => {
  it.effect("returns 401", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      assert.strictEqual((yield* post(report("opened", undefined))).status, 401)
    }),
  )
})
