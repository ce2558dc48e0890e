/** Stores what became of the emails of invitations. */
import { Context, Effect, Layer } from "effect"
import { type SubjectRow, subjectColumns } from "../candidates/CandidateSql.ts"
import { type EmailSignal, failureKinds, outcomes, statusOrder } from "../emails/EmailEvent.ts"
import type { InvitationRef, MailRef } from "../emails/InvitationEmails.ts"
import { clock, Database, recordset, unlessEmpty } from "../platform/database/Database.ts"
import type { RefusalReason } from "./Invitation.ts"
import type { InvitationView } from "./InvitationRepository.ts"

export type InvitationSubject = SubjectRow & Pick<InvitationView, "id" | "email">

export class InvitationReportRepository extends Context.Service<InvitationReportRepository>()(
  "interview-invitations/invitations/InvitationReportRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        markSent: Effect.fnUntraced(function* (invitations: ReadonlyArray<InvitationRef>) {
          yield* sql`
            update invitation i set sent_at = coalesce(i.sent_at, clock.now),
              status = case when i.status = 'pending' then 'sent' else i.status end
            from ${recordset(sql, invitations, "id uuid, organization_id int")}, ${clock(sql, yield* now)}
            where i.id = r.id and i.organization_id = r.organization_id`
        }),
        /**
         * Never moves the status back. Returns invitations without an earlier report of this kind. Ignores "dropped" when
         * another email of the invitation was sent without a failure report, and reports about an address that was corrected.
         */
        recordSignal: Effect.fnUntraced(function* (signal: EmailSignal, mails: ReadonlyArray<MailRef>) {
          const outcome = outcomes[signal]
          const column = sql.literal(outcome.column)
          const at = yield* now
          return yield* sql<InvitationSubject>`
            update invitation i set ${column} = ${at},
              failure_reason = case when ${outcome.isFailure}::bool then ${signal} else i.failure_reason end,
              status = case
                when ${outcome.isFailure}::bool then case when i.status in ('pending', 'sent', 'delivered') then 'failed' else i.status end
                when array_position(${[...statusOrder]}::text[], ${signal}) > array_position(${[...statusOrder]}::text[], i.status)
                  then ${signal} else i.status end
            from ${recordset(sql, mails, "id uuid, organization_id int, email_id uuid")}
              join submission b on b.organization_id = r.organization_id
              join candidate c on c.id = b.candidate_id
            where i.id = r.id and i.organization_id = r.organization_id and b.id = i.submission_id and i.${column} is null
              and not exists (select from email o where o.id = r.email_id and o.recipient <> i.email)
              and (${signal !== "dropped"}::bool or i.status = 'pending' or not exists (
                select from email o where o.invitation_id = i.id and o.id is distinct from r.email_id and o.state = 'sent'
                  and not exists (select from email_event p
                    where p.email_id = o.id and p.kind = any(${[...failureKinds]}::text[]))))
            returning i.id, i.email, ${sql.literal(subjectColumns)}`
        }),
        refuse: Effect.fnUntraced(function* (reason: RefusalReason, invitations: ReadonlyArray<InvitationRef>) {
          return yield* unlessEmpty(
            invitations,
            sql<InvitationSubject & Pick<InvitationView, "interview_name">>`
              update invitation i set status = 'failed', failure_reason = ${reason}, failed_at = ${yield* now}
              from ${recordset(sql, invitations, "id uuid, organization_id int")}
                join submission b on b.organization_id = r.organization_id
                join candidate c on c.id = b.candidate_id
                join interview_set s on s.id = b.interview_set_id
              where i.id = r.id and i.organization_id = r.organization_id and b.id = i.submission_id
                and i.status = 'pending'
              returning i.id, i.email, s.title as interview_name, ${sql.literal(subjectColumns)}`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
