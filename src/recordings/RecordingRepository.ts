/** Stores recordings, their pieces until they are stored as a file, and their queue. */
import { Context, Duration, Effect, Layer } from "effect"
import { isOfCurrentAttempt } from "../evaluations/EvaluationRepository.ts"
import { questionTypeIds } from "../interview-sets/InterviewSet.ts"
import { languagesOf } from "../interview-sets/InterviewSetSql.ts"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { Sql } from "../platform/database/Sql.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import * as Queue from "../platform/queue/QueueSql.ts"
import { acceptsAnswers, isHeld } from "../submissions/SubmissionSql.ts"
import type { Language } from "../texts/Texts.ts"
import type { BlobId, OrganizationId, QuestionId, RecordingId, SubmissionId } from "../values/Ids.ts"
import { type Acceptance, idleEnd, idleEndSubmitted, type RecordingKind, type RecordingState } from "./Recording.ts"
import type { ShownConsent } from "./RecordingConsent.ts"
import type { Segment } from "./Transcript.ts"

/** One attempt of a submission. */
export interface RecordedAttempt {
  readonly organization: OrganizationId
  readonly submission: SubmissionId
  readonly attempt: number
}

export interface RecordingRef {
  readonly organization: OrganizationId
  readonly id: RecordingId
}

export interface NewRecording {
  readonly id: RecordingId
  readonly question: QuestionId
  readonly kind: RecordingKind
  /** Of the candidate's pages. */
  readonly spoken: Language
  /** What the candidate's page said about recordings. */
  readonly shown: ShownConsent
}

export interface Piece {
  readonly ordinal: number
  readonly bytes: Uint8Array
}

export interface RecordingJob extends Queue.Claimed {
  readonly id: RecordingId
  readonly organization_id: OrganizationId
  readonly submission_id: SubmissionId
  readonly kind: RecordingKind
  readonly content_type: string | null
  /** Null: its pieces are not stored as a file yet. */
  readonly blob_id: BlobId | null
  readonly error: string | null
  /** Of the interview set, BCP 47. */
  readonly languages: ReadonlyArray<string>
}

export interface RecordingSettlement extends Queue.Settlement {
  readonly id: RecordingId
  readonly state: Exclude<RecordingState, "recording">
  readonly blob_id: BlobId | null
  readonly content_type: string | null
  readonly seconds: number | null
  readonly error: string | null
  readonly language: string | null
  readonly transcriber: string | null
  readonly segments: ReadonlyArray<Segment> | null
  readonly transcript_error: string | null
}

export interface StoredRecording {
  readonly id: RecordingId
  readonly blob_id: BlobId | null
  readonly content_type: string | null
  /** Bytes; of the pieces as long as there is no file. */
  readonly size: number
}

/** What happened to a piece. `isOpen` false: the recording has ended. `isSame` false: another content has its number. */
export interface ReceivedPiece {
  readonly is_open: boolean
  readonly is_stored: boolean
  readonly is_same: boolean | null
}

export const personalRecordings: ReadonlyArray<PersonalTable> = [
  { table: "recording_piece", personal: ["bytes"] },
  {
    table: "recording",
    // its pieces are deleted with it
    rows: "t.submission_id = any(p.submissions)",
    exported: {
      name: "recordings",
      of: "submission",
      row: `jsonb_build_object('attempt', r.attempt, 'question', q.title, 'kind', r.kind, 'started_at', r.started_at,
        'consent', (select c.text from recording_consent c where c.id = r.consent_id),
        'ended_at', r.ended_at, 'discarded_at', r.discarded_at, 'deleted_at', r.deleted_at, 'seconds', r.seconds, 'language', r.language,
        'transcriber', r.transcriber, 'segments', r.segments, 'correction', r.correction,
        'file', case when r.blob_id is not null then jsonb_build_object('blob_id', r.blob_id, 'type', r.content_type,
          'size', f.size, 'sha256', encode(f.sha256, 'hex'),
          'path', concat('/submissions/', b.id, '/recordings/', r.id)) end)`,
      from: `recording r join question q on q.id = r.question_id left join blob f on f.id = r.blob_id
        where r.submission_id = b.id`,
      order: "r.attempt, q.ordinal, r.started_at",
    },
  },
]

const ofAttempt = (sql: Sql, { attempt, organization, submission }: RecordedAttempt) =>
  sql`r.submission_id = ${submission}::uuid and r.attempt = ${attempt}::int and r.organization_id = ${organization}::int`

/** Also a recording of an earlier attempt that a retake kept as its answer. */
const isHeardIn = (sql: Sql, { attempt, organization, submission }: RecordedAttempt) =>
  sql`r.submission_id = ${submission}::uuid and r.organization_id = ${organization}::int and (r.attempt = ${attempt}::int
    or exists (select from answer a where a.recording_id = r.id and a.submission_id = r.submission_id
      and a.attempt = ${attempt}::int))`

const seconds = (sql: Sql, duration: Duration.Duration) =>
  sql`${Duration.toSeconds(duration)}::float8 * interval '1 second'`

export class RecordingRepository extends Context.Service<RecordingRepository>()(
  "interview-invitations/recordings/RecordingRepository",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const { now, sql } = database
      const { wake } = yield* QueueNotifier
      const deletePieces = ({ id, organization }: RecordingRef) =>
        sql`delete from recording_piece where recording_id = ${id}::uuid and organization_id = ${organization}::int`
      const lockSubmission = (organization: OrganizationId, submission: SubmissionId) => sql`
        select from submission where id = ${submission}::uuid and organization_id = ${organization}::int for no key update`
      return {
        /** Locked before its recordings, as the erasure of a person does. Needs a transaction. */
        lockSubmission,
        /** Locks the submission, so that the answer holds until the end of the transaction. */
        lockAttempt: Effect.fnUntraced(function* ({ attempt, organization, submission }: RecordedAttempt) {
          yield* lockSubmission(organization, submission)
          const at = yield* now
          // a separate statement: it sees the changes that the lock waited for
          const rows = yield* sql<{ accepts: Acceptance }>`
            select case when b.status = 'started' and ${acceptsAnswers(sql, at)} then 'running'
              when b.status in ('started', 'completed', 'evaluated')
                and least(b.completed_at, b.answer_until) + ${seconds(sql, idleEndSubmitted)} > ${at} then 'late'
              else 'closed' end as accepts
            from submission b join candidate c on c.id = b.candidate_id
            where b.id = ${submission}::uuid and b.organization_id = ${organization}::int and b.attempt = ${attempt}::int
              and c.erased_at is null`
          return first(rows)?.accepts ?? "closed"
        }),
        /** Whether the recording is the answer, or no other one is. */
        isUnanswered: Effect.fnUntraced(function* (attempt: RecordedAttempt, question: QuestionId, id: RecordingId) {
          const others = yield* sql`
            select from answer where submission_id = ${attempt.submission}::uuid and attempt = ${attempt.attempt}::int
              and organization_id = ${attempt.organization}::int and question_id = ${question}::uuid
              and recording_id <> ${id}::uuid`
          return others.length === 0
        }),
        /**
         * `takes`: the question is not one of the attempt's that can be answered in writing, or has had all its takes. `consent`:
         * another text than the shown one is in force. Needs a transaction with the lock of `lockAttempt`.
         */
        begin: Effect.fnUntraced(function* (
          attempt: RecordedAttempt,
          { id, kind, question, shown, spoken }: NewRecording,
          maxTakes: number | undefined,
        ) {
          const at = yield* now
          const rows = yield* sql<{ outcome: "begun" | "takes" | "consent" }>`
            with asked as materialized (
              select b.organization_id, b.id as submission_id, b.attempt, q.id as question_id, (
                select c.id from recording_consent c where c.organization_id = b.organization_id
                  and c.language = ${spoken} and c.ended_at is null) as consent_id
              from submission b join question q on q.id = ${question}::uuid and q.interview_set_id = b.interview_set_id
                and q.cfg_question_type_id = ${questionTypeIds.text}::int
              where b.id = ${attempt.submission}::uuid and b.organization_id = ${attempt.organization}::int
                and b.attempt = ${attempt.attempt}::int
                and coalesce((select count(*) from recording r where ${ofAttempt(sql, attempt)}
                  and r.question_id = q.id and r.content_type is not null) < ${maxTakes ?? null}::int, true)
            ), begun as (
              insert into recording (id, organization_id, submission_id, attempt, question_id, kind, consent_id, started_at,
                received_at)
              select ${id}::uuid, organization_id, submission_id, attempt, question_id, ${kind}, consent_id, ${at}, ${at}
              from asked where consent_id is not distinct from ${shown}::uuid
              returning id
            )
            select case when exists (select from begun) then 'begun' when exists (select from asked) then 'consent'
              else 'takes' end as outcome`
          return first(rows)?.outcome ?? "takes"
        }),
        /** Recordings of the attempt that have begun and have no content. Needs the lock of `lockAttempt`. */
        empty: Effect.fnUntraced(function* (attempt: RecordedAttempt) {
          const rows = yield* sql<{ count: number }>`
            select count(*)::int as count from recording r
            where ${ofAttempt(sql, attempt)} and r.state = 'recording' and r.content_type is null`
          return first(rows)?.count ?? 0
        }),
        /** Recordings of the question that have content, of which a limited question allows some. */
        takes: Effect.fnUntraced(function* (attempt: RecordedAttempt, question: QuestionId) {
          const rows = yield* sql<{ takes: number }>`
            select count(*)::int as takes from recording r
            where ${ofAttempt(sql, attempt)} and r.question_id = ${question}::uuid and r.content_type is not null`
          return first(rows)?.takes ?? 0
        }),
        find: Effect.fnUntraced(function* (attempt: RecordedAttempt, id: RecordingId) {
          return first(
            yield* sql<{ question_id: QuestionId; kind: RecordingKind; state: RecordingState }>`
              select r.question_id, r.kind, r.state from recording r where r.id = ${id}::uuid and ${ofAttempt(sql, attempt)}`,
          )
        }),
        /**
         * Adds a piece, unless it is there, or all of the recording would have more than `maxBytes`, or all recordings of the
         * question more than `maxBytesOfQuestion`. Needs a transaction with the lock of `lockAttempt`.
         */
        addPiece: Effect.fnUntraced(function* (
          { id, organization }: RecordingRef,
          { bytes, ordinal }: Piece,
          limits: {
            readonly contentType: string | null
            readonly maxBytes: number
            readonly maxBytesOfQuestion: number
          },
        ) {
          const at = yield* now
          const { contentType, maxBytes, maxBytesOfQuestion } = limits
          const rows = yield* sql<ReceivedPiece>`
            with open as materialized (
              select r.id, r.organization_id, r.received_bytes as size, (select sum(o.received_bytes) from recording o
                where o.submission_id = r.submission_id and o.attempt = r.attempt and o.question_id = r.question_id) as total
              from recording r where r.id = ${id}::uuid and r.organization_id = ${organization}::int and r.state = 'recording'
              for update
            ), stored as (
              insert into recording_piece (recording_id, organization_id, ordinal, bytes)
              select id, organization_id, ${ordinal}::int, ${bytes}::bytea from open
              where size + ${bytes.length}::int <= ${maxBytes}::float8
                and total + ${bytes.length}::int <= ${maxBytesOfQuestion}::float8
              on conflict (recording_id, ordinal) do nothing returning ordinal
            ), received as (
              update recording r set received_at = ${at}, received_bytes = r.received_bytes + ${bytes.length}::int,
                content_type = coalesce(r.content_type, ${contentType}::text)
              where r.id = (select id from open) and exists (select from stored)
            )
            select exists (select from open) as is_open, exists (select from stored) as is_stored,
              (select p.bytes = ${bytes}::bytea from recording_piece p
               where p.recording_id = ${id}::uuid and p.organization_id = ${organization}::int
                 and p.ordinal = ${ordinal}::int) as is_same`
          return first(rows) ?? { is_open: false, is_stored: false, is_same: null }
        }),
        /** Of the numbers below `count`; needs a transaction with the lock of `lock`. */
        missing: Effect.fnUntraced(function* ({ id, organization }: RecordingRef, count: number) {
          const rows = yield* sql<{ ordinal: number }>`
            select n::int as ordinal from generate_series(0, ${count}::int - 1) n
            where not exists (select from recording_piece p where p.recording_id = ${id}::uuid
              and p.organization_id = ${organization}::int and p.ordinal = n)
            order by n limit 1000`
          return rows.map(({ ordinal }) => ordinal)
        }),
        /** Locks the recording; undefined: there is none of this attempt. */
        lock: Effect.fnUntraced(function* (attempt: RecordedAttempt, id: RecordingId) {
          return first(
            yield* sql<{
              question_id: QuestionId
              state: RecordingState
              is_discarded: boolean
              content_type: string | null
            }>`
              select r.question_id, r.state, r.discarded_at is not null as is_discarded, r.content_type from recording r
              where r.id = ${id}::uuid and ${ofAttempt(sql, attempt)} for update`,
          )
        }),
        /** recording → queued. Returns whether it has content; without any it is deleted. */
        end: Effect.fnUntraced(function* ({ id, organization }: RecordingRef) {
          const at = yield* now
          const ended = yield* sql`
            update recording set state = 'queued', ended_at = ${at}, due_at = ${at}
            where id = ${id}::uuid and organization_id = ${organization}::int and state = 'recording'
              and content_type is not null
            returning id`
          if (ended.length > 0) return yield* Effect.as(wake("recording"), true)
          yield* sql`
            delete from recording where id = ${id}::uuid and organization_id = ${organization}::int
              and state = 'recording' and content_type is null`
          return false
        }),
        /** Deletes a recording that has not ended, with its pieces. */
        drop: ({ id, organization }: RecordingRef) => sql`
          delete from recording where id = ${id}::uuid and organization_id = ${organization}::int and state = 'recording'`,
        /** Makes the recording the answer. Returns the one that it replaces. */
        attach: Effect.fnUntraced(function* (attempt: RecordedAttempt, question: QuestionId, id: RecordingId | null) {
          const at = yield* now
          return first(
            yield* sql<{ before: RecordingId | null }>`
              with before as materialized (
                select recording_id from answer where submission_id = ${attempt.submission}::uuid
                  and organization_id = ${attempt.organization}::int and attempt = ${attempt.attempt}::int
                  and question_id = ${question}::uuid
              ), saved as (
                insert into answer (organization_id, submission_id, attempt, question_id, recording_id, updated_at)
                values (${attempt.organization}::int, ${attempt.submission}::uuid, ${attempt.attempt}::int,
                  ${question}::uuid, ${id}::uuid, ${at})
                on conflict (submission_id, attempt, question_id) do update set recording_id = excluded.recording_id,
                  updated_at = excluded.updated_at, revision = answer.revision + 1
              )
              select (select recording_id from before) as before`,
          )?.before
        }),
        /** Makes the recording the answer unless there is another one. */
        attachFirst: Effect.fnUntraced(function* (attempt: RecordedAttempt, question: QuestionId, id: RecordingId) {
          const at = yield* now
          yield* sql`
            insert into answer (organization_id, submission_id, attempt, question_id, recording_id, updated_at)
            values (${attempt.organization}::int, ${attempt.submission}::uuid, ${attempt.attempt}::int, ${question}::uuid,
              ${id}::uuid, ${at})
            on conflict (submission_id, attempt, question_id) do update set recording_id = excluded.recording_id,
              updated_at = excluded.updated_at, revision = answer.revision + 1
            where answer.recording_id is null`
        }),
        /** Deletes the content of a recording that no answer of any attempt refers to. Returns its file. */
        discard: Effect.fnUntraced(function* (ref: RecordingRef) {
          const at = yield* now
          const discarded = yield* sql<{ blob_id: BlobId | null }>`
            with found as materialized (
              select r.id, r.blob_id from recording r
              where r.id = ${ref.id}::uuid and r.organization_id = ${ref.organization}::int and r.discarded_at is null
                and not exists (select from answer a where a.recording_id = r.id)
            )
            update recording r set discarded_at = ${at}, state = 'done', due_at = null, claim_id = null, leased_until = null,
              blob_id = null, segments = null, correction = null
            from found where r.id = found.id returning found.blob_id`
          if (discarded.length > 0) yield* deletePieces(ref)
          return first(discarded)?.blob_id ?? undefined
        }),
        /**
         * Deletes the content of recordings, with or without a file, that are older than their organization keeps them: at most
         * `limit`. Returns them with their files. Needs a transaction.
         */
        deleteOld: Effect.fnUntraced(function* (limit: number) {
          const at = yield* now
          const found = yield* sql<RecordingRef>`
            select r.id, o.id as organization from organization o join lateral (
              select r.id from recording r
              where r.organization_id = o.id and r.deleted_at is null and r.discarded_at is null
                and r.received_at <= ${at} - o.recordings_kept_days * interval '1 day'
                and not exists (select from submission b
                  where b.id = r.submission_id and ${sql.literal(isHeld("o.id"))})
              order by r.received_at limit ${limit}::int for update skip locked
            ) r on true
            where o.id <> all(array(select id from suspended_organization)) limit ${limit}::int`
          if (found.length === 0) return []
          // again, because a hold may have been placed meanwhile; later holds wait for the transaction
          yield* AdvisoryLocks.shareAll(database, "legal_hold", [
            ...new Set(found.map(({ organization }) => organization)),
          ])
          const deleted = yield* sql<RecordingRef & { blob_id: BlobId | null }>`
            with found as materialized (
              select r.id, r.blob_id from recording r join submission b on b.id = r.submission_id
              where r.id = any(${found.map(({ id }) => id)}::uuid[]) and not ${sql.literal(isHeld("r.organization_id"))}
            )
            update recording r set deleted_at = ${at}, state = 'done', due_at = null, claim_id = null, leased_until = null,
              blob_id = null
            from found where r.id = found.id returning r.id, r.organization_id as organization, found.blob_id`
          yield* sql`delete from recording_piece where recording_id = any(${deleted.map(({ id }) => id)}::uuid[])`
          return deleted
        }),
        /** What the candidate said, as transcribed or corrected; undefined: there is no such recording with a transcript. */
        transcript: Effect.fnUntraced(function* (attempt: RecordedAttempt, id: RecordingId) {
          return first(
            yield* sql<{ text: string }>`
              select coalesce(spoken_text(r.correction, r.segments), '') as text from recording r
              where r.id = ${id}::uuid and ${isHeardIn(sql, attempt)} and r.segments is not null and r.discarded_at is null`,
          )?.text
        }),
        /** The candidate's text instead of the transcript; null: the transcript again. Returns the text that counts. */
        correct: Effect.fnUntraced(function* (attempt: RecordedAttempt, id: RecordingId, text: string | null) {
          return first(
            yield* sql<{ text: string }>`
              update recording r set correction = ${text}::text
              where r.id = ${id}::uuid and ${isHeardIn(sql, attempt)} and r.segments is not null and r.discarded_at is null
              returning coalesce(spoken_text(r.correction, r.segments), '') as text`,
          )?.text
        }),
        /** Bytes of the recordings of all organizations that are stored as files in Postgres. */
        bytesInPostgres: Effect.gen(function* () {
          const rows = yield* sql<{ bytes: number }>`
            select coalesce(sum(f.size), 0)::float8 as bytes
            from recording r join blob f on f.id = r.blob_id and f.organization_id = r.organization_id
            where f.store = 'postgres'`
          return first(rows)?.bytes ?? 0
        }),
        /** Ends recordings whose pieces stopped arriving. Returns those that ended. */
        endIdle: Effect.fnUntraced(function* (limit: number) {
          const at = yield* now
          return yield* sql<{
            organization_id: OrganizationId
            submission_id: SubmissionId
            attempt: number
            id: RecordingId
          }>`
            select r.organization_id, r.submission_id, r.attempt, r.id from recording r join submission b on b.id = r.submission_id
            where r.state = 'recording' and r.received_at <= ${at} - ${seconds(sql, idleEndSubmitted)}
              and (b.status <> 'started' or b.attempt <> r.attempt or r.received_at <= ${at} - ${seconds(sql, idleEnd)})
              and r.organization_id <> all(array(select id from suspended_organization))
            order by r.received_at limit ${limit}::int`
        }),
        claim: Effect.fnUntraced(function* (claim: Queue.Claim) {
          return yield* sql<RecordingJob>`
            with claimed as (${Queue.claimRows(sql, "recording", claim, yield* now)})
            select v.id, v.claim_id, v.attempts, v.unended_attempts, v.alone, v.traceparent, v.organization_id, v.submission_id,
              v.kind, v.content_type, v.blob_id, v.error, ${languagesOf(sql)}
            from claimed v join submission b on b.id = v.submission_id join interview_set s on s.id = b.interview_set_id
            order by v.ended_at, v.id`
        }),
        piecesAfter: ({ id, organization }: RecordingRef, ordinal: number, limit: number) => sql<Piece>`
          select ordinal, bytes from recording_piece
          where recording_id = ${id}::uuid and organization_id = ${organization}::int and ordinal > ${ordinal}::int
          order by ordinal limit ${limit}::int`,
        deletePieces,
        /** False: another claim holds the job, or the recording was discarded. */
        settleJob: Effect.fnUntraced(function* (settlement: RecordingSettlement) {
          const rows = yield* sql`${Queue.settleRows(sql, "recording", [settlement], yield* now, {
            columns:
              "blob_id uuid, content_type text, seconds numeric, error text, language text, transcriber text, segments jsonb, transcript_error text",
            set: sql`blob_id = r.blob_id, content_type = r.content_type, seconds = coalesce(r.seconds, q.seconds), error = r.error,
              language = r.language, transcriber = r.transcriber, segments = r.segments, transcript_error = r.transcript_error`,
          })}`
          return rows.length > 0
        }),
        /** Locks the submission, and returns whether recordings of its current attempt, or of its answers, are still awaited. */
        lockAwaiting: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          yield* lockSubmission(organization, submission)
          // a separate statement: it sees the changes that the lock waited for
          const rows = yield* sql`
            select from recording v join submission b on b.id = v.submission_id
            where v.submission_id = ${submission}::uuid and v.organization_id = ${organization}::int and v.state <> 'done'
              and ${sql.literal(isOfCurrentAttempt)} limit 1`
          return rows.length > 0
        }),
        /** Of the current attempt or kept from an earlier one, to its candidate. */
        content: Effect.fnUntraced(function* (attempt: RecordedAttempt, id: RecordingId) {
          return first(
            yield* sql<StoredRecording>`
              select r.id, r.blob_id, r.content_type, coalesce(f.size, (select sum(octet_length(p.bytes)) from recording_piece p
                where p.recording_id = r.id), 0)::float8 as size
              from recording r left join blob f on f.id = r.blob_id
              where r.id = ${id}::uuid and ${isHeardIn(sql, attempt)} and r.discarded_at is null and r.deleted_at is null
                and r.state <> 'recording'`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
