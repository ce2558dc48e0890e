/** For `EMAIL=mailbox`, and for emails of the sample organization and of test spaces. */
import { Effect, Layer } from "effect"
import { EmailSender } from "./EmailSender.ts"

/** Sends nothing: the mailbox page (dev/) shows the stored emails, so each is delivered at once. */
export const mailboxEmailSender = EmailSender.of({
  provider: "mailbox",
  tracks: false,
  send: ({ id }) => Effect.succeed({ providerMessageId: id, delivered: true }),
})

export const layer = Layer.succeed(EmailSender, mailboxEmailSender)
