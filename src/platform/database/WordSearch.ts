/** Search by the beginnings of words, each search with its index. */
import type { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"
import type { OrganizationId } from "../../values/Ids.ts"

const maxWords = 8

/** The words of a search text: letters and digits, which have no meaning in a tsquery. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.slice(0, 200).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, maxWords)

/** True when the title and role of a set `s` have all words (sql/06_interview_sets.sql). */
export const hasWords = (sql: PgClient.PgClient, words: ReadonlyArray<string>): Statement.Fragment =>
  sql`to_tsvector('simple', translate(s.title || ' ' || coalesce(s.position, ''), './_-@:', '      '))
    @@ to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(" & ")})`

/** True when the names and addresses of a candidate `c` of the organization have all words (sql/07_submissions.sql). */
export const isNamed = (
  sql: PgClient.PgClient,
  organization: OrganizationId,
  words: ReadonlyArray<string>,
): Statement.Fragment =>
  sql`person_words(c.organization_id, c.name, c.firstname, c.lastname, c.email, c.cv_email)
    @@ person_query(${organization}::int, ${words.join(" ")})`
