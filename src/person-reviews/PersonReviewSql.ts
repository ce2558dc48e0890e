/** SQL fragments about requests for a person. */
import { iso } from "../platform/database/Paging.ts"
import type { Sql } from "../platform/database/Sql.ts"
import { maxPersonReviews } from "./PersonReview.ts"

/** Columns of a PersonReview `r`. */
export const personReviewColumns = (sql: Sql) =>
  sql`r.id, r.kind, r.text, ${iso(sql, "r.requested_at")} as requested_at, ${iso(sql, "r.due_at")} as due_at,
    ${iso(sql, "r.answered_at")} as answered_at, r.outcome, r.answer`

/** Submission `b` has as many requests as a candidate may send. */
export const hasLastPersonReview = (sql: Sql) =>
  sql`((select count(*) from person_review l
    where l.submission_id = b.id and l.organization_id = b.organization_id) >= ${maxPersonReviews}::int)`

/** The newest of submission `b`; null: none. */
export const newestPersonReview = (sql: Sql) =>
  sql`(select to_jsonb(n) from (select ${personReviewColumns(sql)}, ${hasLastPersonReview(sql)} as is_last from person_review r
    where r.submission_id = b.id and r.organization_id = b.organization_id
    order by r.requested_at desc, r.id desc limit 1) n) as person_review`
