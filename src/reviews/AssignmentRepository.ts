/** Stores which members are asked to review which submissions. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Role } from "../accounts/members/Member.ts"
import { memberName } from "../accounts/members/MemberSql.ts"
import type { NotificationTime } from "../accounts/members/Notification.ts"
import type { Reader } from "../accounts/Viewer.ts"
import { type CandidateNames, candidateOf } from "../candidates/CandidateSql.ts"
import { Database } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { mostCounted } from "../submissions/SubmissionSearch.ts"
import { isSubmissionReadable } from "../submissions/SubmissionSql.ts"
import type { MemberId, OrganizationId, SubmissionId } from "../values/Ids.ts"

/** A member who is asked to review a submission. */
export interface AssignedMember {
  readonly id: MemberId
  readonly name: string
  readonly role: Role
  /** ISO 8601, UTC. */
  readonly assigned_at: string
  /** When the member sent the review; null: not yet. */
  readonly reviewed_at: string | null
}

/** A member who can be asked. */
export interface AssignableMember {
  readonly id: MemberId
  readonly name: string
  readonly email: string
  readonly role: Role
}

/** A submission that a member is asked to review. */
export interface AssignedSubmission {
  readonly id: SubmissionId
  readonly candidate: CandidateNames
  readonly set_title: string
  readonly assigned_at: string
  readonly assigned_by: string | null
  readonly reviewed_at: string | null
  readonly is_submitted: boolean
}

/** Of one member, each up to `mostCounted`. */
export interface AssignmentCounts {
  readonly open: number
  readonly reviewed: number
}

/** A new assignment. */
export interface NewAssignment {
  readonly submission_id: SubmissionId
  readonly set_title: string
  readonly member_id: MemberId
  readonly email: string
  /** Of the member, or the address. */
  readonly member_name: string
  /** When the member gets an email for an assignment. */
  readonly mails_assignments: NotificationTime
}

export const personalAssignments: PersonalTable = {
  table: "review_assignment",
  rows: "t.submission_id = any(p.submissions)",
  key: ["submission_id", "member_id"],
  exported: {
    name: "asked_to_review",
    of: "submission",
    row: `jsonb_build_object('member', ${memberName}, 'assigned_at', a.assigned_at)`,
    from: "review_assignment a join member m on m.id = a.member_id where a.submission_id = b.id",
    order: "a.assigned_at, a.member_id",
  },
}

/** Members who can be asked at once, or listed. */
const maxMembers = 500

/** `milestone` of a submission that is submitted, or further. */
const submitted = "b.milestone >= 3"

export class AssignmentRepository extends Context.Service<AssignmentRepository>()(
  "interview-invitations/reviews/AssignmentRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database

      /** A reviewer reads what is assigned to the member. */
      const readable = (organization: OrganizationId, reader: Reader | undefined) =>
        reader?._tag === "Reviewer" ? sql`true` : isSubmissionReadable(sql, organization, reader)

      const assignedTo = (organization: OrganizationId, member: MemberId) =>
        sql`a.member_id = ${member}::uuid and a.organization_id = ${organization}::int`

      /** The `mostCounted` open assignments `a` that wait longest, with submission `b`. Sorted as the index is, which the planner reads only then. */
      const longestOpen = (organization: OrganizationId, member: MemberId, reader: Reader | undefined) => sql`
        (select a.submission_id, a.assigned_at, a.assigned_by, a.reviewed_at from review_assignment a
          where ${assignedTo(organization, member)} and a.reviewed_at is null
          order by a.reviewed_at, a.assigned_at limit ${mostCounted}::int) a join submission b on b.id = a.submission_id
        where b.organization_id = ${organization}::int and ${readable(organization, reader)}`

      /** The `mostCounted` assignments `a` that were reviewed last, with submission `b`. */
      const lastReviewed = (organization: OrganizationId, member: MemberId, reader: Reader | undefined) => sql`
        (select a.submission_id, a.assigned_at, a.assigned_by, a.reviewed_at from review_assignment a
          where ${assignedTo(organization, member)} and a.reviewed_at is not null
          order by a.reviewed_at desc limit ${mostCounted}::int) a join submission b on b.id = a.submission_id
        where b.organization_id = ${organization}::int and ${readable(organization, reader)}`

      /** Open ones first: submitted ones, those that wait longest first, then the others; then the last reviewed. */
      const inOrder = sql.literal(`order by reviewed_at is not null, not is_submitted,
        case when reviewed_at is null then extract(epoch from assigned_at) else -extract(epoch from reviewed_at) end, id`)

      const columns = (assignments: Statement.Fragment) => sql`
        select b.id, b.interview_set_id, b.candidate_id, b.external_id, b.metadata, a.assigned_at, a.assigned_by, a.reviewed_at,
          ${sql.literal(submitted)} as is_submitted from ${assignments}`

      return {
        /** Asks the members; those who are asked already, or may not see a submission, are left out. Needs a transaction. */
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submissions: ReadonlyArray<SubmissionId>,
          members: ReadonlyArray<MemberId>,
          by: MemberId,
          reader: Reader | undefined,
        ) {
          // an erasure or a review that waits for these locks finds the new rows; one that they waited for is seen below
          yield* sql`
            select from submission b where b.id = any(${[...submissions]}::uuid[]) and b.organization_id = ${organization}::int
            order by b.id for no key update`
          return yield* sql<NewAssignment>`
            with wanted as materialized (
              select b.id as submission_id, m.id as member_id, (
                select v.sent_at from review v where v.submission_id = b.id and v.member_id = m.id
              ) as reviewed_at
              from submission b join candidate c on c.id = b.candidate_id, member m
              where b.id = any(${[...submissions]}::uuid[]) and b.organization_id = ${organization}::int
                and c.erased_at is null and ${isSubmissionReadable(sql, organization, reader)}
                and m.id = any(${[...members]}::uuid[]) and m.organization_id = ${organization}::int and m.deactivated_at is null
                and (m.role <> 'recruiter' or exists (
                  select from set_access x where x.interview_set_id = b.interview_set_id
                    and x.organization_id = ${organization}::int and lower(x.email) = lower(m.email)))
            ), inserted as (
              insert into review_assignment (submission_id, member_id, organization_id, assigned_by, assigned_at, reviewed_at)
              select submission_id, member_id, ${organization}::int, ${by}::uuid, ${yield* now}, reviewed_at from wanted
              on conflict do nothing returning submission_id, member_id
            )
            select n.submission_id, left(s.title, 200) as set_title, n.member_id, m.email, ${sql.literal(memberName)} as member_name, m.mails_assignments
            from inserted n join submission b on b.id = n.submission_id join interview_set s on s.id = b.interview_set_id
              join member m on m.id = n.member_id
            order by n.submission_id, n.member_id`
        }),
        /** Returns the member's name, or the address; undefined: the member was not asked. */
        remove: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId, member: MemberId) {
          const [gone] = yield* sql<{ name: string }>`
            delete from review_assignment a using member m
            where a.submission_id = ${submission}::uuid and a.member_id = ${member}::uuid
              and a.organization_id = ${organization}::int and m.id = a.member_id
            returning ${sql.literal(memberName)} as name`
          return gone?.name
        }),
        /** In the order of asking. */
        ofSubmission: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          return yield* sql<AssignedMember>`
            select m.id, ${sql.literal(memberName)} as name, m.role, ${iso(sql, "a.assigned_at")} as assigned_at,
              ${iso(sql, "a.reviewed_at")} as reviewed_at
            from review_assignment a join member m on m.id = a.member_id
            where a.submission_id = ${submission}::uuid and a.organization_id = ${organization}::int
            order by a.assigned_at, lower(${sql.literal(memberName)}), m.id`
        }),
        /** Members who may see the submissions once they are asked, by name. Recruiters: with access to one of the sets. */
        assignable: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submissions: ReadonlyArray<SubmissionId>,
        ) {
          return yield* sql<AssignableMember>`
            select m.id, ${sql.literal(memberName)} as name, m.email, m.role from member m
            where m.organization_id = ${organization}::int and m.deactivated_at is null
              and (m.role <> 'recruiter' or lower(m.email) = any(array(
                select lower(x.email) from set_access x
                where x.organization_id = ${organization}::int and x.interview_set_id = any(array(
                  select b.interview_set_id from submission b
                  where b.id = any(${[...submissions]}::uuid[]) and b.organization_id = ${organization}::int)))))
            order by m.role = 'reviewer' desc, lower(${sql.literal(memberName)}), m.id limit ${maxMembers}::int`
        }),
        /** A page of the submissions that the member is asked to review, of each kind of `counts`; open ones first. */
        list: Effect.fnUntraced(function* (
          organization: OrganizationId,
          member: MemberId,
          reader: Reader | undefined,
          { limit, offset }: { readonly limit: number; readonly offset: number },
        ) {
          return yield* sql<AssignedSubmission>`
            select b.id, ${candidateOf(sql)}, left(s.title, 200) as set_title, ${iso(sql, "b.assigned_at")} as assigned_at,
              (select ${sql.literal(memberName)} from member m where m.id = b.assigned_by) as assigned_by,
              ${iso(sql, "b.reviewed_at")} as reviewed_at, b.is_submitted
            from (
              select b.*, row_number() over (${inOrder}) as place from (
                ${columns(longestOpen(organization, member, reader))}
                union all ${columns(lastReviewed(organization, member, reader))}
              ) b ${inOrder} limit ${limit}::int offset ${offset}::int
            ) b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
            order by b.place`
        }),
        /** Both up to `mostCounted`, of which some may not be readable. */
        counts: Effect.fnUntraced(function* (
          organization: OrganizationId,
          member: MemberId,
          reader: Reader | undefined,
        ) {
          const [row] = yield* sql<AssignmentCounts>`
            select (select count(*)::int from ${longestOpen(organization, member, reader)}) as open,
              (select count(*)::int from ${lastReviewed(organization, member, reader)}) as reviewed`
          return row ?? { open: 0, reviewed: 0 }
        }),
        /** The first open ones, in the order of `list`. */
        open: Effect.fnUntraced(function* (
          organization: OrganizationId,
          member: MemberId,
          reader: Reader | undefined,
          limit: number,
        ) {
          const rows = yield* sql<{ id: SubmissionId }>`
            select id from (${columns(longestOpen(organization, member, reader))}) b ${inOrder} limit ${limit}::int`
          return rows.map(({ id }) => id)
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
