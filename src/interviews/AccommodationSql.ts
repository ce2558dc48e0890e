/** SQL fragments about what candidates need. */
import { iso } from "../platform/database/Paging.ts"
import type { Sql } from "../platform/database/Sql.ts"

/** Columns of an Accommodation `a`. */
export const accommodationColumns = (sql: Sql) =>
  sql`a.id, a.needs, a.text, ${iso(sql, "a.asked_at")} as asked_at, ${iso(sql, "a.answered_at")} as answered_at, a.granted,
    a.time_factor::float8 as time_factor, a.answer`

/** The newest of submission `b`; null: none. */
export const newestAccommodation = (sql: Sql) =>
  sql`(select to_jsonb(n) from (select ${accommodationColumns(sql)} from accommodation a
    where a.submission_id = b.id order by a.asked_at desc, a.id desc limit 1) n) as accommodation`
