/** Reminds candidates who have not started, once, INVITATION_REMINDER before the deadline (docs/mails.md). */
import { Context, Duration, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { InvitationRepository } from "./InvitationRepository.ts"

const batch = 500

/** No reminder after another email of the invitation this long before the deadline or later. */
const quietFor = (ahead: Duration.Duration) => Duration.times(ahead, 2)

export class Reminders extends Context.Service<Reminders>()("interview-invitations/invitations/Reminders", {
  make: Effect.gen(function* () {
    const { invitationReminder } = yield* Config
    const repository = yield* InvitationRepository

    const step = Effect.gen(function* () {
      return yield* (
        invitationReminder === undefined
          ? Effect.succeed(0)
          : repository.decideReminders(invitationReminder, quietFor(invitationReminder), batch)
      ).pipe(Effect.withSpan("Reminders.step"))
    })

    return { step }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
