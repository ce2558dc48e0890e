/** Tells whether two databases have the same tables, columns, constraints, indexes and functions. */
import { PgClient } from "@effect/sql-pg"
import { Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"

const connected = (url: Redacted.Redacted) => PgClient.layer({ url, maxConnections: 1, transformJson: false })

/** Partitions of days are left out, as they differ by the day of the start. */
const describeSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ line: string }>`
    with tables as (
      select oid, relname from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v') and not relispartition)
    select format('column %s.%s %s %s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull) as line
    from tables t join pg_attribute a on a.attrelid = t.oid where a.attnum > 0 and not a.attisdropped
    union all
    select format('constraint %s %s', t.relname, pg_get_constraintdef(c.oid))
    from tables t join pg_constraint c on c.conrelid = t.oid where c.conparentid = 0
    union all
    select format('index %s', pg_get_indexdef(i.indexrelid)) from tables t join pg_index i on i.indrelid = t.oid
    union all
    select format('function %s %s', proname, md5(prosrc)) from pg_proc where pronamespace = current_schema()::regnamespace
    order by line`
  return rows.map(({ line }) => line).join("\n")
})

const schemaAt = (url: Redacted.Redacted) => Effect.provide(describeSchema, connected(url), { local: true })

export const isSameSchema = (one: Redacted.Redacted, other: Redacted.Redacted) =>
  Effect.zipWith(schemaAt(one), schemaAt(other), (left, right) => left === right)

/** Drops another database of the server, also while it is used. */
export const dropDatabase = (url: Redacted.Redacted, name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`drop database if exists ${sql(name)} with (force)`.unprepared
  }).pipe(Effect.provide(connected(url), { local: true }))
