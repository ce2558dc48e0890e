/**
 * Logical replication copies the rows and then their changes: one publication with a row filter on each table. Row filters of
 * updates and deletes need the organization in the replica identity, which is extended during the move; the target finds rows
 * by their primary keys. Replication fires no triggers, except the one in the target that holds jobs. Publication, slot and
 * subscription of a move have the same name.
 */
import { Effect, Schedule } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { briefly, quoted, run, type Table } from "./MoveTablesSql.ts"

const identityIndex = ({ name }: Table) => `a_moving_identity_${name}`

/** Creates the index. Replaces an invalid one that an interrupted `create index concurrently` left. */
const addIdentityIndex = Effect.fnUntraced(function* (sql: Client, table: Table) {
  const index = identityIndex(table)
  const found = yield* sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${index})`
  if (found[0]?.isValid) return
  yield* run(sql, `drop index concurrently if exists ${index}`)
  const columns = [table.owner, ...table.keys.map(({ name }) => name)].map(quoted).join(", ")
  yield* run(sql, `create unique index concurrently ${index} on ${quoted(table.name)} (${columns})`)
})

const alterIdentity = Effect.fnUntraced(function* (
  sql: Client,
  names: ReadonlyArray<string>,
  code: string,
  identity: string,
) {
  const wrong = yield* sql<{ name: string }>`
    select c.relname as name from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relreplident <> ${code}
      and (c.relname = any(${names}) or i.inhparent = any(${names}::text[]::regclass[])) and c.relkind in ('r', 'p')
    order by c.relkind, c.relname`
  for (const { name } of wrong) yield* briefly(sql, `alter table ${quoted(name)} replica identity ${identity}`)
})

/**
 * Makes the organization part of the replica identity of all tables and partitions. Postgres 18 refuses updates of a table with
 * generated columns and the identity `full`, so such a table gets an index.
 */
export const extendIdentities = Effect.fnUntraced(function* (sql: Client, all: ReadonlyArray<Table>) {
  const names = (of: ReadonlyArray<Table>) => of.map(({ name }) => name)
  yield* alterIdentity(sql, names(all.filter(({ isGenerated }) => !isGenerated)), "f", "full")
  for (const table of all.filter(({ isGenerated }) => isGenerated)) {
    yield* addIdentityIndex(sql, table)
    yield* alterIdentity(sql, [table.name], "i", `using index ${identityIndex(table)}`)
  }
})

export const resetIdentities = Effect.fnUntraced(function* (sql: Client, all: ReadonlyArray<Table>) {
  yield* alterIdentity(
    sql,
    all.map(({ name }) => name),
    "d",
    "default",
  )
  for (const table of all.filter(({ isGenerated }) => isGenerated)) {
    yield* run(sql, `drop index concurrently if exists ${identityIndex(table)}`)
  }
})

/** Names of slots are unique on a server. */
const hasSlot = (sql: Client, name: string) =>
  Effect.map(
    sql`select from pg_replication_slots where slot_name = ${name} and database = current_database()`,
    (rows) => rows.length > 0,
  )

export const publish = Effect.fnUntraced(function* (
  sql: Client,
  name: string,
  all: ReadonlyArray<Table>,
  organization: OrganizationId,
) {
  if (!(yield* isPublished(sql, name))) {
    const list = all.map((table) => `${quoted(table.name)} where (${quoted(table.owner)} = ${organization})`).join(", ")
    yield* briefly(
      sql,
      `create publication ${name} for table ${list} with (publish = 'insert, update, delete', publish_via_partition_root = true)`,
    )
  }
  if (yield* hasSlot(sql, name)) return
  yield* run(sql, `select slot_name::text from pg_create_logical_replication_slot('${name}', 'pgoutput')`)
})

export const unpublish = Effect.fnUntraced(function* (sql: Client, name: string) {
  if (yield* hasSlot(sql, name)) {
    yield* run(sql, `select pg_drop_replication_slot('${name}')`).pipe(
      // the slot is in use until the WAL sender ends, soon after the target has closed its connection
      Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 50 }),
    )
  }
  if (!(yield* isPublished(sql, name))) return
  yield* briefly(sql, `drop publication ${name}`)
})

/** Whether the target is connected and receives changes. */
export const isReceiving = (source: Client, name: string) =>
  Effect.map(source`select from pg_replication_slots where slot_name = ${name} and active`, (rows) => rows.length > 0)

export const isPublished = (sql: Client, name: string) =>
  Effect.map(sql`select from pg_publication where pubname = ${name}`, (rows) => rows.length > 0)

/** `syncSlots`: a pattern of the names of slots in the source that the copy of a table uses. */
const subscriptionOf = (sql: Client, name: string) =>
  Effect.map(
    sql<{ hasSlot: boolean; syncSlots: string }>`
      select subslotname is not null as "hasSlot",
        format('^pg_%s_sync_\d+_%s$', oid, (select system_identifier from pg_control_system())) as "syncSlots"
      from pg_subscription
      where subname = ${name} and subdbid = (select oid from pg_database where datname = current_database())`,
    ([row]) => row,
  )

/** Continues the subscription of an earlier call. Returns false if changes since then are lost, so that rows must be copied again. */
export const resume = Effect.fnUntraced(function* (source: Client, target: Client, name: string) {
  if (!(yield* hasSlot(source, name)) || !(yield* subscriptionOf(target, name))?.hasSlot) return false
  yield* run(target, `alter subscription ${name} enable`)
  return true
})

/** `source`: the address at which the target's server reaches the source. */
export const subscribe = Effect.fnUntraced(function* (sql: Client, name: string, source: string) {
  const address = source.replaceAll("'", "''")
  yield* run(
    sql,
    `create subscription ${name} connection '${address}' publication ${name} with (create_slot = false, slot_name = '${name}', streaming = on)`,
  )
})

/** Drops the subscription and its slots in the source. */
export const unsubscribe = Effect.fnUntraced(function* (source: Client, target: Client, name: string) {
  const subscription = yield* subscriptionOf(target, name)
  if (subscription === undefined) return
  yield* run(target, `alter subscription ${name} disable`)
  const drop = run(target, `drop subscription ${name}`)
  // without its slots, when the target does not reach the source, or when they are gone after a failover
  const dropAlone = Effect.andThen(run(target, `alter subscription ${name} set (slot_name = none)`), drop)
  yield* Effect.catch(drop, () => dropAlone)
  yield* source`
    select pg_drop_replication_slot(slot_name) from pg_replication_slots
    where slot_name ~ ${subscription.syncSlots} and not active`
})

export interface CopyProgress {
  readonly tables: number
  readonly copied: number
  readonly errors: number
}

export const copyProgress = (sql: Client, name: string) =>
  Effect.flatMap(
    sql<CopyProgress>`
      select count(*)::int as tables, count(*) filter (where r.srsubstate = 'r')::int as copied,
        coalesce(max(t.apply_error_count + t.sync_error_count), 0)::int as errors
      from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid
        left join pg_stat_subscription_stats t on t.subid = s.oid
      where s.subname = ${name}`,
    ([row]) => Effect.fromNullishOr(row).pipe(Effect.orDie),
  )

/** The current end of the source's write-ahead log. */
export const currentPosition = (sql: Client) =>
  Effect.flatMap(sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`, ([row]) =>
    Effect.fromNullishOr(row?.lsn).pipe(Effect.orDie),
  )

/** Bytes of the log up to `position` that the target has not confirmed; 0 or less: it has applied all. Undefined: no slot. */
export const lag = (sql: Client, name: string, position: string) =>
  Effect.map(
    sql<{ bytes: number }>`
      select pg_wal_lsn_diff(${position}::pg_lsn, confirmed_flush_lsn)::float8 as bytes
      from pg_replication_slots where slot_name = ${name}`,
    ([row]) => row?.bytes,
  )
