/** Reads the evaluations of a set, and what they were made of. */
import { Context, Effect, Layer } from "effect"
import type { EvaluatedTexts } from "../evaluations/EvaluatedTexts.ts"
import { evaluatedTexts } from "../evaluations/EvaluatedTextsSql.ts"
import type { EvaluationInput, EvaluationResult } from "../evaluations/Evaluation.ts"
import { Database, first } from "../platform/database/Database.ts"
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

export interface ComparedSet {
  readonly organization_id: OrganizationId
  readonly title: string | null
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
      /** Submissions `b` with a score `k` that is used. */
      const scored = (organization: OrganizationId, set: InterviewSetId) => sql`
        from submission b join submission_score k on k.submission_id = b.id
        where b.interview_set_id = ${set}::uuid and b.organization_id = ${organization}::int and not b.score_unused`
      return {
        /** Submissions with a score that is used, oldest first. */
        evaluated: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          { after, isCurrent, limit, only }: EvaluatedRows,
        ) {
          return yield* sql<EvaluatedRow>`
            with page as materialized (
              select b.id, b.created_at, k.override_score is not null as has_override
              ${scored(organization, set)}
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
        /** A set in any organization. */
        findSet: Effect.fnUntraced(function* (set: InterviewSetId) {
          return first(
            yield* sql<ComparedSet>`
              select s.organization_id, s.title from interview_set s where s.id = ${set}::uuid and s.deleted_at is null`,
          )
        }),
        /** Number of submissions with a score that is used. */
        count: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId) {
          const [row] = yield* sql<{ count: number }>`select count(*)::int as count ${scored(organization, set)}`
          return row?.count ?? 0
        }),
        /** Evaluations of CVs and interviews that a trial repeats; of `only` these submissions. */
        countParts: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          only: ReadonlyArray<SubmissionId> | undefined,
        ) {
          const [row] = yield* sql<{ count: number }>`
            select count(*)::int as count from (
              select distinct e.submission_id, e.evaluation_type from evaluation e
              where e.state = 'done' and e.evaluation_type in ('cv', 'interview') and e.submission_id in (
                select b.id ${scored(organization, set)} and (${only === undefined}::bool or b.id = any(${[...(only ?? [])]}::uuid[])))
            ) parts`
          return row?.count ?? 0
        }),
        /** The same `size` submissions each time, unless others were added. */
        sample: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId, size: number) {
          const rows = yield* sql<{ id: SubmissionId }>`
            select b.id ${scored(organization, set)} order by md5(b.id::text) limit ${size}::int`
          return rows.map(({ id }) => id)
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
