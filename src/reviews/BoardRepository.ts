/** Reads the columns of the board of an interview set. */
import { Context, Effect, Layer } from "effect"
import { type CandidateNames, candidateOf } from "../candidates/CandidateSql.ts"
import { Database, recordset } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import type { Decision } from "../submissions/Decision.ts"
import type { BoardPlace } from "../submissions/HiringStage.ts"
import type { InvitationStatus } from "../submissions/InvitationStatus.ts"
import type { SubmissionStatus } from "../submissions/Submission.ts"
import {
  isBeingEvaluated,
  newestInvitation,
  rejectingStages,
  reviewAuthor,
  waitsForNotice,
} from "../submissions/SubmissionSql.ts"
import type { HiringStageId, InterviewSetId, MemberId, OrganizationId, SubmissionId } from "../values/Ids.ts"

/** `stage` null: the column without a stage that `place` names. */
export interface WantedColumn {
  readonly place: BoardPlace
  readonly stage: HiringStageId | null
  /** Rejected candidates stay in it: the stage makes that decision. */
  readonly keeps_rejected: boolean
  /** Cards to read. */
  readonly most: number
}

export interface CardRow {
  readonly place: BoardPlace
  readonly id: SubmissionId
  readonly status: SubmissionStatus
  readonly is_being_evaluated: boolean
  readonly waits_for_notice: boolean
  readonly is_cv_unreadable: boolean
  /** The evaluator could not rate any requirement, and no member gave a score. */
  readonly is_not_scored: boolean
  readonly has_knock_out: boolean
  readonly candidate: CandidateNames
  readonly declined_at: string | null
  readonly decision: Decision | null
  /** The recruiter's, else the evaluator's. */
  readonly score: number | null
  readonly has_warnings: boolean
  readonly invitation: InvitationStatus | null
  readonly stage_changes: number
  readonly decision_changes: number
  /** When it entered the column: ISO 8601, UTC. */
  readonly since: string
  /** Members who sent a review, in the order of sending. */
  readonly reviewers: ReadonlyArray<string>
}

const since = (submission: string) =>
  `board_since(${["stage_moved_at", "completed_at", "started_at", "initiated_at", "created_at"]
    .map((column) => `${submission}.${column}`)
    .join(", ")})`

const wantedColumns = "place text, stage uuid, keeps_rejected bool, most int, number int"

export class BoardRepository extends Context.Service<BoardRepository>()(
  "interview-invitations/reviews/BoardRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const raw = sql.literal
      const wantedOf = (columns: ReadonlyArray<WantedColumn>) =>
        recordset(
          sql,
          columns.map((column, number) => ({ ...column, number })),
          wantedColumns,
        )
      /** Submissions of column `r` of set `$set`: three kinds, each with its index. */
      const kinds = (organization: OrganizationId, set: InterviewSetId) => {
        const ofSet = sql`b.interview_set_id = ${set}::uuid`
        return {
          state: sql`${ofSet} and b.stage_id is null and board_column(b.status, b.decision) = r.place`,
          stage: sql`${ofSet} and b.stage_id = r.stage and (r.keeps_rejected or b.decision is distinct from 'reject')`,
          rejected: sql`${ofSet} and b.decision = 'reject' and b.stage_id is not null
          and b.stage_id <> all(array(${rejectingStages(sql, organization)}))`,
        }
      }
      return {
        /** How many candidates each column has, up to `most`; in the order of the columns. */
        counts: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          columns: ReadonlyArray<WantedColumn>,
          most: number,
        ) {
          const { rejected, stage, state } = kinds(organization, set)
          const count = (condition: typeof state) =>
            sql`(select count(*)::int from (select from submission b where ${condition} limit ${most}::int) n)`
          const rows = yield* sql<{ count: number }>`
          select least(case when r.stage is not null then ${count(stage)} else ${count(state)} end
            + case when r.place = 'ended' then ${count(rejected)} else 0 end, ${most}::int) as count
          from ${wantedOf(columns)} order by r.number`
          return rows.map(({ count: one }) => one)
        }),
        /**
         * Those who have waited longest first; of the last column, those who ended last. `member`: only scores of submissions
         * that the member has reviewed; undefined: all.
         */
        cards: Effect.fnUntraced(function* (
          organization: OrganizationId,
          member: MemberId | undefined,
          set: InterviewSetId,
          columns: ReadonlyArray<WantedColumn>,
        ) {
          const { rejected, stage, state } = kinds(organization, set)
          const moment = raw(since("b"))
          // not r.most: the planner would expect a tenth of all rows, and sort them
          const limit = Math.max(1, ...columns.map(({ most }) => most))
          const found = (condition: typeof state, at: typeof moment, direction: "asc" | "desc") => sql`
          select r.number, r.place, b.id, ${at} as at from ${wantedOf(columns)} cross join lateral (
            select n.*, row_number() over () as rank from (
              select b.* from submission b where ${condition}
              order by ${at} ${raw(direction)}, b.id ${raw(direction)} limit ${limit}::int) n) b
          where b.rank <= r.most`
          return yield* sql<CardRow>`
          with wanted as materialized (
            ${found(sql`r.stage is not null and ${stage}`, moment, "asc")}
            union all (select n.* from (${found(sql`r.stage is null and r.place <> 'ended' and ${state}`, moment, "asc")}) n)
            union all (select n.* from (${found(sql`r.place = 'ended' and ${state}`, moment, "desc")}) n)
            union all (select n.* from (${found(sql`r.place = 'ended' and ${rejected}`, raw("b.decided_at"), "desc")}) n)
          )
          select w.place, b.id, b.status, ${raw(isBeingEvaluated("b"))} as is_being_evaluated,
            ${raw(waitsForNotice("b"))} as waits_for_notice, b.is_cv_unreadable, b.has_knock_out, ${candidateOf(sql)},
            ${iso(sql, "b.declined_at")} as declined_at, b.decision,
            exists (select from submission_score s where s.submission_id = b.id
              and s.score_status = 'cannot_evaluate' and s.override_score is null) as is_not_scored,
            coalesce(k.override_score, k.score)::float8 as score,
            k.override_score is null and coalesce(k.has_warnings, false) as has_warnings,
            ${raw(newestInvitation("b", "i.status"))} as invitation, b.stage_changes, b.decision_changes,
            ${iso(sql, "w.at")} as since,
            array(select ${raw(reviewAuthor)} from review v
              where v.submission_id = b.id and v.sent_at is not null order by v.sent_at) as reviewers
          from wanted w join submission b on b.id = w.id join candidate c on c.id = b.candidate_id
            left join submission_score k on k.submission_id = b.id
              and (${member ?? null}::uuid is null or exists (select from review v
                where v.submission_id = b.id and v.member_id = ${member ?? null}::uuid and v.sent_at is not null))
          where b.organization_id = ${organization}::int
          order by w.number, case when w.place = 'ended' then '-infinity' else w.at end, w.at desc, b.id`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
