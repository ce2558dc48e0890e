/**
 * Sends emails through Mailgun's API, which tracks opens and clicks.
 *
 * The API has no idempotency key: after a crash, reports show which emails it accepted (EmailEventProcessor.ts).
 */
import { Effect, Option, type Redacted, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { asciiAddress, type Mailbox } from "../values/EmailAddress.ts"
import { headersOf, type OutgoingEmail } from "./EmailSender.ts"
import {
  type HttpSenderOptions,
  httpSender,
  mailboxOf,
  oneLine,
  type ProviderAnswer,
  refusedBy,
} from "./HttpEmailSender.ts"

export const mailgunHosts = { us: "https://api.mailgun.net", eu: "https://api.eu.mailgun.net" } as const
export type MailgunRegion = keyof typeof mailgunHosts

export interface MailgunOptions extends HttpSenderOptions {
  readonly apiKey: Redacted.Redacted
  /** The sending domain, which belongs to one region. */
  readonly domain: string
  readonly region: MailgunRegion
}

const fieldsOf = (email: OutgoingEmail, from: Mailbox): Record<string, string> => ({
  from: mailboxOf(from, email),
  to: asciiAddress(email.to),
  subject: oneLine(email.subject),
  text: email.text,
  html: email.html,
  ...Object.fromEntries(Object.entries(headersOf(email)).map(([name, value]) => [`h:${name}`, value])),
  ...(email.replyTo === null ? {} : { "h:Reply-To": asciiAddress(email.replyTo) }),
  "h:Message-Id": `<${email.messageId}>`,
  "v:email_id": email.id,
  "o:tracking-opens": "yes",
  "o:tracking-clicks": "htmlonly",
})

const formOf = (fields: Record<string, string>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const Answer = Schema.Struct({ id: Schema.optional(Schema.String), message: Schema.optional(Schema.String) })
const decodeAnswer = Schema.decodeUnknownOption(Schema.fromJsonString(Answer))

const withoutBrackets = (id: string): string => id.replace(/^<(.*)>$/, "$1")

const invalid = (parameter: string) => new RegExp(`^'?${parameter}'? parameter is not a valid address`, "i")
const invalidRecipient = invalid("to")
const invalidSender = invalid("from")

const senderStatuses = new Map([
  [401, "it refuses MAILGUN_API_KEY"],
  [402, "the account of MAILGUN_API_KEY may not send"],
  [403, "it refuses MAILGUN_API_KEY, or the account may not send for MAILGUN_DOMAIN"],
  [404, "MAILGUN_DOMAIN is not a domain of the account in MAILGUN_REGION"],
])

const read = ({ status, text }: ProviderAnswer) => {
  const { id, message = text } = Option.getOrElse(decodeAnswer(text), (): typeof Answer.Type => ({}))
  if (status === 200) {
    return Effect.succeed({ providerMessageId: id === undefined ? null : withoutBrackets(id), delivered: false })
  }
  const bounced = status === 400 && invalidRecipient.test(message)
  const refusal =
    status === 400 && invalidSender.test(message) ? "it refuses the address in EMAIL_FROM" : senderStatuses.get(status)
  return refusedBy("Mailgun", status, message, {
    permanent: status === 413 || (status === 400 && refusal === undefined),
    bounced,
    refusal,
  })
}

export const layer = ({ apiKey, domain, from, region, baseUrl = mailgunHosts[region], ...options }: MailgunOptions) =>
  httpSender(
    {
      provider: "mailgun",
      title: "Mailgun",
      requestOf: (email) =>
        Effect.sync(() =>
          HttpClientRequest.post(`${baseUrl}/v3/${domain}/messages`).pipe(
            HttpClientRequest.basicAuth("api", apiKey),
            HttpClientRequest.bodyFormData(formOf(fieldsOf(email, from))),
          ),
        ),
      read,
    },
    options,
  )
