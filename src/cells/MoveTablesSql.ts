/** The tables with rows of organizations, and helpers of statements about them, for moves of organizations (OrganizationMoves.ts). */
import { Effect, Schedule } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import { isLocked } from "../platform/database/Migrations.ts"
import { queueTables } from "../platform/queue/QueueSql.ts"
import type { OrganizationId } from "../values/Ids.ts"

/** A table with rows of organizations. */
export interface Table {
  readonly name: string
  /** The column with the organization's number. */
  readonly owner: string
  /** The columns of the primary key. */
  readonly keys: ReadonlyArray<{ readonly name: string; readonly type: string }>
  readonly columns: ReadonlyArray<string>
  /** Whether it has generated columns. */
  readonly isGenerated: boolean
}

export const tables = (sql: Client) =>
  sql<Table>`
    select c.relname as name, case c.relname when 'organization' then 'id' else 'organization_id' end as owner,
      (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by k.place)
       from pg_index i cross join unnest(i.indkey) with ordinality k (number, place)
         join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
       where i.indrelid = c.oid and i.indisprimary) as keys,
      (select jsonb_agg(attname order by attname) from pg_attribute
       where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      exists (select from pg_attribute where attrelid = c.oid and attgenerated <> '') as "isGenerated"
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'organization_move' and (c.relname = 'organization'
        or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))
    order by c.relname`

/** Tables with rows of endpoints and without a column of the organization; copied while writes are refused. */
export const endpointTables = ["webhook_endpoint_hour"]

export const isJob = (table: string) => queueTables.some((queue) => queue === table)

export const quoted = (name: string) => `"${name}"`

export const isOwn = (table: Table, organization: OrganizationId, row: string) =>
  `${row}.${quoted(table.owner)} = ${organization}`

export const run = (sql: Client, statement: string) => sql.unsafe(statement).unprepared

/** Pods wait for the table while a statement waits for its lock, so it waits half a second at most. */
const maxLockWait = "set local lock_timeout = '500ms'"

/** Between attempts, which become rarer: a backup keeps its locks for long. */
const betweenLocks = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("5 seconds")])

/** Waits for a table lock briefly, then tries again, without limit. */
export const briefly = (sql: Client, ...statements: ReadonlyArray<string>) =>
  brieflyOnce(sql, statements).pipe(Effect.retry({ schedule: betweenLocks, while: isLocked }))

/** The same, and fails after some attempts (half a minute). */
export const brieflyAtMost = (sql: Client, ...statements: ReadonlyArray<string>) =>
  brieflyOnce(sql, statements).pipe(Effect.retry({ schedule: betweenLocks, times: 10, while: isLocked }))

const brieflyOnce = (sql: Client, statements: ReadonlyArray<string>) =>
  sql.withTransaction(
    Effect.forEach([maxLockWait, ...statements], (statement) => run(sql, statement), { discard: true }),
  )
