/** The rows of an organization that moves: hashes for comparison, what replication does not copy, deletion. */
import { Effect, Stream } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { briefly, endpointTables, isJob, isOwn, quoted, run, type Table } from "./MoveTablesSql.ts"

export interface RowHash {
  readonly key: string
  readonly hash: string
}

// Separates the columns of a key; no key contains it, because text with control characters is refused.
const separator = "E'\\x1f'"

const keyOf = ({ keys }: Table) => `concat_ws(${separator}, ${keys.map(({ name }) => `t.${quoted(name)}`).join(", ")})`

/** SQL of the hash of a row's columns. A job has the same hash before and while it is held. */
const hashOf = ({ columns, name }: Table) => {
  const values = columns.flatMap((column) => {
    if (!isJob(name)) return [`t.${quoted(column)}`]
    if (column === "due_at") return ["case when t.due_at = job_held_until() then t.leased_until else t.due_at end"]
    return ["leased_until", "claimed_by"].includes(column) ? [] : [`t.${quoted(column)}`]
  })
  return `hashtextextended(row(${values.join(", ")})::text, 0)::text`
}

/** Hashes of all rows of the organization, in the order of the keys' bytes. */
export const hashes = (sql: Client, table: Table, organization: OrganizationId) =>
  sql
    .unsafe<RowHash>(
      `select key, hash from (
         select ${keyOf(table)} collate "C" as key, ${hashOf(table)} as hash from ${quoted(table.name)} t
         where t.${quoted(table.owner)} = ${organization}) r order by key`,
    )
    .stream.pipe(Stream.rechunk(10_000))

/** Hashes of the rows with these keys; omits keys without a row. */
export const hashesOf = (sql: Client, table: Table, organization: OrganizationId, keys: ReadonlyArray<string>) => {
  const isRow = table.keys
    .map(({ name, type }, i) => `t.${quoted(name)} = split_part(k, ${separator}, ${i + 1})::${type}`)
    .join(" and ")
  return sql.unsafe<RowHash>(
    `select k as key, ${hashOf(table)} as hash from unnest($1::text[]) k
     join ${quoted(table.name)} t on ${isRow} and t.${quoted(table.owner)} = ${organization}`,
    [keys],
  )
}

/** Without statistics of the copied rows, Postgres chooses slow plans. */
export const analyze = (sql: Client, all: ReadonlyArray<Table>) =>
  run(sql, `analyze ${all.map(({ name }) => quoted(name)).join(", ")}`)

const isOfEndpoint = (organization: OrganizationId) =>
  `endpoint_id in (select id from webhook_endpoint where organization_id = ${organization})`

const deleteEndpointRows = (sql: Client, organization: OrganizationId, table: string) =>
  sql.unsafe(`delete from ${table} where ${isOfEndpoint(organization)}`)

/** As a JSON array, in a fixed order. */
const endpointRows = (sql: Client, organization: OrganizationId, table: string) =>
  Effect.flatMap(
    sql.unsafe<{ rows: string }>(
      `select coalesce(jsonb_agg(to_jsonb(t) order by t), '[]')::text as rows from ${table} t where ${isOfEndpoint(organization)}`,
    ),
    ([row]) => Effect.fromNullishOr(row?.rows).pipe(Effect.orDie),
  )

/** Replaces the target's rows of `endpointTables` with the source's. Returns the tables that differ then. */
export const copyEndpointRows = Effect.fnUntraced(function* (
  source: Client,
  target: Client,
  organization: OrganizationId,
) {
  const differing: Array<string> = []
  for (const table of endpointTables) {
    const rows = yield* endpointRows(source, organization, table)
    yield* deleteEndpointRows(target, organization, table)
    yield* target.unsafe(
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::text::jsonb)`,
      [rows],
    )
    if ((yield* endpointRows(target, organization, table)) !== rows) differing.push(table)
  }
  return differing
})

/** Creates the source's partitions in the target, which would otherwise store old deliveries in its default partition. */
export const copyPartitions = Effect.fnUntraced(function* (source: Client, target: Client) {
  const partitions = yield* source<{ name: string; bounds: string }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_delivery_history'::regclass and c.relname ~ '_[0-9]{8}$'`
  for (const { bounds, name } of partitions) {
    const found =
      yield* target`select from pg_class where relname = ${name} and relnamespace = current_schema()::regnamespace`
    if (found.length > 0) continue
    yield* briefly(target, `create table if not exists ${quoted(name)} partition of webhook_delivery_history ${bounds}`)
  }
})

/** Rows deleted in one transaction. It takes some milliseconds: events of other organizations wait for open transactions. */
const deleteBatch = 2_000

/**
 * Deletes all rows of the organization and returns their number. No triggers fire and no foreign keys are checked: all rows
 * that refer to these rows are deleted too. The caller has ended replication, so no process writes them.
 */
export const deleteRows = Effect.fnUntraced(function* (
  sql: Client,
  all: ReadonlyArray<Table>,
  organization: OrganizationId,
) {
  for (const table of endpointTables) yield* deleteEndpointRows(sql, organization, table)
  let count = 0
  for (const table of all) {
    const name = quoted(table.name)
    const places = sql.unsafe<{ part: string; place: string }>(
      `select tableoid::regclass::text as part, ctid::text as place from ${name} t where ${isOwn(table, organization, "t")}`,
    ).stream
    yield* Stream.runForEachArray(Stream.rechunk(places, deleteBatch), (rows) => {
      count += rows.length
      return Effect.forEach(
        Map.groupBy(rows, ({ part }) => part),
        ([part, own]) =>
          sql.withTransaction(
            Effect.andThen(
              run(sql, "set local session_replication_role = replica"),
              sql.unsafe(
                `delete from ${part} t where ctid = any($1::text[]::tid[]) and ${isOwn(table, organization, "t")}`,
                [own.map(({ place }) => place)],
              ),
            ),
          ),
      )
    })
  }
  return count
})
