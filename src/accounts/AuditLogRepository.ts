/** Stores the audit log. */
import { Context, Effect, Layer, type Schema } from "effect"
import type { Statement } from "effect/sql"
import { Database, recordset } from "../platform/database/Database.ts"
import { when } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import type { ApiKeyId, MemberId, OrganizationId } from "../values/Ids.ts"
import { memberName } from "./members/MemberSql.ts"

export interface AuditEntry {
  readonly member_id: MemberId | null
  readonly api_key_id?: ApiKeyId
  readonly action: string
  readonly record_type: string
  readonly record_id: string
  readonly detail: { readonly [key: string]: Schema.Json }
}

export interface AuditRow extends Omit<AuditEntry, "api_key_id"> {
  readonly id: string
  readonly created_at: Date
  readonly member: string | null
  /** A person without an account who has opened a share link. Null: another author. */
  readonly guest: string | null
  /** The prefix of the API key, which may have been deleted. A command or the service itself: null, like `member`. */
  readonly api_key: string | null
  /** Null: deleted, or without a name. */
  readonly api_key_name: string | null
}

export interface AuditFilter {
  readonly record_type?: string | undefined
  readonly action?: string | undefined
  readonly record_id?: string | undefined
  /** `keys`: any API key. `none`: a command or the service itself. */
  readonly actor?: MemberId | "keys" | "none" | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly before?: string | undefined
}

/** Names the guest whose id is in the detail of entry `a`; an erasure of the candidate empties the guest's name. */
export const guestName = `(select case when g.email = '' then 'a guest' else g.name || ' (' || g.email || ')' end
  || ', by a share link' from guest g where g.id = (a.detail ->> 'guest')::uuid and g.organization_id = a.organization_id)`

/** The subjects that note personal details declare them. */
export const auditLogTable: PersonalTable = {
  table: "audit_log",
  kept: ["action", "api_key", "record_id", "record_type"],
}

export class AuditLogRepository extends Context.Service<AuditLogRepository>()(
  "interview-invitations/accounts/AuditLogRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const name = sql.literal(memberName)
      return {
        write: Effect.fnUntraced(function* (organization: OrganizationId, entries: ReadonlyArray<AuditEntry>) {
          yield* sql`
            with entry as materialized (
              select r.*, (select prefix from api_key k where k.id = r.api_key_id) as api_key
              from ${recordset(
                sql,
                entries,
                "member_id uuid, api_key_id uuid, action text, record_type text, record_id text, detail jsonb",
              )}
            )
            insert into audit_log (organization_id, member_id, api_key, action, record_type, record_id, detail, created_at)
            select ${organization}::int, member_id, api_key, action, record_type, record_id, detail, ${yield* now} from entry`
        }),
        list: Effect.fnUntraced(function* (organization: OrganizationId, filter: AuditFilter, limit: number) {
          const { action, actor, before, record_id, record_type, since, until } = filter
          const member = actor === "keys" || actor === "none" ? null : actor
          // created_at is the start of a transaction, and transactions last less than an hour, so
          // entries an hour outside the range bound the scanned ids
          const next = (time: Statement.Fragment, order: "asc" | "desc") => sql`(
            select id from audit_log where organization_id = ${organization}::int and ${time}
            order by created_at ${sql.literal(order)} limit 1)`
          // with `between` the column stays in "order by", and the planner uses its index; with "=" it may scan other
          // organizations' entries
          const lead =
            record_id !== undefined
              ? "record_id"
              : member !== undefined
                ? "member_id"
                : action !== undefined
                  ? "action"
                  : record_type !== undefined
                    ? "record_type"
                    : "organization_id"
          const is = (column: string, value: Statement.Fragment) =>
            column === lead
              ? sql`a.${sql.literal(column)} between ${value} and ${value}`
              : sql`a.${sql.literal(column)} = ${value}`
          return yield* sql<AuditRow>`
            select a.id::text as id, a.member_id, ${name} as member, ${sql.literal(guestName)} as guest, a.api_key, k.name as api_key_name, a.action,
              a.record_type, a.record_id, a.detail, a.created_at
            from audit_log a left join member m on m.id = a.member_id and m.organization_id = a.organization_id
              left join api_key k on k.prefix = a.api_key and k.organization_id = a.organization_id
            where ${is("organization_id", sql`${organization}::int`)}
              and ${when(sql, record_type, (type) => is("record_type", sql`${type}`))}
              and ${when(sql, action, (one) => is("action", sql`${one}`))}
              and ${when(sql, record_id, (id) => is("record_id", sql`${id}`))}
              and ${when(sql, actor === "keys" || undefined, () => sql`a.api_key is not null`)}
              and ${when(sql, actor === "none" || undefined, () => sql`a.api_key is null`)}
              and ${member === null ? sql`a.member_id is null` : when(sql, member, (id) => is("member_id", sql`${id}::uuid`))}
              and ${when(sql, since, (value) => sql`a.created_at >= ${value} and a.id > coalesce(${next(sql`created_at < ${value}::timestamptz - interval '1 hour'`, "desc")}, 0)`)}
              and ${when(sql, until, (value) => sql`a.created_at < ${value} and a.id < coalesce(${next(sql`created_at >= ${value}::timestamptz + interval '1 hour'`, "asc")}, 9223372036854775807)`)}
              and ${when(sql, before, (id) => sql`a.id < ${id}::bigint`)}
            order by ${sql.literal(`a.${lead} desc, a.id desc`)} limit ${limit}::int`
        }),
        /** Includes removed members; at most 300, so that the page stays small. */
        actors: Effect.fnUntraced(function* (organization: OrganizationId) {
          // with `exists` the planner reads the whole log
          return yield* sql<{ id: MemberId; name: string }>`
            select m.id, ${name} as name from member m
            where m.organization_id = ${organization}::int and (
              select true from audit_log a where a.organization_id = m.organization_id and a.member_id = m.id limit 1)
            order by lower(${name}) limit 300`
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
