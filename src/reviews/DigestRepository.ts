/** Finds what the daily emails to members tell. */
import { Context, Effect, Layer } from "effect"
import type { Role } from "../accounts/members/Member.ts"
import { memberName } from "../accounts/members/MemberSql.ts"
import type { NotificationKind } from "../accounts/members/Notification.ts"
import { Database, recordset } from "../platform/database/Database.ts"
import type { EndpointId, InterviewSetId, MemberId, OrganizationId, SubmissionId } from "../values/Ids.ts"

/** The moment of the last daily email in a time zone: what happened before it is due. */
export interface Morning {
  readonly zone: string
  readonly until: Date
}

/** A member whose daily email is due, or who was removed meanwhile. */
export interface DigestReader {
  readonly id: MemberId
  readonly organization_id: OrganizationId
  readonly organization_name: string
  readonly email: string
  readonly role: Role
  readonly until: Date
  /** Submissions that the member is asked to review and has not reviewed. */
  readonly waiting: number
}

export interface DigestNotice {
  readonly member_id: MemberId
  readonly kind: NotificationKind
  readonly submission_id: SubmissionId | null
  readonly set_id: InterviewSetId | null
  readonly set_title: string | null
  readonly endpoint_id: EndpointId | null
  readonly endpoint_name: string | null
  readonly is_endpoint_active: boolean | null
  /** Who mentioned, commented or assigned. */
  readonly author: string | null
}

export class DigestRepository extends Context.Service<DigestRepository>()(
  "interview-invitations/reviews/DigestRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      /** Whether the member `t` may see submission `b`, as `isReaderOf`. */
      const mayRead = sql.literal(`(t.role in ('owner', 'admin')
        or t.role = 'recruiter' and exists (select from set_access x
          where x.interview_set_id = b.interview_set_id and x.organization_id = b.organization_id
            and lower(x.email) = lower(t.email))
        or t.role = 'reviewer' and exists (select from review_assignment x
          where x.submission_id = b.id and x.member_id = t.id and x.organization_id = b.organization_id))`)
      return {
        /** The time zones of organizations with waiting notices. */
        zones: Effect.gen(function* () {
          const rows = yield* sql<{ time_zone: string }>`
            select distinct o.time_zone from organization o
            where exists (select from member_notice n where n.organization_id = o.id)
              and o.id <> all(array(select id from suspended_organization))`
          return rows.map(({ time_zone }) => time_zone)
        }),
        due: Effect.fnUntraced(function* (mornings: ReadonlyArray<Morning>, limit: number) {
          return yield* sql<DigestReader>`
            select t.id, t.organization_id, o.name as organization_name, t.email, t.role, r.until, (
              select count(*)::int from review_assignment a join submission b on b.id = a.submission_id
              where a.member_id = t.id and a.organization_id = t.organization_id and a.reviewed_at is null and b.milestone >= 3
                and t.mails_assignments <> 'off' and ${mayRead}) as waiting
            from ${recordset(sql, mornings, "zone text, until timestamptz")}
              join organization o on o.time_zone = r.zone join member t on t.organization_id = o.id
            where exists (select from member_notice n where n.organization_id = o.id and n.created_at < r.until)
              and exists (select from member_notice n where n.member_id = t.id and n.created_at < r.until)
              and o.id <> all(array(select id from suspended_organization))
            order by t.id limit ${limit}::int`
        }),
        /** Returns those that no other pod has locked. Needs a transaction. */
        lock: Effect.fnUntraced(function* (members: ReadonlyArray<MemberId>) {
          const rows = yield* sql<{ id: MemberId }>`
            select id from member where id = any(${[...members]}::uuid[]) order by id for no key update skip locked`
          return rows.map(({ id }) => id)
        }),
        /**
         * Deletes the notices of the members that are due. Returns, oldest first, those of members who were not removed and may
         * still see what they are about. A statement after the lock: it sees what another pod deleted before.
         */
        take: Effect.fnUntraced(function* (readers: ReadonlyArray<DigestReader>) {
          return yield* sql<DigestNotice>`
            with gone as (
              delete from member_notice n using ${recordset(sql, readers, "id uuid, until timestamptz")}
              where n.member_id = r.id and n.created_at < r.until
              returning n.id, n.member_id, n.kind, n.submission_id, n.endpoint_id, n.by_member_id, n.created_at
            )
            select g.member_id, g.kind, b.id as submission_id, s.id as set_id, left(s.title, 200) as set_title,
              w.id as endpoint_id, w.name as endpoint_name, w.status = 'active' as is_endpoint_active,
              (select ${sql.literal(memberName)} from member m where m.id = g.by_member_id) as author
            from gone g join member t on t.id = g.member_id left join submission b on b.id = g.submission_id
              left join interview_set s on s.id = b.interview_set_id left join webhook_endpoint w on w.id = g.endpoint_id
            where t.deactivated_at is null
              and case when g.endpoint_id is not null then t.role in ('owner', 'admin') else ${mayRead} end
              and (g.kind <> 'assignments' or exists (select from review_assignment a
                where a.submission_id = g.submission_id and a.member_id = g.member_id))
              and (g.kind <> 'accommodations' or t.role <> 'reviewer' and exists (select from accommodation a
                where a.submission_id = g.submission_id and a.answered_at is null))
              and (g.kind <> 'person_reviews' or t.role <> 'reviewer' and exists (select from person_review r
                where r.submission_id = g.submission_id and r.answered_at is null))
              and (g.kind <> 'remarks' or t.role <> 'reviewer')
            order by g.created_at, g.id`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
