/**
 * Sends emails through Amazon SES (API v2, Signature Version 4). Its configuration set tracks opens and clicks.
 *
 * SES replaces the Message-ID, and has no idempotency key: after a crash, reports show which emails it accepted
 * (EmailEventProcessor.ts).
 */
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto"
import type { AwsCredentialIdentityProvider, Hash as Checksum, SourceData } from "@smithy/types"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { createTransport } from "nodemailer"
import { asciiAddress, type Mailbox } from "../values/EmailAddress.ts"
import { EmailNotSent, headersOf, type OutgoingEmail, reasonOf } from "./EmailSender.ts"
import { type HttpSenderOptions, httpSender, type ProviderAnswer, refusedBy, senderNameOf } from "./HttpEmailSender.ts"

export interface SesOptions extends HttpSenderOptions {
  readonly region: string
  readonly configurationSet: string
  /** Those of the environment or of a role by default. */
  readonly credentials?: AwsCredentialIdentityProvider
}

const bytesOf = (data: SourceData): string | Uint8Array =>
  typeof data === "string"
    ? data
    : ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)

class Sha256 implements Checksum {
  readonly #hash: Hash | Hmac
  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret))
  }
  update(data: SourceData) {
    this.#hash.update(bytesOf(data))
  }
  digest() {
    return Promise.resolve(new Uint8Array(this.#hash.digest()))
  }
}

/** RFC 5322, with the name and headers encoded as SMTP needs them. */
const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" })

const composed = (email: OutgoingEmail, from: Mailbox) =>
  Effect.promise(() =>
    composer.sendMail({
      from: { name: senderNameOf(from, email), address: asciiAddress(from.address) },
      to: { name: "", address: asciiAddress(email.to) },
      ...(email.replyTo === null ? {} : { replyTo: { name: "", address: asciiAddress(email.replyTo) } }),
      subject: email.subject,
      text: email.text,
      html: email.html,
      messageId: `<${email.messageId}>`,
      headers: { ...headersOf(email), "X-Mail-Id": email.id },
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  ).pipe(Effect.map(({ message }) => Buffer.from(message as Uint8Array)))

const bodyOf = (email: OutgoingEmail, { configurationSet, from }: SesOptions, message: Buffer): string =>
  JSON.stringify({
    FromEmailAddress: asciiAddress(from.address),
    Destination: { ToAddresses: [asciiAddress(email.to)] },
    Content: { Raw: { Data: message.toString("base64") } },
    EmailTags: [{ Name: "email_id", Value: email.id }],
    ConfigurationSetName: configurationSet,
  })

const Answer = Schema.Struct({
  MessageId: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
  Message: Schema.optional(Schema.String),
})
const decodeAnswer = Schema.decodeUnknownOption(Schema.fromJsonString(Answer))

const refusals = new Map([
  ["MailFromDomainNotVerifiedException", "the domain of EMAIL_FROM is not verified"],
  ["AccountSuspendedException", "the account may not send any more"],
  ["SendingPausedException", "sending is paused for the account or for SES_CONFIGURATION_SET"],
  ["NotFoundException", "SES_CONFIGURATION_SET does not exist in SES_REGION"],
])

const notVerified = /\bnot verified\b/i

const refusalOf = (status: number, code: string, message: string): string | undefined => {
  if (status === 401 || status === 403) return "it refuses the AWS credentials, or they do not allow ses:SendRawEmail"
  if (code === "MessageRejected" && notVerified.test(message)) return "the address in EMAIL_FROM is not verified"
  return refusals.get(code)
}

/** About the email: a virus, or a malformed address or header. */
const permanentCodes = ["MessageRejected", "BadRequestException"]

const read = ({ headers, status, text }: ProviderAnswer) => {
  const {
    Message,
    MessageId,
    message = Message ?? text,
  } = Option.getOrElse(decodeAnswer(text), (): typeof Answer.Type => ({}))
  if (status === 200) return Effect.succeed({ providerMessageId: MessageId ?? null, delivered: false })
  // may be followed by a colon and an address
  const code = (headers["x-amzn-errortype"] ?? "").split(":")[0] ?? ""
  const refusal = refusalOf(status, code, message)
  return refusedBy("Amazon SES", status, code === "" ? message : `${code}: ${message}`, {
    permanent: status === 413 || (status === 400 && refusal === undefined && permanentCodes.includes(code)),
    refusal,
  })
}

export const layer = (options: SesOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { baseUrl = `https://email.${options.region}.amazonaws.com`, region } = options
      // without SES, the SDK is not loaded
      const { SignatureV4 } = yield* Effect.promise(() => import("@smithy/signature-v4"))
      const { defaultProvider } = yield* Effect.promise(() => import("@aws-sdk/credential-provider-node"))
      const signer = new SignatureV4({
        service: "ses",
        region,
        sha256: Sha256,
        credentials: options.credentials ?? defaultProvider(),
      })
      const url = new URL(`${baseUrl}/v2/email/outbound-emails`)

      const signed = Effect.fnUntraced(function* (body: string) {
        const now = yield* Clock.currentTimeMillis
        const { headers } = yield* Effect.tryPromise({
          try: () =>
            signer.sign(
              {
                method: "POST",
                protocol: url.protocol,
                hostname: url.hostname,
                path: url.pathname,
                query: {},
                headers: { host: url.host, "content-type": "application/json" },
                body,
              },
              { signingDate: new Date(now) },
            ),
          catch: (error) =>
            new EmailNotSent({
              reason: reasonOf(`Amazon SES: ${error instanceof Error ? error.message : String(error)}`),
              permanent: false,
              refusal: "this service has no AWS credentials",
            }),
        })
        const { host: _, ...others } = headers
        return others
      })

      return httpSender(
        {
          provider: "ses",
          title: "Amazon SES",
          requestOf: Effect.fnUntraced(function* (email) {
            const body = bodyOf(email, options, yield* composed(email, options.from))
            return HttpClientRequest.post(url).pipe(
              HttpClientRequest.bodyText(body, "application/json"),
              HttpClientRequest.setHeaders(yield* signed(body)),
            )
          }),
          read,
        },
        options,
      )
    }),
  )
