/** Port: sends an email through a provider. */
import { Context, Effect, Layer, Ref, Schema } from "effect"

export interface OutgoingEmail {
  /** The same for every attempt, and in providers' reports. */
  readonly id: string
  /** Without brackets (RFC 5322, 3.6.4). The same for every attempt: receivers recognize duplicates. */
  readonly messageId: string
  readonly to: string
  /** The organization's name, for senders without a name in EMAIL_FROM. */
  readonly fromName: string | null
  /** Chosen by the organization, also instead of the name in EMAIL_FROM; null: none. */
  readonly senderName: string | null
  /** Null: the sender's address. */
  readonly replyTo: string | null
  readonly subject: string
  readonly html: string
  readonly text: string
  /** RFC 8058; null: the recipient cannot choose to get no such emails. */
  readonly unsubscribeUrl: string | null
}

export interface SentEmail {
  /** Null: the provider's reports have no id. */
  readonly providerMessageId: string | null
  /** Already in the mailbox; no report follows. */
  readonly delivered: boolean
}

/**
 * `permanent`: a retry would fail too. `bounced`: the recipient was refused. `refusal`: why the provider refuses this
 * service, in words for the operator.
 */
export class EmailNotSent extends Schema.TaggedError<EmailNotSent>()("EmailNotSent", {
  reason: Schema.String,
  permanent: Schema.Boolean,
  bounced: Schema.optionalKey(Schema.Boolean),
  refusal: Schema.optionalKey(Schema.String),
}) {}

/** No automatic replies (RFC 3834); one-click unsubscribing (RFC 8058). */
export const headersOf = ({ unsubscribeUrl }: OutgoingEmail): Record<string, string> => ({
  "Auto-Submitted": "auto-generated",
  ...(unsubscribeUrl === null
    ? {}
    : { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
})

/** One line of at most 500 characters. */
export const reasonOf = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 500)
    .toWellFormed()

export class EmailSender extends Context.Service<
  EmailSender,
  {
    readonly provider: string
    /** The provider reports opens and clicks instead of this service. */
    readonly tracks: boolean
    /** Ends within a minute. An interrupted email may have been sent. */
    readonly send: (email: OutgoingEmail) => Effect.Effect<SentEmail, EmailNotSent>
  }
>()("interview-invitations/emails/EmailSender") {
  static readonly layerTest = (
    answer: (email: OutgoingEmail) => Effect.Effect<SentEmail, EmailNotSent>,
    sent: Ref.Ref<ReadonlyArray<OutgoingEmail>>,
    tracks = false,
  ) =>
    Layer.succeed(
      EmailSender,
      EmailSender.of({
        provider: "test",
        tracks,
        send: (email) =>
          Effect.andThen(
            Ref.update(sent, (before) => [...before, email]),
            answer(email),
          ),
      }),
    )
}
