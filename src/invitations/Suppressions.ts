/** Lists, suppresses and releases addresses that get no emails of an organization. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { type SuppressionFilter, SuppressionRepository } from "../emails/SuppressionRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { type PageRequest, pageOf } from "../values/Cursor.ts"
import { addressMessage, cleanAddress, isEmailAddress } from "../values/EmailAddress.ts"
import { SuppressionId } from "../values/Ids.ts"
import { fieldError, Invalid, NotFound } from "../values/Problem.ts"

const unknown = new NotFound({ record: "suppressed address" })

export class Suppressions extends Context.Service<Suppressions>()("interview-invitations/invitations/Suppressions", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const ids = yield* Ids
    const repository = yield* SuppressionRepository

    const page = Effect.fn("Suppressions.page")(function* (
      { organizationId }: Viewer,
      filter: SuppressionFilter,
      request: PageRequest,
    ) {
      const rows = yield* repository.page(organizationId, filter, request)
      return pageOf("suppressions", rows, request, ({ position: _, ...row }) => row)
    })

    /** In alphabetical order. */
    const list = Effect.fn("Suppressions.list")(function* (
      { organizationId }: Viewer,
      after: string | undefined,
      limit: number,
    ) {
      return yield* repository.list(organizationId, after, limit)
    })

    /** An address that is suppressed already keeps its reason, and gets no entry of the audit log. */
    const suppress = Effect.fn("Suppressions.suppress")(function* (viewer: Viewer, typed: string) {
      const email = cleanAddress(typed)
      if (!isEmailAddress(email)) {
        return yield* new Invalid({ errors: [fieldError("#/email", "invalid_email", addressMessage(typed))] })
      }
      const { isNew, ...suppression } = yield* repository.suppress(
        viewer.organizationId,
        yield* ids.make(SuppressionId),
        email,
        "manual",
      )
      if (isNew) yield* auditLog.note(viewer, "suppression", "add", suppression.id)
      return suppression
    }, transaction)

    const release = Effect.fn("Suppressions.release")(function* (viewer: Viewer, id: SuppressionId) {
      const released = (yield* repository.release(viewer.organizationId, id)) ?? (yield* unknown)
      yield* auditLog.note(viewer, "suppression", "release", released.id, { reason: released.reason })
      return released.id
    }, transaction)

    const releaseAddress = Effect.fn("Suppressions.releaseAddress")(function* (viewer: Viewer, email: string) {
      const { id, ...released } = (yield* repository.remove(viewer.organizationId, email)) ?? (yield* unknown)
      yield* auditLog.note(viewer, "suppression", "release", id, { reason: released.reason })
      return released
    }, transaction)

    return { page, list, suppress, release, releaseAddress }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
