/** Reads a submission with everything that was said and found. */
import { Context, Effect, Layer } from "effect"
import type { OrganizationId, SubmissionId } from "../domain/Ids.ts"
import type { EvaluationDetail, SubmissionDetail } from "../domain/SubmissionDetail.ts"
import { Database, first } from "./Database.ts"

/** The stored part of a detail; the rest is derived. */
export type SubmissionDetailRow = Pick<
  SubmissionDetail,
  "id" | "status_text" | "interview_set" | "invitation" | "answers" | "initiated_at" | "started_at" | "completed_at"
> & {
  readonly candidate: SubmissionDetail["candidate"] & {
    readonly firstname: string | null
    readonly lastname: string | null
  }
  readonly evaluations: ReadonlyArray<EvaluationDetail>
}

export class SubmissionDetails extends Context.Service<
  SubmissionDetails,
  {
    readonly find: (organization: OrganizationId, id: SubmissionId) => Effect.Effect<SubmissionDetailRow | undefined>
  }
>()("interview-invitations/repository/SubmissionDetails") {
  static readonly layer = Layer.effect(
    SubmissionDetails,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const iso = (column: string) =>
        sql.literal(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
      return SubmissionDetails.of({
        find: Effect.fn("SubmissionDetails.find")(function* (organization, id) {
          return first(
            yield* sql<SubmissionDetailRow>`
              select b.id, b.status as status_text,
                jsonb_build_object('id', s.id, 'title', s.title) as interview_set,
                jsonb_build_object('id', c.id, 'ats_candidate_id', c.ats_candidate_id, 'email', c.email, 'name', c.name,
                  'firstname', c.firstname, 'lastname', c.lastname) as candidate,
                (select jsonb_build_object('id', i.id, 'status_text', i.status) from invitation i
                 where i.submission_id = b.id order by i.created_at desc, i.id desc limit 1) as invitation,
                coalesce((select jsonb_agg(v.detail order by v.evaluation_type) from (
                  select distinct on (e.evaluation_type) e.evaluation_type, e.result || jsonb_build_object(
                    'evaluation_type', e.evaluation_type, 'evaluator', e.evaluator, 'evaluated_at', ${iso("e.evaluated_at")},
                    'held_until', ${iso("e.held_until")}, 'override', e.override) as detail
                  from evaluation e where e.submission_id = b.id and e.state = 'done'
                  order by e.evaluation_type, e.created_at desc, e.id desc) v), '[]') as evaluations,
                coalesce((select jsonb_agg(jsonb_build_object('question_id', q.id, 'title', coalesce(q.title, q.content),
                    'attempt', a.attempt, 'content', a.content,
                    'options', coalesce((select jsonb_agg(jsonb_build_object('id', o -> 'id', 'title', coalesce(o ->> 'title', o ->> 'content')))
                      from jsonb_array_elements(q.options) o where o ->> 'id' = any(a.option_ids)), '[]'),
                    'file', (select jsonb_build_object('name', a.file_name, 'type', a.file_type, 'size', octet_length(f.bytes))
                      from blob f where f.id = a.blob_id)) order by a.attempt, q.ordinal)
                  from answer a join question q on q.id = a.question_id where a.submission_id = b.id), '[]') as answers,
                ${iso("b.initiated_at")} as initiated_at, ${iso("b.started_at")} as started_at,
                ${iso("b.completed_at")} as completed_at
              from submission b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int`,
          )
        }, Effect.orDie),
      })
    }),
  )
}
