/**
 * During an update, processes of the version before work on the new schema. So a file in sql/ only adds what they need
 * not know of; what is no longer used is dropped a release later, when nobody asks for it any more.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { emptyDatabase } from "../support/cli.ts"
import { schemaFiles } from "../support/databases.ts"

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly required: boolean
}

/** Everything that may refuse a row, and the columns that it looks at. */
interface Rule {
  readonly table: string
  readonly name: string
  readonly definition: string
  readonly columns: ReadonlyArray<string>
}

const columns = Effect.flatMap(
  PgClient.PgClient,
  (sql) => sql<Column>`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull and not a.atthasdef and a.attidentity = '' as required
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped`,
)

const rules = Effect.flatMap(
  PgClient.PgClient,
  (sql) => sql<Rule>`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition,
      coalesce((select array_agg(a.attname::text) from pg_attribute a where a.attrelid = c.oid and a.attnum = any (k.conkey)), '{}') as columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and k.contype in ('c', 'u', 'f', 'x')
    union all
    select c.relname, i.relname, pg_get_indexdef(i.oid),
      coalesce((select array_agg(a.attname::text) from pg_attribute a where a.attrelid = c.oid and a.attnum = any (x.indkey)), '{}')
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and x.indisunique and not x.indisprimary`,
)

const schema = Effect.all({ columns, rules })

type Schema = Effect.Success<typeof schema>

/** What would break a process that was written for `before`. */
const breaches = (before: Schema, after: Schema): ReadonlyArray<string> => {
  const tables = new Set(before.columns.map(({ table }) => table))
  const known = new Map(before.columns.map((one) => [`${one.table}.${one.column}`, one]))
  const now = new Map(after.columns.map((one) => [`${one.table}.${one.column}`, one]))
  const rulesBefore = new Set(before.rules.map(({ definition, table }) => `${table} ${definition}`))
  return [
    ...[...known].flatMap(([name, { required, type }]) => {
      const found = now.get(name)
      if (found === undefined) return [`${name} is gone`]
      if (found.type !== type) return [`${name} was ${type} and is ${found.type}`]
      return found.required && !required ? [`${name} is required`] : []
    }),
    ...[...now].flatMap(([name, { required, table }]) =>
      tables.has(table) && !known.has(name) && required ? [`${name} is new and required`] : [],
    ),
    ...after.rules.flatMap(({ columns, definition, name, table }) =>
      tables.has(table) &&
      !rulesBefore.has(`${table} ${definition}`) &&
      columns.every((column) => known.has(`${table}.${column}`))
        ? [`${table} refuses more: ${name}: ${definition}`]
        : [],
    ),
  ]
}

/** Looked at by a person. A line here says why nothing breaks. */
const reviewed: Record<string, ReadonlyArray<string>> = {
  // no process that worked with keys before was ever released
  "0004_idempotency_key": ["idempotency_key.status is required", "idempotency_key.body is required"],
  // refuses less than the index of the same name that it replaces, which held for removed members too
  "0015_members": [
    "member refuses more: member_email: CREATE UNIQUE INDEX member_email ON public.member USING btree (lower(email)) WHERE (deactivated_at IS NULL)",
  ],
}

const apply = Effect.fnUntraced(function* (file: string) {
  const sql = yield* PgClient.PgClient
  const text = readFileSync(join(import.meta.dirname, "../../sql", `${file}.sql`), "utf8")
  yield* sql.unsafe(`do $migration$ begin execute $file$${text}$file$; end $migration$`).unprepared
})

describe("the schema's history", () => {
  it.live("takes nothing from processes of the version before, and asks nothing of them", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const found = yield* Effect.gen(function* () {
        const steps: Record<string, ReadonlyArray<string>> = {}
        let before: Schema = { columns: [], rules: [] }
        for (const file of schemaFiles) {
          yield* apply(file)
          const after = yield* schema
          const broken = breaches(before, after)
          if (broken.length > 0) steps[file] = broken
          before = after
        }
        return steps
      }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
      assert.deepStrictEqual(found, reviewed)
    }).pipe(Effect.scoped),
  )
})
