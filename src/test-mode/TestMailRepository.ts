/** Reads the emails of a test space, which never leave it. */
import { Context, Effect, Layer } from "effect"
import type { Reader } from "../accounts/Viewer.ts"
import type { EmailRow } from "../emails/EmailRepository.ts"
import { Database, first } from "../platform/database/Database.ts"
import { when } from "../platform/database/Paging.ts"
import { isSubmissionReadable } from "../submissions/SubmissionSql.ts"
import type { EmailId, OrganizationId } from "../values/Ids.ts"

export type ListedMail = Pick<EmailRow, "id" | "recipient" | "subject" | "sent_at">

export class TestMailRepository extends Context.Service<TestMailRepository>()(
  "interview-invitations/test-mode/TestMailRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database

      /** To candidates of sets that the reader reads; to members only for owners and admins. */
      const isShown = (organization: OrganizationId, reader: Reader | undefined) => sql`
        m.organization_id = ${organization}::int and m.state = 'sent' and m.subject is not null and o.test_of is not null
        and ${when(
          sql,
          reader,
          (limited) => sql`exists (
            select from submission b left join invitation i on i.id = m.invitation_id
            where b.id = coalesce(m.submission_id, i.submission_id) and b.organization_id = ${organization}::int
              and ${isSubmissionReadable(sql, organization, limited)})`,
        )}`
      return {
        /** Newest first. `skipped`: how many newer ones. */
        list: Effect.fnUntraced(function* (
          organization: OrganizationId,
          reader: Reader | undefined,
          { limit, skipped }: { readonly limit: number; readonly skipped: number },
        ) {
          return yield* sql<ListedMail>`
            select m.id, m.recipient, m.subject, m.sent_at
            from email m join organization o on o.id = m.organization_id
            where ${isShown(organization, reader)}
            order by m.created_at desc, m.id desc limit ${limit}::int offset ${skipped}::int`
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined, id: EmailId) {
          return first(
            yield* sql<EmailRow>`
              select m.id, m.organization_id, m.invitation_id, m.submission_id, m.kind, m.recipient, m.subject, m.html, m.text,
                m.message_id, m.sent_at, o.name as organization_name, true as is_test,
                case when m.invitation_id is null and m.submission_id is null then (
                  select r.id from member r where r.organization_id = m.organization_id and lower(r.email) = lower(m.recipient)
                    and r.deactivated_at is null) end as member_id,
                case when m.invitation_id is not null or m.submission_id is not null then o.contact end as organization_contact,
                p.sender_name, p.reply_to
              from email m join organization o on o.id = m.organization_id
                left join organization_appearance p on p.organization_id = m.organization_id
                  and (m.invitation_id is not null or m.submission_id is not null)
              where m.id = ${id}::uuid and ${isShown(organization, reader)}`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
