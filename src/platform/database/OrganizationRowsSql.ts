/** The tables with rows of organizations, read from the catalogue, so that a new table is not forgotten. */
import { Effect } from "effect"
import type { Sql } from "./Sql.ts"

interface References {
  readonly table: string
  readonly isPartitioned: boolean
  /** Tables whose rows refer to this one's. */
  readonly referrers: ReadonlyArray<string>
}

export interface OwnedTable {
  readonly table: string
  readonly isPartitioned: boolean
}

/** Each table after those that refer to it. */
const deletionOrder = (tables: ReadonlyArray<References>): ReadonlyArray<OwnedTable> => {
  const ordered = new Map<string, OwnedTable>()
  const add = (name: string, path: ReadonlyArray<string>) => {
    if (ordered.has(name) || path.includes(name)) return
    const found = tables.find(({ table }) => table === name)
    for (const referrer of found?.referrers ?? []) add(referrer, [...path, name])
    ordered.set(name, { table: name, isPartitioned: found?.isPartitioned ?? false })
  }
  for (const { table } of tables) add(table, [])
  return [...ordered.values()]
}

/** The tables with a column organization_id, in an order in which their rows can be deleted. */
export const ownedTables = (sql: Sql) =>
  Effect.map(
    sql<References>`
      with owned as (
        select c.oid, c.relname, c.relkind from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and exists (select from pg_attribute a
            where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped)
      )
      select t.relname as table, t.relkind = 'p' as "isPartitioned", coalesce((
        select jsonb_agg(distinct r.relname) from pg_constraint f join owned r on r.oid = f.conrelid
        where f.contype = 'f' and f.confrelid = t.oid and r.oid <> t.oid), '[]') as referrers
      from owned t order by t.relname`,
    deletionOrder,
  )
