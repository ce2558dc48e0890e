/** Fragments of statements that read interview sets. */
import type { PgClient } from "@effect/sql-pg"

/** The column `interview_set` of a statement with interview_set `s`. */
export const setOf = (sql: PgClient.PgClient) =>
  sql.literal("jsonb_build_object('id', s.id, 'title', s.title) as interview_set")

/** The column `languages` of a statement with interview_set `s`: BCP 47 tags of its known languages, in its order. */
export const languagesOf = (sql: PgClient.PgClient) =>
  sql.literal(
    `coalesce((select array_agg(l.tag order by array_position(s.cfg_lingual_ids, l.id)) from language l
      where l.id = any(s.cfg_lingual_ids)), '{}') as languages`,
  )
