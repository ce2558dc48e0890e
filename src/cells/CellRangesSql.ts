/** The ranges of ids (Cell.ts), set on the identity columns of the database. */
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { isLocked } from "../platform/database/Migrations.ts"
import { rangeOf } from "./Cell.ts"

/** A column with generated numbers. */
interface NumberColumn {
  readonly cell: number
  readonly table: string
  readonly column: string
  readonly type: "integer" | "bigint"
  /** Bigints as text. */
  readonly min: string
  readonly max: string
}

/** Columns outside the range of their cell. That of `worker_process` is left out, because its numbers are used only in the cell. */
const outside = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const columns = yield* sql<NumberColumn>`
    select cell.number as cell, c.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
      s.seqmin::text as min, s.seqmax::text as max
    from cell cross join pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
      join pg_depend d on d.classid = 'pg_class'::regclass and d.deptype = 'i'
        and d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid and d.refobjsubid = a.attnum
      join pg_sequence s on s.seqrelid = d.objid
    where c.relnamespace = current_schema()::regnamespace and c.relname <> 'worker_process' order by c.relname`
  return columns.flatMap(({ cell, column, max, min, table, type }) => {
    const range = rangeOf(cell, type)
    return min === String(range.min) && max === String(range.max) ? [] : [{ cell, column, range, table }]
  })
})

/** Sets the ranges of the cell's number. The caller's transaction has locked the row of `cell`. */
export const setRanges = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  for (const { column, range, table } of yield* outside(sql)) {
    yield* sql.unsafe(
      `alter table "${table}" alter column "${column}" set maxvalue ${range.max} set minvalue ${range.min} set start ${range.min} restart`,
    ).unprepared
  }
})

/**
 * After migrations: sets the range of identity columns that they added. One statement when there are none. The columns of cell 0
 * stay without a limit, as in an installation that has no number.
 */
export const continueRanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (!(yield* outside(sql)).some(({ cell }) => cell > 0)) return
  yield* sql
    .withTransaction(
      Effect.gen(function* () {
        yield* sql`set local lock_timeout = '500ms'`.unprepared
        // another pod may have set them meanwhile, and used the first numbers
        yield* sql`select from cell for update`
        yield* setRanges(sql)
      }),
    )
    .pipe(Effect.retry({ schedule: Schedule.spaced("1 second"), while: isLocked }))
}).pipe(Effect.withSpan("CellRanges.continueRanges"))
