/**
 * Sends emails through SendGrid's API, which tracks opens and clicks.
 *
 * The API has no idempotency key: after a crash, reports show which emails it accepted (EmailEventProcessor.ts).
 */
import { Duration, Effect, Layer, type Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { operatorClient } from "../platform/outbound/OperatorClient.ts"
import { asciiAddress, type Mailbox } from "../values/EmailAddress.ts"
import type { OutboundProxy } from "../values/OutboundProxy.ts"
import { userAgent } from "../values/UserAgent.ts"
import { EmailNotSent, EmailSender, headersOf, type OutgoingEmail, reasonOf } from "./EmailSender.ts"

export interface SendGridOptions {
  readonly apiKey: Redacted.Redacted
  readonly from: Mailbox
  readonly baseUrl?: string
  readonly timeout?: Duration.Duration
  readonly proxy?: OutboundProxy | undefined
}

const senderOf = ({ address, name }: Mailbox, { fromName, senderName }: OutgoingEmail) => ({
  email: asciiAddress(address),
  name: (senderName ?? name ?? fromName)?.trim() || address,
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

const refused = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.gen(function* () {
    const text = yield* Effect.orElseSucceed(response.text, () => "")
    const errors = decodeErrors(text)
    const reasons = errors._tag === "Some" ? errors.value.errors.map(({ message }) => message).join("; ") : text
    const isPermanent = permanentStatuses.includes(response.status)
    const fields = errors._tag === "Some" ? errors.value.errors.map(({ field }) => field ?? "") : []
    const refusal = senderStatuses.get(response.status)
    return yield* new EmailNotSent({
      reason: reasonOf(`SendGrid answered ${response.status}: ${reasons}`),
      permanent: isPermanent,
      ...(isPermanent && fields.some((field) => /^personalizations\.\d+\.to\b/.test(field)) ? { bounced: true } : {}),
      ...(refusal === undefined ? {} : { refusal }),
    })
  })

export const layer = ({
  apiKey,
  baseUrl = "https://api.sendgrid.com",
  from,
  proxy,
  timeout = Duration.seconds(30),
}: SendGridOptions) =>
  Layer.effect(
    EmailSender,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      return EmailSender.of({
        provider: "sendgrid",
        tracks: true,
        send: (email) =>
          HttpClientRequest.post(`${baseUrl}/v3/mail/send`).pipe(
            HttpClientRequest.bearerToken(apiKey),
            HttpClientRequest.setHeader("user-agent", userAgent),
            HttpClientRequest.bodyJsonUnsafe(requestOf(email, from)),
            client.execute,
            Effect.mapError(
              ({ message }) => new EmailNotSent({ reason: reasonOf(`SendGrid: ${message}`), permanent: false }),
            ),
            Effect.flatMap((response) =>
              response.status === 202 || response.status === 200
                ? Effect.as(Effect.ignore(response.text), {
                    providerMessageId: response.headers["x-message-id"] ?? null,
                    delivered: false,
                  })
                : refused(response),
            ),
            Effect.timeoutOrElse({
              duration: timeout,
              orElse: () =>
                Effect.fail(
                  new EmailNotSent({
                    reason: `SendGrid took longer than ${Duration.format(timeout)}`,
                    permanent: false,
                  }),
                ),
            }),
            // sends no trace ids to another company
            Effect.provideService(HttpClient.TracerPropagationEnabled, false),
          ),
      })
    }),
  ).pipe(Layer.provide(operatorClient(proxy)))
