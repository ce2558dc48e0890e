/** Evaluations that combine one of the CV with one of the interview: which are missing, and storing them. */
import { Context, Effect, Layer } from "effect"
import type { EvaluationResult } from "../domain/Evaluation.ts"
import type { EvaluationId, SubmissionId } from "../domain/Ids.ts"
import { Database, recordset, unlessEmpty } from "./Database.ts"
import { type EvaluationSubject, subjectJoins, subjectOf } from "./EvaluationRepository.ts"

/** What a submission has of both, and nobody has combined yet. */
export interface Pair extends EvaluationSubject {
  readonly cv: EvaluationResult
  readonly interview: EvaluationResult
  readonly cv_evaluation_id: EvaluationId
  readonly interview_evaluation_id: EvaluationId
  /** SHA-256 of what each was made of, hexadecimal. */
  readonly cv_input_hash: string | null
  readonly interview_input_hash: string | null
}

export interface NewHolistic extends Pick<Pair, "cv_evaluation_id" | "interview_evaluation_id"> {
  readonly id: EvaluationId
  readonly result: EvaluationResult
  readonly evaluator: string
  readonly input: object
}

export class HolisticEvaluationRepository extends Context.Service<
  HolisticEvaluationRepository,
  {
    /**
     * For each of these submissions the newest evaluation of the CV with the newest of its current attempt, unless they
     * are combined already. Called in a transaction that holds the submissions, so that it sees all that has ended.
     */
    readonly missing: (submissions: ReadonlyArray<SubmissionId>) => Effect.Effect<ReadonlyArray<Pair>>
    /**
     * Stores them; those of older pairs that wait to be told never are. Each is held for as long as its interview's
     * evaluation is. Returns those whose event is due now.
     */
    readonly insert: (evaluations: ReadonlyArray<NewHolistic>) => Effect.Effect<ReadonlyArray<EvaluationId>>
  }
>()("interview-invitations/repository/HolisticEvaluationRepository") {
  static readonly layer = Layer.effect(
    HolisticEvaluationRepository,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      const columns = sql.literal("n.id, n.organization_id, n.submission_id, n.result, n.input, n.input_hash")
      return HolisticEvaluationRepository.of({
        missing: Effect.fnUntraced(function* (submissions) {
          return yield* unlessEmpty(
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
          )
        }, Effect.orDie),
        insert: Effect.fnUntraced(function* (evaluations) {
          const at = yield* now
          const rows = yield* unlessEmpty(
            evaluations,
            sql<{ id: EvaluationId }>`
              with made as (
                insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluator,
                  input, input_hash, evaluated_at, held_until, override, created_at, state, due_at, cv_evaluation_id,
                  interview_evaluation_id)
                select r.id, i.organization_id, i.submission_id, 'holistic', i.attempt, r.result, r.evaluator, r.input,
                  sha256(convert_to(r.input::text, 'UTF8')), ${at}, case when i.event_id is null then i.held_until end, (
                    -- of the same texts the person who scored them says the same
                    select p.override from evaluation p
                    where p.submission_id = i.submission_id and p.evaluation_type = 'holistic'
                      and p.input_hash = sha256(convert_to(r.input::text, 'UTF8'))
                    order by p.created_at desc, p.id desc limit 1
                  ), ${at}, 'done', null, r.cv_evaluation_id, i.id
                from ${recordset(
                  sql,
                  evaluations,
                  "id uuid, result jsonb, evaluator text, input jsonb, cv_evaluation_id uuid, interview_evaluation_id uuid",
                )} join evaluation i on i.id = r.interview_evaluation_id
                on conflict (cv_evaluation_id, interview_evaluation_id) where cv_evaluation_id is not null do nothing
                returning id, submission_id, held_until
              ), superseded as (
                update evaluation o set held_until = null from made
                where o.submission_id = made.submission_id and o.evaluation_type = 'holistic' and o.state = 'done'
                  and o.event_id is null and o.held_until is not null
              )
              select id from made where held_until is null`,
          )
          return rows.map(({ id }) => id)
        }, Effect.orDie),
      })
    }),
  )
}
