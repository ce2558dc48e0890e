/** What the audit log is told of a change: the deed and the values before and after, never a secret. */
import { Effect, Equal, type Schema } from "effect"
import type { MemberId, OrganizationId } from "../values/Ids.ts"
import { AuditLogRepository } from "./AuditLogRepository.ts"
import { actorOf, type Viewer } from "./Viewer.ts"

type Detail = { readonly [key: string]: Schema.Json }

/** Writes entries about one type of record, in the transaction of the change. `by` is undefined for a command. */
export const noting =
  (record: string) =>
  (organization: OrganizationId, by: MemberId | undefined, action: string, id: string, detail: Detail = {}) =>
    Effect.flatMap(AuditLogRepository, (log) =>
      log.write(organization, [
        { member_id: by ?? null, action: `${record}.${action}`, record_type: record, record_id: id, detail },
      ]),
    )

/** The same with the log at hand. */
export const notes =
  (log: AuditLogRepository["Service"], record: string) =>
  (...entry: Parameters<ReturnType<typeof noting>>) =>
    Effect.provideService(noting(record)(...entry), AuditLogRepository, log)

/** Writes an entry to the audit log, in the transaction of the change. */
export const audit = Effect.fnUntraced(function* (
  viewer: Viewer,
  record: string,
  action: string,
  id: string,
  detail: Detail = {},
) {
  const log = yield* AuditLogRepository
  const member_id = actorOf(viewer) ?? null
  yield* log.write(viewer.organizationId, [
    { member_id, action: `${record}.${action}`, record_type: record, record_id: id, detail },
  ])
})

/** The fields that differ, as they were and as they are; undefined: none does. */
export const changesOf = <K extends string, R extends { readonly [key in K]: Schema.Json }>(
  before: R,
  after: R,
  fields: ReadonlyArray<K>,
): { readonly before: Detail; readonly after: Detail } | undefined => {
  const changed = fields.filter((field) => !Equal.equals(before[field], after[field]))
  const of = (record: R) => Object.fromEntries(changed.map((field) => [field, record[field]]))
  return changed.length === 0 ? undefined : { before: of(before), after: of(after) }
}
