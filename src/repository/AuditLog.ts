/** Who did what, for people who look back: written in the transaction of the deed, never changed. */
import { Context, Effect, Layer, type Schema } from "effect"
import type { MemberId, OrganizationId } from "../domain/Ids.ts"
import { Database, recordset } from "./Database.ts"

export interface AuditEntry {
  /** null: a command, or the service itself. */
  readonly member_id: MemberId | null
  /** `<record>.<deed>`, for example evaluation.override. */
  readonly action: string
  readonly record_type: string
  readonly record_id: string
  readonly detail: { readonly [key: string]: Schema.Json }
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly write: (organization: OrganizationId, entries: ReadonlyArray<AuditEntry>) => Effect.Effect<void>
  }
>()("interview-invitations/repository/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      return AuditLog.of({
        write: Effect.fnUntraced(function* (organization, entries) {
          yield* sql`
            insert into audit_log (organization_id, member_id, action, record_type, record_id, detail, created_at)
            select ${organization}::int, r.member_id, r.action, r.record_type, r.record_id, r.detail, ${yield* now}
            from ${recordset(
              sql,
              entries,
              "member_id uuid, action text, record_type text, record_id text, detail jsonb",
            )}`
        }, Effect.orDie),
      })
    }),
  )
}
