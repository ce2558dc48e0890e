/** Reminds candidates who have not started, once, INVITATION_REMINDER before the deadline (docs/mails.md). */
import { Context, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { InvitationRepository } from "./InvitationRepository.ts"

const batch = 500

const step = Effect.gen(function* () {
  const invitations = yield* InvitationRepository
  const { invitationReminder } = yield* Config
  return yield* (
    invitationReminder === undefined ? Effect.succeed(0) : invitations.decideReminders(invitationReminder, batch)
  ).pipe(Effect.withSpan("Reminders.step"))
})

const useCases = { step }

export class Reminders extends Context.Service<Reminders, Methods<typeof useCases>>()(
  "interview-invitations/invitations/Reminders",
) {
  static readonly layer = Layer.effect(Reminders, methods([Config, InvitationRepository], useCases))
}
