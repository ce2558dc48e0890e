/** SQL fragments about the page with a candidate's result. */
import type { Statement } from "effect/sql"
import type { Sql } from "../platform/database/Sql.ts"

/**
 * Whether the candidate of submission `b` and organization `o` can open the page: the answers can no longer be improved, the
 * interview of this attempt is evaluated, not only the CV or earlier answers, and it is decided if the page waits for that.
 * Closed for an evaluation that had begun when the candidate asked for a person instead, until a member declines. A scalar
 * subquery, because with `exists` the planner reads all evaluations.
 */
export const isResultOpen = (sql: Sql, now: Statement.Fragment): Statement.Fragment => sql`(o.result_page <> 'off'
  and b.status in ('completed', 'evaluated') and coalesce(b.improvement_until <= ${now}, true)
  and (o.result_page = 'evaluation' or coalesce(b.decision in ('advance', 'reject'), false))
  and (select count(*) > 0 from (select from evaluation e where e.submission_id = b.id and e.organization_id = b.organization_id
    and e.evaluation_type = 'interview' and e.attempt = b.attempt and e.state = 'done'
    and e.result ->> 'score_status' <> 'not_scored' limit 1) e)
  and not (b.score_unused and exists (select from person_review r where r.submission_id = b.id
    and r.organization_id = b.organization_id and r.kind = 'instead' and (r.answered_at is null or r.outcome = 'by_person'))))`
