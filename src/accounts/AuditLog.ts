/** Writes audit log entries, in the transaction of the change, and reads them. */
import { Context, Effect, Equal, Layer, Option, type Schema, Stream } from "effect"
import { mayReadReplica } from "../platform/database/Replica.ts"
import { type AuditFilter, AuditLogRepository, type AuditRow } from "./AuditLogRepository.ts"
import { type AuditSubject, AuditSubjectRepository } from "./AuditSubjectRepository.ts"
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
const pageSize = 30

const exportPage = 500

export interface NamedEntry extends AuditRow {
  /** Undefined: the record was deleted, or has no name. */
  readonly subject: AuditSubject | undefined
}

export interface AuditPage {
  readonly entries: ReadonlyArray<NamedEntry>
  readonly next: string | null
  readonly actors: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

export class AuditLog extends Context.Service<AuditLog>()("interview-invitations/accounts/AuditLog", {
  make: Effect.gen(function* () {
    const repository = yield* AuditLogRepository
    const subjectRepository = yield* AuditSubjectRepository

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

    const page = Effect.fnUntraced(function* ({ organizationId }: Member, filter: AuditFilter, size: number) {
      const rows = yield* repository.list(organizationId, filter, size + 1)
      const shown = rows.slice(0, size)
      const subjects = yield* subjectRepository.find(organizationId, shown)
      const byRecord = new Map(subjects.map((one) => [`${one.type} ${one.id}`, one]))
      const entries: ReadonlyArray<NamedEntry> = shown.map((row) => ({
        ...row,
        subject: byRecord.get(`${row.record_type} ${row.record_id}`),
      }))
      return { entries, next: rows.length > size ? (shown.at(-1)?.id ?? null) : null }
    })

    const read = Effect.fn("AuditLog.read")(function* (member: Member, filter: AuditFilter) {
      const found = yield* page(member, filter, pageSize)
      return { ...found, actors: yield* repository.actors(member.organizationId) } satisfies AuditPage
    }, mayReadReplica)

    /** All entries that match, newest first. */
    const readAll = (member: Member, filter: AuditFilter) =>
      Stream.paginate(filter.before, (before: string | undefined) =>
        Effect.map(page(member, { ...filter, before }, exportPage), ({ entries, next }) => [
          entries,
          next === null ? Option.none() : Option.some<string | undefined>(next),
        ]),
      )

    return { note, noteAll, last, read, readAll }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
