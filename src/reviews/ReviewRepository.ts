/** Stores reviews. */
import { Context, Effect, Layer } from "effect"
import { type Role, scoresShownFor } from "../accounts/members/Member.ts"
import { memberName } from "../accounts/members/MemberSql.ts"
import type { NotificationTime } from "../accounts/members/Notification.ts"
import type { Reader } from "../accounts/Viewer.ts"
import { Database, first } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { isReaderOf, lockReadable, reviewAuthor } from "../submissions/SubmissionSql.ts"
import type { GuestId, MemberId, OrganizationId, RequirementId, SubmissionId } from "../values/Ids.ts"
import type { Ratings, ReviewChange } from "./Review.ts"

export interface ReviewRow {
  /** The author; `id` is null for a guest. */
  readonly member: { readonly id: MemberId | null; readonly name: string }
  readonly guest_id: GuestId | null
  readonly ratings: Ratings
  readonly note: string
  readonly mentioned: ReadonlyArray<MemberId>
  readonly changes: number
  /** ISO 8601, UTC; null: a draft. */
  readonly sent_at: string | null
  readonly updated_at: string
}

export interface Colleague {
  readonly id: MemberId
  readonly name: string
  readonly email: string
  readonly role: Role
  /** When the member gets an email for a mention, and for a comment. */
  readonly mails_mentions: NotificationTime
  readonly mails_comments: NotificationTime
  /** Is asked to review the submission, or has sent a review. */
  readonly is_involved: boolean
}

/** A submission that is locked for a change of a review. */
export interface ReviewableSubmission {
  readonly id: SubmissionId
  readonly is_erased: boolean
  readonly interview_name: string
  readonly requirements: ReadonlyArray<RequirementId>
}

export interface StoredReview extends ReviewChange {
  readonly submission: SubmissionId
  readonly author: { readonly member: MemberId } | { readonly guest: GuestId }
  readonly isSent: boolean
}

export const personalReviews: ReadonlyArray<PersonalTable> = [
  {
    table: "review",
    kept: ["ratings"],
    rows: "t.submission_id = any(p.submissions)",
    set: { note: "''" },
    exported: {
      name: "reviews",
      of: "submission",
      row: `jsonb_build_object('member', ${reviewAuthor}, 'ratings', (
          select coalesce(jsonb_agg(jsonb_build_object('requirement', coalesce(r.title, r.content),
            'rating', v.ratings -> r.id::text) order by r.ordinal), '[]')
          from requirement r where r.interview_set_id = s.id and v.ratings ? r.id::text),
        'note', v.note, 'sent_at', v.sent_at)`,
      from: "review v where v.submission_id = b.id",
      order: "v.created_at",
    },
  },
  // the reasons of overrides
  {
    table: "audit_log",
    rows: `t.record_type = 'evaluation' and t.record_id in (
        select e.id::text from evaluation e where e.submission_id = any(p.submissions))`,
    set: { detail: "t.detail #- '{before,reason}' #- '{after,reason}'" },
  },
  // the reasons of decisions
  {
    table: "audit_log",
    rows: `t.record_type = 'submission' and t.record_id = any(p.submissions::text[]) and t.action = 'submission.decide'`,
    set: { detail: "t.detail #- '{before,reason}' #- '{after,reason}'" },
  },
]

export class ReviewRepository extends Context.Service<ReviewRepository>()(
  "interview-invitations/reviews/ReviewRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        /** Undefined: unknown, or `reader` may not see it. Needs a transaction. */
        lock: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          reader: Reader | undefined,
        ) {
          if (!(yield* lockReadable(sql, organization, submission, reader))) return undefined
          // a separate statement: it sees an erasure that the lock waited for
          return first(
            yield* sql<ReviewableSubmission>`
              select b.id, c.erased_at is not null as is_erased, s.title as interview_name,
                array(select r.id from requirement r where r.interview_set_id = s.id) as requirements
              from submission b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              where b.id = ${submission}::uuid and b.organization_id = ${organization}::int`,
          )
        }),
        /** Drafts too, oldest first. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, submissions: ReadonlyArray<SubmissionId>) {
          return yield* sql<ReviewRow & { readonly submission_id: SubmissionId }>`
            select v.submission_id, jsonb_build_object('id', v.member_id, 'name', ${sql.literal(reviewAuthor)}) as member, v.guest_id, v.ratings, v.note,
              v.mentioned, v.changes, ${iso(sql, "v.sent_at")} as sent_at, ${iso(sql, "v.updated_at")} as updated_at
            from review v
            where v.submission_id = any(${[...submissions]}::uuid[]) and v.organization_id = ${organization}::int
            order by v.sent_at, v.id`
        }),
        /** Inserts or changes the author's review. A sent review stays sent. The caller holds the submission's lock. */
        store: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { author, isSent, mentioned, note, ratings, submission }: StoredReview,
        ) {
          const at = yield* now
          const { guest, member } = { guest: null, member: null, ...author }
          const sentAt = isSent ? at : sql`null`
          yield* sql`
            insert into review as v (id, organization_id, submission_id, member_id, guest_id, ratings, note, mentioned,
              sent_at, created_at, updated_at)
            select gen_random_uuid(), ${organization}::int, ${submission}::uuid, ${member}::uuid, ${guest}::uuid,
              ${JSON.stringify(ratings)}::text::jsonb, ${note}, ${[...mentioned]}::uuid[], ${sentAt}, ${at}, ${at}
            on conflict (${sql.literal(guest === null ? "submission_id, member_id" : "guest_id")}) do update set ratings = excluded.ratings, note = excluded.note,
              mentioned = excluded.mentioned, changes = v.changes + 1, updated_at = excluded.updated_at,
              sent_at = coalesce(v.sent_at, excluded.sent_at)`
          if (!isSent) return
          yield* sql`
            with asked as (
              update review_assignment set reviewed_at = ${at}
              where submission_id = ${submission}::uuid and member_id = ${member}::uuid and organization_id = ${organization}::int
                and reviewed_at is null
            )
            update submission set reviewed_at = ${at}
            where id = ${submission}::uuid and organization_id = ${organization}::int and reviewed_at is null`
        }),
        /** Members who may see the submission, by name; at most 500. */
        colleagues: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          return yield* sql<Colleague>`
            select m.id, ${sql.literal(memberName)} as name, m.email, m.role, m.mails_mentions, m.mails_comments,
              m.id = any(array(
                select a.member_id from review_assignment a
                where a.submission_id = ${submission}::uuid and a.organization_id = ${organization}::int
                union all
                select v.member_id from review v
                where v.submission_id = ${submission}::uuid and v.organization_id = ${organization}::int
                  and v.member_id is not null and v.sent_at is not null)) as is_involved
            from member m
            where m.organization_id = ${organization}::int and m.deactivated_at is null
              and ${isReaderOf(sql, organization, submission)}
            order by lower(${sql.literal(memberName)}), m.id limit 500`
        }),
        showScores: Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId) {
          yield* sql`
            update member set scores_shown_until = ${yield* now} + ${scoresShownFor}::int * interval '1 hour'
            where id = ${member}::uuid and organization_id = ${organization}::int`
        }),
        hidesReviews: Effect.fnUntraced(function* (organization: OrganizationId) {
          const [row] = yield* sql<{ hides_reviews: boolean }>`
            select hides_reviews from organization where id = ${organization}::int`
          return row?.hides_reviews ?? true
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
