/** SQL about notices that other repositories share. */
import type { Sql } from "../platform/database/Sql.ts"

/** Whether the candidate of submission `b` got a notice. */
export const hasNotice = (sql: Sql) =>
  sql.literal("exists (select from submission_notice g where g.submission_id = b.id)")
