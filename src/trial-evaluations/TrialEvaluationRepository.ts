/** Reads the evaluations of a set, and what they were made of. */
import { Context, Effect, Layer } from "effect"
import type { EvaluatedTexts } from "../evaluations/EvaluatedTexts.ts"
import { evaluatedTexts } from "../evaluations/EvaluatedTextsSql.ts"
import type { EvaluationInput, EvaluationResult } from "../evaluations/Evaluation.ts"
import { Database } from "../platform/database/Database.ts"
import type { InterviewSetId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { EvaluatedPart } from "./TrialEvaluation.ts"

/** Of a submission in the order of their reading. */
export interface SubmissionPosition {
  readonly created: string
  readonly id: SubmissionId
}

export interface PartRow extends Pick<EvaluatedPart, "evaluation_type" | "evaluator"> {
  readonly result: EvaluationResult
  /** Null: deleted, or the evaluation failed. */
  readonly input: EvaluationInput | null
  /** Null unless current texts were wanted, or there is no input. */
  readonly texts: EvaluatedTexts | null
}

export interface EvaluatedRow {
  readonly submission_id: SubmissionId
  readonly created: string
  readonly has_override: boolean
  readonly parts: ReadonlyArray<PartRow>
}

export interface EvaluatedRows {
  readonly after: SubmissionPosition | undefined
  readonly limit: number
  /** Reads the current texts also where an input is stored. */
  readonly isCurrent: boolean
  /** Only these. */
  readonly only?: ReadonlyArray<SubmissionId> | undefined
}

export class TrialEvaluationRepository extends Context.Service<TrialEvaluationRepository>()(
  "interview-invitations/trial-evaluations/TrialEvaluationRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        /** Submissions with an evaluation, oldest first. */
        evaluated: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          { after, isCurrent, limit, only }: EvaluatedRows,
        ) {
          return yield* sql<EvaluatedRow>`
            with page as materialized (
              select b.id, b.created_at, k.override_score is not null as has_override
              from submission b join submission_score k on k.submission_id = b.id
              where b.interview_set_id = ${set}::uuid and b.organization_id = ${organization}::int
                and (${after?.id ?? null}::uuid is null
                  or (b.created_at, b.id) > (${after?.created ?? null}::timestamptz, ${after?.id ?? null}::uuid))
                and (${only === undefined}::bool or b.id = any(${[...(only ?? [])]}::uuid[]))
              order by b.created_at, b.id limit ${limit}::int
            )
            select p.id as submission_id, p.created_at::text as created, p.has_override, coalesce(parts.parts, '[]') as parts
            from page p join submission b on b.id = p.id join interview_set s on s.id = b.interview_set_id
              join candidate c on c.id = b.candidate_id
              cross join lateral (
                select jsonb_agg(jsonb_build_object('evaluation_type', e.evaluation_type, 'evaluator', e.evaluator,
                  'result', e.result, 'input', e.input, 'texts', case when ${isCurrent}::bool or e.input is null
                    then (select to_jsonb(t) from (select ${evaluatedTexts(sql)}) t) end) order by e.evaluation_type) as parts
                from (
                  select distinct on (n.evaluation_type) n.evaluation_type, n.attempt, n.evaluator, n.result, n.input
                  from evaluation n
                  where n.submission_id = p.id and n.state = 'done' and n.evaluation_type in ('cv', 'interview')
                  order by n.evaluation_type, n.created_at desc, n.id desc
                ) e
              ) parts
            order by p.created_at, p.id`
        }),
        /** Numbers of submissions with an evaluation. */
        count: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId) {
          const [row] = yield* sql<{ count: number }>`
            select count(*)::int as count from submission_score k
            where k.interview_set_id = ${set}::uuid and k.organization_id = ${organization}::int`
          return row?.count ?? 0
        }),
        /** The same `size` submissions each time, unless others were added. */
        sample: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId, size: number) {
          const rows = yield* sql<{ id: SubmissionId }>`
            select k.submission_id as id from submission_score k
            where k.interview_set_id = ${set}::uuid and k.organization_id = ${organization}::int
            order by md5(k.submission_id::text) limit ${size}::int`
          return rows.map(({ id }) => id)
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
