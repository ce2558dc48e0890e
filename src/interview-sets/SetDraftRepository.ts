/** Stores drafts of interview sets. */
import { Context, Effect, Layer } from "effect"
import type { Reader } from "../accounts/Viewer.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { Form } from "../platform/http/Forms.ts"
import type { InterviewSetId, MemberId, OrganizationId } from "../values/Ids.ts"
import { isReadable } from "./InterviewSetSql.ts"

export interface DraftKey {
  readonly organization: OrganizationId
  readonly member: MemberId
  /** Of the set that is edited, or that the form will create. */
  readonly set: InterviewSetId
}

export interface DraftContent {
  readonly title: string
  /** Of the set when its form was opened; empty: there was no set. */
  readonly version: string
  readonly fields: Form
}

export interface StoredDraft extends DraftContent {
  /** How often it was saved. */
  readonly changes: number
  readonly saved_at: Date
}

export interface DraftLine {
  readonly id: InterviewSetId
  readonly title: string
  /** Null: a set that does not exist yet. */
  readonly set_title: string | null
  readonly saved_at: Date
}

export class SetDraftRepository extends Context.Service<SetDraftRepository>()(
  "interview-invitations/interview-sets/SetDraftRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const isOf = ({ member, organization, set }: DraftKey) => sql`
        d.organization_id = ${organization}::int and d.member_id = ${member}::uuid and d.interview_set_id = ${set}::uuid`
      return {
        /** Newest first, without those of sets whose access list lacks `reader`. */
        list: Effect.fnUntraced(function* (
          organization: OrganizationId,
          member: MemberId,
          reader: Reader | undefined,
          limit: number,
        ) {
          return yield* sql<DraftLine>`
            select d.interview_set_id as id, d.title, s.title as set_title, d.saved_at
            from set_draft d left join interview_set s on s.id = d.interview_set_id
              and s.organization_id = d.organization_id and s.deleted_at is null
            where d.organization_id = ${organization}::int and d.member_id = ${member}::uuid
              and (s.id is null or ${isReadable(sql, organization, reader, "s.id")})
            order by d.saved_at desc, d.interview_set_id limit ${limit}::int`
        }),
        find: Effect.fnUntraced(function* (key: DraftKey) {
          return first(
            yield* sql<StoredDraft>`
              select d.title, d.version, d.fields, d.changes, d.saved_at from set_draft d where ${isOf(key)}`,
          )
        }),
        /** False when there is a draft already, or the member has `max`. */
        insert: Effect.fnUntraced(function* (
          { member, organization, set }: DraftKey,
          { fields, title, version }: DraftContent,
          max: number,
        ) {
          const rows = yield* sql`
            with own as (
              select count(*) as drafts from set_draft d
              where d.organization_id = ${organization}::int and d.member_id = ${member}::uuid)
            insert into set_draft (organization_id, member_id, interview_set_id, title, version, fields, saved_at)
            select ${organization}::int, ${member}::uuid, ${set}::uuid, ${title}, ${version}, ${JSON.stringify(fields)}::jsonb,
              ${yield* now}
            from own where own.drafts < ${max}::int
            on conflict (member_id, interview_set_id) do nothing
            returning changes`
          return rows.length > 0
        }),
        /** False when the draft is not the one that was saved `changes` times. */
        replace: Effect.fnUntraced(function* (
          key: DraftKey,
          { fields, title, version }: DraftContent,
          changes: number,
        ) {
          const rows = yield* sql`
            update set_draft d set title = ${title}, version = ${version}, fields = ${JSON.stringify(fields)}::jsonb,
              changes = d.changes + 1, saved_at = ${yield* now}
            where ${isOf(key)} and d.changes = ${changes}::int
            returning d.changes`
          return rows.length > 0
        }),
        /** `changes`: deletes only the draft that was saved so often; null: any. */
        remove: Effect.fnUntraced(function* (key: DraftKey, changes: number | null) {
          yield* sql`
            delete from set_draft d where ${isOf(key)} and (${changes}::int is null or d.changes = ${changes}::int)`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
