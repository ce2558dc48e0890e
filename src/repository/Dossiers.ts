/** What recruiters read about a submission beyond what its detail tells (SubmissionDetails.ts): how it came to be, and the CV. */
import { Context, Effect, Layer } from "effect"
import type { EvaluationType } from "../domain/Evaluation.ts"
import type { BlobId, OrganizationId, SubmissionId } from "../domain/Ids.ts"
import type { SubmissionFlow } from "../domain/Submission.ts"
import { Database, first } from "./Database.ts"
import { iso } from "./Paging.ts"

/** Times are ISO 8601, UTC, with milliseconds; null: that did not happen. */
type Moment = string | null

/** How far an invitation's mail got. */
export interface InvitationSteps {
  readonly email: string
  readonly failure_reason: string | null
  readonly created_at: string
  readonly sent_at: Moment
  readonly delivered_at: Moment
  readonly opened_at: Moment
  readonly clicked_at: Moment
  readonly failed_at: Moment
  readonly cancelled_at: Moment
}

/** How the newest finished evaluation of a type was made. */
export interface EvaluationFacts {
  readonly evaluation_type: EvaluationType
  readonly attempt: number
  readonly model: string | null
  /** SHA-256 of what the evaluator was given, hexadecimal. */
  readonly input_hash: string | null
  /** Why there is no score, for people who run the service. */
  readonly error: string | null
}

export interface CvFacts {
  readonly link: string
  readonly state: "queued" | "read" | "failed"
  readonly text: string | null
  readonly error: string | null
  readonly read_at: Moment
  readonly has_file: boolean
  /** What to know of the reading, each a sentence: that hidden text was left out, for example. */
  readonly notes: ReadonlyArray<string>
}

export interface DossierRow {
  /** Whether the reader is on the access list of the submission's set; true when no reader was named. */
  readonly readable: boolean
  readonly flow: SubmissionFlow
  readonly attempt: number
  readonly position: string | null
  readonly phone: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly answer_until: Moment
  readonly improvement_until: Moment
  readonly invitation: InvitationSteps | null
  /** Attempts before the current one, oldest first. */
  readonly attempts: ReadonlyArray<{
    readonly attempt: number
    readonly started_at: Moment
    readonly completed_at: Moment
  }>
  readonly evaluations: ReadonlyArray<EvaluationFacts>
  /** Types that wait for an evaluator. */
  readonly queued: ReadonlyArray<EvaluationType>
  /** Whether one of those had an evaluator that was away. */
  readonly is_away: boolean
  readonly requirements: number
  /** What the set's questions ask and its requirements demand in full, by id; those without a text are left out. */
  readonly contents: Readonly<Record<string, string>>
  /** The newest one; null: none was sent. */
  readonly cv: CvFacts | null
}

/** A file of a submission, and where its content is. */
export interface DossierFile {
  readonly blob_id: BlobId
  readonly name: string | null
  readonly type: string | null
}

export class Dossiers extends Context.Service<
  Dossiers,
  {
    readonly find: (
      organization: OrganizationId,
      id: SubmissionId,
      reader: string | undefined,
    ) => Effect.Effect<DossierRow | undefined>
    /** The file that answers a question in an attempt that was submitted; undefined: there is none. */
    readonly answerFile: (
      organization: OrganizationId,
      id: SubmissionId,
      attempt: number,
      question: string,
    ) => Effect.Effect<DossierFile | undefined>
    /** The CV as it was fetched. */
    readonly cvFile: (organization: OrganizationId, id: SubmissionId) => Effect.Effect<DossierFile | undefined>
  }
>()("interview-invitations/repository/Dossiers") {
  static readonly layer = Layer.effect(
    Dossiers,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const times = (alias: string, names: ReadonlyArray<string>) =>
        sql.csv(names.map((name) => sql`${name}::text, ${iso(sql, `${alias}.${name}`)}`))
      const steps = ["created_at", "sent_at", "delivered_at", "opened_at", "clicked_at", "failed_at", "cancelled_at"]
      return Dossiers.of({
        find: Effect.fnUntraced(function* (organization, id, reader) {
          return first(
            yield* sql<DossierRow>`
              select b.flow, b.attempt, s.position, c.phone, ${iso(sql, "b.created_at")} as created_at,
                ${iso(sql, "b.expires_at")} as expires_at, ${iso(sql, "b.answer_until")} as answer_until,
                ${iso(sql, "b.improvement_until")} as improvement_until,
                ${reader === undefined} or exists (select from set_access a
                  where a.interview_set_id = s.id and lower(a.email) = lower(${reader ?? ""})) as readable,
                (select jsonb_build_object('email', i.email, 'failure_reason', i.failure_reason, ${times("i", steps)})
                  from invitation i where i.submission_id = b.id order by i.created_at desc, i.id desc limit 1) as invitation,
                coalesce((select jsonb_agg(jsonb_build_object('attempt', t.attempt, ${times("t", ["started_at", "completed_at"])})
                    order by t.attempt)
                  from interview_attempt t where t.submission_id = b.id and t.attempt < b.attempt), '[]') as attempts,
                coalesce((select jsonb_agg(v.facts) from (
                  select distinct on (e.evaluation_type) jsonb_build_object('evaluation_type', e.evaluation_type,
                    'attempt', e.attempt, 'model', e.model, 'input_hash', encode(e.input_hash, 'hex'), 'error', e.error) as facts
                  from evaluation e where e.submission_id = b.id and e.state = 'done'
                  order by e.evaluation_type, e.created_at desc, e.id desc) v), '[]') as evaluations,
                coalesce((select jsonb_agg(distinct e.evaluation_type) from evaluation e
                  where e.submission_id = b.id and e.state = 'queued'), '[]') as queued,
                exists (select from evaluation e
                  where e.submission_id = b.id and e.state = 'queued' and e.error is not null) as is_away,
                coalesce((select jsonb_object_agg(q.id, q.content) from (
                  select r.id, r.content from requirement r where r.interview_set_id = s.id
                  union all select n.id, n.content from question n where n.interview_set_id = s.id) q
                  where q.content ~ '[^[:space:]]'), '{}') as contents,
                (select count(*)::int from requirement r where r.interview_set_id = s.id) as requirements,
                (select jsonb_build_object('link', v.link, 'state', v.state, 'text', v.text, 'error', v.error,
                    'read_at', ${iso(sql, "v.read_at")}, 'has_file', v.blob_id is not null, 'notes', v.notes)
                  from cv v where v.submission_id = b.id order by v.created_at desc, v.id desc limit 1) as cv
              from submission b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int`,
          )
        }, Effect.orDie),
        answerFile: Effect.fnUntraced(function* (organization, id, attempt, question) {
          return first(
            yield* sql<DossierFile>`
              select a.blob_id, a.file_name as name, a.file_type as type
              from submission b join answer a on a.submission_id = b.id
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int and a.attempt = ${attempt}::int
                and a.question_id = ${question}::uuid and a.blob_id is not null
                -- what is not submitted is the candidate's own
                and (a.attempt < b.attempt or b.status in ('completed', 'evaluated'))`,
          )
        }, Effect.orDie),
        cvFile: Effect.fnUntraced(function* (organization, id) {
          return first(
            yield* sql<DossierFile>`
              select v.blob_id, null as name, v.file_type as type from cv v
              where v.submission_id = ${id}::uuid and v.organization_id = ${organization}::int and v.blob_id is not null
              order by v.created_at desc, v.id desc limit 1`,
          )
        }, Effect.orDie),
      })
    }),
  )
}
