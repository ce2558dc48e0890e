/** Hands a mail to whatever delivers it: a mailbox on this machine, an SMTP server, a provider's API. */
import { Context, Effect, Layer, Ref, Schema } from "effect"

export interface OutgoingEmail {
  /** The same for every attempt at this mail; providers that report on mails name it in their reports. */
  readonly id: string
  /** Message-ID without brackets (RFC 5322, 3.6.4), the same for every attempt: who gets the mail twice can tell. */
  readonly messageId: string
  readonly to: string
  /** Shown as the sender where the sender's address has no name of its own; any text. */
  readonly fromName: string | null
  /** Whom a reply goes to; null: the sender's address. */
  readonly replyTo: string | null
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Where a POST unsubscribes (RFC 8058); null: a mail that is not about an invitation. */
  readonly unsubscribeUrl: string | null
}

export interface SentEmail {
  /** What the provider calls this mail in its reports; null when it makes none. */
  readonly providerMessageId: string | null
  /** True when the mail is in the recipient's box already, and no report will follow. */
  readonly delivered: boolean
}

/**
 * The mail was not taken. `permanent`: the same mail will never be, so there is no use in a retry. `bounced`: because its
 * recipient was refused.
 */
export class EmailNotSent extends Schema.TaggedError<EmailNotSent>()("EmailNotSent", {
  reason: Schema.String,
  permanent: Schema.Boolean,
  bounced: Schema.optionalKey(Schema.Boolean),
}) {}

/** Headers that every sender adds: none of it is answered by a machine, and one click unsubscribes (RFC 3834, RFC 8058). */
export const headersOf = ({ unsubscribeUrl }: OutgoingEmail): Record<string, string> => ({
  "Auto-Submitted": "auto-generated",
  ...(unsubscribeUrl === null
    ? {}
    : { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
})

/** One line of what a provider said, no longer than people read and without characters that a database refuses. */
export const reasonOf = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 500)
    .toWellFormed()

export class EmailSender extends Context.Service<
  EmailSender,
  {
    /** The sender's name, stored beside its message ids. */
    readonly provider: string
    /** True when the provider itself counts opens and clicks and reports them: mails then carry no tracking of ours. */
    readonly tracks: boolean
    /** Ends within a minute. Interrupted, it may have been sent. */
    readonly send: (email: OutgoingEmail) => Effect.Effect<SentEmail, EmailNotSent>
  }
>()("interview-invitations/emails/EmailSender") {
  /** Answers as told and remembers what was sent. */
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
