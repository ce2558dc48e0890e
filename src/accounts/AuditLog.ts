/** Writes audit log entries, in the transaction of the change, and reads them. */
import { Context, Effect, Equal, Layer, type Schema } from "effect"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { type AuditFilter, AuditLogRepository, type AuditRow } from "./AuditLogRepository.ts"
import type { Member } from "./members/Member.ts"
import { type Actor, type Author, actorOf, type Viewer } from "./Viewer.ts"

/** No secrets. */
export type AuditDetail = { readonly [key: string]: Schema.Json }

/** `by` is undefined for a command. */
const actorColumns = (by: Actor | undefined) =>
  typeof by === "object" ? { member_id: null, api_key_id: by.apiKeyId } : { member_id: by ?? null }

export const changesOf = <K extends string, R extends { readonly [key in K]: Schema.Json }>(
  before: R,
  after: R,
  fields: ReadonlyArray<K>,
): { readonly before: AuditDetail; readonly after: AuditDetail } | undefined => {
  const changed = fields.filter((field) => !Equal.equals(before[field], after[field]))
  const of = (record: R) => Object.fromEntries(changed.map((field) => [field, record[field]]))
  return changed.length === 0 ? undefined : { before: of(before), after: of(after) }
}

/** A page of the longest entries has at most 60 KB. */
const pageSize = 42

export interface AuditPage {
  readonly entries: ReadonlyArray<AuditRow>
  readonly next: string | null
  readonly actors: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

export class AuditLog extends Context.Service<AuditLog>()("interview-invitations/accounts/AuditLog", {
  make: Effect.gen(function* () {
    const repository = yield* AuditLogRepository

    /** Writes an entry for each record, in the transaction of the change. `record.action` is their action. */
    const noteAll = (author: Author, record: string, action: string, entries: ReadonlyArray<[string, AuditDetail]>) =>
      repository.write(
        author.organizationId,
        entries.map(([record_id, detail]) => ({
          ...actorColumns(actorOf(author)),
          action: `${record}.${action}`,
          record_type: record,
          record_id,
          detail,
        })),
      )

    const note = (author: Author, record: string, action: string, id: string, detail: AuditDetail = {}) =>
      noteAll(author, record, action, [[id, detail]])

    /** The last entry about a record. */
    const last = Effect.fn("AuditLog.last")(function* ({ organizationId }: Viewer, record: string, id: string) {
      const [entry] = yield* repository.list(organizationId, { record_type: record, record_id: id }, 1)
      return entry
    })

    const read = Effect.fn("AuditLog.read")(function* ({ organizationId }: Member, filter: AuditFilter) {
      const rows = yield* repository.list(organizationId, filter, pageSize + 1)
      const entries = rows.slice(0, pageSize)
      const next = rows.length > pageSize ? (entries.at(-1)?.id ?? null) : null
      return { entries, next, actors: yield* repository.actors(organizationId) } satisfies AuditPage
    }, mayReadReplica)

    return { note, noteAll, last, read }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
