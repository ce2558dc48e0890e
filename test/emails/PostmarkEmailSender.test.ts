import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { EmailSender } from "../../src/emails/EmailSender.ts"
import * as PostmarkEmailSender from "../../src/emails/PostmarkEmailSender.ts"
import { type Answer, emailSenderSuite, mail } from "../port/EmailSenderSuite.ts"
import { postmarkApi, token } from "../support/PostmarkApi.ts"
import { unquoted } from "../support/ProviderApi.ts"

const layer = (options: Partial<PostmarkEmailSender.PostmarkOptions>) =>
  PostmarkEmailSender.layer({
    token: Redacted.make(token),
    stream: "outbound",
    from: { name: null, address: "jobs@acme.example" },
    ...options,
  })

const send = (options: Partial<PostmarkEmailSender.PostmarkOptions>) =>
  Effect.flatMap(EmailSender, (sender) => sender.send(mail())).pipe(Effect.provide(layer(options), { local: true }))

const statuses = { taken: undefined, later: 503, refused: 422, away: 0 }

emailSenderSuite(
  "PostmarkEmailSender",
  Effect.gen(function* () {
    const { baseUrl, script, taken } = yield* postmarkApi
    return {
      layer: layer({ baseUrl }),
      answer: (answer: Answer) =>
        Effect.sync(() => {
          script.status = statuses[answer]
        }),
      received: Effect.sync(() =>
        taken.map((email) => {
          const headers = new Map(email.Headers.map(({ Name, Value }) => [Name.toLowerCase(), Value]))
          return {
            messageId: headers.get("x-pm-keepid") === "true" ? (headers.get("message-id") ?? "") : "",
            from: unquoted(email.From),
            to: email.To,
            replyTo: email.ReplyTo ?? "",
            subject: email.Subject,
            html: email.HtmlBody,
            text: email.TextBody,
            headers,
          }
        }),
      ),
    }
  }),
  { hands: true },
)

describe("PostmarkEmailSender", () => {
  it.live("sends the documented request and returns MessageID", () =>
    Effect.gen(function* () {
      const { baseUrl, faults, taken } = yield* postmarkApi
      assert.deepStrictEqual(yield* send({ baseUrl, stream: "invitations" }), {
        providerMessageId: "pm-1",
        delivered: false,
      })
      assert.deepStrictEqual(faults, [])
      assert.deepInclude(taken[0], {
        MessageStream: "invitations",
        Metadata: { email_id: mail().id },
        TrackOpens: true,
        TrackLinks: "HtmlOnly",
      })
    }).pipe(Effect.scoped),
  )

  it.live.each<{
    readonly status: number
    readonly code: number
    readonly says?: string
    readonly permanent: boolean
    readonly bounced?: boolean
    readonly refusal?: string
  }>([
    { status: 422, code: 300, says: "Invalid 'To' address: 'ada@example'.", permanent: true, bounced: true },
    {
      status: 422,
      code: 300,
      says: "Error parsing 'To': Illegal email domain 'x' in address 'a@x'.",
      permanent: true,
      bounced: true,
    },
    {
      status: 422,
      code: 300,
      says: "Invalid 'From' address: 'x'.",
      permanent: false,
      refusal: "it refuses the address in EMAIL_FROM",
    },
    { status: 422, code: 300, says: "Provide either email TextBody or HtmlBody.", permanent: true },
    {
      status: 422,
      code: 406,
      says: "You tried to send to a recipient that has been marked as inactive.",
      permanent: true,
    },
    {
      status: 422,
      code: 400,
      permanent: false,
      refusal: "it refuses the address in EMAIL_FROM: its sender signature does not exist",
    },
    {
      status: 422,
      code: 401,
      permanent: false,
      refusal: "it refuses the address in EMAIL_FROM: its sender signature is not confirmed",
    },
    { status: 422, code: 405, permanent: false, refusal: "the account of POSTMARK_TOKEN may not send" },
    { status: 422, code: 412, permanent: false, refusal: "the account of POSTMARK_TOKEN is not approved yet" },
    { status: 422, code: 413, permanent: false, refusal: "the account of POSTMARK_TOKEN may not send" },
    { status: 422, code: 403, permanent: true },
    { status: 422, code: 1_235, permanent: false },
    { status: 413, code: 0, permanent: true },
    { status: 401, code: 10, permanent: false, refusal: "it refuses POSTMARK_TOKEN" },
    { status: 429, code: 0, permanent: false },
    { status: 500, code: 0, permanent: false },
    { status: 503, code: 100, permanent: false },
  ])("reads status $status with code $code ($says)", ({ bounced, code, permanent, refusal, says = "so", status }) =>
    Effect.gen(function* () {
      const { baseUrl, script } = yield* postmarkApi
      Object.assign(script, { status, body: { ErrorCode: code, Message: says } })
      const error = yield* Effect.flip(send({ baseUrl }))
      assert.deepStrictEqual([error.permanent, error.bounced, error.refusal], [permanent, bounced, refusal])
      assert.strictEqual(error.reason, `Postmark answered ${status}: ${code === 0 ? says : `${code} ${says}`}`)
    }).pipe(Effect.scoped),
  )

  it.live("treats a wrong token as temporary and does not show it", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* postmarkApi
      const error = yield* Effect.flip(send({ baseUrl, token: Redacted.make("hunter3") }))
      assert.deepStrictEqual([error.permanent, error.refusal], [false, "it refuses POSTMARK_TOKEN"])
      assert.notInclude(JSON.stringify(error), "hunter3")
    }).pipe(Effect.scoped),
  )

  it.live("times out when the API does not answer", () =>
    Effect.gen(function* () {
      const { baseUrl, script } = yield* postmarkApi
      script.silent = true
      const error = yield* Effect.flip(send({ baseUrl, timeout: Duration.millis(100) }))
      assert.isFalse(error.permanent)
      assert.strictEqual(error.reason, "Postmark took longer than 100ms")
    }).pipe(Effect.scoped),
  )
})
