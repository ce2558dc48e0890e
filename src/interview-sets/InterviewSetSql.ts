import type { Statement } from "effect/sql"
import type { Reader } from "../accounts/Viewer.ts"
import { when } from "../platform/database/Paging.ts"
import type { Sql } from "../platform/database/Sql.ts"
import type { OrganizationId } from "../values/Ids.ts"

/** The column `interview_set` of set `s`. */
export const setOf = (sql: Sql) =>
  sql.literal("jsonb_build_object('id', s.id, 'title', s.title, 'external_id', s.external_id) as interview_set")

/** The column `languages` of set `s`: BCP 47, in its order. */
export const languagesOf = (sql: Sql) =>
  sql.literal(
    `coalesce((select array_agg(l.tag order by array_position(s.cfg_lingual_ids, l.id)) from language l
      where l.id = any(s.cfg_lingual_ids)), '{}') as languages`,
  )

const spoken = `coalesce((select array_agg(l.tag order by array_position(s.cfg_lingual_ids, l.id)) from language l
  where l.id = any(s.cfg_lingual_ids)), array[o.language])`

/** The same, or the language of organization `o` where the set has none: of candidates' pages and emails. */
export const spokenLanguagesOf = (sql: Sql) => sql.literal(`${spoken} as languages`)

/** The same, and before them the language that the candidate of submission `b` has chosen. */
export const chosenLanguagesOf = (sql: Sql) =>
  sql.literal(`array_remove(array_prepend(b.language, ${spoken}), null) as languages`)

/** The column `spoken_kinds` of set `s`: how its questions can be answered by speaking, as `spokenKinds` (QuestionRules.ts). */
export const spokenKindsOf = (sql: Sql) =>
  sql.literal(
    `array(select distinct k.kind from question q, jsonb_array_elements_text(
        case jsonb_typeof(q.attributes -> 'answer_with') when 'array' then q.attributes -> 'answer_with' else '[]' end) k (kind)
      where q.interview_set_id = s.id and k.kind in ('audio', 'video') order by k.kind) as spoken_kinds`,
  )

/** Whether set `s` has a question that is only spoken, as `isSpeakingOnly` (QuestionRules.ts). */
export const asksToSpeakOf = (sql: Sql) =>
  sql.literal(
    `exists (select from question q where q.interview_set_id = s.id and q.attributes @> '{"speaking_only": true}') as asks_to_speak`,
  )

/** Selects `interview_set_id` of the sets that a recruiter reads. */
export const setsOfRecruiter = (sql: Sql, organization: OrganizationId, email: string): Statement.Fragment => sql`
  select a.interview_set_id from set_access a
  where a.organization_id = ${organization}::int and lower(a.email) = lower(${email})`

/** True for an undefined `reader`, false for a reviewer. Reads a recruiter's sets once per statement. */
export const isReadable = (
  sql: Sql,
  organization: OrganizationId,
  reader: Reader | undefined,
  set: string,
): Statement.Fragment =>
  when(sql, reader, (limited) =>
    limited._tag === "Reviewer"
      ? sql`false`
      : sql`${sql.literal(set)} = any(array(${setsOfRecruiter(sql, organization, limited.email)}))`,
  )
