/**
 * SQL of a move, in the database of the source or of the target (OrganizationMoves.ts).
 *
 * Logical replication copies the rows and then their changes: one publication with a row filter on each table. Row filters of
 * updates and deletes need the organization in the replica identity, which is extended during the move; the target finds rows
 * by their primary keys. Replication fires no triggers, except the one in the target that holds jobs.
 */
import { Effect, Schedule, Stream } from "effect"
import { SqlError } from "effect/sql"
import type { Client } from "../platform/database/CommandClient.ts"
import { isLocked } from "../platform/database/Migrations.ts"
import { queueTables } from "../platform/queue/QueueSql.ts"
import type { OrganizationId } from "../values/Ids.ts"

export type MoveState = "copying" | "verifying" | "draining" | "paused" | "moved" | "arriving" | "arrived"

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

export interface RowHash {
  readonly key: string
  readonly hash: string
}

const isJob = (table: string) => queueTables.some((queue) => queue === table)

/** Of an endpoint, without an organization; copied while writes are refused. */
export const endpointTables = ["webhook_endpoint_hour", "webhook_throttle"]

const quoted = (name: string) => `"${name}"`

/** The name of the publication, the slot and the subscription. Two cells on a server have no organization number in common. */
const nameOf = (organization: OrganizationId) => `organization_move_${organization}`

/** The guard's name sorts before those of other triggers, which run after it. */
const [guard, hold] = ["a_moving_guard", "a_moving_hold"]

const run = (sql: Client, statement: string) => sql.unsafe(statement).unprepared

/** Waits for a table lock for half a second at most, because pods wait for the table meanwhile; then tries again. */
const briefly = (sql: Client, statement: string) =>
  sql
    .withTransaction(Effect.andThen(run(sql, "set local lock_timeout = '500ms'"), run(sql, statement)))
    .pipe(Effect.retry({ schedule: Schedule.spaced("200 millis"), while: isLocked }))

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

export const stateOf = (sql: Client, organization: OrganizationId) =>
  Effect.map(
    sql<{ state: MoveState }>`select state from organization_move where organization_id = ${organization}::int`,
    ([row]) => row?.state,
  )

export const setState = (sql: Client, organization: OrganizationId, state: MoveState) =>
  sql`
    insert into organization_move (organization_id, state) values (${organization}::int, ${state})
    on conflict (organization_id) do update set state = excluded.state,
      started_at = case when excluded.state in ('copying', 'arriving') then now() else organization_move.started_at end,
      arrived_at = case when excluded.state = 'arrived' then now() else organization_move.arrived_at end`

/** Restores the state before the move: 'arrived' if the organization came from another cell, otherwise no row. */
export const forget = (sql: Client, organization: OrganizationId) =>
  sql.withTransaction(
    Effect.andThen(
      sql`
        update organization_move set state = 'arrived'
        where organization_id = ${organization}::int and state <> 'arriving' and arrived_at is not null`,
      sql`delete from organization_move where organization_id = ${organization}::int and state <> 'arrived'`,
    ),
  )

/** What is checked of a cell before a move. */
export interface CellFacts {
  readonly version: number
  readonly database: string
  readonly schema: string
  readonly wal_level: string
  readonly cell: number
  readonly organization: string | null
  readonly migrations: ReadonlyArray<string>
  readonly secret_keys: ReadonlyArray<string>
  /** Other organizations whose move has not ended. */
  readonly open: ReadonlyArray<number>
  readonly is_superuser: boolean
  readonly may_subscribe: boolean
  readonly may_replicate: boolean
  readonly may_create: boolean
  /** Tables that the role does not own. */
  readonly foreign_tables: ReadonlyArray<string>
  /** Tables whose replica identity is not the default. */
  readonly identities: ReadonlyArray<string>
  readonly free_slots: number
  readonly free_senders: number
  readonly workers: number
  readonly files_in_s3: number
}

export const factsOf = (sql: Client, organization: OrganizationId) =>
  Effect.map(
    sql<CellFacts>`
      with own as (
        select c.oid, c.relname, c.relowner, c.relreplident from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      )
      select current_setting('server_version_num')::int as version,
        (select system_identifier::text from pg_control_system()) || '/' || current_database() as database,
        current_schema() as schema, current_setting('wal_level') as wal_level, (select number from cell) as cell,
        (select name from organization where id = ${organization}::int) as organization,
        (select jsonb_agg(migration_id || '_' || name order by migration_id) from schema_migrations) as migrations,
        (select coalesce(jsonb_agg(encode(fingerprint, 'hex') order by fingerprint), '[]') from secret_key) as secret_keys,
        (select coalesce(jsonb_agg(organization_id), '[]') from organization_move
          where organization_id <> ${organization}::int and state not in ('moved', 'arrived')) as open,
        r.rolsuper as is_superuser, r.rolreplication or r.rolsuper as may_replicate,
        r.rolsuper or exists (select from pg_roles p where p.rolname = 'pg_create_subscription'
          and pg_has_role(r.oid, p.oid, 'member')) as may_subscribe,
        has_database_privilege(current_database(), 'create') as may_create,
        (select coalesce(jsonb_agg(relname), '[]') from own where not pg_has_role(relowner, 'usage')) as foreign_tables,
        (select coalesce(jsonb_agg(relname), '[]') from own where relreplident <> 'd') as identities,
        (current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots))::int as free_slots,
        (current_setting('max_wal_senders')::int - (select count(*) from pg_stat_replication))::int as free_senders,
        current_setting('max_logical_replication_workers')::int as workers,
        (select count(*)::int from blob where organization_id = ${organization}::int and store = 's3') as files_in_s3
      from pg_roles r where r.rolname = current_user`,
    ([row]) => row,
  )

/** Values that must be unique in an installation, as SQL of a row `t` of `table`. */
const uniqueValues: ReadonlyArray<{ readonly what: string; readonly table: string; readonly value: string }> = [
  { what: "member", table: "member", value: "case when t.deactivated_at is null then lower(t.email) end" },
  { what: "identity", table: "member_identity", value: "t.issuer || ' ' || t.subject" },
  { what: "API key", table: "api_key", value: "t.prefix" },
  { what: "connection", table: "ats_connection", value: "encode(t.key_hash, 'hex')" },
]

/** Unique values of the organization that other organizations of the target have, such as "member ada@example.org". */
export const collisions = Effect.fnUntraced(function* (source: Client, target: Client, organization: OrganizationId) {
  const found: Array<string> = []
  for (const { table, value, what } of uniqueValues) {
    const own = yield* source.unsafe<{ value: string }>(
      `select ${value} as value from ${table} t where organization_id = ${organization} and ${value} is not null`,
    )
    const values = own.map((row) => row.value)
    const same = yield* target.unsafe<{ value: string }>(
      `select ${value} as value from ${table} t where organization_id <> ${organization} and ${value} = any($1::text[])`,
      [values],
    )
    found.push(...same.map((row) => `${what} ${row.value}`))
  }
  return found
})

const isOwn = (table: Table, organization: OrganizationId, row: string) =>
  `${row}.${quoted(table.owner)} = ${organization}`

const hasTrigger = (sql: Client, table: string, trigger: string) =>
  Effect.map(
    sql`select from pg_trigger where tgrelid = ${table}::regclass and tgname = ${trigger}`,
    (rows) => rows.length > 0,
  )

const addTrigger = Effect.fnUntraced(function* (sql: Client, table: string, trigger: string, definition: string) {
  if (yield* hasTrigger(sql, table, trigger)) return
  yield* briefly(sql, `create trigger ${trigger} ${definition}`)
})

const dropTrigger = Effect.fnUntraced(function* (sql: Client, table: string, trigger: string) {
  if (!(yield* hasTrigger(sql, table, trigger))) return
  yield* briefly(sql, `drop trigger if exists ${trigger} on ${quoted(table)}`)
})

/** Adds triggers that refuse writes of pods, or record the changed rows, depending on the state of the move. */
export const addGuards = Effect.fnUntraced(function* (
  sql: Client,
  all: ReadonlyArray<Table>,
  organization: OrganizationId,
) {
  for (const table of all) {
    const parameters = [String(organization), table.name, ...table.keys.map(({ name }) => name)]
    const call = `execute function guard_moving_organization(${parameters.map((text) => `'${text}'`).join(", ")})`
    const on = (event: string, row: string) =>
      `before ${event} on ${quoted(table.name)} for each row when (${isOwn(table, organization, row)}) ${call}`
    yield* addTrigger(sql, table.name, guard, on("insert or update", "new"))
    yield* addTrigger(sql, table.name, `${guard}_delete`, on("delete", "old"))
  }
})

export const dropGuards = Effect.fnUntraced(function* (sql: Client, all: ReadonlyArray<Table>) {
  for (const { name } of all) {
    yield* dropTrigger(sql, name, guard)
    yield* dropTrigger(sql, name, `${guard}_delete`)
  }
})

/** Adds triggers that hold jobs. In the target they fire only for rows that replication writes, because pods write none. */
export const addHolds = Effect.fnUntraced(function* (
  sql: Client,
  side: "source" | "target",
  organization: OrganizationId,
) {
  for (const table of queueTables) {
    const condition = `new.organization_id = ${organization} and new.due_at < job_held_until()`
    yield* addTrigger(
      sql,
      table,
      hold,
      `before insert or update on ${table} for each row when (${condition}) execute function hold_job('${side}')`,
    )
    if (side === "target") yield* briefly(sql, `alter table ${table} enable replica trigger ${hold}`)
  }
})

export const dropHolds = (sql: Client) =>
  Effect.forEach(queueTables, (table) => dropTrigger(sql, table, hold), { discard: true })

/**
 * Holds the source's jobs, including claimed ones whose lease or process has ended; returns the number in flight. Its
 * updates fire the trigger of `addHolds`, which holds the jobs. They run in batches: a long transaction would delay events.
 */
export const holdJobs = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  let inFlight = 0
  for (const table of queueTables) {
    for (let held = 1; held > 0; ) {
      const rows = yield* sql.unsafe(
        `update ${table} q set claim_id = null where q.ctid = any(array(
           select ctid from ${table} where organization_id = ${organization} and due_at < job_held_until()
             and (claim_id is null or coalesce(leased_until <= now(), true)
               or claimed_by in (select id from worker_process where ended_at is not null))
           limit 5000 for update skip locked))
         returning 1`,
      )
      held = rows.length
    }
    const [row] = yield* sql.unsafe<{ count: number }>(
      `select count(*)::int as count from ${table} where organization_id = ${organization} and due_at < job_held_until()`,
    )
    inFlight += row?.count ?? 0
  }
  return inFlight
})

/** Makes held jobs due as before, and wakes workers. */
export const releaseJobs = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  for (const table of queueTables) {
    for (let released = 1; released > 0; ) {
      const rows = yield* sql.unsafe(
        `update ${table} q set due_at = coalesce(q.leased_until, now()), leased_until = null where q.ctid = any(array(
           select ctid from ${table} where organization_id = ${organization} and due_at = job_held_until()
           limit 5000 for update skip locked))
         returning 1`,
      )
      released = rows.length
    }
    yield* sql`select notify_of_due(${table})`
  }
})

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

export const publish = Effect.fnUntraced(function* (
  sql: Client,
  all: ReadonlyArray<Table>,
  organization: OrganizationId,
) {
  const name = nameOf(organization)
  if ((yield* sql`select from pg_publication where pubname = ${name}`).length === 0) {
    const list = all.map((table) => `${quoted(table.name)} where (${quoted(table.owner)} = ${organization})`).join(", ")
    yield* briefly(
      sql,
      `create publication ${name} for table ${list} with (publish = 'insert, update, delete', publish_via_partition_root = true)`,
    )
  }
  if ((yield* sql`select from pg_replication_slots where slot_name = ${name}`).length > 0) return
  yield* run(sql, `select slot_name::text from pg_create_logical_replication_slot('${name}', 'pgoutput')`)
})

export const unpublish = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  const name = nameOf(organization)
  if ((yield* sql`select from pg_replication_slots where slot_name = ${name}`).length > 0) {
    yield* run(sql, `select pg_drop_replication_slot('${name}')`).pipe(
      // the slot is in use until the WAL sender ends, soon after the target has closed its connection
      Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 50 }),
    )
  }
  if ((yield* sql`select from pg_publication where pubname = ${name}`).length === 0) return
  yield* briefly(sql, `drop publication ${name}`)
})

const isSubscription = (sql: Client, organization: OrganizationId) =>
  sql`subname = ${nameOf(organization)} and subdbid = (select oid from pg_database where datname = current_database())`

export const isSubscribed = (sql: Client, organization: OrganizationId) =>
  Effect.map(sql`select from pg_subscription where ${isSubscription(sql, organization)}`, (rows) => rows.length > 0)

/** `source`: the address at which the target's server reaches the source. */
export const subscribe = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId, source: string) {
  const name = nameOf(organization)
  const address = source.replaceAll("'", "''")
  yield* run(
    sql,
    `create subscription ${name} connection '${address}' publication ${name} with (create_slot = false, slot_name = '${name}', streaming = on)`,
  )
})

export const unsubscribe = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  if (!(yield* isSubscribed(sql, organization))) return
  const name = nameOf(organization)
  yield* run(sql, `alter subscription ${name} disable`)
  // also drops the slots in the source, if it can be reached
  yield* run(sql, `drop subscription ${name}`).pipe(
    Effect.tapError(({ message }) =>
      Effect.logWarning("replication slots are left in the source: drop those named pg_…_sync_… there", { message }),
    ),
    Effect.catch(() =>
      Effect.andThen(
        run(sql, `alter subscription ${name} set (slot_name = none)`),
        run(sql, `drop subscription ${name}`),
      ),
    ),
  )
})

export interface CopyProgress {
  readonly tables: number
  readonly copied: number
  readonly errors: number
}

export const copyProgress = (sql: Client, organization: OrganizationId) =>
  Effect.flatMap(
    sql<CopyProgress>`
      select count(*)::int as tables, count(*) filter (where r.srsubstate = 'r')::int as copied,
        coalesce(max(t.apply_error_count + t.sync_error_count), 0)::int as errors
      from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid
        left join pg_stat_subscription_stats t on t.subid = s.oid
      where s.subname = ${nameOf(organization)}`,
    ([row]) => Effect.fromNullishOr(row).pipe(Effect.orDie),
  )

/** The current end of the source's write-ahead log. */
export const currentPosition = (sql: Client) =>
  Effect.flatMap(sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`, ([row]) =>
    Effect.fromNullishOr(row?.lsn).pipe(Effect.orDie),
  )

/** Bytes of the log up to `position` that the target has not confirmed; 0 or less: it has applied all. */
export const lag = (sql: Client, organization: OrganizationId, position: string) =>
  Effect.flatMap(
    sql<{ bytes: number }>`
      select pg_wal_lsn_diff(${position}::pg_lsn, confirmed_flush_lsn)::float8 as bytes
      from pg_replication_slots where slot_name = ${nameOf(organization)}`,
    ([row]) => Effect.fromNullishOr(row?.bytes).pipe(Effect.orDie),
  )

/** Waits until the transactions of all current writers have ended. Later writers wait until this transaction has ended. */
const lockWriters = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  yield* run(sql, "set local lock_timeout = '2s'")
  yield* sql`select pg_advisory_xact_lock(moving_organization_lock(), ${organization}::int)`
})

/** Refuses writes for 10 seconds at most. Fails with a lock timeout when a writer's transaction does not end in 2 seconds. */
export const pause = (sql: Client, organization: OrganizationId) =>
  sql.withTransaction(
    Effect.andThen(
      lockWriters(sql, organization),
      sql`
        update organization_move set state = 'paused', paused_until = clock_timestamp() + interval '10 seconds'
        where organization_id = ${organization}::int`,
    ),
  )

/** Ends a pause without a switch. */
export const resume = (sql: Client, organization: OrganizationId) =>
  sql`update organization_move set state = 'draining' where organization_id = ${organization}::int and state = 'paused'`

/** Sets the source's state 'moved'. Returns false when the pause was over already, so that rows may have changed. */
export const leave = (sql: Client, organization: OrganizationId) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* lockWriters(sql, organization)
      const left = yield* sql`
        update organization_move set state = 'moved', moved_at = now()
        where organization_id = ${organization}::int and state = 'paused' and clock_timestamp() < paused_until
        returning 1`
      return left.length > 0
    }),
  )

export const clearChanges = (sql: Client) => run(sql, "delete from organization_move_change")

/** Without statistics of the copied rows, Postgres chooses slow plans. */
export const analyze = (sql: Client, all: ReadonlyArray<Table>) =>
  run(sql, `analyze ${all.map(({ name }) => quoted(name)).join(", ")}`)

/** Keys of the rows that changed since the state 'verifying', by table. */
export const changes = (sql: Client) =>
  Effect.map(
    sql<{ table_name: string; keys: ReadonlyArray<string> }>`
      select table_name, jsonb_agg(distinct key) as keys from organization_move_change group by table_name`,
    (rows) => new Map(rows.map(({ keys, table_name }) => [table_name, keys])),
  )

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

/** Creates the partitions of the source's days in the target, which would else store old deliveries in its default partition. */
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

/** The number of the next event in a cell is at least this (webhooks/EventOrderSql.ts). */
const nextEvent = "(select xid_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1 from event_order)"

export const nextEventNumber = (sql: Client) =>
  Effect.flatMap(sql.unsafe<{ next: string }>(`select ${nextEvent}::text as next`), ([row]) =>
    Effect.fromNullishOr(row?.next).pipe(Effect.orDie),
  )

/**
 * Makes the target's next events come after the source's. A cursor may be above the source's newest event, so this compares
 * with `sourceNext`, not with stored events as `continue_event_order` does. Like that function, it continues with the clock, or
 * above `sourceNext` by 2^40 if the clock is not above it. For the lock see webhooks/EventOrderSql.ts.
 */
export const raiseEventOrder = Effect.fnUntraced(function* (target: Client, sourceNext: string) {
  const isBehind = `${nextEvent} <= ${BigInt(sourceNext)}`
  if ((yield* target.unsafe(`select where ${isBehind}`)).length === 0) return
  yield* target.withTransaction(
    Effect.andThen(
      run(target, "lock table event_order in access exclusive mode"),
      run(
        target,
        `update event_order set xid_offset = case when known.clock > known.used then known.clock
          else known.used + (1::bigint << 40) end - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as clock, ${BigInt(sourceNext)} as used) known
        where ${isBehind}`,
      ),
    ),
  )
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

/** Whether the role may set session_replication_role, which `deleteRows` needs. */
export const mayReplaceTriggers = (sql: Client) =>
  sql.withTransaction(run(sql, "set local session_replication_role = replica")).pipe(
    Effect.as(true),
    Effect.catchIf(SqlError.isSqlError, () => Effect.succeed(false)),
  )
