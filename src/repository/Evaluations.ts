/** The queue of evaluations, their stored results, and events that wait for an improvement window to close. */
import { Context, type Duration, Effect, Layer } from "effect"
import type { EvaluationInput, EvaluationRequirement, EvaluationResult, EvaluationType } from "../domain/Evaluation.ts"
import type {
  AtsCandidateId,
  CandidateId,
  EvaluationId,
  EventId,
  InterviewSetId,
  InvitationId,
  OrganizationId,
  SubmissionId,
} from "../domain/Ids.ts"
import type { StoredOption } from "../domain/InterviewSet.ts"
import { Database, recordset } from "./Database.ts"
import * as Queue from "./Queue.ts"
import { languagesOf } from "./Refs.ts"
import { Wakeups } from "./Wakeups.ts"

/** Whom an evaluation's event is about. */
export interface EvaluationSubject {
  readonly organization_id: OrganizationId
  readonly submission_id: SubmissionId
  readonly interview_set_id: InterviewSetId
  readonly interview_name: string
  readonly candidate_id: CandidateId
  readonly candidate_email: string | null
  readonly ats_candidate_id: AtsCandidateId | null
  readonly invitation_id: InvitationId | null
}

/** An answer with its question, for the evaluator. */
export interface AnsweredQuestion {
  readonly question_id: string
  readonly question: string | null
  readonly options: ReadonlyArray<StoredOption>
  readonly content: string | null
  readonly option_ids: ReadonlyArray<string>
}

/** A claimed evaluation with everything that is evaluated. */
export interface EvaluationJob extends Queue.Claimed, EvaluationSubject {
  readonly id: EvaluationId
  readonly evaluation_type: EvaluationType
  readonly position: string | null
  /** BCP 47 tags of the set's known languages, in its order. */
  readonly languages: ReadonlyArray<string>
  readonly requirements: ReadonlyArray<EvaluationRequirement>
  readonly answers: ReadonlyArray<AnsweredQuestion>
  readonly cv_text: string | null
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

/** A finished evaluation whose event has come due. */
export interface HeldEvaluation extends EvaluationSubject {
  readonly id: EvaluationId
  readonly evaluation_type: EvaluationType
  readonly result: EvaluationResult
}

export class Evaluations extends Context.Service<
  Evaluations,
  {
    /** Queues the evaluation of a submission's current attempt. */
    readonly queue: (
      organization: OrganizationId,
      evaluation: {
        readonly id: EvaluationId
        readonly submissionId: SubmissionId
        readonly type: EvaluationType
      },
    ) => Effect.Effect<void>
    readonly claim: (claim: Queue.Claim) => Effect.Effect<ReadonlyArray<EvaluationJob>>
    /**
     * Stores results, in the transaction around it. While the candidate can improve, a result is held until the window
     * closes. Returns the evaluations that it really settled and whose event is due now: neither held, nor of an attempt
     * that another one has followed.
     */
    readonly settle: (settlements: ReadonlyArray<EvaluationSettlement>) => Effect.Effect<ReadonlyArray<EvaluationId>>
    /** The candidate begins another attempt: what waits to be told of the attempts before never is. */
    readonly supersede: (organization: OrganizationId, submission: SubmissionId) => Effect.Effect<void>
    /** The candidate can improve no more: what is held is due. */
    readonly unhold: (organization: OrganizationId, submission: SubmissionId) => Effect.Effect<void>
    readonly release: (claims: ReadonlyArray<Queue.Claimed>, after: Duration.Duration) => Effect.Effect<void>
    /** Locks, for the transaction around it, up to `limit` held evaluations that are due; pods get different ones. */
    readonly claimHeld: (limit: number) => Effect.Effect<ReadonlyArray<HeldEvaluation>>
    /**
     * Notes which event reported each evaluation. With that its submission is evaluated: while a candidate can still
     * improve, or only the CV of one who is interviewed was rated, it is not.
     */
    readonly markReported: (
      reported: ReadonlyArray<{ readonly id: EvaluationId; readonly event_id: EventId }>,
    ) => Effect.Effect<void>
  }
>()("interview-invitations/repository/Evaluations") {
  static readonly layer = Layer.effect(
    Evaluations,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* Wakeups
      // of an evaluation `e`: its submission `b`, set `s`, candidate `c`
      const subject = sql.literal(
        `e.organization_id, b.id as submission_id, b.interview_set_id, s.title as interview_name, b.candidate_id,
         c.email as candidate_email, c.ats_candidate_id,
         (select i.id from invitation i where i.submission_id = b.id order by i.created_at desc, i.id desc limit 1) as invitation_id`,
      )
      const joins = sql.literal(
        `join submission b on b.id = e.submission_id join interview_set s on s.id = b.interview_set_id
         join candidate c on c.id = b.candidate_id`,
      )
      // those that are being sent in this instant are due already
      const held = (organization: OrganizationId, submission: SubmissionId) => sql`
        select id from evaluation where submission_id = ${submission}::uuid and organization_id = ${organization}::int
          and state = 'done' and event_id is null and held_until is not null for update skip locked`
      return Evaluations.of({
        queue: Effect.fnUntraced(function* (organization, { id, submissionId, type }) {
          const at = yield* now
          yield* sql`
            insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, created_at, due_at)
            select ${id}::uuid, organization_id, id, ${type}, attempt, ${at}, ${at} from submission
            where id = ${submissionId}::uuid and organization_id = ${organization}::int`
          yield* wake("evaluation")
        }, Effect.orDie),
        claim: Effect.fnUntraced(function* (claim) {
          const at = yield* now
          return yield* sql<EvaluationJob>`
            with e as (${Queue.claim(sql, "evaluation", claim, at)})
            select e.id, e.claim_id, e.attempts, e.evaluation_type, ${subject}, s.position,
              ${languagesOf(sql)},
              coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'title', r.title, 'content', r.content,
                  'hint', r.hint, 'cfg_importance_id', r.cfg_importance_id) order by r.ordinal)
                from requirement r where r.interview_set_id = s.id), '[]') as requirements,
              coalesce((select jsonb_agg(jsonb_build_object('question_id', q.id,
                  'question', nullif(concat_ws(' ', q.title, q.content), ''), 'options', q.options,
                  'content', a.content, 'option_ids', to_jsonb(a.option_ids)) order by q.ordinal)
                from answer a join question q on q.id = a.question_id
                where a.submission_id = b.id and a.attempt = e.attempt and e.evaluation_type <> 'cv'), '[]') as answers,
              (select v.text from cv v where v.submission_id = b.id and v.state = 'read' and e.evaluation_type <> 'interview'
               order by v.created_at desc limit 1) as cv_text
            from e ${joins} order by e.created_at, e.id`
        }, Effect.orDie),
        settle: Effect.fnUntraced(function* (settlements) {
          const at = yield* now
          // a window that closes in this instant closes before or after: what it finds held is then all that is held
          yield* sql`
            select b.id from submission b
            where b.id in (select submission_id from evaluation where id = any(${settlements.map(({ id }) => id)}::uuid[]))
            order by b.id for no key update`
          const rows = yield* sql<{ id: EvaluationId }>`
            with settled as (${Queue.settle(sql, "evaluation", settlements, at, {
              columns: "result jsonb, evaluator text, model text, input jsonb, raw jsonb, error text",
              set: sql`result = r.result, evaluator = r.evaluator, model = r.model, input = r.input, raw = r.raw,
                error = r.error, held_until = case when r.state = 'done' and q.evaluation_type <> 'cv' then (
                  select b.improvement_until from submission b
                  where b.id = q.submission_id and b.attempt = q.attempt and b.improvement_until > ${at}) end,
                input_hash = sha256(convert_to(r.input::text, 'UTF8')),
                evaluated_at = case when r.state = 'done' then ${at} end`,
            })})
            select e.id from settled e join submission b on b.id = e.submission_id
            where e.state = 'done' and e.held_until is null and (e.evaluation_type = 'cv' or b.attempt = e.attempt)`
          return rows.map(({ id }) => id)
        }, Effect.orDie),
        release: Effect.fnUntraced(function* (claims, after) {
          yield* Queue.release(sql, "evaluation", claims, after, yield* now)
        }, Effect.orDie),
        supersede: Effect.fnUntraced(function* (organization, submission) {
          yield* sql`update evaluation set held_until = null where id = any(array(${held(organization, submission)}))`
        }, Effect.orDie),
        unhold: Effect.fnUntraced(function* (organization, submission) {
          yield* sql`
            update evaluation set held_until = ${yield* now} where id = any(array(${held(organization, submission)}))`
        }, Effect.orDie),
        claimHeld: Effect.fnUntraced(function* (limit) {
          return yield* sql<HeldEvaluation>`
            select e.id, e.evaluation_type, e.result, ${subject} from evaluation e ${joins}
            where e.state = 'done' and e.event_id is null and e.held_until <= ${yield* now}
            order by e.held_until limit ${limit}::int for update of e skip locked`
        }, Effect.orDie),
        markReported: Effect.fnUntraced(function* (reported) {
          yield* sql`
            with reported as (
              update evaluation e set event_id = r.event_id from ${recordset(sql, reported, "id uuid, event_id uuid")}
              where e.id = r.id returning e.submission_id, e.evaluation_type
            )
            update submission b set status = 'evaluated' from reported
            where b.id = reported.submission_id and b.status =
              case when b.flow = 'cv' then 'cv_processing' when reported.evaluation_type <> 'cv' then 'completed' end`
        }, Effect.orDie),
      })
    }),
  )
}
