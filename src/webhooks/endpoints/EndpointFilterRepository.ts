/** Interview sets and projects that an endpoint can be limited to. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/database/Database.ts"
import { hasWords, wordsOf } from "../../platform/database/WordSearch.ts"
import type { OrganizationId } from "../../values/Ids.ts"

export interface Choice {
  readonly id: string
  readonly title: string
  readonly is_deleted: boolean
}

export interface Choices<A> {
  readonly sets: ReadonlyArray<A>
  readonly projects: ReadonlyArray<A>
}

export class EndpointFilterRepository extends Context.Service<EndpointFilterRepository>()(
  "interview-invitations/webhooks/endpoints/EndpointFilterRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const live = (
        table: "interview_set" | "project",
        organization: OrganizationId,
        ids: ReadonlyArray<string>,
      ) => sql`
        select id from ${sql(table)} where id = any(${[...ids]}::uuid[]) and organization_id = ${organization}::int
          and deleted_at is null`
      const named = (
        table: "interview_set" | "project",
        title: "title" | "name",
        organization: OrganizationId,
        ids: ReadonlyArray<string>,
      ) =>
        ids.length === 0
          ? Effect.succeed([])
          : sql<Choice>`
              select id, ${sql(title)} as title, deleted_at is not null as is_deleted from ${sql(table)}
              where id = any(${[...ids]}::uuid[]) and organization_id = ${organization}::int order by 2, id`
      return {
        /** Returns the ids that belong to records of the organization that are not deleted. */
        existing: Effect.fnUntraced(function* (organization: OrganizationId, { projects, sets }: Choices<string>) {
          const [row] = yield* sql<Choices<string>>`
            select array(${live("interview_set", organization, sets)}) as sets,
              array(${live("project", organization, projects)}) as projects`
          return row ?? { sets: [], projects: [] }
        }),
        /** Returns the records, deleted ones too, by title. */
        named: Effect.fnUntraced(function* (organization: OrganizationId, { projects, sets }: Choices<string>) {
          return {
            sets: yield* named("interview_set", "title", organization, sets),
            projects: yield* named("project", "name", organization, projects),
          }
        }),
        /** Finds records whose title has words that begin with the words of `text`; newest first, at most `limit` of each. */
        search: Effect.fnUntraced(function* (organization: OrganizationId, text: string, limit: number) {
          const words = wordsOf(text)
          if (words === undefined) return { sets: [], projects: [] }
          const isFound = words.length === 0 ? sql`true` : hasWords(sql, words)
          // few projects, so without an index of their words
          const isNamed = sql.and([sql`true`, ...words.map((word) => sql`folded(p.name) like folded(${`%${word}%`})`)])
          return {
            sets: yield* sql<Choice>`
              select s.id, s.title, false as is_deleted from interview_set s
              where s.organization_id = ${organization}::int and s.deleted_at is null and ${isFound}
              order by s.created_at desc, s.id desc limit ${limit}::int`,
            projects: yield* sql<Choice>`
              select p.id, p.name as title, false as is_deleted from project p
              where p.organization_id = ${organization}::int and p.deleted_at is null and ${isNamed}
              order by p.created_at desc, p.id desc limit ${limit}::int`,
          }
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
