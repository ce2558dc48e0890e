import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { EmailSender } from "../../src/emails/EmailSender.ts"
import * as MailgunEmailSender from "../../src/emails/MailgunEmailSender.ts"
import { type Answer, emailSenderSuite, mail } from "../port/EmailSenderSuite.ts"
import { apiKey, domain, mailgunApi } from "../support/MailgunApi.ts"
import { unquoted } from "../support/ProviderApi.ts"

const layer = (options: Partial<MailgunEmailSender.MailgunOptions>) =>
  MailgunEmailSender.layer({
    apiKey: Redacted.make(apiKey),
    domain,
    region: "eu",
    from: { name: null, address: "jobs@acme.example" },
    ...options,
  })

const send = (options: Partial<MailgunEmailSender.MailgunOptions>) =>
  Effect.flatMap(EmailSender, (sender) => sender.send(mail())).pipe(Effect.provide(layer(options), { local: true }))

const statuses = { taken: undefined, later: 429, refused: 400, away: 0 }

emailSenderSuite(
  "MailgunEmailSender",
  Effect.gen(function* () {
    const { baseUrl, script, taken } = yield* mailgunApi
    return {
      layer: layer({ baseUrl }),
      answer: (answer: Answer) =>
        Effect.sync(() => {
          script.status = statuses[answer]
        }),
      received: Effect.sync(() =>
        taken.map((fields) => {
          const of = (name: string) => fields.get(name) ?? ""
          return {
            messageId: of("h:Message-Id"),
            from: unquoted(of("from")),
            to: of("to"),
            replyTo: of("h:Reply-To"),
            subject: of("subject"),
            html: of("html"),
            // a form has the line ends of the network
            text: of("text").replaceAll("\r\n", "\n"),
            headers: new Map(
              [...fields].flatMap(([name, value]) =>
                name.startsWith("h:") ? [[name.slice(2).toLowerCase(), value] as const] : [],
              ),
            ),
          }
        }),
      ),
    }
  }),
  { hands: true },
)

describe("MailgunEmailSender", () => {
  it.live("sends the documented request and returns the id without brackets", () =>
    Effect.gen(function* () {
      const { baseUrl, faults, taken } = yield* mailgunApi
      const sent = yield* send({ baseUrl })
      assert.deepStrictEqual(sent, { providerMessageId: `mg-1@${domain}`, delivered: false })
      assert.deepStrictEqual(faults, [])
      assert.strictEqual(taken[0]?.get("v:email_id"), mail().id)
      assert.strictEqual(taken[0]?.get("o:tracking-opens"), "yes")
      assert.strictEqual(taken[0]?.get("o:tracking-clicks"), "htmlonly")
    }).pipe(Effect.scoped),
  )

  it("has the host of each region", () =>
    assert.deepStrictEqual(MailgunEmailSender.mailgunHosts, {
      us: "https://api.mailgun.net",
      eu: "https://api.eu.mailgun.net",
    }))

  const invalid = (name: string) => `'${name}' parameter is not a valid address. please check documentation`

  it.live.each<{
    readonly status: number
    readonly says?: string
    readonly permanent: boolean
    readonly bounced?: boolean
    readonly refusal?: string
  }>([
    { status: 400, says: invalid("to"), permanent: true, bounced: true },
    { status: 400, says: invalid("from"), permanent: false, refusal: "it refuses the address in EMAIL_FROM" },
    { status: 400, permanent: true },
    { status: 401, permanent: false, refusal: "it refuses MAILGUN_API_KEY" },
    { status: 402, permanent: false, refusal: "the account of MAILGUN_API_KEY may not send" },
    {
      status: 403,
      permanent: false,
      refusal: "it refuses MAILGUN_API_KEY, or the account may not send for MAILGUN_DOMAIN",
    },
    {
      status: 404,
      permanent: false,
      refusal: "MAILGUN_DOMAIN is not a domain of the account in MAILGUN_REGION",
    },
    { status: 413, permanent: true },
    { status: 429, permanent: false },
    { status: 500, permanent: false },
    { status: 503, permanent: false },
  ])("reads status $status ($says)", ({ bounced, permanent, refusal, says = "so", status }) =>
    Effect.gen(function* () {
      const { baseUrl, script } = yield* mailgunApi
      Object.assign(script, { status, body: { message: says } })
      const error = yield* Effect.flip(send({ baseUrl }))
      assert.deepStrictEqual([error.permanent, error.bounced, error.refusal], [permanent, bounced, refusal])
      assert.strictEqual(error.reason, `Mailgun answered ${status}: ${says}`)
    }).pipe(Effect.scoped),
  )

  it.live("treats a wrong key as temporary and does not show it", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* mailgunApi
      const error = yield* Effect.flip(send({ baseUrl, apiKey: Redacted.make("hunter3") }))
      assert.deepStrictEqual([error.permanent, error.refusal], [false, "it refuses MAILGUN_API_KEY"])
      assert.notMatch(JSON.stringify(error), /hunter3|aHVudGVy|YXBpOm/)
    }).pipe(Effect.scoped),
  )

  it.live("times out when the API does not answer", () =>
    Effect.gen(function* () {
      const { baseUrl, script } = yield* mailgunApi
      script.silent = true
      const error = yield* Effect.flip(send({ baseUrl, timeout: Duration.millis(100) }))
      assert.isFalse(error.permanent)
    }).pipe(Effect.scoped),
  )
})
