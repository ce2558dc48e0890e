/**
 * The shapes of statements that Citus refuses (docs/citus.md). Statements of src are checked when a test's database is dropped
 * (test/support/Statements.ts), those of functions here.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import { templates } from "../../support/SqlTemplates.ts"
import { makeRefusals } from "../../support/StatementShapes.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

/**
 * Citus 13.2.2 refused each of these in a schema on one of its nodes, except the last one. A statement of evaluations with the
 * form of the last one gave another result than on Postgres.
 */
const refused: ReadonlyArray<readonly [rule: RegExp, statement: string]> = [
  [/volatile/, "update interview_set set updated_at = clock_timestamp() where id = $1::uuid"],
  [/volatile/, "delete from email where created_at < clock_timestamp()"],
  [/stable function of a column/, "update submission set answer_until = started_at + $1::float8 * interval '1 minute'"],
  [/stable function of a column/, "delete from email where created_at + interval '1 day' < now()"],
  [
    /stable function of a column/,
    "update email e set created_at = n.later from (select id, created_at + interval '1 day' as later from email) n where e.id = n.id",
  ],
  [/stable function of a column/, "update evaluation set input_hash = sha256(convert_to(input::text, 'UTF8'))"],
  [/stable function of a column/, "update audit_log set record_id = created_at::text"],
  [/case or coalesce/, "update invitation set sent_at = coalesce(sent_at, now())"],
  [/case or coalesce/, "update email e set sent_at = case when state = 'sent' then current_timestamp end"],
  [/case or coalesce/, "delete from email where coalesce(leased_until <= now(), true)"],
  [
    /on conflict/,
    "insert into sign_in_attempt as t values ($1::bytea, 1, now()) on conflict (key) do update set attempts = case when t.expires_at <= now() then 1 else 2 end",
  ],
  [
    /returning with a function/,
    "update email set state = 'sent' where id = $1::uuid returning created_at + interval '1 day'",
  ],
  [
    /returning with a sub-select/,
    "with before as (select name from member) insert into organization (name) values ($1) returning (select max(name) from before)",
  ],
  [
    /reads a table/,
    "insert into cv (id, organization_id, submission_id, link, due_at) select r.id, 1, r.submission_id, '', now() from jsonb_to_recordset($1::jsonb) as r(id uuid, submission_id uuid) where not exists (select from cv v where v.submission_id = r.submission_id)",
  ],
  [
    /reads a table/,
    "insert into session (token_hash, organization_id, member_id, expires_at) select $1::bytea, organization_id, id, now() from member",
  ],
  [
    /inserts into/,
    "with made as (insert into project (id, organization_id, name) values ($1::uuid, 1, 'new') returning id) update project p set name = 'old' from made where p.id <> made.id",
  ],
]

/** Citus accepted each. */
const accepted = [
  "update email set due_at = now() + $1::float8 * interval '1 minute' where id = $2::uuid",
  "update submission b set answer_until = ((now() at time zone 'UTC' + b.time_factor::float8 * interval '1 minute') at time zone 'UTC')",
  "update email e set created_at = n.later from (select id, created_at + interval '1 day' as later from email offset 0) n where e.id = n.id",
  "update invitation i set sent_at = coalesce(i.sent_at, clock.now) from (select now() as now) clock",
  "with read as materialized (select id, organization_id from member) insert into session (token_hash, organization_id, member_id, expires_at) select $1::bytea, organization_id, id, now() from read",
  "select coalesce(due_at, now()) from email where created_at + interval '1 day' < now()",
]

describe("the shapes of statements", () => {
  it.effect("are refused when Citus refuses them", () =>
    Effect.gen(function* () {
      const refusalsOf = yield* makeRefusals((yield* Database).client)
      for (const [rule, statement] of refused) {
        const found = yield* refusalsOf(statement)
        assert.lengthOf(found, 1, statement)
        assert.match(found[0] ?? "", rule, statement)
      }
      for (const statement of accepted) assert.deepStrictEqual(yield* refusalsOf(statement), [], statement)
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it.effect("are accepted in functions of sql/", () =>
    Effect.gen(function* () {
      const { client: sql } = yield* Database
      const refusalsOf = yield* makeRefusals(sql)
      const functions = yield* sql<{ name: string; text: string; parameters: string; table: string | null }>`
        select p.proname as name, p.prosrc as text, pg_get_function_arguments(p.oid) as parameters, min(t.tgrelid::regclass::text) as table
        from pg_proc p left join pg_trigger t on t.tgfoid = p.oid
        where p.pronamespace = 'public'::regnamespace and p.proname <> 'guard_moving_organization' -- a cell on Citus has no moves
          and p.prolang = (select oid from pg_language where lanname = 'plpgsql')
        group by p.oid`
      let checked = 0
      for (const { name, parameters, table, text } of functions) {
        const [, declared = "", body = ""] = /^(.*?)\bbegin\b(.*)$/s.exec(text.replace(/--.*/g, "")) ?? []
        const variables = [...declared.matchAll(/^\s*(\w+) +([\w[\]]+)\s*(?:;|:=)/gm)].map(
          ([, variable, type]) => `${variable} ${type}`,
        )
        const rows = table === null ? [] : [`new ${table}`, `old ${table}`]
        const given = [...(parameters === "" ? [] : [parameters]), ...variables, ...rows].join(", ")
        const statements = body.split(";").map((one) => one.replace(/^\s*if\b.*?\bthen\b/s, ""))
        for (const statement of statements.filter((one) => /^\s*(with|insert|update|delete)\b/.test(one))) {
          const found = yield* refusalsOf(statement.replace(/\binto \w+ (?=from)/, ""), given)
          assert.deepStrictEqual(found, [], name)
          checked++
        }
      }
      assert.isAtLeast(checked, 13)
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it.effect("call no function that reads tables beside a table", () =>
    Effect.gen(function* () {
      const { client: sql } = yield* Database
      const rows = yield* sql<{ name: string }>`
        select distinct p.proname as name from pg_proc p join pg_class c on c.relkind in ('r', 'p', 'v')
          and p.prosrc ~ ('\\m(from|join|into|update) ' || c.relname || '\\M')
        where p.pronamespace = 'public'::regnamespace and c.relnamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype`
      const names = rows.map(({ name }) => name)
      assert.includeMembers(names, ["continue_event_order", "publish_event", "publish_events", "record_invite"])
      const isCall = new RegExp(`\\b(${names.join("|")})\\(`)
      for (const { place, texts } of templates) {
        const text = texts.join("?")
        assert.isFalse(isCall.test(text) && /\bfrom\b/.test(text), place)
      }
      const bodies = yield* sql<{ name: string; text: string }>`
        select proname as name, prosrc as text from pg_proc
        where pronamespace = 'public'::regnamespace and prolang = (select oid from pg_language where lanname = 'plpgsql')`
      const tables = yield* sql<{ name: string }>`
        select relname as name from pg_class where relkind in ('r', 'p', 'v') and relnamespace = 'public'::regnamespace`
      const isOfTable = new RegExp(`\\b(from|join|update) (${tables.map(({ name }) => name).join("|")})\\b`)
      for (const { name, text } of bodies) {
        for (const statement of text.replace(/--.*/g, "").split(/;|\bif\b(?:(?!;).)*?\bthen\b/s)) {
          assert.isFalse(isCall.test(statement) && isOfTable.test(statement), name)
        }
      }
    }).pipe(Effect.provide(TestDatabase.layer)),
  )
})
