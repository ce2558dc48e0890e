/** Texts that are searched by the beginnings of their words, each with its index (sql/0016, sql/0017). */
import type { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"

const indexed = (text: string) => `to_tsvector('simple', translate(${text}, './_-@:', '      '))`

const vectors = {
  /** The title and the role of an interview set `s`. */
  set: indexed("s.title || ' ' || coalesce(s.position, '')"),
  /** The names and the address of a candidate `c`. */
  candidate: indexed(
    "coalesce(c.name, '') || ' ' || coalesce(c.firstname, '') || ' ' || coalesce(c.lastname, '') || ' ' || coalesce(c.email, '')",
  ),
} as const

/** Whether the text has every one of these words, or one that begins with it; `words` as domain/Words.ts gives them. */
export const hasWords = (
  sql: PgClient.PgClient,
  of: keyof typeof vectors,
  words: ReadonlyArray<string>,
): Statement.Fragment =>
  sql`${sql.literal(vectors[of])} @@ to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(" & ")})`
