/** Interview sets with their questions, requirements and accesses. */
import { Context, Effect, Layer } from "effect"
import type { InterviewSetId, OrganizationId, ProjectId } from "../domain/Ids.ts"
import type { InterviewSet, InterviewSetSummary, Question, SetType } from "../domain/InterviewSet.ts"
import type { PageRequest } from "../domain/Page.ts"
import { Database, first, recordset } from "./Database.ts"
import { iso, type Positioned, paging, when } from "./Paging.ts"
import { insertAccesses, insertQuestions, insertRequirements } from "./SetParts.ts"

/** What an invitation needs to know of a set. */
export interface InterviewSetRow {
  readonly id: InterviewSetId
  readonly title: string
  readonly set_type: SetType
  readonly project_id: ProjectId | null
}

/** Which sets are listed; what is left out does not matter. */
export interface InterviewSetFilter {
  readonly project_id?: string | null | undefined
  readonly set_type?: SetType | null | undefined
}

/** A line of the list. `position` is where it stands there; the set's own position is its `role`. */
export type ListedSet = Positioned<Omit<InterviewSetSummary, "position">> & {
  readonly role: InterviewSetSummary["position"]
}

export class InterviewSets extends Context.Service<
  InterviewSets,
  {
    /** Stores the set and everything in it with one statement. */
    readonly insert: (organization: OrganizationId, set: InterviewSet) => Effect.Effect<void>
    readonly find: (organization: OrganizationId, id: InterviewSetId) => Effect.Effect<InterviewSet | undefined>
    /** The questions of a set, in the order of the set; none for an unknown or deleted set. */
    readonly questions: (organization: OrganizationId, id: InterviewSetId) => Effect.Effect<ReadonlyArray<Question>>
    readonly findByTitle: (organization: OrganizationId, title: string) => Effect.Effect<InterviewSetId | undefined>
    /** One set more than asked, if there is one (domain/Page.ts). */
    readonly list: (
      organization: OrganizationId,
      filter: InterviewSetFilter,
      page: PageRequest,
    ) => Effect.Effect<ReadonlyArray<ListedSet>>
  }
>()("interview-invitations/repository/InterviewSets") {
  static readonly layer = Layer.effect(
    InterviewSets,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      return InterviewSets.of({
        insert: Effect.fnUntraced(function* (organization, set) {
          yield* sql`
            with stored as (
              insert into interview_set (id, organization_id, project_id, title, position, set_type, description,
                interview_duration, cfg_lingual_ids, number_of_retakes, priority, created_at)
              select r.*, ${yield* now} from ${recordset(
                sql,
                [{ ...set, organization_id: organization, project_id: set.com_project_id }],
                `id uuid, organization_id int, project_id uuid, title text, position text, set_type int, description text,
                 interview_duration int, cfg_lingual_ids int[], number_of_retakes int, priority int`,
              )}
            ), questions as (${insertQuestions(sql, organization, set)}
            ), requirements as (${insertRequirements(sql, organization, set)})
            ${insertAccesses(sql, organization, set)}`
        }, Effect.orDie),
        find: Effect.fnUntraced(function* (organization, id) {
          return first(
            yield* sql<InterviewSet>`
              select s.id, s.title, s.position, s.set_type, s.description, s.interview_duration, s.cfg_lingual_ids,
                s.number_of_retakes, s.priority, s.project_id as com_project_id,
                coalesce((select jsonb_agg(to_jsonb(q) - 'ordinal' order by q.ordinal) from (
                  select id, ordinal, title, content, hint, details, cfg_question_mode_id, cfg_question_type_id, priority,
                    options, attributes from question where interview_set_id = s.id) q), '[]') as iai_questions,
                coalesce((select jsonb_agg(to_jsonb(q) - 'ordinal' order by q.ordinal) from (
                  select id, ordinal, title, content, hint, cfg_importance_id, tal_skill_ids, priority, attributes
                  from requirement where interview_set_id = s.id) q), '[]') as iai_requirements,
                coalesce((select jsonb_agg(to_jsonb(q) - 'ordinal' order by q.ordinal) from (
                  select id, ordinal, email, fullname, firstname, lastname, priority, attributes
                  from set_access where interview_set_id = s.id) q), '[]') as com_accesses
              from interview_set s
              where s.id = ${id}::uuid and s.organization_id = ${organization}::int and s.deleted_at is null`,
          )
        }, Effect.orDie),
        questions: Effect.fnUntraced(function* (organization, id) {
          return yield* sql<Question>`
            select q.id, q.title, q.content, q.hint, q.details, q.cfg_question_mode_id, q.cfg_question_type_id, q.priority,
              q.options, q.attributes
            from question q join interview_set s on s.id = q.interview_set_id
            where s.id = ${id}::uuid and s.organization_id = ${organization}::int and s.deleted_at is null
            order by q.ordinal`
        }, Effect.orDie),
        findByTitle: Effect.fnUntraced(function* (organization, title) {
          return first(
            yield* sql<{ id: InterviewSetId }>`
              select id from interview_set
              where organization_id = ${organization}::int and title = ${title} and deleted_at is null
              order by created_at limit 1`,
          )?.id
        }, Effect.orDie),
        list: Effect.fnUntraced(function* (organization, { project_id, set_type }, page) {
          const { behind, newestFirst, position } = paging(sql, "s", page)
          return yield* sql<ListedSet>`
            select s.id, s.title, s.position as role, s.set_type, s.description, s.interview_duration, s.number_of_retakes,
              s.priority, s.project_id as com_project_id, ${iso(sql, "s.archived_at")} as archived_at,
              ${iso(sql, "s.created_at")} as created_at, ${position}
            from interview_set s
            where s.organization_id = ${organization}::int and s.deleted_at is null and ${behind}
              and ${when(sql, project_id, (project) => sql`s.project_id = ${project}::uuid`)}
              and ${when(sql, set_type, (type) => sql`s.set_type = ${type}::int`)} ${newestFirst}`
        }, Effect.orDie),
      })
    }),
  )
}
