/** SQL of lists: order, cursor, limit (values/Cursor.ts). */
import type { Statement } from "effect/sql"
import type { PageRequest, Position } from "../../values/Cursor.ts"
import type { Fragments } from "./Sql.ts"

export type Positioned<A> = A & { readonly position: Position }

export const paging = (sql: Fragments, alias: string, { after, limit }: PageRequest) => ({
  /** Microseconds as text: a Date would lose them. */
  position: sql.literal(
    `jsonb_build_object('at', to_char(${alias}.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'id', ${alias}.id) as position`,
  ),
  behind:
    after === undefined
      ? sql`true`
      : sql`(${sql.literal(`${alias}.created_at, ${alias}.id`)}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
  /** One row more than the limit shows that there is a next page. */
  newestFirst: sql`order by ${sql.literal(`${alias}.created_at desc, ${alias}.id desc`)} limit ${limit + 1}::int`,
})

/** True without a value. */
export const when = <A>(
  sql: Fragments,
  value: A | null | undefined,
  condition: (value: A) => Statement.Fragment,
): Statement.Fragment => (value === null || value === undefined ? sql`true` : condition(value))

/** ISO 8601 text, UTC, milliseconds. */
export const iso = (sql: Fragments, column: string) =>
  sql.literal(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
