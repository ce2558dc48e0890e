/** Which interview sets a viewer may see. */
import type { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"
import { when } from "../platform/database/Paging.ts"
import type { OrganizationId } from "../values/Ids.ts"

/**
 * The condition that `set`, a column with the id of an interview set, is a set whose access list has the address `reader`
 * (accounts/Viewer.ts). True for an undefined `reader`. The list of the reader's sets is read once per statement.
 */
export const isReadable = (
  sql: PgClient.PgClient,
  organization: OrganizationId,
  reader: string | undefined,
  set: string,
): Statement.Fragment =>
  when(
    sql,
    reader,
    (email) => sql`${sql.literal(set)} = any(array(select a.interview_set_id from set_access a
      where a.organization_id = ${organization}::int and lower(a.email) = lower(${email})))`,
  )
