/** What happens to an invitation's mail after it was written (contract, States and E-mail). */
import { Context, Effect, Layer } from "effect"
import { type EmailSignal, emailStatus } from "../domain/Invitation.ts"
import { Database } from "../repository/Database.ts"
import { type InvitationRef, Invitations as Repository } from "../repository/Invitations.ts"
import { Events } from "./Events.ts"

export class Invitations extends Context.Service<
  Invitations,
  {
    /** The provider took the mails; `delivered` names those that have arrived with that. */
    readonly sent: (
      invitations: ReadonlyArray<InvitationRef>,
      delivered: ReadonlyArray<InvitationRef>,
    ) => Effect.Effect<void>
    /** A provider's report. The first of its kind makes an event, whatever was reported before. */
    readonly report: (signal: EmailSignal, invitations: ReadonlyArray<InvitationRef>) => Effect.Effect<void>
  }
>()("interview-invitations/service/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const events = yield* Events
      const repository = yield* Repository

      const report = Effect.fn("Invitations.report")(function* (
        signal: EmailSignal,
        invitations: ReadonlyArray<InvitationRef>,
      ) {
        if (invitations.length === 0) return
        const first = yield* repository.recordSignal(signal, invitations)
        const organizations = Map.groupBy(first, ({ organization_id }) => organization_id)
        yield* Effect.forEach(
          organizations,
          ([organization, subjects]) =>
            events.publish(
              organization,
              subjects.map((subject) => ({
                subject: {
                  interview_set_id: subject.interview_set_id,
                  candidate_id: subject.candidate_id,
                  candidate_email: subject.email,
                  invitation_id: subject.id,
                  submission_id: subject.submission_id,
                  ats_candidate_id: subject.ats_candidate_id,
                },
                event: { event_type: "invitation.status.update", status: emailStatus(signal), reason: signal },
              })),
            ),
          { discard: true },
        )
      })

      return Invitations.of({
        sent: Effect.fn("Invitations.sent")(function* (invitations, delivered) {
          if (invitations.length === 0) return
          yield* repository.markSent(invitations)
          yield* report("delivered", delivered)
        }, transaction),
        report: (signal, invitations) => transaction(report(signal, invitations)),
      })
    }),
  )
}
