/** Port: sends a mail through a provider (an SMTP server, an API, the local mailbox). */
import { Context, Effect, Layer, Ref, Schema } from "effect"

export interface OutgoingEmail {
  /** The same for every attempt; providers name it in their reports. */
  readonly id: string
  /** Message-ID without brackets (RFC 5322, 3.6.4), the same for every attempt, so that receivers recognize a duplicate. */
  readonly messageId: string
  readonly to: string
  /** The sender's display name when its address has none. */
  readonly fromName: string | null
  /** The address for replies; null: the sender's. */
  readonly replyTo: string | null
  readonly subject: string
  readonly html: string
  readonly text: string
  /** A POST to it unsubscribes (RFC 8058); null: the mail is not about an invitation. */
  readonly unsubscribeUrl: string | null
}

export interface SentEmail {
  /** The mail's id in the provider's reports; null when the provider makes none. */
  readonly providerMessageId: string | null
  /** True when the mail is in the recipient's mailbox; no report follows. */
  readonly delivered: boolean
}

/** The provider refused the mail. `permanent`: a retry would fail too. `bounced`: the recipient was refused. */
export class EmailNotSent extends Schema.TaggedError<EmailNotSent>()("EmailNotSent", {
  reason: Schema.String,
  permanent: Schema.Boolean,
  bounced: Schema.optionalKey(Schema.Boolean),
}) {}

/** Headers of every mail: no automatic replies (RFC 3834), and unsubscribing with one click (RFC 8058). */
export const headersOf = ({ unsubscribeUrl }: OutgoingEmail): Record<string, string> => ({
  "Auto-Submitted": "auto-generated",
  ...(unsubscribeUrl === null
    ? {}
    : { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
})

/** A provider's reply as one line of at most 500 characters, without control characters and lone surrogates. */
export const reasonOf = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 500)
    .toWellFormed()

export class EmailSender extends Context.Service<
  EmailSender,
  {
    /** The provider's name, stored with its message ids. */
    readonly provider: string
    /** True when the provider reports opens and clicks; mails then have no tracking of this service. */
    readonly tracks: boolean
    /** Ends within a minute. An interrupted mail may have been sent. */
    readonly send: (email: OutgoingEmail) => Effect.Effect<SentEmail, EmailNotSent>
  }
>()("interview-invitations/emails/EmailSender") {
  /** Answers with `answer` and records the mails in `sent`. */
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
