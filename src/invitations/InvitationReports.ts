/** Records what became of the emails of invitations, and publishes it. */
import { Context, Effect, Layer } from "effect"
import { type EmailSignal, type EmailStatus, outcomes } from "../emails/EmailEvent.ts"
import type { InvitationRef, MailRef } from "../emails/InvitationEmails.ts"
import { Database } from "../platform/database/Database.ts"
import { Events } from "../webhooks/events/Events.ts"
import type { RefusalReason } from "./Invitation.ts"
import { InvitationReportRepository, type InvitationSubject } from "./InvitationReportRepository.ts"

export class InvitationReports extends Context.Service<InvitationReports>()(
  "interview-invitations/invitations/InvitationReports",
  {
    make: Effect.gen(function* () {
      const { transaction } = yield* Database
      const events = yield* Events
      const repository = yield* InvitationReportRepository

      const publish = Effect.fnUntraced(function* (
        subjects: ReadonlyArray<InvitationSubject & { readonly interview_name?: string }>,
        status: EmailStatus,
        reason: string,
      ) {
        for (const [organization, ofOrganization] of Map.groupBy(subjects, ({ organization_id }) => organization_id)) {
          yield* events.publish(
            organization,
            ofOrganization.map((invitation) => ({
              subject: { ...invitation, candidate_email: invitation.email, invitation_id: invitation.id },
              event: {
                event_type: "invitation.status.update",
                status,
                reason,
                ...(invitation.interview_name === undefined ? {} : { interview_name: invitation.interview_name }),
              },
            })),
          )
        }
      })

      const recordReport = Effect.fnUntraced(function* (signal: EmailSignal, mails: ReadonlyArray<MailRef>) {
        if (mails.length === 0) return
        yield* publish(yield* repository.recordSignal(signal, mails), outcomes[signal].event, signal)
      })

      const sent = Effect.fn("InvitationReports.sent")(function* (
        invitations: ReadonlyArray<InvitationRef>,
        delivered: ReadonlyArray<MailRef>,
      ) {
        if (invitations.length === 0) return
        yield* repository.markSent(invitations)
        yield* recordReport("delivered", delivered)
      }, transaction)

      /** The first report of its kind on an invitation publishes an event. */
      const report = Effect.fn("InvitationReports.report")(recordReport, transaction)

      const refuse = Effect.fn("InvitationReports.refuse")(function* (
        reason: RefusalReason,
        invitations: ReadonlyArray<InvitationRef>,
      ) {
        const refused = yield* repository.refuse(reason, invitations)
        yield* publish(refused, "invitation_email_failed", reason)
      }, transaction)

      return { sent, report, refuse }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
