/** Stores saved views of the list of submissions, and its columns. */
import { Context, Effect, Layer } from "effect"
import type { Reader } from "../accounts/Viewer.ts"
import { isReadable } from "../interview-sets/InterviewSetSql.ts"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { InterviewSetId, MemberId, OrganizationId, SavedViewId } from "../values/Ids.ts"
import type { SavedView } from "./SavedView.ts"

/** A member may save a search for a candidate's name or address: an erasure removes those views (privacy/People.ts). */
export const personalViews: ReadonlyArray<PersonalTable> = [{ table: "saved_view", personal: ["name", "query"] }]

export class SavedViewRepository extends Context.Service<SavedViewRepository>()(
  "interview-invitations/reviews/SavedViewRepository",
  {
    make: Effect.gen(function* () {
      const { nameInSchema, now, sql } = yield* Database
      const columns = sql.literal("v.id, v.name, v.query, v.interview_set_id, v.is_shared, v.member_id")
      return {
        /**
         * The member's own views and the shared ones, by name. Views of sets that `reader` does not read and of other
         * sets are left out.
         */
        list: Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId, reader: Reader | undefined) {
          return yield* sql<SavedView>`
            select ${columns} from saved_view v
            where v.organization_id = ${organization}::int and (v.member_id = ${member}::uuid or v.is_shared)
              and (v.interview_set_id is null or ${isReadable(sql, organization, reader, "v.interview_set_id")})
            order by lower(v.name), v.id`
        }),
        /** Undefined: also a view of a set that `reader` does not read. */
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: SavedViewId, reader: Reader | undefined) {
          return first(
            yield* sql<SavedView>`
              select ${columns} from saved_view v
              where v.id = ${id}::uuid and v.organization_id = ${organization}::int
                and (v.interview_set_id is null or ${isReadable(sql, organization, reader, "v.interview_set_id")})`,
          )
        }),
        mayReadSet: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          reader: Reader | undefined,
        ) {
          const rows = yield* sql`
            select from interview_set s where s.id = ${set}::uuid and s.organization_id = ${organization}::int
              and ${isReadable(sql, organization, reader, "s.id")} for key share`
          return rows.length > 0
        }),
        /** Blocks other saves of the organization until the transaction ends; counts the other views. */
        lock: Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId, name: string) {
          yield* sql`select ${AdvisoryLocks.lock({ nameInSchema, sql }, "saved_view", organization)}`
          const row = first(
            yield* sql<{ readonly own: number; readonly shared: number }>`
              select count(*) filter (where member_id = ${member}::uuid)::int as own,
                count(*) filter (where is_shared)::int as shared
              from saved_view where organization_id = ${organization}::int
                and not (member_id = ${member}::uuid and lower(name) = lower(${name}))`,
          )
          return row ?? { own: 0, shared: 0 }
        }),
        /** Replaces the member's view of the same name. */
        save: Effect.fnUntraced(function* (organization: OrganizationId, view: SavedView) {
          const { id, interview_set_id, is_shared, member_id, name, query } = view
          const row = first(
            yield* sql<{ readonly id: SavedViewId }>`
              insert into saved_view (id, organization_id, member_id, name, query, interview_set_id, is_shared, created_at)
              values (${id}::uuid, ${organization}::int, ${member_id}::uuid, ${name}, ${query}, ${interview_set_id}::uuid,
                ${is_shared}, ${yield* now})
              on conflict (organization_id, member_id, lower(name)) do update
                set name = excluded.name, query = excluded.query, interview_set_id = excluded.interview_set_id,
                  is_shared = excluded.is_shared
              returning id`,
          )
          return row?.id ?? id
        }),
        remove: Effect.fnUntraced(function* (organization: OrganizationId, ids: ReadonlyArray<SavedViewId>) {
          if (ids.length === 0) return
          yield* sql`delete from saved_view
            where id = any(${[...ids]}::uuid[]) and organization_id = ${organization}::int`
        }),
        /** The columns of the list that the member chose; null: none yet. */
        columns: Effect.fnUntraced(function* (organization: OrganizationId, member: MemberId) {
          const row = first(
            yield* sql<{ readonly list_columns: ReadonlyArray<string> | null }>`
              select list_columns from member where id = ${member}::uuid and organization_id = ${organization}::int`,
          )
          return row?.list_columns ?? null
        }),
        setColumns: Effect.fnUntraced(function* (
          organization: OrganizationId,
          member: MemberId,
          chosen: ReadonlyArray<string>,
        ) {
          yield* sql`update member set list_columns = ${[...chosen]}::text[]
            where id = ${member}::uuid and organization_id = ${organization}::int`
        }),
        /** Names and queries of all views. */
        all: Effect.fnUntraced(function* (organization: OrganizationId) {
          return yield* sql<Pick<SavedView, "id" | "name" | "query">>`
            select id, name, query from saved_view where organization_id = ${organization}::int`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
