/** SQL fragments about the page with a candidate's result. */
import type { Statement } from "effect/sql"
import type { Sql } from "../platform/database/Sql.ts"

/**
 * Whether the candidate of submission `b` and organization `o` can open the page: the answers can no longer be improved, and there
 * is an evaluation, or also a decision.
 */
export const isResultOpen = (sql: Sql, now: Statement.Fragment): Statement.Fragment => sql`(o.result_page <> 'off'
  and b.status in ('completed', 'evaluated') and coalesce(b.improvement_until <= ${now}, true)
  and (o.result_page = 'evaluation' or coalesce(b.decision in ('advance', 'reject'), false))
  and exists (select from evaluation e where e.submission_id = b.id and e.organization_id = b.organization_id
    and e.state = 'done' and e.result ->> 'score_status' <> 'not_scored'))`
