/** The audit log as owners and admins read it. */
import { Context, Effect, Layer } from "effect"
import { type Methods, methods } from "../platform/UseCases.ts"
import { type AuditFilter, AuditLogRepository, type AuditRow } from "./AuditLogRepository.ts"
import type { Member } from "./Member.ts"

/** Entries of one page. */
const perPage = 50

export interface AuditPage {
  readonly entries: ReadonlyArray<AuditRow>
  /** Where the next page begins; null: there is none. */
  readonly next: string | null
  readonly doers: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

const read = Effect.fn("AuditLog.read")(function* ({ organizationId }: Member, filter: AuditFilter) {
  const log = yield* AuditLogRepository
  const found = yield* log.list(organizationId, filter, perPage + 1)
  const entries = found.slice(0, perPage)
  const next = found.length > perPage ? (entries.at(-1)?.id ?? null) : null
  return { entries, next, doers: yield* log.doers(organizationId) }
})

const useCases = { read }

export class AuditLog extends Context.Service<AuditLog, Methods<typeof useCases>>()(
  "interview-invitations/accounts/AuditLog",
) {
  static readonly layer = Layer.effect(AuditLog, methods([AuditLogRepository], useCases))
}
