/** Stores what waits for the daily email to members, and finds those who get emails. */
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../../platform/database/Database.ts"
import type { PersonalTable } from "../../platform/database/PersonalData.ts"
import type { EndpointId, MemberId, OrganizationId, SubmissionId } from "../../values/Ids.ts"
import type { NotificationChoices, NotificationKind, NotificationTime } from "./Notification.ts"

/** A member, and when the member gets the email. */
export interface Recipient {
  readonly id: MemberId
  readonly email: string
  readonly time: NotificationTime
}

export interface NewNotice {
  readonly kind: NotificationKind
  /** One notice for each; without: one. */
  readonly submissions?: ReadonlyArray<SubmissionId>
  readonly endpoint?: EndpointId
  /** Who mentioned, commented or assigned. */
  readonly by?: MemberId
}

export interface Subscriber extends NotificationChoices {
  readonly organization_id: OrganizationId
  readonly organization_name: string
  readonly email: string
}

export const personalNotices: PersonalTable = {
  table: "member_notice",
  rows: "t.submission_id = any(p.submissions)",
}

export class NotificationRepository extends Context.Service<NotificationRepository>()(
  "interview-invitations/accounts/members/NotificationRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          members: ReadonlyArray<MemberId>,
          { by, endpoint, kind, submissions = [] }: NewNotice,
        ) {
          yield* sql`
            insert into member_notice (organization_id, member_id, kind, submission_id, endpoint_id, by_member_id, created_at)
            select ${organization}::int, member_id, ${kind}, submission_id, ${endpoint ?? null}::uuid, ${by ?? null}::uuid,
              ${yield* now}
            from unnest(${[...members]}::uuid[]) as member_id
              left join unnest(${[...submissions]}::uuid[]) as submission_id on true`
        }),
        /** Forgets what waits of kinds that the member turned off. */
        forget: Effect.fnUntraced(function* (
          organization: OrganizationId,
          member: MemberId,
          kinds: ReadonlyArray<NotificationKind>,
        ) {
          yield* sql`
            delete from member_notice
            where member_id = ${member}::uuid and organization_id = ${organization}::int and kind = any(${[...kinds]}::text[])`
        }),
        /** Owners and admins. */
        admins: Effect.fnUntraced(function* (organization: OrganizationId) {
          return yield* sql<Recipient>`
            select id, email, mails_webhooks as time from member
            where organization_id = ${organization}::int and role in ('owner', 'admin') and deactivated_at is null
            order by id`
        }),
        /** In any organization: the link's signature was verified. Undefined: the member was removed. */
        subscriber: Effect.fnUntraced(function* (id: MemberId) {
          return first(
            yield* sql<Subscriber>`
              select m.organization_id, o.name as organization_name, m.email, m.mails_mentions, m.mails_comments,
                m.mails_assignments, m.mails_submitted, m.mails_accommodations, m.mails_person_reviews,
                m.mails_remarks, m.mails_webhooks,
                (select refusal from absent_organization a where a.id = m.organization_id)
              from member m join organization o on o.id = m.organization_id
              where m.id = ${id}::uuid and m.deactivated_at is null`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
