/** Sends nothing: the mailbox page (dev/) shows the stored emails, so each is delivered at once. */
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
