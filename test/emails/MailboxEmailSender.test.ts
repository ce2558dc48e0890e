import { Effect } from "effect"
import * as MailboxEmailSender from "../../src/emails/MailboxEmailSender.ts"
import { emailSenderSuite } from "../port/EmailSenderSuite.ts"

emailSenderSuite(
  "MailboxEmailSender",
  Effect.succeed({ layer: MailboxEmailSender.layer, answer: () => Effect.void, received: Effect.succeed([]) }),
  { hands: false },
)
