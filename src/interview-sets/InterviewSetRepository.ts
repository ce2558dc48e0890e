import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Reader } from "../accounts/Viewer.ts"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first, recordset } from "../platform/database/Database.ts"
import { iso, type Positioned, paging, when } from "../platform/database/Paging.ts"
import type { Sql } from "../platform/database/Sql.ts"
import { hasWords } from "../platform/database/WordSearch.ts"
import type { PageRequest } from "../values/Cursor.ts"
import type { InterviewSetId, OrganizationId } from "../values/Ids.ts"
import type { InterviewSet, InterviewSetDetail, InterviewSetSummary, Question, SetType } from "./InterviewSet.ts"
import { isReadable } from "./InterviewSetSql.ts"

export interface InterviewSetFilter {
  readonly project_id?: string | null | undefined
  readonly set_type?: SetType | null | undefined
  readonly external_id?: string | null | undefined
  readonly updated_since?: string | null | undefined
}

/** `position`: in the list; `role`: the set's field `position`. */
export type ListedSet = Positioned<Omit<InterviewSetSummary, "position">> & {
  readonly role: InterviewSetSummary["position"]
}

export interface SetLine {
  readonly id: InterviewSetId
  readonly title: string
  readonly role: string | null
  readonly set_type: number
  readonly created_at: string
  readonly archived_at: string | null
  readonly questions: number
  readonly requirements: number
  readonly project: string | null
}

export interface SetSearchFilter {
  /** Prefixes of words, all in the title or the role. */
  readonly words: ReadonlyArray<string>
  readonly archived: boolean
  readonly reader: Reader | undefined
}

/** `version` changes with each save. */
export type SetMoments = Pick<InterviewSetDetail, "version" | "archived_at" | "created_at" | "updated_at">

export interface SetStanding extends SetMoments {
  readonly readable: boolean
  readonly used: boolean
  /** Questions and requirements can no longer change: a candidate has started, or a CV is evaluated or queued. */
  readonly is_fixed: boolean
  readonly project: string | null
}

/** `tag` is BCP 47. */
export interface SpokenLanguage {
  readonly id: number
  readonly tag: string
  readonly name: string
}

export interface OfferedLanguage extends SpokenLanguage {
  /** The evaluator reads its texts. */
  readonly isRead: boolean
}

/** Number of newest sets that are searched without the index. */
const searchWindow = 1000

const ordinals = <A extends object>(items: ReadonlyArray<A>) => items.map((item, ordinal) => ({ ...item, ordinal }))

const insertQuestions = (sql: Sql, organization: OrganizationId, set: InterviewSet) => sql`
  insert into question (id, organization_id, interview_set_id, ordinal, title, content, hint, details,
    cfg_question_mode_id, cfg_question_type_id, priority, options, allowed_file_types, attributes)
  select r.id, ${organization}::int, ${set.id}::uuid, r.ordinal, r.title, r.content, r.hint, r.details,
    r.cfg_question_mode_id, r.cfg_question_type_id, r.priority, r.options, r.allowed_file_types, r.attributes
  from ${recordset(
    sql,
    ordinals(set.iai_questions),
    `id uuid, ordinal int, title text, content text, hint text, details text, cfg_question_mode_id int,
     cfg_question_type_id int, priority int, options jsonb, allowed_file_types text[], attributes jsonb`,
  )}`

const insertRequirements = (sql: Sql, organization: OrganizationId, set: InterviewSet) => sql`
  insert into requirement (id, organization_id, interview_set_id, ordinal, title, content, hint,
    cfg_importance_id, tal_skill_ids, priority, attributes)
  select r.id, ${organization}::int, ${set.id}::uuid, r.ordinal, r.title, r.content, r.hint,
    r.cfg_importance_id, r.tal_skill_ids, r.priority, r.attributes
  from ${recordset(
    sql,
    ordinals(set.iai_requirements),
    `id uuid, ordinal int, title text, content text, hint text, cfg_importance_id int, tal_skill_ids int[],
     priority int, attributes jsonb`,
  )}`

const insertAccesses = (sql: Sql, organization: OrganizationId, set: InterviewSet) => sql`
  insert into set_access (id, organization_id, interview_set_id, ordinal, email, fullname, firstname, lastname,
    priority, attributes)
  select r.id, ${organization}::int, ${set.id}::uuid, r.ordinal, r.email, r.fullname, r.firstname, r.lastname,
    r.priority, r.attributes
  from ${recordset(
    sql,
    ordinals(set.com_accesses),
    `id uuid, ordinal int, email text, fullname text, firstname text, lastname text, priority int, attributes jsonb`,
  )}`

export interface SetChoice {
  readonly id: InterviewSetId
  readonly title: string
  readonly set_type: SetType
}

export interface OfferedSet {
  readonly id: InterviewSetId
  readonly title: string
  /** Empty: it has none. At most 2,000 characters. */
  readonly description: string
}

export class InterviewSetRepository extends Context.Service<InterviewSetRepository>()(
  "interview-invitations/interview-sets/InterviewSetRepository",
  {
    make: Effect.gen(function* () {
      const { nameInSchema, now, sql } = yield* Database
      // with a join the planner reads all submissions of the set
      const waits = (queue: "cv" | "evaluation") => sql`
        exists (select from ${sql(queue)} q where q.due_at is not null and q.organization_id = s.organization_id
          and (select b.interview_set_id from submission b where b.id = q.submission_id) = s.id)`
      const moments = sql`extract(epoch from s.updated_at)::text as version, ${iso(sql, "s.archived_at")} as archived_at,
        ${iso(sql, "s.created_at")} as created_at, ${iso(sql, "s.updated_at")} as updated_at`
      return {
        insert: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSet) {
          const stored = yield* sql<SetMoments>`
            with stored as (
              insert into interview_set (id, organization_id, project_id, title, position, set_type, description,
                interview_duration, cfg_lingual_ids, number_of_retakes, priority, job_locations, external_id, metadata, created_at)
              select r.*, ${yield* now} from ${recordset(
                sql,
                [{ ...set, organization_id: organization, project_id: set.com_project_id }],
                `id uuid, organization_id int, project_id uuid, title text, position text, set_type int, description text,
                 interview_duration int, cfg_lingual_ids int[], number_of_retakes int, priority int, job_locations jsonb, external_id text, metadata jsonb`,
              )}
              returning *
            ), questions as (${insertQuestions(sql, organization, set)}
            ), requirements as (${insertRequirements(sql, organization, set)}
            ), accesses as (${insertAccesses(sql, organization, set)})
            select ${moments} from stored s`
          return first(stored) ?? (yield* Effect.die(new Error("the interview set was not stored")))
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: InterviewSetId) {
          return first(
            yield* sql<InterviewSet>`
              select s.id, s.title, s.position, s.set_type, s.description, s.interview_duration, s.cfg_lingual_ids,
                s.number_of_retakes, s.priority, s.job_locations, s.project_id as com_project_id, s.external_id, s.metadata,
                coalesce((select jsonb_agg(to_jsonb(q) - 'ordinal' order by q.ordinal) from (
                  select id, ordinal, title, content, hint, details, cfg_question_mode_id, cfg_question_type_id, priority,
                    options, allowed_file_types, attributes from question where interview_set_id = s.id) q), '[]') as iai_questions,
                coalesce((select jsonb_agg(to_jsonb(q) - 'ordinal' order by q.ordinal) from (
                  select id, ordinal, title, content, hint, cfg_importance_id, tal_skill_ids, priority, attributes
                  from requirement where interview_set_id = s.id) q), '[]') as iai_requirements,
                coalesce((select jsonb_agg(to_jsonb(q) - 'ordinal' order by q.ordinal) from (
                  select id, ordinal, email, fullname, firstname, lastname, priority, attributes
                  from set_access where interview_set_id = s.id) q), '[]') as com_accesses
              from interview_set s
              where s.id = ${id}::uuid and s.organization_id = ${organization}::int and s.deleted_at is null`,
          )
        }),
        /** In the order of the request. */
        questions: Effect.fnUntraced(function* (organization: OrganizationId, id: InterviewSetId) {
          return yield* sql<Question>`
            select q.id, q.title, q.content, q.hint, q.details, q.cfg_question_mode_id, q.cfg_question_type_id, q.priority,
              q.options, q.allowed_file_types, q.attributes
            from question q join interview_set s on s.id = q.interview_set_id
            where s.id = ${id}::uuid and s.organization_id = ${organization}::int and s.deleted_at is null
            order by q.ordinal`
        }),
        findByTitle: Effect.fnUntraced(function* (organization: OrganizationId, title: string) {
          return first(
            yield* sql<{ id: InterviewSetId }>`
              select id from interview_set
              where organization_id = ${organization}::int and title = ${title} and deleted_at is null
              order by created_at limit 1`,
          )?.id
        }),
        /** A page (values/Cursor.ts), newest first. */
        list: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { external_id, project_id, set_type, updated_since }: InterviewSetFilter,
          page: PageRequest,
        ) {
          const { behind, newestFirst, position } = paging(sql, "s", page)
          return yield* sql<ListedSet>`
            select s.id, s.title, s.position as role, s.set_type, s.description, s.interview_duration, s.cfg_lingual_ids,
              s.number_of_retakes, s.priority, s.job_locations, s.project_id as com_project_id, s.external_id, s.metadata,
              ${moments}, ${position}
            from interview_set s
            where s.organization_id = ${organization}::int and s.deleted_at is null and ${behind}
              and ${when(sql, project_id, (project) => sql`s.project_id = ${project}::uuid`)}
              and ${when(sql, updated_since, (at) => sql`s.updated_at >= ${at}::timestamptz`)}
              and ${when(sql, external_id, (id) => sql`s.external_id = ${id}`)}
              and ${when(sql, set_type, (type) => sql`s.set_type = ${type}::int`)} ${newestFirst}`
        }),
        search: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { archived, reader, words }: SetSearchFilter,
          page: PageRequest,
        ) {
          const { behind, newestFirst, position } = paging(sql, "s", page)
          const live = sql`s.organization_id = ${organization}::int and s.deleted_at is null
            and s.archived_at is ${sql.literal(archived ? "not null" : "null")}`
          const among = sql`interview_set s where ${live} and ${behind} and ${isReadable(sql, organization, reader, "s.id")}`
          const lines = (found: Statement.Fragment) => sql<Positioned<SetLine>>`
            select s.id, s.title, s.position as role, s.set_type, ${iso(sql, "s.created_at")} as created_at,
              ${iso(sql, "s.archived_at")} as archived_at, p.name as project,
              (select count(*)::int from question q where q.interview_set_id = s.id) as questions,
              (select count(*)::int from requirement r where r.interview_set_id = s.id) as requirements, ${position}
            from (${found}) s left join project p on p.id = s.project_id ${newestFirst}`
          if (words.length === 0) return yield* lines(sql`select * from ${among} ${newestFirst}`)
          // Frequent words are among the newest sets, rare ones need the index. The planner cannot tell them apart, and
          // reads all sets for a word that none has.
          const newest = sql`select * from ${among} order by s.created_at desc, s.id desc limit ${searchWindow}::int`
          const recent = yield* lines(sql`select * from (${newest}) s where ${hasWords(sql, words)} ${newestFirst}`)
          if (recent.length > page.limit) return recent
          return yield* lines(sql`select * from ${among} and s.id = any(array(
            select s.id from interview_set s where ${live} and ${hasWords(sql, words)})) ${newestFirst}`)
        }),
        /** Newest first, without archived sets. */
        choices: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined, limit: number) {
          return yield* sql<SetChoice>`
            select s.id, left(s.title, 100) as title, s.set_type from interview_set s
            where s.organization_id = ${organization}::int and s.deleted_at is null and s.archived_at is null
              and ${isReadable(sql, organization, reader, "s.id")}
            order by s.created_at desc, s.id desc limit ${limit}::int`
        }),
        /** All sets with an interview that are not archived, newest first. */
        offered: Effect.fnUntraced(function* (organization: OrganizationId) {
          return yield* sql<OfferedSet>`
            select s.id, s.title, coalesce(left(s.description, 2000), '') as description from interview_set s
            where s.organization_id = ${organization}::int and s.deleted_at is null and s.archived_at is null and s.set_type = 1
            order by s.created_at desc, s.id desc`
        }),
        standing: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: InterviewSetId,
          reader: Reader | undefined,
        ) {
          return first(
            yield* sql<SetStanding>`
              select ${moments},
                ${isReadable(sql, organization, reader, "s.id")} as readable, p.name as project,
                exists (select from submission b where b.interview_set_id = s.id) as used,
                exists (select from submission b where b.interview_set_id = s.id
                  and (b.started_at is not null or b.flow = 'cv'))
                  or exists (select from submission_score k where k.interview_set_id = s.id)
                  -- a CV is queued, then its evaluation, then it has a score, without a gap
                  or ${waits("cv")} or ${waits("evaluation")} as is_fixed
              from interview_set s left join project p on p.id = s.project_id
              where s.id = ${id}::uuid and s.organization_id = ${organization}::int and s.deleted_at is null`,
          )
        }),
        /** In any organization. */
        isTaken: Effect.fnUntraced(function* (id: InterviewSetId) {
          return (yield* sql`select from interview_set where id = ${id}::uuid`).length > 0
        }),
        /** Blocks invites and set changes of the organization, and starts of this interview, until the transaction ends. */
        lock: Effect.fnUntraced(function* (organization: OrganizationId, id: InterviewSetId) {
          // the lock of invites (InviteRepository.begin)
          yield* sql`
            select ${AdvisoryLocks.lock({ nameInSchema, sql }, "candidate", organization)} from organization
            where id = ${organization}::int`
          yield* sql`
            select id from submission where interview_set_id = ${id}::uuid and organization_id = ${organization}::int
              and status in ('need_interview', 'initiated') order by id for no key update`
        }),
        replace: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSet, isFixed: boolean) {
          const own = sql`interview_set_id = ${set.id}::uuid and organization_id = ${organization}::int`
          yield* sql`
            update interview_set set title = ${set.title}, position = ${set.position}, description = ${set.description},
              set_type = ${set.set_type}::int, interview_duration = ${set.interview_duration}::int,
              cfg_lingual_ids = ${[...set.cfg_lingual_ids]}::int[], number_of_retakes = ${set.number_of_retakes}::int,
              priority = ${set.priority}::int, job_locations = ${JSON.stringify(set.job_locations)}::text::jsonb, project_id = ${set.com_project_id}::uuid,
              external_id = ${set.external_id}, metadata = ${JSON.stringify(set.metadata)}::text::jsonb,
              -- also for changes of other tables
              updated_at = statement_timestamp()
            where id = ${set.id}::uuid and organization_id = ${organization}::int`
          yield* sql`delete from set_access where ${own}`
          yield* insertAccesses(sql, organization, set)
          if (isFixed) return
          yield* sql`delete from question where ${own}`
          yield* sql`delete from requirement where ${own}`
          yield* insertQuestions(sql, organization, set)
          yield* insertRequirements(sql, organization, set)
        }),
        /** False when nothing changed. */
        archive: Effect.fnUntraced(function* (organization: OrganizationId, id: InterviewSetId, archived: boolean) {
          const rows = yield* sql`
            update interview_set set archived_at = ${archived ? yield* now : sql`null`}
            where id = ${id}::uuid and organization_id = ${organization}::int and deleted_at is null
              and (archived_at is null) = ${archived}::bool
            returning id`
          return rows.length > 0
        }),
        languages: sql<SpokenLanguage>`select id, tag, name from language order by id`,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
