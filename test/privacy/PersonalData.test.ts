/** Every column of text of a table with people is declared: what an erasure leaves in it, or that it keeps it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import { personalTables } from "../../src/privacy/PersonRepository.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** Columns that may hold a text, as "table.column", of tables of the schema. Generated ones follow from others. */
const columnsOfText = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
      left join pg_type e on e.oid = t.typelem
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and case when t.typcategory = 'A' then e.typname else t.typname end
        in ('text', 'varchar', 'bpchar', 'citext', 'name', 'json', 'jsonb', 'bytea', 'tsvector', 'xml', 'hstore')
    order by c.relname, a.attnum`
  return rows
})

/** `candidate`, and all tables whose rows refer to one of a candidate's rows. */
const tablesOfPeople = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ name: string }>`
    with recursive reached as (
      select 'candidate'::regclass::oid as id
      union select f.conrelid from reached r join pg_constraint f on f.contype = 'f' and f.confrelid = r.id
    )
    select relname as name from pg_class where oid in (select id from reached) and not relispartition order by relname`
  return rows.map(({ name }) => name)
})

/** Tables without data of candidates. */
const withoutPeople = [
  ...[
    "api_key",
    "api_request",
    "ats_connection",
    "counterfactual_audit",
    "email_subject",
    "hiring_stage",
    "impact_report",
    "interview_set",
    "job_post",
    "language",
    "member",
    "member_identity",
  ],
  ...[
    "message_template",
    "notice",
    "notice_version",
    "organization",
    "organization_appearance",
    "organization_move",
    "organization_move_change",
    "passkey",
    "password_link",
    "periodic_step",
    "project",
  ],
  ...[
    "question",
    "queue_hour",
    "queue_pause",
    "record_chain",
    "record_key",
    "recording_consent",
    "recovery_code",
    "requirement",
    "schema_migrations",
    "second_factor",
    "secret_key",
    "self_identification_form",
    "session",
    "set_access",
    "set_draft",
    "sign_in_attempt",
    "tag",
    "worker_process",
  ],
]

/** Columns that the declarations of a table name; undefined: its rows are deleted. */
const declaredOf = (table: string) => {
  const all = personalTables.filter((one) => one.table === table)
  const columns = all.flatMap(({ cleared = [], compute, kept = [], personal = [], set }) => [
    ...kept,
    ...personal,
    ...cleared,
    ...Object.keys({ ...set, ...compute }),
  ])
  return columns.length === 0 && all.some(({ rows }) => rows !== undefined) ? undefined : columns
}

layer(TestDatabase.layer)("the declarations of personal data", (it) => {
  it.effect("name each table that has a text, or whose rows refer to a candidate", () =>
    Effect.gen(function* () {
      const declared = new Set(personalTables.map(({ table }) => table))
      const tables = (yield* columnsOfText).map(({ table }) => table).filter((name) => !withoutPeople.includes(name))
      const missing = [...new Set([...tables, ...(yield* tablesOfPeople)])].filter((name) => !declared.has(name))
      assert.deepStrictEqual(missing, [], "declare these in their repository, and add them to personalTables")
    }),
  )

  it.effect("name each column of text of their tables", () =>
    Effect.gen(function* () {
      const declared = new Map(personalTables.map(({ table }) => [table, declaredOf(table)]))
      const missing = (yield* columnsOfText).flatMap(({ column, table }) =>
        declared.get(table)?.includes(column) === false ? [`${table}.${column}`] : [],
      )
      assert.deepStrictEqual(missing, [], "say what an erasure leaves in these columns, or that it keeps them")
    }),
  )

  it.effect("name columns that exist, each once", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const rows = yield* sql<{ name: string }>`
        select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped`
      const existing = new Set(rows.map(({ name }) => name))
      const named = [...new Set(personalTables.map(({ table }) => table))]
        .filter((table) => table !== "audit_log")
        .flatMap((table) => (declaredOf(table) ?? []).map((column) => `${table}.${column}`))
      assert.deepStrictEqual(
        named.filter((name, i) => !existing.has(name) || named.indexOf(name) !== i),
        [],
      )
    }),
  )
})
