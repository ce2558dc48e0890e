/** Stores evaluations: the queue, held events, holistic evaluations and overrides. */
import { Context, Duration, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { type SubjectRow, subjectColumns } from "../candidates/CandidateSql.ts"
import { Database, first, later, recordset, unlessEmpty } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { Sql } from "../platform/database/Sql.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import * as Queue from "../platform/queue/QueueSql.ts"
import type { EvaluationId, EventId, InvitationId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { EvaluatedTexts } from "./EvaluatedTexts.ts"
import { evaluatedTexts } from "./EvaluatedTextsSql.ts"
import type { EvaluationInput, EvaluationResult, EvaluationType } from "./Evaluation.ts"
import * as Held from "./HeldEvaluationsSql.ts"
import type { Override } from "./Override.ts"

/** How long the evaluation of an interview waits for its recordings at most: longer than the retries of a transcription. */
const maxWait = Duration.hours(4)

export type QueuedType = Exclude<EvaluationType, "holistic">

export interface NewEvaluation {
  readonly id: EvaluationId
  readonly submissionId: SubmissionId
  readonly type: QueuedType
}

export interface EvaluationSubject extends SubjectRow {
  readonly interview_name: string
  readonly candidate_email: string | null
  readonly invitation_id: InvitationId | null
}

export interface EvaluationJob extends Queue.Claimed, EvaluationSubject, EvaluatedTexts {
  readonly id: EvaluationId
  readonly evaluation_type: QueuedType
}

export interface EvaluationSettlement extends Queue.Settlement {
  readonly state: "queued" | "done"
  readonly result: EvaluationResult | null
  readonly evaluator: string | null
  readonly model: string | null
  readonly input: EvaluationInput | null
  readonly raw: unknown
  readonly error: string | null
}

export interface HeldEvaluation extends EvaluationSubject {
  readonly id: EvaluationId
  readonly evaluation_type: EvaluationType
  readonly result: EvaluationResult
}

/** Columns of an EvaluationSubject without interview_name. Needs `subjectJoins`. */
export const subjectOf = `${subjectColumns}, coalesce(c.email, c.cv_email) as candidate_email,
  (select i.id from invitation i where i.submission_id = b.id order by i.created_at desc, i.id desc limit 1) as invitation_id`

/** Joins submission `b`, set `s` and candidate `c` to evaluation `e`. */
export const subjectJoins = `join submission b on b.id = e.submission_id join interview_set s on s.id = b.interview_set_id
  join candidate c on c.id = b.candidate_id`

export interface Pair extends EvaluationSubject {
  readonly cv: EvaluationResult
  readonly interview: EvaluationResult
  readonly cv_evaluation_id: EvaluationId
  readonly interview_evaluation_id: EvaluationId
  /** SHA-256, hexadecimal. */
  readonly cv_input_hash: string | null
  readonly interview_input_hash: string | null
}

export interface NewHolistic extends Pick<Pair, "cv_evaluation_id" | "interview_evaluation_id"> {
  readonly id: EvaluationId
  readonly result: EvaluationResult
  readonly evaluator: string
  readonly input: object
}

export interface Evaluable {
  readonly submission_id: SubmissionId
  readonly types: ReadonlyArray<QueuedType>
  readonly is_queued: boolean
  /** Nothing is evaluated: a candidate's request for a person is open or was granted. */
  readonly score_unused: boolean
}

/** Whether recording `v` belongs to the current attempt of submission `b`, or a retake kept it as an answer. */
export const isOfCurrentAttempt = `(v.attempt = b.attempt or exists (select from answer a
  where a.recording_id = v.id and a.submission_id = b.id and a.attempt = b.attempt))`

const inputHash = (sql: Sql) => sql`sha256(convert_to(r.input::text, 'UTF8'))`

/** The override of the submission's last evaluation of the same type and text (`r.input_hash`), if it has one. */
const keptOverride = (sql: Sql, submission: Statement.Fragment, type: Statement.Fragment): Statement.Fragment => sql`(
  select p.override from evaluation p
  where p.submission_id = ${submission} and p.evaluation_type = ${type} and p.state = 'done'
    and p.input_hash = r.input_hash
  order by p.created_at desc, p.id desc limit 1)`

export interface NewestEvaluation {
  readonly id: EvaluationId
  readonly override: Override | null
  /** The person's data were erased. */
  readonly is_erased: boolean
}

/** Scores stay for statistics. */
export const personalEvaluations: ReadonlyArray<PersonalTable> = [
  { table: "evaluation", rows: "t.submission_id = any(p.submissions) and t.state = 'queued'" },
  {
    table: "evaluation",
    kept: ["alone", "evaluation_type", "evaluator", "model", "state", "traceparent"],
    rows: "t.submission_id = any(p.submissions)",
    cleared: ["input", "input_hash", "raw", "error"],
    set: {
      override: `t.override || '{"reason": ""}'`,
    },
    compute: {
      result: `jsonb_build_object('score', t.result -> 'score', 'score_status', t.result -> 'score_status', 'summary', '',
          'strengths', '[]'::jsonb, 'gaps', '[]'::jsonb, 'recommendations', '[]'::jsonb, 'criteria', coalesce((
            select jsonb_agg(c.criterion || '{"rationale": "", "evidence": []}' order by c.place)
            from jsonb_array_elements(t.result -> 'criteria') with ordinality as c (criterion, place)), '[]'))`,
    },
    exported: {
      name: "evaluations",
      of: "submission",
      row: `jsonb_build_object('type', e.evaluation_type, 'attempt', e.attempt, 'evaluator', e.evaluator, 'model', e.model,
        'evaluated_at', e.evaluated_at, 'result', e.result, 'input', e.input, 'raw', e.raw, 'override', e.override)`,
      from: "evaluation e where e.submission_id = b.id",
      order: "e.created_at",
    },
  },
  { table: "submission_score", kept: ["score_status"] },
]

export class EvaluationRepository extends Context.Service<EvaluationRepository>()(
  "interview-invitations/evaluations/EvaluationRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* QueueNotifier
      const subject = sql.literal(subjectOf)
      const joins = sql.literal(subjectJoins)
      /** Seconds that an evaluation of submission `b` waits for recordings. `type`: SQL of its type. */
      const waitOf = (type: string) =>
        sql.literal(`case when ${type} <> 'cv' and exists (select from recording v
          where v.submission_id = b.id and ${isOfCurrentAttempt} and v.state <> 'done') then ${Duration.toSeconds(maxWait)} else 0 end`)
      const queueAll = Effect.fnUntraced(function* (
        organization: OrganizationId,
        evaluations: ReadonlyArray<NewEvaluation>,
      ) {
        if (evaluations.length === 0) return
        const at = yield* now
        yield* sql`
          with found as materialized (
            select r.id, b.organization_id, b.id as submission_id, r.type, b.attempt,
              ${waitOf("r.type")} as wait
            from ${recordset(sql, evaluations, 'id uuid, "submissionId" uuid, type text')}
              join submission b on b.id = r."submissionId" and b.organization_id = ${organization}::int
          )
          insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, created_at, due_at)
          select id, organization_id, submission_id, type, attempt, ${at}, ${later(sql, at, sql`wait * interval '1 second'`)}
          from found`
        yield* wake("evaluation")
      })
      const columns = sql.literal("n.id, n.organization_id, n.submission_id, n.result, n.input, n.input_hash")
      const lock = (organization: OrganizationId, submissions: ReadonlyArray<SubmissionId>) => sql<{
        id: SubmissionId
      }>`
        select id from submission where id = any(${[...submissions]}::uuid[]) and organization_id = ${organization}::int
        order by id for no key update`
      return {
        queue: (organization: OrganizationId, evaluation: NewEvaluation) => queueAll(organization, [evaluation]),
        queueAll,
        /** Makes evaluations due that wait for recordings. */
        hasten: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          const at = yield* now
          const hastened = yield* sql`
            update evaluation set due_at = ${at}
            where submission_id = ${submission}::uuid and organization_id = ${organization}::int and state = 'queued'
              and evaluation_type = 'interview' and attempts = 0 and claim_id is null and due_at > ${at}
            returning id`
          if (hastened.length > 0) yield* wake("evaluation")
        }),
        /** Makes queued evaluations of the submission due as early as they may run (evaluable_at in sql/14_notices.sql). */
        reschedule: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          const at = yield* now
          yield* sql`
            update evaluation q set due_at = ${later(sql, at, sql`r.wait * interval '1 second'`)}
            from (select e.id, ${waitOf("e.evaluation_type")} as wait from evaluation e join submission b on b.id = e.submission_id
              where e.submission_id = ${submission}::uuid and e.organization_id = ${organization}::int and e.state = 'queued'
                and b.organization_id = ${organization}::int) r
            where q.id = r.id and q.organization_id = ${organization}::int and q.state = 'queued'`
          yield* wake("evaluation")
        }),
        claim: Effect.fnUntraced(function* (claim: Queue.Claim) {
          const at = yield* now
          return yield* sql<EvaluationJob>`
            with e as (${Queue.claimRows(sql, "evaluation", claim, at)})
            select e.id, e.claim_id, e.attempts, e.unended_attempts, e.alone, e.traceparent, e.evaluation_type, ${subject},
              ${evaluatedTexts(sql)}
            from e ${joins} order by e.created_at, e.id`
        }),
        /**
         * Returns the evaluations to report now; others are held or superseded. Deletes a failed evaluation when the same
         * text was evaluated before. Copies an override of the same text. Needs a transaction.
         */
        settleJobs: Effect.fnUntraced(function* (settlements: ReadonlyArray<EvaluationSettlement>) {
          const at = yield* now
          // orders this before or after a concurrent change of the improvement window
          yield* sql`
            select b.id from submission b
            where b.id in (select submission_id from evaluation where id = any(${settlements.map(({ id }) => id)}::uuid[]))
            order by b.id for no key update`
          const unanswered = settlements.filter(({ error, state }) => state === "done" && error !== null)
          yield* unlessEmpty(
            unanswered,
            sql`
              delete from evaluation e using ${recordset(sql, unanswered, "id uuid, claim_id uuid, input jsonb")}
              where e.id = r.id and e.claim_id = r.claim_id and exists (
                select from evaluation p where p.submission_id = e.submission_id and p.evaluation_type = e.evaluation_type
                  and p.attempt = e.attempt and p.state = 'done' and p.error is null and p.input_hash = ${inputHash(sql)})
              returning e.id`,
          )
          const rows = yield* sql<{ id: EvaluationId }>`
            with settled as (${Queue.settleRows(sql, "evaluation", settlements, at, {
              columns: "result jsonb, evaluator text, model text, input jsonb, raw jsonb, error text",
              computed: sql`${inputHash(sql)} as input_hash`,
              set: sql`result = r.result, evaluator = r.evaluator, model = r.model, input = r.input, raw = r.raw,
                error = r.error, held_until = ${Held.heldUntil(sql, sql`r.now`)}, input_hash = r.input_hash,
                override = case when r.state = 'done' then ${keptOverride(sql, sql`q.submission_id`, sql`q.evaluation_type`)} end,
                evaluated_at = case when r.state = 'done' then r.now end`,
            })}), superseded as (${Held.supersedeOlder(sql)})
            ${Held.selectReportedNow(sql)}`
          return rows.map(({ id }) => id)
        }),
        /** Held evaluations of the submission get no event. */
        supersede: (organization: OrganizationId, submission: SubmissionId) =>
          sql`${Held.setHeldUntil(sql, organization, submission, null)}`,
        /** Makes held evaluations due. */
        unhold: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          yield* sql`${Held.setHeldUntil(sql, organization, submission, yield* now)}`
        }),
        /** Locks the submissions and skips locked ones. `interview_name` is the title at the evaluation. */
        claimHeld: Effect.fnUntraced(function* (limit: number) {
          const due = Held.isDue(sql, yield* now)
          const held = yield* sql<{ id: SubmissionId }>`
            select b.id from evaluation e join submission b on b.id = e.submission_id
            where ${due} and e.organization_id <> all(array(select id from suspended_organization))
            order by e.held_until limit ${limit}::int for no key update of b skip locked`
          // a separate statement sees events committed before the lock
          return yield* unlessEmpty(
            held,
            sql<HeldEvaluation>`
              select e.id, e.evaluation_type, e.result, ${subject},
                coalesce(e.input ->> 'interview_title', s.title) as interview_name
              from evaluation e ${joins}
              where ${due} and e.submission_id = any(${held.map(({ id }) => id)}::uuid[])
              order by e.held_until, e.submission_id`,
          )
        }),
        /** Sets submissions to `evaluated`, and `is_cv_unreadable`. A CV evaluation does not change an interview's status. */
        markReported: (reported: ReadonlyArray<{ readonly id: EvaluationId; readonly event_id: EventId }>) => sql`
            with reported as (
              update evaluation e set event_id = r.event_id from ${recordset(sql, reported, "id uuid, event_id uuid")}
              where e.id = r.id returning e.submission_id, e.evaluation_type
            )
            update submission b set status = 'evaluated', is_cv_unreadable = b.flow = 'cv' and coalesce((
              select v.state = 'failed' from cv v where v.submission_id = b.id order by v.created_at desc, v.id desc limit 1), false)
            from reported
            where b.id = reported.submission_id and (b.status =
              case when b.flow = 'cv' then 'cv_processing' when reported.evaluation_type <> 'cv' then 'completed' end
              or b.is_cv_unreadable)`,
        /** Needs a transaction that locks the submissions. */
        missingHolistic: (submissions: ReadonlyArray<SubmissionId>) =>
          unlessEmpty(
            submissions,
            sql<Pair>`
              select ${sql.literal(subjectOf)}, coalesce(e.input ->> 'interview_title', s.title) as interview_name, v.result as cv, v.id as cv_evaluation_id,
                encode(v.input_hash, 'hex') as cv_input_hash, e.result as interview, e.id as interview_evaluation_id,
                encode(e.input_hash, 'hex') as interview_input_hash
              from unnest(${[...submissions]}::uuid[]) as r(id) join submission o on o.id = r.id
                cross join lateral (
                  select ${columns} from evaluation n
                  where n.submission_id = o.id and n.evaluation_type = 'cv' and n.state = 'done'
                  order by n.created_at desc, n.id desc limit 1
                ) v
                cross join lateral (
                  select ${columns} from evaluation n
                  where n.submission_id = o.id and n.evaluation_type = 'interview' and n.state = 'done'
                    and n.attempt = o.attempt
                  order by n.created_at desc, n.id desc limit 1
                ) e
                ${sql.literal(subjectJoins)}
              where not exists (
                select from evaluation h where h.cv_evaluation_id = v.id and h.interview_evaluation_id = e.id
              )`,
          ),
        /** Returns the evaluations to report now. */
        insertHolistic: Effect.fnUntraced(function* (evaluations: ReadonlyArray<NewHolistic>) {
          const at = yield* now
          const made = yield* unlessEmpty(
            evaluations,
            sql<{ id: EvaluationId; submission_id: SubmissionId; held_until: Date | null }>`
              with read as materialized (
                select r.*, i.organization_id, i.submission_id, i.attempt, ${Held.heldUntilOfHolistic(sql, at)} as held_until,
                  ${keptOverride(sql, sql`i.submission_id`, sql`'holistic'`)} as override
                from (select r.*, ${inputHash(sql)} as input_hash from ${recordset(
                  sql,
                  evaluations,
                  "id uuid, result jsonb, evaluator text, input jsonb, cv_evaluation_id uuid, interview_evaluation_id uuid",
                )}) r join evaluation i on i.id = r.interview_evaluation_id
              )
              insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluator,
                input, input_hash, evaluated_at, held_until, override, created_at, state, due_at, cv_evaluation_id,
                interview_evaluation_id)
              select r.id, r.organization_id, r.submission_id, 'holistic', r.attempt, r.result, r.evaluator, r.input,
                r.input_hash, ${at}, r.held_until, r.override, ${at}, 'done', null, r.cv_evaluation_id,
                r.interview_evaluation_id
              from read r
              on conflict (cv_evaluation_id, interview_evaluation_id) where cv_evaluation_id is not null do nothing
              returning id, submission_id, held_until`,
          )
          yield* unlessEmpty(made, sql`${Held.supersedeHolistic(sql, made)}`)
          return made.flatMap(({ held_until, id }) => (held_until === null ? [id] : []))
        }),
        /** Locks the submission against settlements. */
        newest: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submission: SubmissionId,
          type: EvaluationType,
        ) {
          yield* lock(organization, [submission])
          return first(
            yield* sql<NewestEvaluation>`
              select id, override, exists (select from submission b join candidate c on c.id = b.candidate_id
                where b.id = submission_id and c.erased_at is not null) as is_erased
              from evaluation where submission_id = ${submission}::uuid and organization_id = ${organization}::int
                and evaluation_type = ${type} and state = 'done'
              order by created_at desc, id desc limit 1`,
          )
        }),
        setOverride: (organization: OrganizationId, id: EvaluationId, override: Override | null) => sql`
            update evaluation set override = ${override === null ? null : JSON.stringify(override)}::text::jsonb
            where id = ${id}::uuid and organization_id = ${organization}::int`,
        /** Locks the submissions. */
        evaluable: Effect.fnUntraced(function* (
          organization: OrganizationId,
          submissions: ReadonlyArray<SubmissionId>,
        ) {
          const locked = (yield* lock(organization, submissions)).map(({ id }) => id)
          // a separate statement sees evaluations queued before the lock
          return yield* unlessEmpty(
            locked,
            sql<Evaluable>`
              select b.id as submission_id, array_remove(array[
                  case when exists (select from cv v where v.submission_id = b.id and v.state = 'read') then 'cv' end,
                  case when b.flow = 'interview' and b.status in ('completed', 'evaluated') and b.answers_deleted_at is null
                    then 'interview' end
                ], null) as types,
                exists (select from evaluation e where e.submission_id = b.id and e.state = 'queued') as is_queued, b.score_unused
              from submission b
              where b.id = any(${locked}::uuid[]) and b.organization_id = ${organization}::int order by b.id`,
          )
        }),
        /**
         * Submissions whose newest evaluation of a type failed in this period and is not queued. `limit` counts
         * evaluations. Locks the submissions.
         */
        unanswered: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { since, until }: { readonly since: Date; readonly until: Date },
          limit: number,
        ) {
          const found = sql`
            from evaluation e join submission b on b.id = e.submission_id
            where e.organization_id = ${organization}::int and e.state = 'done' and e.error is not null
              and e.evaluated_at between ${since}::timestamptz and ${until}::timestamptz and (e.evaluation_type = 'cv' or e.attempt = b.attempt)
              and coalesce(case e.evaluation_type when 'cv' then b.cv_deleted_at else b.answers_deleted_at end < e.created_at, true)
              and not exists (
                select from evaluation n where n.submission_id = e.submission_id and n.evaluation_type = e.evaluation_type
                  and (n.state = 'queued' or (n.created_at, n.id) > (e.created_at, e.id))
              )`
          const submissions = yield* sql<{ id: SubmissionId }>`
            select e.submission_id as id ${found} order by e.evaluated_at limit ${limit}::int`
          const ids = [...new Set(submissions.map(({ id }) => id))]
          if (ids.length === 0) return []
          yield* lock(organization, ids)
          return yield* sql<Pick<Evaluable, "submission_id" | "types">>`
            select e.submission_id, array_agg(e.evaluation_type order by e.evaluation_type) as types
            ${found} and e.submission_id = any(${ids}::uuid[]) group by e.submission_id order by e.submission_id`
        }),
        organizationOf: Effect.fnUntraced(function* (submission: SubmissionId) {
          return first(
            yield* sql<{ organization_id: OrganizationId }>`
              select organization_id from submission where id = ${submission}::uuid`,
          )?.organization_id
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
