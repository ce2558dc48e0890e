/** Stores comments. */
import { Context, Effect, Layer } from "effect"
import { memberName } from "../accounts/members/MemberSql.ts"
import type { Reader } from "../accounts/Viewer.ts"
import { Database, first } from "../platform/database/Database.ts"
import { iso, type Positioned, paging } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { lockReadable } from "../submissions/SubmissionSql.ts"
import type { PageRequest } from "../values/Cursor.ts"
import type { CommentId, MemberId, OrganizationId, QuestionId, SubmissionId } from "../values/Ids.ts"

export interface CommentRow {
  readonly id: CommentId
  readonly member: { readonly id: MemberId; readonly name: string }
  /** Null: about the submission. */
  readonly question_id: QuestionId | null
  readonly text: string
  readonly mentioned: ReadonlyArray<MemberId>
  readonly changes: number
  /** ISO 8601, UTC. */
  readonly created_at: string
  readonly changed_at: string | null
}

export interface CommentCount {
  /** Null: about the submission. */
  readonly question_id: QuestionId | null
  readonly count: number
}

interface CommentPage {
  readonly about: QuestionId | undefined
  readonly limit: number
  readonly offset: number
}

/** A submission that is locked for a new or changed comment. */
interface CommentedSubmission {
  readonly is_erased: boolean
  readonly interview_name: string
  readonly questions: ReadonlyArray<QuestionId>
  readonly comments: number
}

export const personalComments: PersonalTable = {
  table: "submission_comment",
  rows: "t.submission_id = any(p.submissions)",
  exported: {
    name: "comments",
    of: "submission",
    row: `jsonb_build_object('member', ${memberName}, 'question', coalesce(q.title, q.content), 'text', k.text,
      'created_at', k.created_at)`,
    from: `submission_comment k join member m on m.id = k.member_id left join question q on q.id = k.question_id
      where k.submission_id = b.id`,
    order: "k.created_at, k.id",
  },
}

export class CommentRepository extends Context.Service<CommentRepository>()(
  "interview-invitations/reviews/CommentRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const columns = sql`k.id, jsonb_build_object('id', m.id, 'name', ${sql.literal(memberName)}) as member, k.question_id, k.text,
        k.mentioned, k.changes, ${iso(sql, "k.created_at")} as created_at, ${iso(sql, "k.changed_at")} as changed_at`
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
            yield* sql<CommentedSubmission>`
              select c.erased_at is not null as is_erased, s.title as interview_name,
                array(select q.id from question q where q.interview_set_id = s.id) as questions,
                (select count(*)::int from submission_comment k where k.submission_id = b.id) as comments
              from submission b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              where b.id = ${submission}::uuid and b.organization_id = ${organization}::int`,
          )
        }),
        /** How many comments the submission and each of its answers have; none of those without any. */
        counts: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          return yield* sql<CommentCount>`
            select k.question_id, count(*)::int as count from submission_comment k
            where k.submission_id = ${submission}::uuid and k.organization_id = ${organization}::int
            group by k.question_id`
        }),
        /** The newest ones after the first `offset`, oldest first. `about`: of this question only. */
        list: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          { about, limit, offset }: CommentPage,
        ) {
          return yield* sql<CommentRow>`
            select ${columns} from (
              select * from submission_comment k
              where k.submission_id = ${submission}::uuid and k.organization_id = ${organization}::int
                and (${about ?? null}::uuid is null or k.question_id = ${about ?? null}::uuid)
              order by k.created_at desc, k.id desc limit ${limit}::int offset ${offset}::int
            ) k join member m on m.id = k.member_id order by k.created_at, k.id`
        }),
        /** A page (values/Cursor.ts), newest first. */
        page: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId, page: PageRequest) {
          const { behind, newestFirst, position } = paging(sql, "k", page)
          return yield* sql<Positioned<CommentRow>>`
            select ${columns}, ${position} from submission_comment k join member m on m.id = k.member_id
            where k.submission_id = ${submission}::uuid and k.organization_id = ${organization}::int and ${behind}
            ${newestFirst}`
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId, id: CommentId) {
          return first(
            yield* sql<CommentRow>`
              select ${columns} from submission_comment k join member m on m.id = k.member_id
              where k.id = ${id}::uuid and k.submission_id = ${submission}::uuid and k.organization_id = ${organization}::int`,
          )
        }),
        /** False: a comment has the id. */
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          {
            id,
            member,
            mentioned,
            question_id,
            text,
          }: Pick<CommentRow, "id" | "mentioned" | "question_id" | "text"> & { readonly member: MemberId },
        ) {
          const added = yield* sql`
            insert into submission_comment (id, organization_id, submission_id, question_id, member_id, text, mentioned, created_at)
            values (${id}::uuid, ${organization}::int, ${submission}::uuid, ${question_id}::uuid, ${member}::uuid, ${text},
              ${[...mentioned]}::uuid[], ${yield* now})
            on conflict do nothing returning 1`
          return added.length > 0
        }),
        update: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { id, mentioned, text }: Pick<CommentRow, "id" | "mentioned" | "text">,
        ) {
          yield* sql`
            update submission_comment set text = ${text}, mentioned = ${[...mentioned]}::uuid[], changes = changes + 1,
              changed_at = ${yield* now}
            where id = ${id}::uuid and organization_id = ${organization}::int`
        }),
        remove: Effect.fnUntraced(function* (organization: OrganizationId, id: CommentId) {
          yield* sql`
            delete from submission_comment where id = ${id}::uuid and organization_id = ${organization}::int`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
