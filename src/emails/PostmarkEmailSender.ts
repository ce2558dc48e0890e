/**
 * Sends emails through Postmark's API, which tracks opens and clicks.
 *
 * The API has no idempotency key: after a crash, reports show which emails it accepted (EmailEventProcessor.ts).
 */
import { Effect, Option, Redacted, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { asciiAddress } from "../values/EmailAddress.ts"
import { headersOf, type OutgoingEmail } from "./EmailSender.ts"
import {
  type HttpSenderOptions,
  httpSender,
  mailboxOf,
  oneLine,
  type ProviderAnswer,
  refusedBy,
} from "./HttpEmailSender.ts"

export interface PostmarkOptions extends HttpSenderOptions {
  /** Of a server, not of the account. */
  readonly token: Redacted.Redacted
  readonly stream: string
}

/** Postmark replaces a Message-ID unless X-PM-KeepID is true. */
const requestOf = (email: OutgoingEmail, { from, stream }: PostmarkOptions) => ({
  From: mailboxOf(from, email),
  To: asciiAddress(email.to),
  ...(email.replyTo === null ? {} : { ReplyTo: asciiAddress(email.replyTo) }),
  Subject: oneLine(email.subject),
  HtmlBody: email.html,
  TextBody: email.text,
  MessageStream: stream,
  TrackOpens: true,
  TrackLinks: "HtmlOnly",
  Metadata: { email_id: email.id },
  Headers: Object.entries({
    ...headersOf(email),
    "Message-ID": `<${email.messageId}>`,
    "X-PM-KeepID": "true",
  }).map(([Name, Value]) => ({ Name, Value })),
})

const Answer = Schema.Struct({
  ErrorCode: Schema.optional(Schema.Number),
  Message: Schema.optional(Schema.String),
  MessageID: Schema.optional(Schema.String),
})

const decodeAnswer = Schema.decodeUnknownOption(Schema.fromJsonString(Answer))

/** Codes about the email: it is invalid (300), malformed (402, 403, 409), or its recipient suppressed (406). */
const permanentCodes = [300, 402, 403, 406, 409, 411]

const refusals = new Map([
  [10, "it refuses POSTMARK_TOKEN"],
  [400, "it refuses the address in EMAIL_FROM: its sender signature does not exist"],
  [401, "it refuses the address in EMAIL_FROM: its sender signature is not confirmed"],
  [405, "the account of POSTMARK_TOKEN may not send"],
  [412, "the account of POSTMARK_TOKEN is not approved yet"],
  [413, "the account of POSTMARK_TOKEN may not send"],
])

const refusalOf = (status: number, code: number, message: string): string | undefined => {
  if (status === 401) return refusals.get(10)
  if (status !== 422) return undefined
  return code === 300 && /'From'/i.test(message) ? "it refuses the address in EMAIL_FROM" : refusals.get(code)
}

const read = ({ status, text }: ProviderAnswer) => {
  const {
    ErrorCode: code = 0,
    Message: message = text,
    MessageID,
  } = Option.getOrElse(decodeAnswer(text), (): typeof Answer.Type => ({}))
  if (status === 200 && code === 0) {
    return Effect.succeed({ providerMessageId: MessageID ?? null, delivered: false })
  }
  const refusal = refusalOf(status, code, message)
  return refusedBy("Postmark", status, code === 0 ? message : `${code} ${message}`, {
    permanent: status === 413 || (status === 422 && refusal === undefined && permanentCodes.includes(code)),
    bounced: status === 422 && code === 300 && /^(?:invalid|error parsing)\s+'To'/i.test(message),
    refusal,
  })
}

export const layer = (options: PostmarkOptions) =>
  httpSender(
    {
      provider: "postmark",
      title: "Postmark",
      requestOf: (email) =>
        Effect.succeed(
          HttpClientRequest.post(`${options.baseUrl ?? "https://api.postmarkapp.com"}/email`).pipe(
            HttpClientRequest.setHeaders({
              accept: "application/json",
              "x-postmark-server-token": Redacted.value(options.token),
            }),
            HttpClientRequest.bodyJsonUnsafe(requestOf(email, options)),
          ),
        ),
      read,
    },
    options,
  )
