/** Advisory locks. Each is held until its transaction ends, and belongs to one installation (DATABASE_SCHEMA). */
import type { Statement } from "effect/sql"
import type { Database } from "./Database.ts"

/**
 * - `candidate`: of an organization's invites, and of changes that must not run beside one. Taken while a table is read.
 * - `message_template`: of an organization, while its templates are counted.
 * - `the first organization`: while it is created.
 * - `webhook_delivery_history`: while partitions are created or dropped.
 *
 * On a Citus node, a statement that reads a table takes another lock than one that reads none (docs/citus.md), so all
 * statements that take one of these do it in the same way.
 */
export type LockName = "candidate" | "message_template" | "the first organization" | "webhook_delivery_history"

/** The call that takes the lock, for a `select`. `organization`: each organization has its own. */
export const lock = (
  { nameInSchema, sql }: Pick<Database["Service"], "nameInSchema" | "sql">,
  name: LockName,
  organization?: number,
): Statement.Fragment => {
  const id = sql`hashtext(${nameInSchema(name)})`
  return organization === undefined
    ? sql`pg_advisory_xact_lock(${id})`
    : sql`pg_advisory_xact_lock(${id}, ${organization}::int)`
}
