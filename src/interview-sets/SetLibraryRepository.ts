/** Finds questions and requirements of the sets that a member may see, for copies into another set. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Reader } from "../accounts/Viewer.ts"
import { Database, unlessEmpty } from "../platform/database/Database.ts"
import { when } from "../platform/database/Paging.ts"
import type { InterviewSetId, OrganizationId, QuestionId, RequirementId } from "../values/Ids.ts"
import type { Question, Requirement } from "./InterviewSet.ts"
import { isReadable } from "./InterviewSetSql.ts"

export interface LibraryFilter {
  readonly kind: "question" | "requirement"
  /** Word prefixes. All must be in the title or the content. */
  readonly words: ReadonlyArray<string>
  readonly set: InterviewSetId | undefined
  readonly except: InterviewSetId | undefined
  readonly reader: Reader | undefined
}

export interface LibraryItem {
  readonly id: string
  /** Key of the item's texts: equal for items with equal texts. */
  readonly same: string
  readonly title: string
  readonly set_id: InterviewSetId
  readonly set_title: string
  /** The question's type id, or the requirement's importance id. */
  readonly type_id: number
}

/** Number of newest sets whose questions and requirements, about 20 a set, are searched without the index. */
const window = 50

/** Maximum number of matches read from the index in one search, before access is checked. */
const maxMatches = 5000

export class SetLibraryRepository extends Context.Service<SetLibraryRepository>()(
  "interview-invitations/interview-sets/SetLibraryRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        /** Newest sets first, in their order. */
        search: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { except, kind, reader, set, words }: LibraryFilter,
          limit: number,
        ) {
          const items = sql(kind)
          const type = sql.literal(kind === "question" ? "cfg_question_type_id" : "cfg_importance_id")
          const details = sql.literal(kind === "question" ? "q.options::text" : "''")
          // in sql/04_interview_sets.sql
          const hasAll = sql`to_tsvector('simple', 'organization' || q.organization_id::text || ' '
            || folded(translate(coalesce(q.title, '') || ' ' || coalesce(q.content, ''), './_-@:', '      ')))
            @@ to_tsquery('simple',
              folded(${[`organization${organization}`, ...words.map((word) => `'${word}':*`)].join(" & ")}))`
          const text = sql`folded(coalesce(q.title, '') || ' ' || coalesce(q.content, ''))`
          const mayHaveAll = sql.and(words.map((word) => sql`${text} like '%' || folded(${word}) || '%'`))
          const isText = sql`coalesce(nullif(trim(q.title), ''), nullif(trim(q.content), '')) is not null`
          const sets = sql`interview_set s where s.organization_id = ${organization}::int and s.deleted_at is null
            and ${when(sql, set, (id) => sql`s.id = ${id}::uuid`)} and ${when(sql, except, (id) => sql`s.id <> ${id}::uuid`)}
            and ${isReadable(sql, organization, reader, "s.id")}`
          const lines = (tables: Statement.Fragment, condition: Statement.Fragment) => sql<LibraryItem>`
            select q.id, s.id as set_id, left(s.title, 100) as set_title, q.${type} as type_id,
              left(coalesce(nullif(trim(q.title), ''), trim(q.content)), 200) as title,
              md5(concat_ws('|', lower(trim(q.title)), lower(trim(q.content)), q.${type}, ${details})) as same
            from ${tables}
            where q.organization_id = ${organization}::int and ${isText} and ${condition}
            order by s.created_at desc, s.id desc, q.ordinal limit ${limit}::int`
          const ofSets = sql`select s.id, s.title, s.created_at from ${sets}`
          const newest = sql`(${ofSets} order by s.created_at desc, s.id desc limit ${window}::int) s
            join ${items} q on q.interview_set_id = s.id`
          // the first comparison takes a tenth of the second's time
          const found = sql`case when ${mayHaveAll} then ${hasAll} else false end`
          const recent = yield* lines(newest, words.length === 0 ? sql`true` : found)
          if (words.length === 0 || recent.length >= window || set !== undefined) return recent
          // Frequent words are among the newest sets, rare ones need the index (InterviewSetRepository.search). The limits fix the order of the
          // joins: without statistics, the planner reads the matches again for each set.
          const matches = sql`(select q.* from ${items} q where ${hasAll} limit ${maxMatches}::int) q
            cross join lateral (${ofSets} and s.id = q.interview_set_id limit 1) s`
          return yield* lines(matches, sql`true`)
        }),
        questions: Effect.fnUntraced(function* (
          organization: OrganizationId,
          reader: Reader | undefined,
          ids: ReadonlyArray<QuestionId>,
        ) {
          return yield* unlessEmpty(
            ids,
            sql<Question>`
              select q.id, q.title, q.content, q.hint, q.details, q.cfg_question_mode_id, q.cfg_question_type_id, q.priority,
                q.options, q.allowed_file_types, q.attributes
              from question q join interview_set s on s.id = q.interview_set_id
              where q.id = any(${ids}::uuid[]) and s.organization_id = ${organization}::int and s.deleted_at is null
                and ${isReadable(sql, organization, reader, "s.id")}`,
          )
        }),
        requirements: Effect.fnUntraced(function* (
          organization: OrganizationId,
          reader: Reader | undefined,
          ids: ReadonlyArray<RequirementId>,
        ) {
          return yield* unlessEmpty(
            ids,
            sql<Requirement>`
              select q.id, q.title, q.content, q.hint, q.cfg_importance_id, q.tal_skill_ids, q.priority, q.attributes
              from requirement q join interview_set s on s.id = q.interview_set_id
              where q.id = any(${ids}::uuid[]) and s.organization_id = ${organization}::int and s.deleted_at is null
                and ${isReadable(sql, organization, reader, "s.id")}`,
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
