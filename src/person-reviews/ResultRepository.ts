/** Reads a candidate's result, stores what the candidate sends about it, and who got to know of it. */
import { Context, Effect, Layer } from "effect"
import type { Criterion } from "../evaluations/Evaluation.ts"
import { Database, first } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { leadingFirst, recipientsOf } from "../submissions/SubmissionSql.ts"
import type { OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { EvaluationWarning } from "../values/Warning.ts"
import { type CandidateRemark, remarkLimits } from "./CandidateRemark.ts"
import { isResultOpen } from "./ResultSql.ts"

/** What the evaluator found, and who has read it. */
export interface CandidateResult {
  readonly criteria: ReadonlyArray<Pick<Criterion, "title" | "score" | "evidence">>
  readonly warnings: ReadonlyArray<EvaluationWarning>
  /** Null: not shown, not used, or there is none. */
  readonly score: number | null
  readonly is_decided: boolean
  readonly is_read: boolean
  readonly remarks: ReadonlyArray<CandidateRemark>
}

export const personalRemarks: PersonalTable = {
  table: "candidate_remark",
  rows: "t.submission_id = any(p.submissions)",
  exported: {
    name: "candidate_remarks",
    of: "submission",
    row: "jsonb_build_object('kind', r.kind, 'text', r.text, 'sent_at', r.sent_at)",
    from: "candidate_remark r where r.submission_id = b.id",
    order: "r.sent_at, r.id",
  },
}

/** Days after the interview until which the email about the result is sent. */
const offeredFor = 90

export class ResultRepository extends Context.Service<ResultRepository>()(
  "interview-invitations/person-reviews/ResultRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        /** Undefined: the page is not open. */
        find: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          return first(
            yield* sql<CandidateResult>`
              select coalesce(e.result -> 'criteria', '[]') as criteria, coalesce(e.result -> 'warnings', '[]') as warnings,
                case when o.result_shows_score and not b.score_unused then (e.result ->> 'score')::float8 end as score,
                b.decision in ('advance', 'reject') is true as is_decided, b.reviewed_at is not null as is_read,
                coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'kind', r.kind, 'text', r.text,
                    'sent_at', ${iso(sql, "r.sent_at")}) order by r.sent_at, r.id) from candidate_remark r
                  where r.submission_id = b.id and r.organization_id = b.organization_id), '[]') as remarks
              from submission b join organization o on o.id = b.organization_id
                join candidate c on c.id = b.candidate_id
                cross join lateral (select e.result from evaluation e
                  where e.submission_id = b.id and e.organization_id = b.organization_id and e.state = 'done'
                  order by ${leadingFirst(sql)} limit 1) e
              where b.id = ${submission}::uuid and b.organization_id = ${organization}::int and c.erased_at is null
                and ${isResultOpen(sql, yield* now)}`,
          )
        }),
        /** Locks the submission. False: the candidate has sent as many as `remarkLimits` allows. */
        addRemark: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          { id, kind, text }: Pick<CandidateRemark, "id" | "kind" | "text">,
        ) {
          const [free] = yield* sql<{ is_free: boolean }>`
            select (select count(*) from candidate_remark r
              where r.submission_id = b.id and r.organization_id = b.organization_id) < ${remarkLimits.count}::int as is_free
            from submission b where b.id = ${submission}::uuid and b.organization_id = ${organization}::int
            for no key update`
          if (free?.is_free !== true) return false
          yield* sql`
            insert into candidate_remark (id, organization_id, submission_id, kind, text, sent_at)
            values (${id}::uuid, ${organization}::int, ${submission}::uuid, ${kind}, ${text}, ${yield* now})`
          return true
        }),
        /** Members who may change the result, and want to know what candidates write about it. */
        recipients: (organization: OrganizationId, submission: SubmissionId) =>
          recipientsOf(sql, organization, submission, "remarks"),
        /**
         * Submissions whose candidates get the email about the result now, marked so that each gets it once. Locks them, and skips
         * locked ones. Needs a transaction.
         */
        claimOffers: Effect.fnUntraced(function* (limit: number) {
          const at = yield* now
          return yield* sql<{ id: SubmissionId; organization_id: OrganizationId }>`
            with due as (
              select b.id from organization o cross join lateral (
                select b.id, b.completed_at from submission b
                where b.organization_id = o.id and b.completed_at is not null and b.result_offered_at is null
                  and b.completed_at >= greatest(o.result_page_since, ${at} - ${offeredFor}::int * interval '1 day')
                  and ${isResultOpen(sql, at)}
                order by b.completed_at limit ${limit}::int for no key update of b skip locked
              ) b
              where o.result_page <> 'off' and o.sample is null and o.id <> all(array(select id from suspended_organization))
              order by b.completed_at limit ${limit}::int
            )
            update submission b set result_offered_at = ${at} where b.id = any(array(select id from due))
            returning b.id, b.organization_id`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
