/**
 * Sends emails through SendGrid's API, which tracks opens and clicks.
 *
 * The API has no idempotency key: after a crash, reports show which emails it accepted (EmailEventProcessor.ts).
 */
import { Effect, Option, type Redacted, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { asciiAddress, type Mailbox } from "../values/EmailAddress.ts"
import { headersOf, type OutgoingEmail } from "./EmailSender.ts"
import { type HttpSenderOptions, httpSender, type ProviderAnswer, refusedBy, senderNameOf } from "./HttpEmailSender.ts"

export interface SendGridOptions extends HttpSenderOptions {
  readonly apiKey: Redacted.Redacted
}

const senderOf = (from: Mailbox, email: OutgoingEmail) => ({
  email: asciiAddress(from.address),
  name: senderNameOf(from, email) || from.address,
})

/** Disables SendGrid's unsubscribe header and footer. */
const requestOf = (email: OutgoingEmail, from: Mailbox) => ({
  personalizations: [{ to: [{ email: asciiAddress(email.to) }], custom_args: { email_id: email.id } }],
  from: senderOf(from, email),
  ...(email.replyTo === null ? {} : { reply_to: { email: asciiAddress(email.replyTo) } }),
  subject: email.subject,
  content: [
    { type: "text/plain", value: email.text },
    { type: "text/html", value: email.html },
  ],
  headers: { ...headersOf(email), "Message-ID": `<${email.messageId}>` },
  tracking_settings: {
    click_tracking: { enable: true, enable_text: false },
    open_tracking: { enable: true },
    subscription_tracking: { enable: false },
  },
})

/** Statuses about the email. Others are about the key, the quota or the service, and are retried. */
const permanentStatuses = [400, 413, 422]

const senderStatuses = new Map([
  [401, "it refuses SENDGRID_API_KEY"],
  [403, "it refuses SENDGRID_API_KEY or the address in EMAIL_FROM"],
])

const decodeErrors = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      errors: Schema.Array(
        Schema.Struct({ message: Schema.String, field: Schema.optional(Schema.NullOr(Schema.String)) }),
      ),
    }),
  ),
)

const read = ({ headers, status, text }: ProviderAnswer) => {
  if (status === 202 || status === 200) {
    return Effect.succeed({ providerMessageId: headers["x-message-id"] ?? null, delivered: false })
  }
  const errors = Option.match(decodeErrors(text), { onNone: () => undefined, onSome: (body) => body.errors })
  const permanent = permanentStatuses.includes(status)
  return refusedBy("SendGrid", status, errors?.map(({ message }) => message).join("; ") ?? text, {
    permanent,
    bounced: permanent && (errors ?? []).some(({ field }) => /^personalizations\.\d+\.to\b/.test(field ?? "")),
    refusal: senderStatuses.get(status),
  })
}

export const layer = ({ apiKey, baseUrl = "https://api.sendgrid.com", from, ...options }: SendGridOptions) =>
  httpSender(
    {
      provider: "sendgrid",
      title: "SendGrid",
      requestOf: (email) =>
        Effect.succeed(
          HttpClientRequest.post(`${baseUrl}/v3/mail/send`).pipe(
            HttpClientRequest.bearerToken(apiKey),
            HttpClientRequest.bodyJsonUnsafe(requestOf(email, from)),
          ),
        ),
      read,
    },
    options,
  )
