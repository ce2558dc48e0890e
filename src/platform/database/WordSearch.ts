/** Search by the beginnings of words, with the indexes of sql/. */
import type { Statement } from "effect/sql"
import type { OrganizationId } from "../../values/Ids.ts"
import type { Fragments } from "./Sql.ts"

const maxWords = 8

/**
 * The words that a search looks for; none: the text is blank, so everything is found. Undefined: the text has no letter and no
 * digit, such as an emoji, so nothing is found. Drops characters that have a meaning in a tsquery, and words without a letter,
 * which folded() makes empty.
 */
export const wordsOf = (text: string): ReadonlyArray<string> | undefined => {
  const searched = text.slice(0, 200)
  const words = (searched.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => /[\p{L}\p{N}]/u.test(word))
  return words.length === 0 && searched.trim() !== "" ? undefined : words.slice(0, maxWords)
}

/** Title and role of a set `s`, without case and accents; index in sql/04_interview_sets.sql. */
export const hasWords = (sql: Fragments, words: ReadonlyArray<string>): Statement.Fragment =>
  sql`to_tsvector('simple', folded(translate(s.title || ' ' || coalesce(s.position, ''), './_-@:', '      ')))
    @@ to_tsquery('simple', folded(${words.map((word) => `'${word}':*`).join(" & ")}))`

/** Names and addresses of a candidate `c`; index in sql/05_candidates.sql. */
export const isNamed = (
  sql: Fragments,
  organization: OrganizationId,
  words: ReadonlyArray<string>,
): Statement.Fragment => sql`c.words @@ person_query(${organization}::int, ${words.join(" ")})`
