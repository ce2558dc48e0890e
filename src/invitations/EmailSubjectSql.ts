/** SQL fragments about the subjects of emails of invitations. */
import type { Sql } from "../platform/database/Sql.ts"

/** The column `own_subjects` (EmailSubjects) of set `s` of organization `o`: its own ones before those of the organization. */
export const ownSubjects = (sql: Sql) => {
  const of = (column: string) =>
    `'${column}', coalesce(max(nullif(e.${column}, '')) filter (where e.interview_set_id is not null), max(nullif(e.${column}, '')), '')`
  return sql.literal(`(select jsonb_build_object(${of("invitation")}, ${of("reminder")}) from email_subject e
    where e.organization_id = o.id and (e.interview_set_id is null or e.interview_set_id = s.id)) as own_subjects`)
}
