/**
 * During an update, pods of the previous version work on the new schema. So a migration only adds, and what it adds is
 * optional. Unused columns are dropped one release later (docs/operate.md, Update).
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { emptyDatabase } from "../../support/cli.ts"
import { schemaFiles } from "../../support/databases.ts"

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly required: boolean
}

/** A constraint that may refuse a row, with its columns. */
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

/** Changes that break a process written for `before`. */
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

/** Breaches that were reviewed, by file, with the reason why they are safe. */
const reviewed: Record<string, ReadonlyArray<string>> = {}

/** The last file of version 1.0.0. The rule holds for the files after it; these change in place until the release. */
const baseline = "11_cells"

const execute = Effect.fnUntraced(function* (text: string) {
  const sql = yield* PgClient.PgClient
  yield* sql.unsafe(`do $migration$ begin execute $file$${text}$file$; end $migration$`).unprepared
})

const apply = (file: string) => execute(readFileSync(join(import.meta.dirname, "../../../sql", `${file}.sql`), "utf8"))

const inEmptyDatabase = <A, E>(effect: Effect.Effect<A, E, PgClient.PgClient>) =>
  Effect.gen(function* () {
    const url = yield* emptyDatabase
    return yield* effect.pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }),
    )
  }).pipe(Effect.scoped)

describe("migrations after version 1.0.0", () => {
  it.live("keep everything that the previous version uses, and require no new values from it", () =>
    Effect.gen(function* () {
      const found = yield* inEmptyDatabase(
        Effect.gen(function* () {
          const steps: Record<string, ReadonlyArray<string>> = {}
          for (const file of schemaFiles.filter((file) => file <= baseline)) yield* apply(file)
          let before = yield* schema
          for (const file of schemaFiles.filter((file) => file > baseline)) {
            yield* apply(file)
            const after = yield* schema
            const broken = breaches(before, after)
            if (broken.length > 0) steps[file] = broken
            before = after
          }
          return steps
        }),
      )
      assert.deepStrictEqual(found, reviewed)
    }),
  )

  it.live("are checked for removed, changed and required columns, and for new constraints", () =>
    Effect.gen(function* () {
      const found = yield* inEmptyDatabase(
        Effect.gen(function* () {
          yield* execute("create table thing (id integer primary key, name text, size integer, kind text)")
          const before = yield* schema
          yield* execute(`
            alter table thing drop column kind, alter column size type bigint, alter column name set not null,
              add column owner text not null, add column note text, add check (size > 0);
            create table other (id integer primary key)`)
          return breaches(before, yield* schema)
        }),
      )
      assert.deepStrictEqual(found, [
        "thing.name is required",
        "thing.size was integer and is bigint",
        "thing.kind is gone",
        "thing.owner is new and required",
        "thing refuses more: thing_size_check: CHECK ((size > 0))",
      ])
    }),
  )
})
