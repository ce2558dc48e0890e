/** SQL fragments about the voluntary questions. */
import type { Sql } from "../platform/database/Sql.ts"

/** Whether the organization of submission `b` asks candidates. */
export const asksVoluntarily = (sql: Sql) =>
  sql`exists (select from self_identification_form f
    where f.organization_id = b.organization_id and cardinality(f.asks) > 0)`

/** Whether the candidate's page about the questions has something to show: questions, or answers to withdraw. */
export const hasVoluntaryPage = (sql: Sql) =>
  sql`(${asksVoluntarily(sql)} or exists (select from self_identification a where a.submission_id = b.id))`
