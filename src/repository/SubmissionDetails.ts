/** Reads submissions: one with everything that was said and found, and lists. */
import { Context, Effect, Layer } from "effect"
import type { OrganizationId, SubmissionId } from "../domain/Ids.ts"
import type { StoredOption } from "../domain/InterviewSet.ts"
import type { PageRequest } from "../domain/Page.ts"
import type { SubmissionStatus } from "../domain/Submission.ts"
import {
  type EvaluationDetail,
  leadingTypes,
  type SubmissionDetail,
  type SubmissionSummary,
} from "../domain/SubmissionDetail.ts"
import { Database, first } from "./Database.ts"
import { iso, type Positioned, paging, when } from "./Paging.ts"
import { type CandidateNames, candidateOf, languagesOf, ofAtsCandidate, setOf, within } from "./Refs.ts"

/** The stored part of a detail; the rest is derived. */
export type SubmissionDetailRow = Pick<
  SubmissionDetail,
  "id" | "status_text" | "interview_set" | "invitation" | "initiated_at" | "started_at" | "completed_at" | "declined_at"
> & {
  readonly candidate: CandidateNames
  readonly evaluations: ReadonlyArray<EvaluationDetail>
  /** The newest CV, unless there is none. */
  readonly cv: { readonly notes: ReadonlyArray<string>; readonly error: string | null } | null
  /** BCP 47 tags of the set's known languages, in its order. */
  readonly languages: ReadonlyArray<string>
  readonly answers: ReadonlyArray<SubmissionAnswerRow>
}

type AnswerDetail = SubmissionDetail["answers"][number]

/** An answer beside all that its question offered. */
interface SubmissionAnswerRow extends Omit<AnswerDetail, "options"> {
  readonly options: ReadonlyArray<StoredOption>
  readonly option_ids: ReadonlyArray<string>
}

/** Which submissions are listed; what is left out does not matter. Ids are UUIDs. */
export interface SubmissionFilter {
  readonly interview_set_id?: string | null | undefined
  readonly status?: SubmissionStatus | null | undefined
  readonly candidate_id?: string | null | undefined
  readonly ats_candidate_id?: string | null | undefined
}

/** The stored part of a list's line. */
export type SubmissionSummaryRow = Omit<SubmissionSummary, "submission_url" | "candidate"> & {
  readonly candidate: CandidateNames
}

export class SubmissionDetails extends Context.Service<
  SubmissionDetails,
  {
    readonly find: (organization: OrganizationId, id: SubmissionId) => Effect.Effect<SubmissionDetailRow | undefined>
    /** One submission more than asked, if there is one (domain/Page.ts). */
    readonly list: (
      organization: OrganizationId,
      filter: SubmissionFilter,
      page: PageRequest,
    ) => Effect.Effect<ReadonlyArray<Positioned<SubmissionSummaryRow>>>
  }
>()("interview-invitations/repository/SubmissionDetails") {
  static readonly layer = Layer.effect(
    SubmissionDetails,
    Effect.gen(function* () {
      const { sql } = yield* Database
      // of a submission `b`
      const invitation = sql.literal(
        `(select jsonb_build_object('id', i.id, 'status_text', i.status) from invitation i
          where i.submission_id = b.id order by i.created_at desc, i.id desc limit 1) as invitation`,
      )
      const steps = sql`${iso(sql, "b.initiated_at")} as initiated_at, ${iso(sql, "b.started_at")} as started_at,
        ${iso(sql, "b.completed_at")} as completed_at, ${iso(sql, "b.declined_at")} as declined_at`
      return SubmissionDetails.of({
        find: Effect.fnUntraced(function* (organization, id) {
          return first(
            yield* sql<SubmissionDetailRow>`
              select b.id, b.status as status_text,
                ${setOf(sql)}, ${candidateOf(sql)}, ${invitation}, ${languagesOf(sql)},
                coalesce((select jsonb_agg(v.detail order by v.evaluation_type) from (
                  select distinct on (e.evaluation_type) e.evaluation_type, e.result || jsonb_build_object(
                    'evaluation_type', e.evaluation_type, 'evaluator', e.evaluator, 'evaluated_at', ${iso(sql, "e.evaluated_at")},
                    'held_until', ${iso(sql, "e.held_until")}, 'override', e.override) as detail
                  from evaluation e where e.submission_id = b.id and e.state = 'done'
                  order by e.evaluation_type, e.created_at desc, e.id desc) v), '[]') as evaluations,
                coalesce((select jsonb_agg(jsonb_build_object('question_id', q.id, 'title', coalesce(q.title, q.content),
                    'attempt', a.attempt, 'content', a.content,
                    'options', q.options, 'option_ids', to_jsonb(a.option_ids),
                    'file', (select jsonb_build_object('name', a.file_name, 'type', a.file_type, 'size', f.size)
                      from blob f where f.id = a.blob_id)) order by a.attempt, q.ordinal)
                  from answer a join question q on q.id = a.question_id where a.submission_id = b.id
                    -- what is not submitted is the candidate's own
                    and (a.attempt < b.attempt or b.status in ('completed', 'evaluated'))), '[]') as answers,
                (select jsonb_build_object('notes', v.notes, 'error', case when v.state = 'failed' then v.error end)
                  from cv v where v.submission_id = b.id order by v.created_at desc, v.id desc limit 1) as cv,
                ${steps}
              from submission b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int`,
          )
        }, Effect.orDie),
        list: Effect.fnUntraced(function* (organization, filter, page) {
          const { behind, newestFirst, position } = paging(sql, "b", page)
          // the page first, so that nothing is looked up for a submission that is not on it
          return yield* sql<Positioned<SubmissionSummaryRow>>`
            select b.id, b.status as status_text, ${setOf(sql)}, ${candidateOf(sql)}, ${invitation},
              e.result -> 'score' as score, coalesce(e.result ->> 'score_status', 'not_scored') as score_status,
              ${iso(sql, "b.created_at")} as created_at, ${steps}, ${position}
            from (
              select * from submission b where ${within(sql, "b", organization, filter.interview_set_id)} and ${behind}
                and ${when(sql, filter.status, (status) => sql`b.status = ${status}`)}
                and ${when(sql, filter.candidate_id, (candidate) => sql`b.candidate_id = ${candidate}::uuid`)}
                and ${when(sql, filter.ats_candidate_id, (ats) => sql`b.candidate_id = ${ofAtsCandidate(sql, organization, ats)}`)}
              ${newestFirst}
            ) b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              left join lateral (
                select e.result from evaluation e where e.submission_id = b.id and e.state = 'done'
                order by array_position(${[...leadingTypes]}::text[], e.evaluation_type), e.created_at desc, e.id desc limit 1
              ) e on true
            where b.organization_id = ${organization}::int ${newestFirst}`
        }, Effect.orDie),
      })
    }),
  )
}
