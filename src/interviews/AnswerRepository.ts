/** Stores answers of candidates. Only the running attempt accepts them. */
import { Context, Effect, Layer } from "effect"
import { questionTypeIds } from "../interview-sets/InterviewSet.ts"
import { Database, first, recordset, unlessEmpty } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { RecordingKind, RecordingState } from "../recordings/Recording.ts"
import { acceptsAnswers } from "../submissions/SubmissionSql.ts"
import type { BlobId, OrganizationId, QuestionId, RecordingId, SubmissionId } from "../values/Ids.ts"

export interface AnswerRow {
  readonly question_id: QuestionId
  readonly content: string | null
  readonly option_ids: ReadonlyArray<string>
}

export interface WrittenAnswer extends AnswerRow {
  /** The revision that the writer read, 0 for none: later ones are kept. Undefined: replaces any. */
  readonly known?: number | undefined
}

export interface FileRow {
  readonly blob_id: BlobId
  readonly name: string
  readonly type: string
  readonly size: number
}

/** The recording that is the answer. */
export interface AnsweredRecording {
  readonly id: RecordingId
  readonly kind: RecordingKind
  /** `done`: its transcript will not change any more. */
  readonly state: RecordingState
  /** Null: not measured yet. */
  readonly seconds: number | null
  /** Why it cannot be played. */
  readonly error: string | null
  /** Null: there is none, or none yet. */
  readonly transcript: string | null
  readonly is_corrected: boolean
}

export interface SavedAnswer extends AnswerRow {
  readonly file: FileRow | null
  readonly recording: AnsweredRecording | null
  readonly revision: number
}

export interface Revision {
  readonly question_id: QuestionId
  readonly revision: number
}

export interface Attempt {
  readonly organization: OrganizationId
  readonly submission: SubmissionId
  readonly attempt: number
}

export const personalAnswers: PersonalTable = {
  table: "answer",
  key: ["submission_id", "attempt", "question_id"],
  rows: "t.submission_id = any(p.submissions)",
  exported: {
    name: "answers",
    of: "submission",
    row: `jsonb_build_object('attempt', a.attempt, 'question', q.title, 'question_text', q.content, 'text', a.content,
      'updated_at', a.updated_at,
      'options', (select coalesce(jsonb_agg(coalesce(o ->> 'title', o ->> 'content')), '[]')
        from jsonb_array_elements(q.options) o where o ->> 'id' = any(a.option_ids)),
      'file', case when a.blob_id is not null then jsonb_build_object('blob_id', a.blob_id, 'name', a.file_name,
        'type', a.file_type, 'size', f.size, 'sha256', encode(f.sha256, 'hex'),
        'path', concat('/submissions/', b.id, '/files/', a.attempt, '/', a.question_id)) end)`,
    from: `answer a join question q on q.id = a.question_id left join blob f on f.id = a.blob_id
      where a.submission_id = b.id`,
    order: "a.attempt, q.ordinal",
  },
}

export const personalAttempts: PersonalTable = {
  table: "interview_attempt",
  exported: {
    name: "attempts",
    of: "submission",
    row: "to_jsonb(t) - 'organization_id' - 'submission_id'",
    from: "interview_attempt t where t.submission_id = b.id",
    order: "t.attempt",
  },
}

export class AnswerRepository extends Context.Service<AnswerRepository>()(
  "interview-invitations/interviews/AnswerRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const running = Effect.fnUntraced(function* ({ attempt, organization, submission }: Attempt) {
        return sql`
          select b.id, b.attempt, b.interview_set_id from submission b
          where b.id = ${submission}::uuid and b.organization_id = ${organization}::int and b.status = 'started'
            and b.attempt = ${attempt}::int and ${acceptsAnswers(sql, yield* now)}
            and (select c.erased_at from candidate c where c.id = b.candidate_id) is null
          for update`
      })
      return {
        /** Texts are "…" except that of `whole`; undefined: whole texts, which can have 10 MB. */
        list: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          attempt: number,
          whole?: QuestionId | null,
        ) {
          const content =
            whole === undefined
              ? sql`a.content`
              : sql`case when a.question_id = ${whole}::uuid then a.content when a.content is not null then '…' end as content`
          return yield* sql<SavedAnswer>`
            select a.question_id, ${content}, a.option_ids, a.revision, case when a.blob_id is not null then
              jsonb_build_object('blob_id', a.blob_id, 'name', a.file_name, 'type', a.file_type, 'size', f.size) end as file,
              case when r.id is not null then jsonb_build_object('id', r.id, 'kind', r.kind, 'state', r.state,
                'seconds', r.seconds, 'error', r.error, 'transcript', spoken_text(r.correction, r.segments),
                'is_corrected', r.correction is not null) end as recording
            from answer a left join blob f on f.id = a.blob_id left join recording r on r.id = a.recording_id
            where a.organization_id = ${organization}::int and a.submission_id = ${submission}::uuid
              and a.attempt = ${attempt}::int`
        }),
        /** Undefined: the attempt accepts no answers. Locks the submission against a concurrent submit. */
        save: Effect.fnUntraced(function* (attempt: Attempt, answers: ReadonlyArray<WrittenAnswer>) {
          const at = yield* now
          const knownVersions = Object.fromEntries(answers.map(({ known, question_id }) => [question_id, known]))
          const rows = yield* sql<{ is_running: boolean; saved: ReadonlyArray<Revision> }>`
            with running as (${yield* running(attempt)}), asked as materialized (
              select running.id, running.attempt, r.*
              from running cross join ${recordset(sql, answers, "question_id uuid, content text, option_ids text[]")}
                join question q on q.id = r.question_id and q.interview_set_id = running.interview_set_id
            ), saved as (
              insert into answer (organization_id, submission_id, attempt, question_id, content, option_ids, updated_at)
              select ${attempt.organization}::int, id, attempt, question_id, content, option_ids, ${at} from asked
              on conflict (submission_id, attempt, question_id)
              do update set content = excluded.content, option_ids = excluded.option_ids,
                updated_at = excluded.updated_at, revision = answer.revision + 1
              where answer.revision <= coalesce(
                (${JSON.stringify(knownVersions)}::text::jsonb ->> answer.question_id::text)::int, answer.revision)
              returning question_id, revision
            )
            select exists (select from running) as is_running,
              coalesce((select jsonb_agg(jsonb_build_object('question_id', question_id, 'revision', revision)) from saved),
                '[]') as saved`
          const [row] = rows
          if (!row?.is_running) return undefined
          const { saved } = row
          const outdated = answers
            .filter(
              ({ known, question_id }) => known !== undefined && !saved.some((one) => one.question_id === question_id),
            )
            .map(({ question_id }) => question_id)
          // the first statement's snapshot may lack the newer revision
          const newer = yield* unlessEmpty(
            outdated,
            sql<AnswerRow & Revision>`
              select question_id, content, option_ids, revision from answer
              where organization_id = ${attempt.organization}::int and submission_id = ${attempt.submission}::uuid
                and attempt = ${attempt.attempt}::int and question_id = any(${outdated}::uuid[])`,
          )
          return { saved, newer }
        }),
        /** Returns the previous file; undefined: the attempt or question accepts none. */
        attach: Effect.fnUntraced(function* (
          attempt: Attempt,
          question: QuestionId,
          file: Omit<FileRow, "size"> | null,
        ) {
          const at = yield* now
          return first(
            yield* sql<{ before: BlobId | null }>`
              with running as (${yield* running(attempt)}), before as materialized (
                select a.blob_id from answer a join running on a.submission_id = running.id and a.attempt = running.attempt
                where a.question_id = ${question}::uuid
              ), asked as materialized (
                select running.id, running.attempt, q.id as question_id
                from running join question q on q.id = ${question}::uuid and q.interview_set_id = running.interview_set_id
                  and q.cfg_question_type_id = ${questionTypeIds.file}::int
              ), saved as (
              insert into answer (organization_id, submission_id, attempt, question_id, blob_id, file_name, file_type, updated_at)
              select ${attempt.organization}::int, id, attempt, question_id, ${file?.blob_id ?? null}::uuid,
                ${file?.name ?? null}::text, ${file?.type ?? null}::text, ${at}
              from asked
              on conflict (submission_id, attempt, question_id)
              do update set blob_id = excluded.blob_id, file_name = excluded.file_name, file_type = excluded.file_type,
                updated_at = excluded.updated_at, revision = answer.revision + 1
              returning submission_id
              )
              select (select blob_id from before) as before from saved`,
          )
        }),
        copy: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId, attempt: number) {
          yield* sql`
            with before as materialized (
              select * from answer where organization_id = ${organization}::int and submission_id = ${submission}::uuid
                and attempt = ${attempt - 1}::int
            )
            insert into answer (organization_id, submission_id, attempt, question_id, content, option_ids, blob_id,
              file_name, file_type, recording_id, updated_at)
            select organization_id, submission_id, ${attempt}::int, question_id, content, option_ids, blob_id, file_name,
              file_type, recording_id, updated_at
            from before`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
