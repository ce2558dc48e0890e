/** Organizations that another cell has, or that are being moved to another cell (docs/scale.md). */
import type { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"

/**
 * For statements about rows of all organizations, such as those of periodic steps: whether this cell may write the rows of
 * the organization in `column`. Postgres reads the array once per statement.
 */
export const isHere = (sql: PgClient.PgClient, column: string): Statement.Fragment =>
  sql.literal(`${column} <> all(array(select organization_id from organization_elsewhere))`)
