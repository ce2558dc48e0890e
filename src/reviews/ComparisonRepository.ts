/** Reads several submissions for a comparison, each kind of row in one statement. */

import { Context, Effect, Layer } from "effect"
import type { Reader } from "../accounts/Viewer.ts"
import { type CandidateNames, candidateOf } from "../candidates/CandidateSql.ts"
import type { EvaluationType, Evidence } from "../evaluations/Evaluation.ts"
import type { Override } from "../evaluations/Override.ts"
import type { ScoreStatus } from "../evaluations/Score.ts"
import { usedResult } from "../evaluations/UsedResultSql.ts"
import { isReadable, languagesOf } from "../interview-sets/InterviewSetSql.ts"
import { Database } from "../platform/database/Database.ts"
import type { SubmissionDecision } from "../submissions/Decision.ts"
import type { InvitationStatus } from "../submissions/InvitationStatus.ts"
import type { SubmissionFlow, SubmissionStatus } from "../submissions/Submission.ts"
import { decisionOf, isBeingEvaluated, leadingFirst, waitsForNotice } from "../submissions/SubmissionSql.ts"
import type { InterviewSetId, OrganizationId, QuestionId, SubmissionId } from "../values/Ids.ts"
import { comparisonLimits } from "./ComparisonLimits.ts"

export interface ComparedRating {
  readonly requirement_id: string
  readonly score: number | null
  readonly best: Evidence | null
}

export interface ComparedRow {
  readonly id: SubmissionId
  readonly is_readable: boolean
  readonly is_erased: boolean
  readonly set_id: InterviewSetId
  readonly set_title: string
  /** BCP 47, in the set's order. */
  readonly languages: ReadonlyArray<string>
  readonly candidate: CandidateNames
  readonly flow: SubmissionFlow
  readonly status: SubmissionStatus
  readonly is_declined: boolean
  readonly is_cv_unreadable: boolean
  /** An evaluation of the submitted answers or the CV is queued. */
  readonly is_being_evaluated: boolean
  readonly waits_for_notice: boolean
  readonly invitation_status: InvitationStatus | null
  readonly decision: SubmissionDecision
  /** Number of decisions so far; forms send it back. */
  readonly decision_changes: number
  /** The evaluation that gives the score. */
  readonly evaluation: {
    readonly evaluation_type: EvaluationType
    readonly score: number | null
    readonly score_status: ScoreStatus
    readonly override: Override | null
    /** Codes. */
    readonly warnings: ReadonlyArray<string>
    readonly ratings: ReadonlyArray<ComparedRating>
  } | null
  /** Evaluators of the newest evaluation of each type. */
  readonly evaluators: ReadonlyArray<string>
  /** The newest submitted attempt; 0: none. */
  readonly attempt: number
  readonly cv: {
    readonly state: "queued" | "read" | "failed"
    /** The first characters, at most `comparisonLimits.cv` + 1. */
    readonly text: string | null
    readonly has_file: boolean
  } | null
}

export interface ComparedAnswer {
  readonly submission_id: SubmissionId
  readonly question_id: QuestionId
  readonly attempt: number
  /** What was written and said: the first `length` + 1 characters, so that the page can tell whether the text is longer. */
  readonly content: string | null
  readonly is_spoken: boolean
  readonly option_ids: ReadonlyArray<string>
  readonly file: { readonly name: string | null; readonly size: number } | null
}

export interface OtherCandidate {
  readonly id: SubmissionId
  readonly candidate: CandidateNames
}

/** Number of the set's newest submissions that are searched for ones with answers. */
const searched = 1000

const attempt = "case when b.status in ('completed', 'evaluated') then b.attempt else b.attempt - 1 end"

export class ComparisonRepository extends Context.Service<ComparisonRepository>()(
  "interview-invitations/reviews/ComparisonRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        submissions: Effect.fnUntraced(function* (
          organization: OrganizationId,
          ids: ReadonlyArray<SubmissionId>,
          reader: Reader | undefined,
        ) {
          return yield* sql<ComparedRow>`
            select b.id, ${isReadable(sql, organization, reader, "s.id")} as is_readable, c.erased_at is not null as is_erased,
              s.id as set_id, s.title as set_title, ${languagesOf(sql)}, ${candidateOf(sql)}, b.flow, b.status,
              b.declined_at is not null as is_declined, b.is_cv_unreadable,
              (select i.status from invitation i where i.submission_id = b.id
                order by i.created_at desc, i.id desc limit 1) as invitation_status,
              ${sql.literal(isBeingEvaluated("b"))} as is_being_evaluated,
              ${sql.literal(waitsForNotice("b"))} as waits_for_notice, ${decisionOf(sql)} as decision, b.decision_changes,
              (select jsonb_build_object('evaluation_type', e.evaluation_type, 'score', e.result -> 'score',
                  'score_status', e.result -> 'score_status', 'override', e.override,
                  'warnings', jsonb_path_query_array(e.result, '$.warnings[*].code'),
                  'ratings', (select coalesce(jsonb_agg(jsonb_build_object('requirement_id', k.value -> 'requirement_id',
                      'score', k.value -> 'score', 'best', k.value -> 'evidence' -> 0)), '[]')
                    from jsonb_array_elements(e.result -> 'criteria') k))
                from (select e.evaluation_type, ${usedResult(sql)} as result, e.override from evaluation e
                  where e.submission_id = b.id and e.state = 'done' order by ${leadingFirst(sql)} limit 1) e) as evaluation,
              array(select n.evaluator from (
                select distinct on (e.evaluation_type) e.evaluator from evaluation e
                where e.submission_id = b.id and e.state = 'done'
                order by e.evaluation_type, e.created_at desc, e.id desc
              ) n where n.evaluator is not null) as evaluators,
              ${sql.literal(attempt)} as attempt,
              (select jsonb_build_object('state', v.state, 'text', left(v.text, ${comparisonLimits.cv + 1}::int),
                  'has_file', v.blob_id is not null)
                from cv v where v.submission_id = b.id order by v.created_at desc, v.id desc limit 1) as cv
            from submission b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
            where b.id = any(${[...ids]}::uuid[]) and b.organization_id = ${organization}::int`
        }),
        /** Answers of the newest submitted attempts; `length`: characters of a text. */
        answers: Effect.fnUntraced(function* (
          organization: OrganizationId,
          ids: ReadonlyArray<SubmissionId>,
          questions: ReadonlyArray<QuestionId>,
          length: number,
        ) {
          return yield* sql<ComparedAnswer>`
            select a.submission_id, a.question_id, a.attempt, left(nullif(concat_ws(E'\n', a.content, spoken_text(v.correction, v.segments)), ''),
                ${length + 1}::int) as content, v.id is not null as is_spoken, a.option_ids,
              (select jsonb_build_object('name', a.file_name, 'size', f.size) from blob f where f.id = a.blob_id) as file
            from submission b join answer a on a.submission_id = b.id and a.attempt = ${sql.literal(attempt)}
              left join recording v on v.id = a.recording_id
            where b.id = any(${[...ids]}::uuid[]) and b.organization_id = ${organization}::int
              and a.question_id = any(${[...questions]}::uuid[])`
        }),
        /** The newest submissions of the set with answers, except `ids` and submissions of erased persons. */
        others: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          ids: ReadonlyArray<SubmissionId>,
        ) {
          return yield* sql<OtherCandidate>`
            select b.id, ${candidateOf(sql)} from (
              select * from submission where interview_set_id = ${set}::uuid and organization_id = ${organization}::int
              order by created_at desc, id desc limit ${searched}::int
            ) b join candidate c on c.id = b.candidate_id
            where b.status in ('completed', 'evaluated') and b.id <> all(${[...ids]}::uuid[]) and c.erased_at is null
            order by b.created_at desc, b.id desc limit ${comparisonLimits.others}::int`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
