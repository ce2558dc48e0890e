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
export const endpointTables = ["webhook_endpoint_hour", "webhook_throttle"]

export const isJob = (table: string) => queueTables.some((queue) => queue === table)

export const quoted = (name: string) => `"${name}"`

export const isOwn = (table: Table, organization: OrganizationId, row: string) =>
  `${row}.${quoted(table.owner)} = ${organization}`

export const run = (sql: Client, statement: string) => sql.unsafe(statement).unprepared

/** Waits for a table lock for half a second at most, because pods wait for the table meanwhile; then tries again. */
export const briefly = (sql: Client, statement: string) =>
  sql
    .withTransaction(Effect.andThen(run(sql, "set local lock_timeout = '500ms'"), run(sql, statement)))
    .pipe(Effect.retry({ schedule: Schedule.spaced("200 millis"), while: isLocked }))
