import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { EmailSender } from "../../src/emails/EmailSender.ts"
import * as SendGridEmailSender from "../../src/emails/SendGridEmailSender.ts"
import { type Answer, emailSenderSuite, mail } from "../port/EmailSenderSuite.ts"
import { apiKey, sendGridApi } from "../port/sendGridApi.ts"

const from = { name: null, address: "jobs@acme.example" }
const layer = (options: Partial<SendGridEmailSender.SendGridOptions>) =>
  SendGridEmailSender.layer({ apiKey: Redacted.make(apiKey), from, ...options })

const send = (options: Partial<SendGridEmailSender.SendGridOptions>) =>
  Effect.flatMap(EmailSender, (sender) => sender.send(mail())).pipe(Effect.provide(layer(options), { local: true }))

const statuses = { taken: undefined, later: 429, refused: 400, away: 0 }

emailSenderSuite(
  "SendGridEmailSender",
  Effect.gen(function* () {
    const { baseUrl, requests, script } = yield* sendGridApi
    return {
      layer: layer({ baseUrl }),
      answer: (answer: Answer) =>
        Effect.sync(() => {
          script.status = statuses[answer]
        }),
      received: Effect.sync(() =>
        requests.map((request) => ({
          messageId: request.headers["Message-ID"] ?? "",
          from: `${request.from.name} <${request.from.email}>`,
          to: request.personalizations[0]?.to[0]?.email ?? "",
          replyTo: request.reply_to?.email ?? "",
          subject: request.subject,
          html: request.content[1]?.value ?? "",
          text: request.content[0]?.value ?? "",
          headers: new Map(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])),
        })),
      ),
    }
  }),
  { hands: true },
)

describe("SendGridEmailSender", () => {
  it.live("sends the documented request and returns the message id of the response header", () =>
    Effect.gen(function* () {
      const { baseUrl, faults, requests } = yield* sendGridApi
      const sent = yield* send({ baseUrl })
      assert.deepStrictEqual(sent, { providerMessageId: "sg1abcDEF", delivered: false })
      assert.deepStrictEqual(faults, [])
      const [{ content, headers, subject, ...rest }] = requests as [(typeof requests)[number]]
      assert.deepStrictEqual(rest, {
        personalizations: [{ to: [{ email: "ada@example.com" }], custom_args: { email_id: mail().id } }],
        from: { email: "jobs@acme.example", name: mail().fromName ?? "" },
        reply_to: { email: "recruiting@acme.example" },
        tracking_settings: {
          click_tracking: { enable: true, enable_text: false },
          open_tracking: { enable: true },
          subscription_tracking: { enable: false },
        },
      })
    }).pipe(Effect.scoped),
  )

  it.live.each([
    { status: 400, field: "personalizations.0.to.0.email", bounced: true },
    { status: 400, field: "personalizations.0.custom_args", bounced: undefined },
    { status: 400, field: "from.email", bounced: undefined },
    { status: 429, field: "personalizations.0.to.0.email", bounced: undefined },
    { status: 401, refusal: "it refuses SENDGRID_API_KEY" },
    { status: 403, refusal: "it refuses SENDGRID_API_KEY or the address in EMAIL_FROM" },
  ])("tells whom status $status about $field is about", ({ bounced, field, refusal, status }) =>
    Effect.gen(function* () {
      const { baseUrl, script } = yield* sendGridApi
      Object.assign(script, { status, field })
      const error = yield* Effect.flip(send({ baseUrl }))
      assert.deepStrictEqual([error.bounced, error.refusal], [bounced, refusal])
    }).pipe(Effect.scoped),
  )

  it.live.each([
    [400, true],
    [401, false],
    [403, false],
    [404, false],
    [413, true],
    [429, false],
    [500, false],
    [503, false],
  ] as const)("treats status %d as permanent: %s", ([status, permanent]) =>
    Effect.gen(function* () {
      const { baseUrl, script } = yield* sendGridApi
      script.status = status
      const error = yield* Effect.flip(send({ baseUrl }))
      assert.strictEqual(error.permanent, permanent)
      assert.strictEqual(error.reason, `SendGrid answered ${status}: as the test says`)
    }).pipe(Effect.scoped),
  )

  it.live("treats a wrong key as temporary and does not show it", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* sendGridApi
      const error = yield* Effect.flip(send({ baseUrl, apiKey: Redacted.make("SG.hunter3") }))
      assert.isFalse(error.permanent)
      assert.notInclude(error.reason, "hunter3")
    }).pipe(Effect.scoped),
  )

  it.live("times out when the API does not answer", () =>
    Effect.gen(function* () {
      const { baseUrl, script } = yield* sendGridApi
      script.silent = true
      const error = yield* Effect.flip(send({ baseUrl, timeout: Duration.millis(100) }))
      assert.isFalse(error.permanent)
      assert.include(error.reason, "longer than")
    }).pipe(Effect.scoped),
  )
})
