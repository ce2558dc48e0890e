/** Advisory locks. Each is held until its transaction ends, and belongs to one installation (DATABASE_SCHEMA). */
import type { Statement } from "effect/sql"
import type { Database } from "./Database.ts"

/**
 * - `candidate`: held by an organization's invites, and by changes that must not run at the same time as an invite. Statements
 *   that take it read a table.
 * - `hiring_stage`: held while an organization's stages are changed.
 * - `impact_report`: held while a report of impact ratios is compared with the organization's earlier ones.
 * - `legal_hold`: held while a hold is placed; shared by what deletes or erases data that a hold keeps.
 * - `hiring_system_account`: held while access to an account in a hiring system is given to a connection. Its part is a hash
 *   of the account.
 * - `hiring_system_order`: held while an order is compared with those of other organizations. Its part is a hash of the
 *   order's id in the hiring system.
 * - `message_template`, `saved_view`: held while an organization's templates or views are counted.
 * - `tag`: held while an organization's tags are created or renamed.
 * - `the first organization`, `the sample organization`: held while that organization is created.
 * - `webhook_delivery_history`: held while partitions are created or dropped.
 *
 * On Citus, a statement that reads a table takes the lock on another node than a statement that reads none (docs/citus.md). So
 * either all statements that take the same lock read a table, or none does.
 */
export type LockName =
  | "candidate"
  | "hiring_stage"
  | "impact_report"
  | "hiring_system_account"
  | "hiring_system_order"
  | "legal_hold"
  | "message_template"
  | "saved_view"
  | "tag"
  | "the first organization"
  | "the sample organization"
  | "webhook_delivery_history"

/** The call that takes the lock, for a `select`. With `part`, an organization or another int, each part has a lock of its own. */
export const lock = (
  { nameInSchema, sql }: Pick<Database["Service"], "nameInSchema" | "sql">,
  name: LockName,
  part?: number | Statement.Fragment,
): Statement.Fragment => {
  const id = sql`hashtext(${nameInSchema(name)})`
  return part === undefined ? sql`pg_advisory_xact_lock(${id})` : sql`pg_advisory_xact_lock(${id}, ${part}::int)`
}

/** The statement that takes the locks of several organizations, in their order, beside others that share them. */
export const shareAll = (
  { nameInSchema, sql }: Pick<Database["Service"], "nameInSchema" | "sql">,
  name: LockName,
  organizations: ReadonlyArray<number>,
) => sql`
  select pg_advisory_xact_lock_shared(hashtext(${nameInSchema(name)}), o.id) from (
    select id from unnest(${[...organizations]}::int[]) as id order by id offset 0) o`
