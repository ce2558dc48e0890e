/** Statements keep nothing in their session; Statements.ts checks each that a test sends. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import { ownSessions, sessionStateOf } from "../../support/SessionState.ts"
import * as Statements from "../../support/Statements.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

describe("the state of a session", () => {
  it.each([
    ["a setting", "set statement_timeout = '10min'"],
    ["a setting", "set session lock_timeout = '1s'"],
    ["a setting", "reset all"],
    ["a setting", "begin if found then set search_path = public; end if; end"],
    ["a setting", "select set_config('interview.test', $1, false)"],
    ["LISTEN", "listen interviews"],
    ["LISTEN", "unlisten *"],
    ["an advisory lock", "select pg_advisory_lock(hashtext('a'))"],
    ["an advisory lock", "select from email where pg_try_advisory_lock_shared(1)"],
    ["an advisory lock", "select pg_advisory_unlock(1)"],
    ["a temporary table", "create temp table found (id int)"],
    ["a temporary table", "select 1 into temporary found"],
    ["a temporary table", "insert into pg_temp.found values (1)"],
    ["a prepared statement", "prepare find as select 1"],
    ["a prepared statement", "deallocate find"],
    ["a cursor", "declare rows cursor with hold for select 1"],
    ["the last value of a sequence", "select currval('email_id_seq')"],
  ])("%s is found in: %s", (state, statement) => {
    assert.deepStrictEqual(sessionStateOf(statement), [state])
  })

  it.each([
    "set local lock_timeout = '500ms'",
    "set transaction isolation level repeatable read",
    "update email set state = 'sent'",
    "select set_config('interview.traceparent', $1, true)",
    "select pg_advisory_xact_lock(hashtext('candidate'), $1::int)",
    "select 'listen; set a = 1'",
    "select pg_notify($1, $2)",
  ])("none is found in: %s", (statement) => {
    assert.deepStrictEqual(sessionStateOf(statement), [])
  })

  it.effect("fails the test that sends such a statement", () =>
    Effect.gen(function* () {
      const { client, sql } = yield* Database
      const [row] = yield* sql<{ name: string }>`select current_database() as name`
      yield* client.unsafe("select pg_advisory_lock(7)").unprepared
      const exit = yield* Effect.exit(Statements.check(row?.name ?? ""))
      assert.include(String(exit), "an advisory lock: select pg_advisory_lock(7)")
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it.effect("is not kept by functions of sql/", () =>
    Effect.gen(function* () {
      const functions = yield* (yield* Database).sql<{ name: string; body: string }>`
        select proname as name, prosrc as body from pg_proc
        where pronamespace = 'public'::regnamespace and prolang <> (select oid from pg_language where lanname = 'c')`
      assert.isAtLeast(functions.length, 13)
      for (const { body, name } of functions) assert.deepStrictEqual(sessionStateOf(body), [], name)
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it("is kept by few files of src, each for a reason", () => {
    const root = join(import.meta.dirname, "../../..")
    const usesConnection =
      /\.reserve\b(?!\()|\b(?:client|session|connection)\.listen\(|\.(?:execute(?:Unprepared|Raw|Values|Stream)|queryValues)\(/
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .map((file) => `src/${file}`)
      .filter((file) => file.endsWith(".ts") && usesConnection.test(readFileSync(join(root, file), "utf8")))
    assert.sameMembers(files, [...ownSessions.keys()])
  })
})
