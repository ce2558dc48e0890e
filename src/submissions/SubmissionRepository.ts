/** Stores submissions. */

import { Context, Effect, Layer, type Schema } from "effect"
import { type Reader, readerOf, seesAllScores, type Viewer } from "../accounts/Viewer.ts"
import { type CandidateFilter, type CandidateNames, candidateOf, isOfCandidate } from "../candidates/CandidateSql.ts"
import type { EvaluationType } from "../evaluations/Evaluation.ts"
import { type EvaluationSubject, subjectOf } from "../evaluations/EvaluationRepository.ts"
import { usedResult } from "../evaluations/UsedResultSql.ts"
import type { Question, StoredOption } from "../interview-sets/InterviewSet.ts"
import { isReadable, languagesOf, setOf } from "../interview-sets/InterviewSetSql.ts"
import { clock, Database, first, recordset } from "../platform/database/Database.ts"
import { iso, type Positioned, paging, when } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import type { PageRequest } from "../values/Cursor.ts"
import { referenceNames } from "../values/ExternalReference.ts"
import type {
  ApplicationId,
  BlobId,
  CandidateId,
  CvId,
  HiringStageId,
  InterviewSetId,
  OrganizationId,
  QuestionId,
  RecordingId,
  RequirementId,
  SubmissionId,
  TagId,
} from "../values/Ids.ts"
import type { Decision, SubmissionDecision } from "./Decision.ts"
import type { BoardColumn, BoardPlace, HiringStageRef } from "./HiringStage.ts"
import type { SubmissionFlow, SubmissionStatus } from "./Submission.ts"
import type { EvaluationDetail, SubmissionDetail, SubmissionStanding, SubmissionSummary } from "./SubmissionDetail.ts"
import { submissionSearch } from "./SubmissionSearchSql.ts"
import {
  decisionOf,
  expire,
  isSubmissionReadable,
  leadingFirst,
  rejectingStages,
  stageOf,
  tagsOf,
  within,
} from "./SubmissionSql.ts"

export type SubmissionDetailRow = Pick<
  SubmissionDetail,
  | "id"
  | "status_text"
  | "interview_set"
  | "invitation"
  | "decision"
  | "decision_version"
  | "stage"
  | "stage_version"
  | "has_knock_out"
  | "tags"
  | "initiated_at"
  | "started_at"
  | "completed_at"
  | "declined_at"
  | "decline_reason"
> & {
  readonly candidate: CandidateNames
  readonly evaluations: ReadonlyArray<EvaluationDetail>
  readonly cv: {
    readonly notes: ReadonlyArray<string>
    readonly error: string | null
    readonly file: { readonly type: string | null; readonly size: number } | null
  } | null
  /** BCP 47, in the set's order. */
  readonly languages: ReadonlyArray<string>
  readonly answers: ReadonlyArray<SubmissionAnswerRow>
}

type AnswerDetail = SubmissionDetail["answers"][number]

interface SubmissionAnswerRow
  extends Omit<AnswerDetail, "file" | "options" | "recording" | "transcript">,
    Pick<Question, "attributes"> {
  readonly file: Omit<NonNullable<AnswerDetail["file"]>, "url"> | null
  readonly options: ReadonlyArray<StoredOption>
  readonly option_ids: ReadonlyArray<string>
  readonly spoken: SpokenAnswerRow | null
}

export interface SpokenAnswerRow {
  readonly duration_seconds: number | null
  readonly content_type: string | null
  /** It is older than the organization keeps recordings. */
  readonly is_deleted: boolean
  readonly transcript: string | null
}

export interface SubmissionFilter extends CandidateFilter {
  readonly updated_since?: string | null | undefined
  readonly interview_set_id?: string | null | undefined
  readonly status?: SubmissionStatus | null | undefined
  readonly decision?: Decision | "none" | null | undefined
  readonly stage?: HiringStageId | "none" | null | undefined
  readonly tag?: TagId | null | undefined
}

export type SubmissionSummaryRow = Omit<SubmissionSummary, "submission_url" | "candidate" | "warnings"> & {
  /** Null: none. */
  readonly warnings: SubmissionSummary["warnings"] | null
  readonly candidate: CandidateNames
}

/** ISO 8601, UTC; null: it did not happen. */
type Moment = string | null

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

export interface EvaluationFacts {
  readonly evaluation_type: EvaluationType
  readonly attempt: number
  readonly model: string | null
  readonly input_hash: string | null
  readonly error: string | null
}

export interface CvFacts {
  readonly link: string
  readonly state: "queued" | "read" | "failed"
  readonly text: string | null
  readonly error: string | null
  readonly read_at: Moment
  readonly has_file: boolean
  /** Size in bytes and type of the file. */
  readonly size: number | null
  readonly type: string | null
  readonly notes: ReadonlyArray<string>
}

export interface SubmissionFacts {
  readonly readable: boolean
  readonly is_erased: boolean
  readonly cv_deleted_at: Moment
  readonly answers_deleted_at: Moment
  readonly decision_changes: number
  /** What an undo restores; null: nothing to undo. */
  readonly decision_before: SubmissionDecision | null
  readonly flow: SubmissionFlow
  readonly attempt: number
  readonly position: string | null
  readonly phone: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly answer_until: Moment
  readonly improvement_until: Moment
  readonly invitation: InvitationSteps | null
  readonly attempts: ReadonlyArray<{
    readonly attempt: number
    readonly started_at: Moment
    readonly completed_at: Moment
  }>
  readonly evaluations: ReadonlyArray<EvaluationFacts>
  readonly queued: ReadonlyArray<EvaluationType>
  readonly is_evaluator_unavailable: boolean
  /** Null: no evaluation waits for the days of a notice. */
  readonly waits_for_notice_until: Moment
  /** A candidate's request for a person is open or was granted. */
  readonly score_unused: boolean
  /** By when the open request is to be answered; null: none is open. */
  readonly person_review_due_at: Moment
  /** What the candidate sent about the result (person-reviews/CandidateRemark.ts). */
  readonly remarks: ReadonlyArray<{
    readonly kind: "correction" | "remark"
    readonly text: string
    readonly sent_at: string
  }>
  /** In the order of the set. */
  readonly requirements: ReadonlyArray<{
    readonly id: RequirementId
    readonly title: string
    readonly cfg_importance_id: number
  }>
  readonly contents: Readonly<Record<string, string>>
  /** In the order of the set. */
  readonly questions: ReadonlyArray<{ readonly question_id: QuestionId; readonly title: string | null }>
  /** Those that have ended and were not discarded; unsubmitted ones are private. */
  readonly recordings: ReadonlyArray<RecordingFacts>
  readonly cv: CvFacts | null
}

/** The content of a recording. */
export interface SubmissionRecording {
  readonly id: RecordingId
  /** Null: it is in pieces. */
  readonly blob_id: BlobId | null
  readonly content_type: string | null
  readonly size: number
  readonly segments: RecordingFacts["segments"]
}

/** A recording of an answer. */
export interface RecordingFacts {
  readonly id: RecordingId
  readonly attempt: number
  readonly question_id: QuestionId
  readonly kind: "audio" | "video"
  /** Null: not measured. */
  readonly seconds: number | null
  /** Why it cannot be played, or has no sound. */
  readonly error: string | null
  /** It is older than the organization keeps recordings; its transcript stays. */
  readonly is_deleted: boolean
  /** It is being stored or transcribed. */
  readonly is_queued: boolean
  readonly segments: ReadonlyArray<{ readonly start: number; readonly end: number; readonly text: string }> | null
  /** Of the question's attributes. */
  readonly max_seconds: Schema.Json
  /** The model that wrote the transcript. */
  readonly transcriber: string | null
  /** The candidate's text instead of the transcript. */
  readonly correction: string | null
  /** Whose answer it is: a retake may keep it. Empty: another take is the answer, and this one was interrupted. */
  readonly answer_attempts: ReadonlyArray<number>
}

/** A submission that is locked for a change of its decision or its stage. */
export interface DecidableSubmission extends EvaluationSubject {
  readonly candidate_name: string | null
  readonly is_erased: boolean
  /** Why the score that counts may be unreliable, in sentences; empty also for a score that was overridden, or is hidden. */
  readonly warnings: ReadonlyArray<string>
  readonly changes: number
  readonly current: SubmissionDecision
  /** What an undo restores; null: nothing to undo. */
  readonly before: SubmissionDecision | null
  readonly stage: HiringStageRef | null
  readonly stage_changes: number
  /** The column of the board without a stage and a decision. */
  readonly home: BoardColumn
}

/** `stage` null: none. */
export interface StageChange {
  readonly id: SubmissionId
  readonly stage: HiringStageId | null
}

export interface DecisionChange extends SubmissionDecision {
  readonly id: SubmissionId
  readonly before: SubmissionDecision | null
  /** The answers are on the page where the member decided. */
  readonly isBesideAnswers: boolean
}

export interface SubmissionFile {
  readonly blob_id: BlobId
  readonly name: string | null
  readonly type: string | null
  /** Bytes. */
  readonly size: number | null
}

/** An open interview ends; scores, states and times stay for statistics. */
export const personalSubmissions: PersonalTable = {
  table: "submission",
  kept: ["decided_by", "decision", "flow"],
  rows: "t.id = any(p.submissions)",
  cleared: [
    ...referenceNames.filter((name) => name !== "metadata"),
    "answer_until",
    "improvement_until",
    "decision_reason",
    "decline_reason",
    "decision_before",
    "language",
  ],
  set: {
    metadata: "'{}'",
    has_knock_out: "false",
    status: `case when t.status in ('need_interview', 'cv_processing', 'initiated', 'started') then 'withdrawn'
        else t.status end`,
  },
  compute: { cv_deleted_at: "p.erased_at", answers_deleted_at: "p.erased_at" },
  exported: {
    name: "submissions",
    of: "candidate",
    row: "to_jsonb(b) - 'organization_id' - 'candidate_id' || jsonb_build_object('interview', s.title)",
    from: "submission b join interview_set s on s.id = b.interview_set_id where b.candidate_id = c.id",
    order: "b.created_at",
  },
}

export const personalWords: PersonalTable = {
  table: "submission_words",
  key: ["submission_id"],
  rows: "t.submission_id = any(p.submissions)",
}

export class SubmissionRepository extends Context.Service<SubmissionRepository>()(
  "interview-invitations/submissions/SubmissionRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* QueueNotifier
      const invitation = sql.literal(
        `(select jsonb_build_object('id', i.id, 'status_text', i.status) from invitation i
          where i.submission_id = b.id order by i.created_at desc, i.id desc limit 1) as invitation`,
      )
      const steps = sql`${iso(sql, "b.initiated_at")} as initiated_at, ${iso(sql, "b.started_at")} as started_at,
        ${iso(sql, "b.completed_at")} as completed_at, ${iso(sql, "b.declined_at")} as declined_at,
        b.decline_reason`
      const standing = sql`${decisionOf(sql)} as decision, b.decision_changes as decision_version, ${stageOf(sql)},
        b.stage_changes as stage_version`
      const times = (alias: string, names: ReadonlyArray<string>) =>
        sql.csv(names.map((name) => sql`${name}::text, ${iso(sql, `${alias}.${name}`)}`))
      const mailSteps = [
        "created_at",
        "sent_at",
        "delivered_at",
        "opened_at",
        "clicked_at",
        "failed_at",
        "cancelled_at",
      ]
      return {
        /** Locks the submissions that `viewer` may see. Needs a transaction. */
        lockForDecision: Effect.fnUntraced(function* (
          organization: OrganizationId,
          ids: ReadonlyArray<SubmissionId>,
          viewer: Viewer,
        ) {
          const reader = readerOf(viewer)
          const member = viewer._tag === "Member" ? viewer.id : null
          // ordered, so that two changes of the same submissions do not deadlock
          const locked = yield* sql<{ id: SubmissionId }>`
            select b.id from submission b
            where b.id = any(${[...ids]}::uuid[]) and b.organization_id = ${organization}::int
              and ${isReadable(sql, organization, reader, "b.interview_set_id")}
            order by b.id for no key update`
          if (locked.length === 0) return []
          // a separate statement: it sees an erasure that the lock waited for
          return yield* sql<DecidableSubmission>`
            select ${sql.literal(subjectOf)}, s.title as interview_name, c.name as candidate_name,
              c.erased_at is not null as is_erased, b.decision_changes as changes, b.decision_before as before,
              case when (${seesAllScores(viewer)}::bool or exists (select from review v where v.submission_id = b.id
                  and v.member_id = ${member}::uuid and v.sent_at is not null)) then array(
                select w ->> 'message' from (
                  select ${usedResult(sql)} as result, e.override from evaluation e where e.submission_id = b.id and e.state = 'done'
                  order by ${leadingFirst(sql)} limit 1) e
                cross join jsonb_array_elements(case when e.override is null and e.result ->> 'score_status' = 'scored'
                  then coalesce(e.result -> 'warnings', '[]') else '[]' end) w) else '{}' end as warnings,
              ${decisionOf(sql)} as current, ${stageOf(sql)}, b.stage_changes, board_column(b.status, null) as home
            from submission b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
            where b.id = any(${locked.map(({ id }) => id)}::uuid[]) and b.organization_id = ${organization}::int`
        }),
        decide: Effect.fnUntraced(function* (organization: OrganizationId, changes: ReadonlyArray<DecisionChange>) {
          yield* sql`
            update submission b set decision = r.decision, decision_reason = r.reason, decided_by = r.decided_by,
              decided_at = r.decided_at, decision_before = r.before, decision_changes = b.decision_changes + 1,
              decided_unread = r.decision is not null and not r."isBesideAnswers" and not exists (
                select from review v where v.submission_id = b.id and v.organization_id = b.organization_id
                  and v.member_id = (r.decided_by ->> 'id')::uuid and v.sent_at is not null)
            from ${recordset(
              sql,
              changes,
              'id uuid, decision text, reason text, decided_by jsonb, decided_at timestamptz, before jsonb, "isBesideAnswers" bool',
            )}
            where b.id = r.id and b.organization_id = ${organization}::int`
        }),
        /** Since now, for those with a stage. */
        moveToStages: Effect.fnUntraced(function* (organization: OrganizationId, changes: ReadonlyArray<StageChange>) {
          const at = yield* now
          yield* sql`
            update submission b set stage_id = r.stage, stage_changes = b.stage_changes + 1,
              stage_moved_at = case when r.stage is null then null else clock.now end
            from ${recordset(sql, changes, "id uuid, stage uuid")}, ${clock(sql, at)}
            where b.id = r.id and b.organization_id = ${organization}::int`
        }),
        placeOnBoard: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId) {
          return first(
            yield* sql<{ place: BoardPlace; home: BoardColumn }>`
              select case when b.decision = 'reject' and b.stage_id <> all(array(${rejectingStages(sql, organization)})) then 'ended'
                  else coalesce(b.stage_id::text, board_column(b.status, b.decision)) end as place,
                board_column(b.status, null) as home
              from submission b where b.id = ${id}::uuid and b.organization_id = ${organization}::int`,
          )
        }),
        /** Lists of recent changes contain them. */
        setChanged: Effect.fnUntraced(function* (organization: OrganizationId, ids: ReadonlyArray<SubmissionId>) {
          yield* sql`
            update submission b set updated_at = clock.now from ${clock(sql, yield* now)}
            where b.id = any(${[...ids]}::uuid[]) and b.organization_id = ${organization}::int`
        }),
        /** The first submissions of a stage, by id. */
        inStage: Effect.fnUntraced(function* (organization: OrganizationId, stage: HiringStageId, most: number) {
          const rows = yield* sql<{ id: SubmissionId }>`
            select b.id from submission b where b.stage_id = ${stage}::uuid and b.organization_id = ${organization}::int
            order by b.id limit ${most}::int`
          return rows.map(({ id }) => id)
        }),
        /** Locks the candidates' submissions, except withdrawn and expired ones, and expires overdue ones with their invitations. */
        lockCurrent: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          candidates: ReadonlyArray<CandidateId>,
        ) {
          if (candidates.length === 0) return
          // without a join the planner may read all rows of the set
          const locked = yield* sql<{ readonly id: SubmissionId; readonly overdue: boolean }>`
            select b.id, b.status in ('need_interview', 'initiated') and b.expires_at <= ${yield* now} as overdue
            from unnest(${[...candidates]}::uuid[]) as r(candidate_id)
              join submission b on b.candidate_id = r.candidate_id and b.interview_set_id = ${set}::uuid
                and b.organization_id = ${organization}::int
            where b.status not in ('withdrawn', 'expired') order by b.id for no key update of b`
          const overdue = locked.flatMap((row) => (row.overdue ? [row.id] : []))
          if (overdue.length > 0) yield* expire(sql, sql`select unnest(${overdue}::uuid[])`)
        }),
        /** Candidates sent to the set before with only that link, by link. */
        candidatesByCvLink: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          links: ReadonlyArray<string>,
        ) {
          const rows = yield* sql<{ link: string; candidate_id: CandidateId }>`
            select distinct on (v.link) v.link, s.candidate_id
            from cv v join submission s on s.id = v.submission_id join candidate c on c.id = s.candidate_id
            where v.organization_id = ${organization}::int and s.interview_set_id = ${set}::uuid
              and v.link = any(${[...links]}::text[]) and s.flow = 'cv'
              and c.ats_candidate_id is null and c.email_key is null
            order by v.link, s.created_at desc`
          return new Map(rows.map(({ candidate_id, link }) => [link, candidate_id]))
        }),
        extend: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submissions: ReadonlyArray<SubmissionId>,
          expiresAt: Date,
        ) {
          if (submissions.length === 0) return
          // with a condition on status or time the planner would use its index instead of the ids
          yield* sql`
            update submission set expires_at = greatest(expires_at, ${expiresAt})
            where id = any(${[...submissions]}::uuid[]) and organization_id = ${organization}::int`
        }),
        setApplications: Effect.fnUntraced(function* (
          organization: OrganizationId,
          applications: ReadonlyArray<{ readonly id: SubmissionId; readonly application_id: ApplicationId }>,
        ) {
          if (applications.length === 0) return
          yield* sql`
            update submission b set application_id = r.application_id
            from ${recordset(sql, applications, "id uuid, application_id uuid")}
            where b.id = r.id and b.organization_id = ${organization}::int and b.application_id is null`
        }),
        /** Skips links that the submission has, unless they failed. */
        queueCvs: Effect.fnUntraced(function* (
          organization: OrganizationId,
          cvs: ReadonlyArray<{ readonly id: CvId; readonly submission_id: SubmissionId; readonly link: string }>,
        ) {
          if (cvs.length === 0) return
          const at = yield* now
          const queued = yield* sql`
            with missing as materialized (
              select r.* from ${recordset(sql, cvs, "id uuid, submission_id uuid, link text")}
              where not exists (select 1 from cv v where v.submission_id = r.submission_id and v.link = r.link
                and v.state <> 'failed')
            )
            insert into cv (id, organization_id, submission_id, link, created_at, due_at)
            select id, ${organization}::int, submission_id, link, ${at}, ${at} from missing
            returning id`
          if (queued.length > 0) yield* wake("cv")
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId) {
          return first(
            yield* sql<SubmissionDetailRow>`
              select b.id, b.status as status_text,
                ${setOf(sql)}, ${candidateOf(sql)}, ${invitation}, ${languagesOf(sql)}, ${standing}, b.has_knock_out, ${tagsOf(sql)},
                coalesce((select jsonb_agg(v.detail order by v.evaluation_type) from (
                  select distinct on (e.evaluation_type) e.evaluation_type, ${usedResult(sql)} || jsonb_build_object(
                    'evaluation_type', e.evaluation_type, 'evaluator', e.evaluator, 'evaluated_at', ${iso(sql, "e.evaluated_at")},
                    'held_until', ${iso(sql, "e.held_until")}, 'override', e.override) as detail
                  from evaluation e where e.submission_id = b.id and e.state = 'done'
                  order by e.evaluation_type, e.created_at desc, e.id desc) v), '[]') as evaluations,
                coalesce((select jsonb_agg(jsonb_build_object('question_id', q.id, 'title', coalesce(nullif(trim(q.title), ''), q.content),
                    'attempt', a.attempt, 'content', a.content, 'attributes', q.attributes,
                    'options', q.options, 'option_ids', to_jsonb(a.option_ids),
                    'file', (select jsonb_build_object('name', a.file_name, 'type', a.file_type, 'size', f.size)
                      from blob f where f.id = a.blob_id),
                    'spoken', (select jsonb_build_object('duration_seconds', round(r.seconds), 'content_type', r.content_type,
                        'is_deleted', r.deleted_at is not null, 'transcript', spoken_text(r.correction, r.segments))
                      from recording r where r.id = a.recording_id)) order by a.attempt, q.ordinal)
                  from answer a join question q on q.id = a.question_id where a.submission_id = b.id
                    -- unsubmitted answers are private
                    and (a.attempt < b.attempt or b.status in ('completed', 'evaluated'))), '[]') as answers,
                (select jsonb_build_object('notes', v.notes, 'error', case when v.state = 'failed' then v.error end,
                    'file', (select jsonb_build_object('type', v.file_type, 'size', f.size) from blob f where f.id = v.blob_id))
                  from cv v where v.submission_id = b.id order by v.created_at desc, v.id desc limit 1) as cv,
                ${steps}
              from submission b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int`,
          )
        }),
        standing: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId) {
          return first(
            yield* sql<SubmissionStanding>`
              select b.id, ${standing} from submission b
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int`,
          )
        }),
        /** A page (values/Cursor.ts), newest first. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, filter: SubmissionFilter, page: PageRequest) {
          const { behind, newestFirst, position } = paging(sql, "b", page)
          // joins read only the rows of the page
          return yield* sql<Positioned<SubmissionSummaryRow>>`
            select b.id, b.status as status_text, ${setOf(sql)}, ${candidateOf(sql)}, ${invitation}, ${standing}, b.has_knock_out, ${tagsOf(sql)},
              e.result -> 'score' as score, coalesce(e.result ->> 'score_status', 'not_scored') as score_status,
              e.result -> 'warnings' as warnings, ${iso(sql, "b.created_at")} as created_at, ${iso(
                sql,
                "greatest(b.updated_at, (select k.updated_at from submission_score k where k.submission_id = b.id))",
              )} as updated_at, ${steps}, ${position}
            from (
              select * from submission b where ${within(sql, "b", organization, filter.interview_set_id)} and ${behind}
                and ${when(sql, filter.status, (status) => sql`b.status = ${status}`)}
                and ${when(sql, filter.decision, (decision) =>
                  decision === "none" ? sql`b.decision is null` : sql`b.decision = ${decision}`,
                )}
                and ${when(sql, filter.stage, (stage) =>
                  stage === "none" ? sql`b.stage_id is null` : sql`b.stage_id = ${stage}::uuid`,
                )}
                and ${when(
                  sql,
                  filter.tag,
                  (tag) =>
                    sql`exists (select from submission_tag x where x.submission_id = b.id and x.tag_id = ${tag}::uuid)`,
                )}
                and ${isOfCandidate(sql, "b.id", organization, filter)}
                and ${when(
                  sql,
                  filter.updated_since,
                  (at) => sql`(b.updated_at >= ${at}::timestamptz or b.id = any(array(
                    select k.submission_id from submission_score k
                    where k.organization_id = ${organization}::int and k.updated_at >= ${at}::timestamptz)))`,
                )}
              ${newestFirst}
            ) b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              left join lateral (
                select ${usedResult(sql)} as result from evaluation e where e.submission_id = b.id and e.state = 'done'
                order by ${leadingFirst(sql)} limit 1
              ) e on true
            where b.organization_id = ${organization}::int ${newestFirst}`
        }),
        ...submissionSearch(sql),
        facts: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: SubmissionId,
          reader: Reader | undefined,
        ) {
          return first(
            yield* sql<SubmissionFacts>`
              select c.erased_at is not null as is_erased, b.decision_changes, b.decision_before, b.flow, b.attempt, s.position, c.phone, ${iso(sql, "b.created_at")} as created_at,
                ${iso(sql, "b.cv_deleted_at")} as cv_deleted_at, ${iso(sql, "b.answers_deleted_at")} as answers_deleted_at,
                ${iso(sql, "b.expires_at")} as expires_at, ${iso(sql, "b.answer_until")} as answer_until,
                ${iso(sql, "b.improvement_until")} as improvement_until,
                ${isSubmissionReadable(sql, organization, reader)} as readable,
                (select jsonb_build_object('email', i.email, 'failure_reason', i.failure_reason, ${times("i", mailSteps)})
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
                  where e.submission_id = b.id and e.state = 'queued' and not b.score_unused), '[]') as queued,
                coalesce((select jsonb_agg(jsonb_build_object('kind', r.kind, 'text', r.text, 'sent_at', ${iso(sql, "r.sent_at")})
                    order by r.sent_at, r.id) from candidate_remark r
                  where r.submission_id = b.id and r.organization_id = b.organization_id), '[]') as remarks,
                b.score_unused, (select ${iso(sql, "r.due_at")} from person_review r
                  where r.submission_id = b.id and r.organization_id = b.organization_id and r.answered_at is null) as person_review_due_at,
                exists (select from evaluation e
                  where e.submission_id = b.id and e.state = 'queued' and not b.score_unused and e.error is not null) as is_evaluator_unavailable,
                case when exists (select from evaluation e
                  where e.submission_id = b.id and e.state = 'queued' and not b.score_unused and e.due_at = b.notice_until)
                  then ${iso(sql, "b.notice_until")} end as waits_for_notice_until,
                coalesce((select jsonb_object_agg(q.id, q.content) from (
                  select r.id, r.content from requirement r where r.interview_set_id = s.id
                  union all select n.id, n.content from question n where n.interview_set_id = s.id) q
                  where q.content ~ '[^[:space:]]'), '{}') as contents,
                coalesce((select jsonb_agg(jsonb_build_object('question_id', n.id, 'title', coalesce(nullif(trim(n.title), ''), n.content)) order by n.ordinal)
                  from question n where n.interview_set_id = s.id), '[]') as questions,
                coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'title', coalesce(nullif(trim(r.title), ''), r.content, ''),
                    'cfg_importance_id', r.cfg_importance_id) order by r.ordinal)
                  from requirement r where r.interview_set_id = s.id), '[]') as requirements,
                coalesce((select jsonb_agg(jsonb_build_object('id', v.id, 'attempt', v.attempt, 'question_id', v.question_id,
                    'kind', v.kind, 'seconds', v.seconds, 'error', v.error, 'is_deleted', v.deleted_at is not null,
                    'is_queued', v.state = 'queued',
                    'max_seconds', (select n.attributes -> 'max_seconds' from question n where n.id = v.question_id),
                    'transcriber', v.transcriber, 'segments', v.segments, 'correction', v.correction,
                    'answer_attempts', coalesce((select jsonb_agg(a.attempt) from answer a
                      where a.recording_id = v.id and a.submission_id = b.id), '[]'))
                    order by v.started_at)
                  from recording v where v.submission_id = b.id and v.state <> 'recording' and v.discarded_at is null
                    and (v.attempt < b.attempt or b.status in ('completed', 'evaluated'))), '[]') as recordings,
                (select jsonb_build_object('link', v.link, 'state', v.state, 'text', v.text, 'error', v.error,
                    'read_at', ${iso(sql, "v.read_at")}, 'has_file', v.blob_id is not null, 'notes', v.notes,
                    'type', v.file_type, 'size', (select f.size from blob f where f.id = v.blob_id))
                  from cv v where v.submission_id = b.id order by v.created_at desc, v.id desc limit 1) as cv
              from submission b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int`,
          )
        }),
        /** Without an attempt, of the last one in which the question has a file. */
        answerFile: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: SubmissionId,
          attempt: number | undefined,
          question: string,
        ) {
          return first(
            yield* sql<SubmissionFile>`
              select a.blob_id, a.file_name as name, a.file_type as type, f.size
              from submission b join answer a on a.submission_id = b.id left join blob f on f.id = a.blob_id
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int
                and a.attempt = coalesce(${attempt ?? null}::int, a.attempt)
                and a.question_id = ${question}::uuid and a.blob_id is not null
                -- unsubmitted answers are private
                and (a.attempt < b.attempt or b.status in ('completed', 'evaluated'))
              order by a.attempt desc limit 1`,
          )
        }),
        recording: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: SubmissionId,
          recording: RecordingId,
        ) {
          return first(
            yield* sql<SubmissionRecording>`
              select v.id, v.blob_id, v.content_type, v.segments, coalesce(f.size, (select sum(octet_length(p.bytes))
                from recording_piece p where p.recording_id = v.id), 0)::float8 as size
              from submission b join recording v on v.submission_id = b.id left join blob f on f.id = v.blob_id
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int and v.id = ${recording}::uuid
                and v.state <> 'recording' and v.discarded_at is null and v.deleted_at is null
                -- unsubmitted answers are private
                and (v.attempt < b.attempt or b.status in ('completed', 'evaluated'))`,
          )
        }),
        /** The recording that counts as the answer; without an attempt, of the last one in which the question has one. */
        answerRecording: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: SubmissionId,
          question: QuestionId,
          attempt: number | undefined,
        ) {
          return first(
            yield* sql<{ id: RecordingId }>`
              select a.recording_id as id from submission b join answer a on a.submission_id = b.id
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int and a.question_id = ${question}::uuid
                and a.recording_id is not null and a.attempt = coalesce(${attempt ?? null}::int, a.attempt)
                -- unsubmitted answers are private
                and (a.attempt < b.attempt or b.status in ('completed', 'evaluated'))
              order by a.attempt desc limit 1`,
          )?.id
        }),
        cvFile: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId) {
          return first(
            yield* sql<SubmissionFile>`
              select v.blob_id, null as name, v.file_type as type, f.size
              from cv v left join blob f on f.id = v.blob_id
              where v.submission_id = ${id}::uuid and v.organization_id = ${organization}::int and v.blob_id is not null
              order by v.created_at desc, v.id desc limit 1`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
