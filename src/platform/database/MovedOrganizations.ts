/**
 * SQL conditions that leave out organizations of another cell, or that are being moved (docs/scale.md). In platform/, because
 * repositories of all subjects use them.
 */

import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Fragments } from "./Sql.ts"

const isNotIn = (sql: Fragments, column: string, query: string) =>
  // Postgres reads the array once per statement
  sql.literal(`${column} <> all(array(${query}))`)

/**
 * Whether this cell may write the rows of the organization in `column`, for statements about rows of all organizations, such as
 * those of periodic steps.
 */
export const isWritable = (sql: Fragments, column: string): Statement.Fragment =>
  isNotIn(sql, column, "select organization_id from organization_elsewhere")

/** False while another cell has the organization in `column`; true while its writes are only refused for the switch. */
export const isOfThisCell = (sql: Fragments, column: string): Statement.Fragment =>
  isNotIn(sql, column, "select organization_id from organization_move where state in ('moved', 'arriving')")

/** True for rows that are copied from another cell, and not written here until the move ends. */
export const isArriving = (sql: Fragments, column: string): Statement.Fragment =>
  sql.literal(`${column} = any(array(select organization_id from organization_move where state = 'arriving'))`)

/** False for organizations with a move: those that came from another cell have events with numbers of both cells. */
export const wasAlwaysHere = (sql: Fragments, column: string): Statement.Fragment =>
  isNotIn(sql, column, "select organization_id from organization_move")

/**
 * For statements that find an organization by a key, a cookie or a link. Always true: while another cell has the organization,
 * the statement fails instead, and HTTP answers 503. `column` must be qualified with the table's name. Select it; in a `where`,
 * it could fail for rows of other organizations, which other conditions leave out.
 */
export const isHere = (sql: Fragments, column: string): Statement.Fragment =>
  sql.literal(`refuse_if(exists (
    select from organization_move moved where moved.organization_id = ${column} and moved.state in ('moved', 'arriving')))`)

/** The organization whose move has begun, and has neither ended nor been undone. Undefined also before sql/11_cells.sql. */
export const openMove = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [schema] = yield* sql<{ hasMoves: boolean }>`select to_regclass('organization_move') is not null as "hasMoves"`
  if (!schema?.hasMoves) return undefined
  const [move] = yield* sql<{ organization_id: number }>`
    select organization_id from organization_move where ended_at is null`
  return move?.organization_id
})
