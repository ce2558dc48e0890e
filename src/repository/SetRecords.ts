/** Interview sets as members look for them and change them: searched, replaced, archived. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { InterviewSetId, OrganizationId } from "../domain/Ids.ts"
import type { InterviewSet } from "../domain/InterviewSet.ts"
import type { PageRequest } from "../domain/Page.ts"
import { Database, first } from "./Database.ts"
import { iso, type Positioned, paging, when } from "./Paging.ts"
import { insertAccesses, insertQuestions, insertRequirements } from "./SetParts.ts"
import { hasWords } from "./Words.ts"

/** A line of the list. `role` is the position that is hired for. */
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

/** A language that interviews can be held in; `tag` is BCP 47. */
export interface SpokenLanguage {
  readonly id: number
  readonly tag: string
  readonly name: string
}

export interface SetFilter {
  /** Beginnings of words, each of which the title or the role has. */
  readonly words: ReadonlyArray<string>
  readonly archived: boolean
  /** Only those whose access list has this address. */
  readonly reader: string | undefined
}

/** How far a set is used. */
export interface SetStanding {
  readonly archived_at: string | null
  readonly created_at: string
  /** Whether the reader is on its access list; true when no reader was named. */
  readonly readable: boolean
  /** Somebody was invited, or sent a CV. */
  readonly used: boolean
  /** Somebody has started, or a CV is rated. */
  readonly rated: boolean
  readonly project: string | null
}

/** So many of the newest sets are looked at before the index of words is asked. */
const window = 1000

export class SetRecords extends Context.Service<
  SetRecords,
  {
    /** One set more than asked, if there is one (domain/Page.ts). */
    readonly list: (
      organization: OrganizationId,
      filter: SetFilter,
      page: PageRequest,
    ) => Effect.Effect<ReadonlyArray<Positioned<SetLine>>>
    /** The newest sets in use, for a choice. */
    readonly choices: (
      organization: OrganizationId,
      reader: string | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<{ readonly id: InterviewSetId; readonly title: string }>>
    readonly standing: (
      organization: OrganizationId,
      id: InterviewSetId,
      reader: string | undefined,
    ) => Effect.Effect<SetStanding | undefined>
    /** True of an id that a set has, whosever it is. */
    readonly isTaken: (id: InterviewSetId) => Effect.Effect<boolean>
    /**
     * Until the transaction ends, nobody is invited by the organization, no set of it is changed by anybody else, and nobody
     * starts this interview.
     */
    readonly hold: (organization: OrganizationId, id: InterviewSetId) => Effect.Effect<void>
    /** Writes what the set is to be; its questions and requirements only when nobody is rated by them. Needs `hold`. */
    readonly replace: (organization: OrganizationId, set: InterviewSet, rated: boolean) => Effect.Effect<void>
    /** True when that changed it. */
    readonly archive: (organization: OrganizationId, id: InterviewSetId, archived: boolean) => Effect.Effect<boolean>
    /** All languages that interviews can be held in. */
    readonly languages: Effect.Effect<ReadonlyArray<SpokenLanguage>>
  }
>()("interview-invitations/repository/SetRecords") {
  static readonly layer = Layer.effect(
    SetRecords,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      const readBy = (reader: string | undefined) =>
        when(
          sql,
          reader,
          (email) =>
            sql`exists (select from set_access a where a.interview_set_id = s.id and lower(a.email) = lower(${email}))`,
        )
      const ofReader = (organization: OrganizationId, reader: string | undefined) =>
        when(
          sql,
          reader,
          (email) => sql`s.id = any(array(select a.interview_set_id from set_access a
            where a.organization_id = ${organization}::int and lower(a.email) = lower(${email})))`,
        )
      // one by one: a planner that joins the queue to the submissions of the set `s` reads all of those
      const waits = (queue: "cv" | "evaluation") => sql`
        exists (select from ${sql(queue)} q where q.due_at is not null and q.organization_id = s.organization_id
          and (select b.interview_set_id from submission b where b.id = q.submission_id) = s.id)`
      return SetRecords.of({
        list: Effect.fnUntraced(function* (organization, { archived, reader, words }, page) {
          const { behind, newestFirst, position } = paging(sql, "s", page)
          const live = sql`s.organization_id = ${organization}::int and s.deleted_at is null
            and s.archived_at is ${sql.literal(archived ? "not null" : "null")}`
          const among = sql`interview_set s where ${live} and ${behind} and ${ofReader(organization, reader)}`
          const lines = (found: Statement.Fragment) => sql<Positioned<SetLine>>`
            select s.id, s.title, s.position as role, s.set_type, ${iso(sql, "s.created_at")} as created_at,
              ${iso(sql, "s.archived_at")} as archived_at, p.name as project,
              (select count(*)::int from question q where q.interview_set_id = s.id) as questions,
              (select count(*)::int from requirement r where r.interview_set_id = s.id) as requirements, ${position}
            from (${found}) s left join project p on p.id = s.project_id ${newestFirst}`
          if (words.length === 0) return yield* lines(sql`select * from ${among} ${newestFirst}`)
          // What is found often is found among the newest, what is not by the index of words: the planner can not tell
          // which it is, and would walk through all sets for a word that none has.
          const newest = sql`select * from ${among} order by s.created_at desc, s.id desc limit ${window}::int`
          const recent = yield* lines(sql`select * from (${newest}) s where ${hasWords(sql, words)} ${newestFirst}`)
          if (recent.length > page.limit) return recent
          return yield* lines(sql`select * from ${among} and s.id = any(array(
            select s.id from interview_set s where ${live} and ${hasWords(sql, words)})) ${newestFirst}`)
        }, Effect.orDie),
        choices: Effect.fnUntraced(function* (organization, reader, limit) {
          return yield* sql<{ id: InterviewSetId; title: string }>`
            select s.id, left(s.title, 100) as title from interview_set s
            where s.organization_id = ${organization}::int and s.deleted_at is null and s.archived_at is null
              and ${ofReader(organization, reader)}
            order by s.created_at desc, s.id desc limit ${limit}::int`
        }, Effect.orDie),
        standing: Effect.fnUntraced(function* (organization, id, reader) {
          return first(
            yield* sql<SetStanding>`
              select ${iso(sql, "s.archived_at")} as archived_at, ${iso(sql, "s.created_at")} as created_at,
                ${readBy(reader)} as readable, p.name as project,
                exists (select from submission b where b.interview_set_id = s.id) as used,
                exists (select from submission b where b.interview_set_id = s.id
                  and (b.started_at is not null or b.flow = 'cv'))
                  or exists (select from submission_score k where k.interview_set_id = s.id)
                  -- a CV waits to be read, then to be evaluated, and then has a score: each follows the other at once
                  or ${waits("cv")} or ${waits("evaluation")} as rated
              from interview_set s left join project p on p.id = s.project_id
              where s.id = ${id}::uuid and s.organization_id = ${organization}::int and s.deleted_at is null`,
          )
        }, Effect.orDie),
        isTaken: Effect.fnUntraced(function* (id) {
          return (yield* sql`select from interview_set where id = ${id}::uuid`).length > 0
        }, Effect.orDie),
        hold: Effect.fnUntraced(function* (organization, id) {
          // the lock under which candidates are invited (repository/Invites.ts)
          yield* sql`select pg_advisory_xact_lock(hashtext('candidate'), ${organization}::int)`
          yield* sql`
            select id from submission where interview_set_id = ${id}::uuid and organization_id = ${organization}::int
              and status in ('need_interview', 'initiated') order by id for no key update`
        }, Effect.orDie),
        replace: Effect.fnUntraced(function* (organization, set, rated) {
          const own = sql`interview_set_id = ${set.id}::uuid and organization_id = ${organization}::int`
          yield* sql`
            update interview_set set title = ${set.title}, position = ${set.position}, description = ${set.description},
              set_type = ${set.set_type}::int, interview_duration = ${set.interview_duration}::int,
              cfg_lingual_ids = ${[...set.cfg_lingual_ids]}::int[], number_of_retakes = ${set.number_of_retakes}::int,
              priority = ${set.priority}::int, project_id = ${set.com_project_id}::uuid
            where id = ${set.id}::uuid and organization_id = ${organization}::int`
          yield* sql`delete from set_access where ${own}`
          yield* insertAccesses(sql, organization, set)
          if (rated) return
          yield* sql`delete from question where ${own}`
          yield* sql`delete from requirement where ${own}`
          yield* insertQuestions(sql, organization, set)
          yield* insertRequirements(sql, organization, set)
        }, Effect.orDie),
        archive: Effect.fnUntraced(function* (organization, id, archived) {
          const rows = yield* sql`
            update interview_set set archived_at = case when ${archived}::bool then ${yield* now} end
            where id = ${id}::uuid and organization_id = ${organization}::int and deleted_at is null
              and (archived_at is null) = ${archived}::bool
            returning id`
          return rows.length > 0
        }, Effect.orDie),
        languages: sql<SpokenLanguage>`select id, tag, name from language order by id`.pipe(Effect.orDie),
      })
    }),
  )
}
