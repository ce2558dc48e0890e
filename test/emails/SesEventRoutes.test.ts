/** Amazon SES's events through an SNS topic, from the signed message to the webhook event (docs/mails.md). */
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import { apply, sent, standing, start, statusesOf, storedReports } from "../support/SentEmails.ts"
import { message, post, postRaw, realAddress, region, report, sns, topic, unanswered } from "../support/SesApi.ts"

class Sns extends Context.Service<Sns, Effect.Success<typeof sns>>()("test/Sns") {
  static readonly layer = Layer.effect(Sns, sns)
}

const service = Layer.unwrap(
  Effect.map(Sns, (one) =>
    Api.layer({
      settings: { SES_TOPIC_ARN: topic },
      send: ({ id }) => Effect.succeed({ providerMessageId: `ses-${id}`, delivered: false }),
    }).pipe(Layer.provide(one.layer)),
  ),
).pipe(Layer.provideMerge(Sns.layer))

const bounced = (bounceType: string, bounceSubType: string, recipient: object = {}) => ({
  bounce: { bounceType, bounceSubType, bouncedRecipients: [{ emailAddress: "ada@example.com", ...recipient }] },
})

layer(service)("POST /providers/ses/events", (it) => {
  it.effect.each<{
    readonly event: string
    readonly more?: object
    readonly status?: string
    readonly failure?: string
    readonly suppression?: string
  }>([
    { event: "Send" },
    { event: "Delivery", status: "delivered delivered" },
    { event: "DeliveryDelay", more: { deliveryDelay: { delayType: "MailboxFull" } } },
    { event: "Open", status: "opened opened" },
    { event: "Click", more: { click: { link: "http://localhost:8080/i/x" } }, status: "clicked clicked" },
    { event: "Click", more: { click: { link: `http://localhost:8080/unsubscribe/${"x".repeat(30)}` } } },
    {
      event: "Bounce",
      more: bounced("Permanent", "General", { status: "5.1.1", diagnosticCode: "smtp; 550 5.1.1 user unknown" }),
      status: "failed bounce",
      failure: "bounce",
    },
    { event: "Bounce", more: bounced("Permanent", "NoEmail"), status: "failed bounce", failure: "bounce" },
    { event: "Bounce", more: bounced("Permanent", "General"), status: "failed dropped", failure: "dropped" },
    {
      event: "Bounce",
      more: bounced("Permanent", "General", {
        status: "5.7.1",
        diagnosticCode: "smtp; 554 5.7.1 blocked using spamhaus",
      }),
      status: "failed dropped",
      failure: "dropped",
    },
    {
      event: "Bounce",
      more: bounced("Transient", "MailboxFull", { status: "5.2.2", diagnosticCode: "smtp; 552 5.2.2 full" }),
      status: "failed dropped",
      failure: "dropped",
    },
    {
      event: "Bounce",
      more: bounced("Permanent", "OnAccountSuppressionList", {
        status: "5.1.1",
        diagnosticCode: "Amazon SES did not send",
      }),
      status: "failed dropped",
      failure: "dropped",
    },
    { event: "Reject", more: { reject: { reason: "Bad content" } }, status: "failed dropped", failure: "dropped" },
    { event: "Rendering Failure", status: "failed dropped", failure: "dropped" },
    {
      event: "Complaint",
      more: { complaint: { complaintFeedbackType: "abuse" } },
      status: "spam spam",
      suppression: "spam",
    },
    { event: "Complaint", more: { complaint: { complaintFeedbackType: "not-spam" } } },
    {
      event: "Complaint",
      more: { complaint: { complaintSubType: "OnAccountSuppressionList" } },
      status: "failed dropped",
      failure: "dropped",
    },
    {
      event: "Subscription",
      more: { subscription: { newTopicPreferences: { unsubscribeAll: true } } },
      suppression: "unsubscribed",
    },
    { event: "Subscription", more: { subscription: { newTopicPreferences: { unsubscribeAll: false } } } },
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

  it.effect("accepts both versions of signatures, and fetches the certificate once", () =>
    Effect.gen(function* () {
      const { asked } = yield* Sns
      const candidate = yield* sent()
      for (const version of ["1", "2"] as const) {
        assert.strictEqual((yield* post(report("Open", candidate.emailId), { version })).status, 200)
      }
      assert.lengthOf(
        asked.filter((path) => path === "/SimpleNotificationService-0123456789abcdef.pem"),
        1,
      )
    }),
  )

  it.effect("accepts messages while a forged one waits for its certificate", () =>
    Effect.gen(function* () {
      const { asked } = yield* Sns
      const candidate = yield* sent()
      yield* post(report("Open", candidate.emailId))
      const forged = post(report("Open", candidate.emailId), { changes: { SigningCertURL: realAddress + unanswered } })
      const waiting = yield* Effect.forkScoped(forged)
      yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => asked.includes(unanswered) }))
      assert.strictEqual((yield* post(report("Click", candidate.emailId))).status, 200)
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual((yield* Fiber.join(waiting)).status, 503)
    }),
  )

  it.effect("stores a message once, however often SNS repeats it", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const one = yield* message({ Message: JSON.stringify(report("Delivery", candidate.emailId)) })
      assert.strictEqual((yield* postRaw(one)).status, 200)
      const before = yield* storedReports
      assert.strictEqual((yield* postRaw(one)).status, 200)
      assert.deepStrictEqual(yield* storedReports, before)
      yield* apply
    }),
  )

  it.effect("returns 401, stores nothing and asks only SNS unless the topic signed within 25 hours", () =>
    Effect.gen(function* () {
      const { asked } = yield* Sns
      const candidate = yield* sent()
      yield* post(report("Open", candidate.emailId))
      yield* apply
      const before = yield* storedReports
      asked.length = 0
      const Message = JSON.stringify(report("Open", candidate.emailId))
      const certificate = "/SimpleNotificationService-0123456789abcdef.pem"
      const forged = (changes: object) => message({ Message }, { changes })
      for (const body of [
        yield* forged({ Message: JSON.stringify(report("Complaint", candidate.emailId)) }),
        yield* forged({ Signature: "" }),
        yield* forged({ Signature: "AAAA" }),
        yield* forged({ Signature: undefined }),
        yield* forged({ SignatureVersion: "3" }),
        yield* forged({ SignatureVersion: "2" }),
        yield* forged({ Subject: "added" }),
        yield* forged({ TopicArn: `${topic}2` }),
        yield* message({ Message, TopicArn: `${topic}2` }),
        yield* forged({ SigningCertURL: undefined }),
        yield* forged({ SigningCertURL: `https://sns.us-east-1.amazonaws.com${certificate}` }),
        yield* forged({ SigningCertURL: `http://sns.${region}.amazonaws.com${certificate}` }),
        yield* forged({ SigningCertURL: `https://sns.${region}.amazonaws.com.evil.example${certificate}` }),
        yield* forged({ SigningCertURL: `https://user@sns.${region}.amazonaws.com${certificate}` }),
        yield* forged({ SigningCertURL: `https://127.0.0.1:9${certificate}` }),
        yield* forged({ SigningCertURL: `${realAddress}/other.pem` }),
        yield* forged({ SigningCertURL: `${realAddress}${certificate}?x=1` }),
        yield* forged({ SigningCertURL: `${realAddress}/x/..%2f${certificate}` }),
        yield* message({ Message }, { age: 25 * 3_600 + 1 }),
        yield* message({ Message }, { age: -601 }),
        "null",
        "{}",
        "{",
      ]) {
        const answer = yield* postRaw(body)
        assert.strictEqual(answer.status, 401, JSON.stringify(body))
        assert.deepInclude(answer.body, { status: 401, code: "unauthorized" })
      }
      assert.deepStrictEqual(asked, [])
      for (const name of ["0a", "0b", "0c"]) {
        const SigningCertURL = `${realAddress}/SimpleNotificationService-${name}.pem`
        assert.strictEqual((yield* postRaw(yield* forged({ SigningCertURL }))).status, 401, name)
      }
      assert.deepStrictEqual(yield* storedReports, before)
    }),
  )

  it.effect("returns 401 for a message of another topic whose text has the fields of one of this topic", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      yield* post(report("Open", candidate.emailId))
      yield* apply
      const before = yield* storedReports
      // SNS signs it for its topic: the signed text is a sequence of lines, and says nowhere where a value ends
      const Timestamp = new Date(yield* Clock.currentTimeMillis).toISOString()
      const Message = JSON.stringify(report("Complaint", candidate.emailId))
      const inside = { Message, MessageId: "x", Timestamp, TopicArn: topic }
      const lines = Object.entries(inside).map(([name, value]) => `${name}\n${value}\n`)
      const text = `${lines.join("").slice("Message\n".length)}Type\n`
      const other = yield* message({ Message: text, TopicArn: `${topic}2` }, { id: "y" })
      const rest = { MessageId: "y", Timestamp, TopicArn: `${topic}2`, Type: "Notification" }
      const Type = Object.entries(rest).map(([name, value]) => `\n${name}\n${value}`)
      const forged = { ...other, ...inside, Type: Type.join("") }
      assert.strictEqual((yield* postRaw(forged)).status, 401)
      assert.deepStrictEqual(yield* storedReports, before)
    }),
  )

  it.effect("confirms the topic's subscription at SNS only, also when the message names another address", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { asked } = yield* Sns
      asked.length = 0
      const confirmation = {
        Type: "SubscriptionConfirmation",
        Message: "You have chosen to subscribe",
        Token: "a token&x=1",
        SubscribeURL: "http://127.0.0.1:9/?Action=ConfirmSubscription",
      }
      assert.strictEqual((yield* postRaw(yield* message(confirmation))).status, 200)
      const [path, ...others] = asked.filter((one) => one.startsWith("/?"))
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(path?.slice(2))), {
        Action: "ConfirmSubscription",
        TopicArn: topic,
        Token: "a token&x=1",
      })
      asked.length = 0
      const forged = yield* message(confirmation, { changes: { Token: "another" } })
      assert.strictEqual((yield* postRaw(forged)).status, 401)
      assert.deepStrictEqual(asked, [])
    }),
  )

  it.effect("returns 503 while SNS cannot be reached, so that SNS repeats the message", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { script } = yield* Sns
      const before = yield* storedReports
      const confirmation = yield* message({
        Type: "SubscriptionConfirmation",
        Message: "",
        Token: "t",
        SubscribeURL: "",
      })
      const other = yield* message(
        { Message: JSON.stringify(report("Open", undefined)) },
        { changes: { SigningCertURL: `${realAddress}/SimpleNotificationService-0d.pem` } },
      )
      for (const status of [0, 500, 429]) {
        script.status = status
        for (const body of [confirmation, other]) {
          const answer = yield* postRaw(body)
          assert.strictEqual(answer.status, 503, String(status))
          assert.isNotEmpty(answer.headers.get("retry-after"))
        }
      }
      script.status = undefined
      assert.deepStrictEqual(yield* storedReports, before)
    }),
  )

  it.effect("finds an email by SES's id when the tag is missing", () =>
    Effect.gen(function* () {
      const candidate = yield* sent()
      const { sql } = yield* Database
      yield* sql`update email set provider = 'ses', provider_message_id = 'EXAMPLE-000000' where id = ${candidate.emailId}::uuid`
      yield* post(report("Open", undefined, { mail: { messageId: "EXAMPLE-000000" } }))
      yield* apply
      assert.deepStrictEqual(yield* statusesOf(candidate), ["invitation_email_opened opened"])
    }),
  )

  it.effect("accepts what is no event, such as the test of a new destination, and refuses what is too large", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const before = yield* storedReports
      for (const event of [
        "Successfully validated SNS topic for Amazon SES event publishing.",
        "[]",
        '{"eventType":1}',
      ]) {
        assert.strictEqual((yield* post(event)).status, 200)
      }
      const removed = yield* message({ Type: "UnsubscribeConfirmation", Message: "", Token: "t", SubscribeURL: "" })
      assert.strictEqual((yield* postRaw(removed)).status, 200)
      assert.strictEqual((yield* post("x".repeat(2 * 1024 * 1024))).status, 413)
      assert.deepStrictEqual(yield* storedReports, before)
    }),
  )
})

layer(Api.layer())("without SES_TOPIC_ARN", (it) => {
  it.effect("returns 401", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      assert.strictEqual((yield* post(report("Open", undefined))).status, 401)
    }),
  )
})
