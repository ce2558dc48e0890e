/**
 * Mails stay where they are: every mail is a row that keeps its text, and the mailbox page shows those rows. To send is
 * therefore to do nothing, and the mail is delivered at once.
 */
import { Effect, Layer } from "effect"
import { EmailSender } from "./EmailSender.ts"

export const layer = Layer.succeed(
  EmailSender,
  EmailSender.of({
    provider: "mailbox",
    tracks: false,
    send: ({ id }) => Effect.succeed({ providerMessageId: id, delivered: true }),
  }),
)
