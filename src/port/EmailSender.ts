/** Hands a mail to whatever delivers it: a mailbox on this machine, an SMTP server, a provider's API. */
import { Context, Effect, Layer, Ref, Schema } from "effect"

export interface OutgoingEmail {
  /** The same for every attempt at this mail: senders that can, refuse a second one with the same id. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
}

export interface SentEmail {
  /** What the provider calls this mail in its reports; null when it makes none. */
  readonly providerMessageId: string | null
  /** True when the mail is in the recipient's box already, and no report will follow. */
  readonly delivered: boolean
}

/** The mail was not taken. `permanent`: the same mail will never be, so there is no use in a retry. */
export class EmailNotSent extends Schema.TaggedError<EmailNotSent>()("EmailNotSent", {
  reason: Schema.String,
  permanent: Schema.Boolean,
}) {}

export class EmailSender extends Context.Service<
  EmailSender,
  {
    /** The sender's name, stored beside its message ids. */
    readonly provider: string
    readonly send: (email: OutgoingEmail) => Effect.Effect<SentEmail, EmailNotSent>
  }
>()("interview-invitations/port/EmailSender") {
  /** Answers as told and remembers what was sent. */
  static readonly layerTest = (
    answer: (email: OutgoingEmail) => Effect.Effect<SentEmail, EmailNotSent>,
    sent: Ref.Ref<ReadonlyArray<OutgoingEmail>>,
  ) =>
    Layer.succeed(
      EmailSender,
      EmailSender.of({
        provider: "test",
        send: (email) =>
          Effect.andThen(
            Ref.update(sent, (before) => [...before, email]),
            answer(email),
          ),
      }),
    )
}
