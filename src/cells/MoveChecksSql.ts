/** What must hold in both databases before a move. */
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import type { Client } from "../platform/database/CommandClient.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { run } from "./MoveTablesSql.ts"

/** What is checked of a cell before a move. */
export interface CellFacts {
  readonly version: number
  readonly wal_level: string
  readonly cell: number
  readonly organization: string | null
  /** The organization that has it as its test space, or its test space. */
  readonly test_pair: { readonly live: number; readonly space: number } | null
  readonly migrations: ReadonlyArray<string>
  readonly secret_keys: ReadonlyArray<string>
  /** Other organizations whose move is open. */
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

/** The database and the schema of a cell. `hasTables` is false before its migrations are applied. */
export interface Place {
  readonly database: string
  readonly schema: string | null
  readonly hasTables: boolean
}

export const placeOf = (sql: Client) =>
  Effect.flatMap(
    sql<Place>`
      select (select system_identifier::text from pg_control_system()) || '/' || current_database() as database,
        current_schema() as schema, to_regclass(current_schema() || '.organization_move') is not null as "hasTables"`,
    ([row]) => Effect.fromNullishOr(row).pipe(Effect.orDie),
  )

export const cellOf = (sql: Client) =>
  Effect.flatMap(sql<{ number: number }>`select number from cell`, ([row]) =>
    Effect.fromNullishOr(row?.number).pipe(Effect.orDie),
  )

export const factsOf = (sql: Client, organization: OrganizationId) =>
  Effect.map(
    sql<CellFacts>`
      with own as (
        select c.oid, c.relname, c.relowner, c.relreplident from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      )
      select current_setting('server_version_num')::int as version,
        current_setting('wal_level') as wal_level, (select number from cell) as cell,
        (select name from organization where id = ${organization}::int) as organization,
        (select jsonb_build_object('live', test_of, 'space', id) from organization
          where test_of is not null and ${organization}::int in (id, test_of)) as test_pair,
        (select jsonb_agg(migration_id || '_' || name order by migration_id) from schema_migrations) as migrations,
        (select coalesce(jsonb_agg(encode(fingerprint, 'hex') order by fingerprint), '[]') from secret_key) as secret_keys,
        (select coalesce(jsonb_agg(organization_id), '[]') from organization_move
          where organization_id <> ${organization}::int and ended_at is null) as open,
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
export const uniqueValues: ReadonlyArray<{ readonly what: string; readonly table: string; readonly value: string }> = [
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

/** Whether the role may set session_replication_role, which `deleteRows` needs. */
export const mayReplaceTriggers = (sql: Client) =>
  sql.withTransaction(run(sql, "set local session_replication_role = replica")).pipe(
    Effect.as(true),
    Effect.catchIf(SqlError.isSqlError, () => Effect.succeed(false)),
  )
