import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { EmailSender } from "../../src/emails/EmailSender.ts"
import * as SesEmailSender from "../../src/emails/SesEmailSender.ts"
import { type Answer, emailSenderSuite, mail } from "../port/EmailSenderSuite.ts"
import { credentials, parsed, region, sesApi } from "../support/SesApi.ts"

const layer = (options: Partial<SesEmailSender.SesOptions>) =>
  SesEmailSender.layer({
    region,
    configurationSet: "interviews",
    from: { name: null, address: "jobs@acme.example" },
    credentials: () => Promise.resolve(credentials),
    ...options,
  })

const send = (options: Partial<SesEmailSender.SesOptions>) =>
  Effect.flatMap(EmailSender, (sender) => sender.send(mail())).pipe(Effect.provide(layer(options), { local: true }))

const statuses = { taken: undefined, later: 429, refused: 400, away: 0 }

emailSenderSuite(
  "SesEmailSender",
  Effect.gen(function* () {
    const { baseUrl, script, taken } = yield* sesApi
    return {
      layer: layer({ baseUrl }),
      answer: (answer: Answer) =>
        Effect.sync(() => {
          script.status = statuses[answer]
          script.headers = { "x-amzn-errortype": answer === "later" ? "TooManyRequestsException" : "MessageRejected" }
        }),
      received: Effect.promise(() =>
        Promise.all(
          taken.map(async ({ Content, Destination }) => {
            const email = await parsed(Content.Raw.Data)
            const [from] = email.from?.value ?? []
            const headers = new Map(
              email.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]),
            )
            return {
              messageId: email.messageId ?? "",
              from: `${from?.name} <${from?.address}>`,
              to: Destination.ToAddresses[0] ?? "",
              replyTo: (headers.get("reply-to") ?? "").replace(/^<(.*)>$/, "$1"),
              subject: email.subject ?? "",
              html: email.html || "",
              text: email.text ?? "",
              headers,
            }
          }),
        ),
      ),
    }
  }),
  { hands: true },
)

describe("SesEmailSender", () => {
  it.live("sends the documented request, signed, and returns MessageId", () =>
    Effect.gen(function* () {
      const { baseUrl, faults, taken } = yield* sesApi
      assert.deepStrictEqual(yield* send({ baseUrl }), { providerMessageId: "ses-1-000000", delivered: false })
      assert.deepStrictEqual(faults, [])
      const [one] = taken
      assert.deepInclude(one, {
        FromEmailAddress: "jobs@acme.example",
        Destination: { ToAddresses: ["ada@example.com"] },
        EmailTags: [{ Name: "email_id", Value: mail().id }],
        ConfigurationSetName: "interviews",
      })
      const raw = Buffer.from(one?.Content.Raw.Data ?? "", "base64").toString("latin1")
      for (const line of raw.split("\r\n")) assert.isAtMost(line.length, 998)
      assert.notMatch(raw, /[^\r]\n|\P{ASCII}/u)
    }).pipe(Effect.scoped),
  )

  it.live.each<{
    readonly status: number
    readonly code?: string
    readonly says?: string
    readonly permanent: boolean
    readonly refusal?: string
  }>([
    { status: 400, code: "MessageRejected", permanent: true },
    { status: 400, code: "MessageRejected:http://internal.amazon.com/coral/", permanent: true },
    {
      status: 400,
      code: "MessageRejected",
      says: "Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: jobs@acme.example",
      permanent: false,
      refusal: "the address in EMAIL_FROM is not verified",
    },
    {
      status: 400,
      code: "MailFromDomainNotVerifiedException",
      permanent: false,
      refusal: "the domain of EMAIL_FROM is not verified",
    },
    { status: 400, code: "BadRequestException", permanent: true },
    { status: 400, code: "AccountSuspendedException", permanent: false, refusal: "the account may not send any more" },
    {
      status: 400,
      code: "SendingPausedException",
      permanent: false,
      refusal: "sending is paused for the account or for SES_CONFIGURATION_SET",
    },
    {
      status: 404,
      code: "NotFoundException",
      permanent: false,
      refusal: "SES_CONFIGURATION_SET does not exist in SES_REGION",
    },
    { status: 400, code: "LimitExceededException", permanent: false },
    { status: 429, code: "TooManyRequestsException", permanent: false },
    {
      status: 403,
      code: "AccessDeniedException",
      permanent: false,
      refusal: "it refuses the AWS credentials, or they do not allow ses:SendRawEmail",
    },
    { status: 413, permanent: true },
    { status: 500, permanent: false },
    { status: 503, permanent: false },
  ])("reads status $status with $code ($says)", ({ code, permanent, refusal, says = "so", status }) =>
    Effect.gen(function* () {
      const { baseUrl, script } = yield* sesApi
      Object.assign(script, { status, body: { message: says } })
      if (code !== undefined) script.headers = { "x-amzn-errortype": code }
      const error = yield* Effect.flip(send({ baseUrl }))
      assert.deepStrictEqual([error.permanent, error.bounced, error.refusal], [permanent, undefined, refusal])
      assert.include(error.reason, `Amazon SES answered ${status}: `)
      assert.include(error.reason, says)
    }).pipe(Effect.scoped),
  )

  it.live.each([
    {
      what: "a wrong secret",
      find: () => Promise.resolve({ ...credentials, secretAccessKey: "hunter3" }),
      why: /refuses/,
    },
    { what: "no credentials", find: () => Promise.reject(new Error("Could not load credentials")), why: /has no AWS/ },
  ])("treats $what as temporary and shows no secret", ({ find, why }) =>
    Effect.gen(function* () {
      const { baseUrl, taken } = yield* sesApi
      const error = yield* Effect.flip(send({ baseUrl, credentials: find }))
      assert.isFalse(error.permanent)
      assert.match(error.refusal ?? "", why)
      assert.notMatch(JSON.stringify(error), /hunter|a-session/)
      assert.deepStrictEqual(taken, [])
    }).pipe(Effect.scoped),
  )

  it.live("times out when the API does not answer", () =>
    Effect.gen(function* () {
      const { baseUrl, script } = yield* sesApi
      script.silent = true
      const error = yield* Effect.flip(send({ baseUrl, timeout: Duration.millis(200) }))
      assert.isFalse(error.permanent)
    }).pipe(Effect.scoped),
  )
})
