/**
 * The reminder of an invitation (contract, Candidate's interview: the same link in every reminder): one, INVITATION_REMINDER
 * before it expires, to who has not started.
 */
import { Context, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { InvitationRepository } from "./InvitationRepository.ts"

/** Invitations that one statement decides about. */
const batch = 500

/** Queues the reminders that have come due; returns about how many invitations it decided. */
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
