/** Stores requests of candidates for a person, and the answers. */
import { Context, Effect, Layer } from "effect"
import { memberName } from "../accounts/members/MemberSql.ts"
import type { Reader } from "../accounts/Viewer.ts"
import { type CandidateNames, candidateOf } from "../candidates/CandidateSql.ts"
import { type EvaluationSubject, subjectOf } from "../evaluations/EvaluationRepository.ts"
import { isReadable } from "../interview-sets/InterviewSetSql.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { SubmissionStatus } from "../submissions/Submission.ts"
import { recipientsOf } from "../submissions/SubmissionSql.ts"
import type { MemberId, OrganizationId, PersonReviewId, SubmissionId } from "../values/Ids.ts"
import type { PersonReview, PersonReviewKind, PersonReviewOutcome } from "./PersonReview.ts"
import { hasLastPersonReview, personReviewColumns } from "./PersonReviewSql.ts"

/** A request, as members see it. */
export interface ListedPersonReview extends PersonReview {
  readonly submission_id: SubmissionId
  readonly status_text: SubmissionStatus
  readonly candidate: CandidateNames
  readonly set_title: string
  readonly is_overdue: boolean
  /** The member's name; null: not answered, withdrawn, or the member was removed. */
  readonly answered_by: string | null
}

/** A request that is locked for its answer. */
export interface LockedPersonReview extends PersonReview, EvaluationSubject {
  readonly readable: boolean
}

export interface OpenRequests {
  readonly count: number
  /** Their time to answer has passed. */
  readonly overdue: number
}

/** Scores stay for statistics, and with them which of them were not used. */
export const personalPersonReviews: PersonalTable = {
  table: "person_review",
  kept: ["kind"],
  rows: "t.submission_id = any(p.submissions)",
  set: { text: "''", answer: "''" },
  // an open request ends, because it can no longer be answered; its score stays unused, and no held event follows
  compute: { answered_at: "coalesce(t.answered_at, p.at)", outcome: "coalesce(t.outcome, 'by_person')" },
  exported: {
    name: "person_reviews",
    of: "submission",
    row: `jsonb_build_object('kind', r.kind, 'text', r.text, 'requested_at', r.requested_at, 'due_at', r.due_at,
      'answered_at', r.answered_at, 'outcome', r.outcome, 'answer', r.answer)`,
    from: "person_review r where r.submission_id = b.id",
    order: "r.requested_at, r.id",
  },
}

/** Open requests on the page, and counted. */
export const mostPersonReviews = 100
/** Answered requests on the page. */
const maxAnswered = 20

export class PersonReviewRepository extends Context.Service<PersonReviewRepository>()(
  "interview-invitations/person-reviews/PersonReviewRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql, time } = yield* Database
      const requests = (organization: OrganizationId, reader: Reader | undefined) => sql`
        person_review r join submission b on b.id = r.submission_id join interview_set s on s.id = b.interview_set_id
          join candidate c on c.id = b.candidate_id
        where r.organization_id = ${organization}::int
          and b.organization_id = ${organization}::int and ${isReadable(sql, organization, reader, "b.interview_set_id")}`
      const listed = Effect.map(
        now,
        (at) => sql`
          ${personReviewColumns(sql)}, b.id as submission_id, b.status as status_text, ${candidateOf(sql)},
          left(s.title, 200) as set_title, r.answered_at is null and r.due_at < ${at} as is_overdue,
          (select ${sql.literal(memberName)} from member m where m.id = r.answered_by) as answered_by`,
      )
      return {
        /** Locks the submission. Undefined: an earlier request is open or was granted, or there are `maxPersonReviews`. */
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          { id, text }: Pick<PersonReview, "id" | "text">,
        ) {
          const at = yield* now
          yield* sql`
            select from submission where id = ${submission}::uuid and organization_id = ${organization}::int
            for no key update`
          // a separate statement sees a request, and an evaluation, that the lock waited for
          const found = first(
            yield* sql<{ kind: PersonReviewKind; due_at: Date }>`
              select case when exists (select from evaluation e where e.submission_id = b.id
                  and e.organization_id = b.organization_id and e.state = 'done') then 'again' else 'instead' end as kind,
                ${at} + o.person_review_days * interval '1 day' as due_at
              from submission b join organization o on o.id = b.organization_id
              where b.id = ${submission}::uuid and b.organization_id = ${organization}::int and not b.score_unused
                and not ${hasLastPersonReview(sql)}`,
          )
          if (found === undefined) return undefined
          const { due_at, kind } = found
          const requested_at = yield* time
          yield* sql`
            insert into person_review (id, organization_id, submission_id, kind, text, requested_at, due_at)
            values (${id}::uuid, ${organization}::int, ${submission}::uuid, ${kind}, ${text}, ${requested_at}::timestamptz,
              ${due_at}::timestamptz)`
          return { kind, requested_at: requested_at.toISOString(), due_at: due_at.toISOString() }
        }),
        /** The open request of a submission. Undefined: there is none. */
        open: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          yield* sql`
            select from submission where id = ${submission}::uuid and organization_id = ${organization}::int
            for no key update`
          return first(
            yield* sql<PersonReview>`
              select ${personReviewColumns(sql)} from person_review r
              where r.submission_id = ${submission}::uuid and r.organization_id = ${organization}::int
                and r.answered_at is null`,
          )
        }),
        /** Members who may answer requests of the submission, and want to know of them. */
        recipients: (organization: OrganizationId, submission: SubmissionId) =>
          recipientsOf(sql, organization, submission, "person_reviews"),
        /** Those that are due first, up to `mostPersonReviews`. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined) {
          return yield* sql<ListedPersonReview>`
            select ${yield* listed} from ${requests(organization, reader)} and r.answered_at is null
            order by r.due_at, r.id limit ${mostPersonReviews}::int`
        }),
        /** The newest answer first, up to `maxAnswered`. */
        answered: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined) {
          return yield* sql<ListedPersonReview>`
            select ${yield* listed} from ${requests(organization, reader)} and r.answered_at is not null
            order by r.answered_at desc, r.id desc limit ${maxAnswered}::int`
        }),
        count: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined) {
          const at = yield* now
          const row = first(
            yield* sql<OpenRequests>`
              select count(*)::int as count, (count(*) filter (where n.due_at < ${at}))::int as overdue
              from (select r.due_at from ${requests(organization, reader)} and r.answered_at is null
                order by r.due_at limit ${mostPersonReviews}::int) n`,
          )
          return row ?? { count: 0, overdue: 0 }
        }),
        /** Locks the submission before the request. Needs a transaction. */
        lock: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: PersonReviewId,
          reader: Reader | undefined,
        ) {
          yield* sql`
            select from submission b where b.organization_id = ${organization}::int
              and b.id = (select submission_id from person_review
                where id = ${id}::uuid and organization_id = ${organization}::int)
            for no key update`
          return first(
            yield* sql<LockedPersonReview>`
              select ${personReviewColumns(sql)}, ${sql.literal(subjectOf)}, s.title as interview_name,
                ${isReadable(sql, organization, reader, "b.interview_set_id")} as readable
              from person_review r join submission b on b.id = r.submission_id
                join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              where r.id = ${id}::uuid and r.organization_id = ${organization}::int
                and b.organization_id = ${organization}::int
              for no key update of r`,
          )
        }),
        /** `by` null: the candidate withdrew it. Returns when. */
        answer: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: PersonReviewId,
          given: { readonly outcome: PersonReviewOutcome; readonly text: string; readonly by: MemberId | null },
        ) {
          yield* sql`
            update person_review set answered_at = ${yield* now}, outcome = ${given.outcome}, answer = ${given.text},
              answered_by = ${given.by}::uuid
            where id = ${id}::uuid and organization_id = ${organization}::int and answered_at is null`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
