/** What people do with evaluations: a score of their own beside them, and having them made again. */
import { Context, Effect, Layer } from "effect"
import type { EvaluationType } from "../domain/Evaluation.ts"
import type { EvaluationId, MemberId, OrganizationId, SubmissionId } from "../domain/Ids.ts"
import type { Override } from "../domain/Override.ts"
import { Database, first, unlessEmpty } from "./Database.ts"
import type { QueuedType } from "./EvaluationRepository.ts"

/** What of a submission can be evaluated, and whether an evaluation of it waits already. */
export interface Evaluable {
  readonly submission_id: SubmissionId
  readonly types: ReadonlyArray<QueuedType>
  readonly is_queued: boolean
}

export class ReviewRepository extends Context.Service<
  ReviewRepository,
  {
    /**
     * The newest finished evaluation of the type. Until the transaction around it ends, its submission's evaluations are
     * not settled, and nobody else changes what people said of them.
     */
    readonly newest: (
      organization: OrganizationId,
      submission: SubmissionId,
      type: EvaluationType,
    ) => Effect.Effect<{ readonly id: EvaluationId; readonly override: Override | null } | undefined>
    readonly setOverride: (
      organization: OrganizationId,
      id: EvaluationId,
      override: Override | null,
    ) => Effect.Effect<void>
    /** A member's name, else the address. */
    readonly memberName: (organization: OrganizationId, id: MemberId) => Effect.Effect<string | undefined>
    /** Of these submissions, those that there are; nobody else queues evaluations of them until the transaction ends. */
    readonly evaluable: (
      organization: OrganizationId,
      submissions: ReadonlyArray<SubmissionId>,
    ) => Effect.Effect<ReadonlyArray<Evaluable>>
    /**
     * Submissions whose newest evaluation of a type ended in that time without an answer of the evaluator, with those
     * types; at most `limit` evaluations. What is queued again already is not among them. Keeps others out as above.
     */
    readonly unanswered: (
      organization: OrganizationId,
      ended: { readonly since: Date; readonly until: Date },
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Pick<Evaluable, "submission_id" | "types">>>
    /** The organization of a submission: for commands, which name a submission and nothing else. */
    readonly organizationOf: (submission: SubmissionId) => Effect.Effect<OrganizationId | undefined>
  }
>()("interview-invitations/repository/ReviewRepository") {
  static readonly layer = Layer.effect(
    ReviewRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const lock = (organization: OrganizationId, submissions: ReadonlyArray<SubmissionId>) => sql<{
        id: SubmissionId
      }>`
        select id from submission where id = any(${[...submissions]}::uuid[]) and organization_id = ${organization}::int
        order by id for no key update`
      return ReviewRepository.of({
        newest: Effect.fnUntraced(function* (organization, submission, type) {
          yield* lock(organization, [submission])
          return first(
            yield* sql<{ id: EvaluationId; override: Override | null }>`
              select id, override from evaluation
              where submission_id = ${submission}::uuid and organization_id = ${organization}::int
                and evaluation_type = ${type} and state = 'done'
              order by created_at desc, id desc limit 1`,
          )
        }, Effect.orDie),
        setOverride: Effect.fnUntraced(function* (organization, id, override) {
          yield* sql`
            update evaluation set override = ${override === null ? null : JSON.stringify(override)}::text::jsonb
            where id = ${id}::uuid and organization_id = ${organization}::int`
        }, Effect.orDie),
        memberName: Effect.fnUntraced(function* (organization, id) {
          return first(
            yield* sql<{ name: string }>`
              select coalesce(nullif(trim(name), ''), email) as name from member
              where id = ${id}::uuid and organization_id = ${organization}::int`,
          )?.name
        }, Effect.orDie),
        evaluable: Effect.fnUntraced(function* (organization, submissions) {
          const locked = (yield* lock(organization, submissions)).map(({ id }) => id)
          // a statement of its own: it sees what was queued by whoever held them before
          return yield* unlessEmpty(
            locked,
            sql<Evaluable>`
              select b.id as submission_id, array_remove(array[
                  case when exists (select from cv v where v.submission_id = b.id and v.state = 'read') then 'cv' end,
                  case when b.flow = 'interview' and b.status in ('completed', 'evaluated') then 'interview' end
                ], null) as types,
                exists (select from evaluation e where e.submission_id = b.id and e.state = 'queued') as is_queued
              from submission b
              where b.id = any(${locked}::uuid[]) and b.organization_id = ${organization}::int order by b.id`,
          )
        }, Effect.orDie),
        unanswered: Effect.fnUntraced(function* (organization, { since, until }, limit) {
          const found = sql`
            from evaluation e join submission b on b.id = e.submission_id
            where e.organization_id = ${organization}::int and e.state = 'done' and e.error is not null
              and e.evaluated_at between ${since}::timestamptz and ${until}::timestamptz and (e.evaluation_type = 'cv' or e.attempt = b.attempt)
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
        }, Effect.orDie),
        organizationOf: Effect.fnUntraced(function* (submission) {
          return first(
            yield* sql<{ organization_id: OrganizationId }>`
              select organization_id from submission where id = ${submission}::uuid`,
          )?.organization_id
        }, Effect.orDie),
      })
    }),
  )
}
