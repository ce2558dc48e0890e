/**
 * The reminder of an invitation (contract, Candidate's interview: the same link in every reminder): one, INVITATION_REMINDER
 * before it expires, to who has not started.
 */
import { Context, Effect, Layer } from "effect"
import { Config } from "../Config.ts"
import { InvitationRepository } from "../repository/InvitationRepository.ts"

/** Invitations that one statement decides about. */
const batch = 500

export class Reminders extends Context.Service<
  Reminders,
  {
    /** Queues the reminders that have come due; returns about how many invitations it decided. */
    readonly step: Effect.Effect<number>
  }
>()("interview-invitations/service/Reminders") {
  static readonly layer = Layer.effect(
    Reminders,
    Effect.gen(function* () {
      const { invitationReminder } = yield* Config
      const invitations = yield* InvitationRepository
      return Reminders.of({
        step: (invitationReminder === undefined
          ? Effect.succeed(0)
          : invitations.decideReminders(invitationReminder, batch)
        ).pipe(Effect.withSpan("Reminders.step")),
      })
    }),
  )
}
