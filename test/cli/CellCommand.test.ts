/** `cell` commands. */
import { createHash } from "node:crypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { maxCell, rangeOf } from "../../src/cells/Cell.ts"
import { migrate } from "../../src/migrate.ts"
import * as cli from "../support/cli.ts"
import { execute, textsOf, withMigration } from "../support/databases.ts"
import * as Statements from "../support/Statements.ts"
import { onFreshDatabase } from "./onFreshDatabase.ts"

const identities = `select table_name || ' ' || identity_start || ' ' || identity_maximum from information_schema.columns
  where table_schema = 'public' and is_identity = 'YES' and table_name <> 'worker_process' order by 1`

describe("ranges of cells", () => {
  it("do not overlap, fit integer columns, and are exact in JSON", () => {
    for (const type of ["integer", "bigint"] as const) {
      for (const cell of [0, 1, maxCell - 1]) {
        assert.strictEqual(rangeOf(cell, type).max + 1n, rangeOf(cell + 1, type).min)
      }
    }
    assert.strictEqual(rangeOf(0, "integer").min, 1n)
    assert.strictEqual(rangeOf(maxCell, "integer").max, 2n ** 31n - 1n)
    assert.isBelow(Number(rangeOf(maxCell, "bigint").max), Number.MAX_SAFE_INTEGER)
  })
})

describe("cell", () => {
  it.live("gives a new installation numbers of its own range, before its first organization only", () =>
    Effect.gen(function* () {
      const { environment, json, refused } = yield* onFreshDatabase
      const before = yield* textsOf(environment.DATABASE_URL, identities)
      assert.deepStrictEqual(yield* json("cell", "show"), { number: 0, moves: [] })
      assert.deepStrictEqual(yield* json("cell", "set-number", "--number", "2047"), { number: 2047 })
      const after = yield* textsOf(environment.DATABASE_URL, identities)
      assert.strictEqual(after.length, before.length)
      for (const line of after) {
        const range = rangeOf(2047, line.startsWith("organization ") ? "integer" : "bigint")
        assert.strictEqual(line.replace(/^\S+ /, ""), `${range.min} ${range.max}`)
      }
      const first = Number(rangeOf(2047, "integer").min)
      assert.deepStrictEqual(yield* json("organization", "create", "--name", "Acme"), { id: first })
      assert.match(yield* refused("cell", "set-number", "--number", "1"), /has organizations already/)
      assert.deepStrictEqual(yield* json("cell", "show"), { number: 2047, moves: [] })
      assert.match(yield* refused("cell", "set-number", "--number", "2048"), /must be a whole number from 0 to 2047/)
    }).pipe(Effect.scoped),
  )

  it.live("shows moves of organizations, and whether their jobs are held", () =>
    Effect.gen(function* () {
      const { environment, json } = yield* onFreshDatabase
      const at = "2030-01-01T00:00:00.000Z"
      yield* execute(
        environment.DATABASE_URL,
        `insert into organization_move (organization_id, state, started_at, arrived_at, ended_at)
         values (7, 'arrived', now(), '${at}', now()), (8, 'draining', '${at}', null, null)`,
      )
      assert.deepStrictEqual((yield* json("cell", "show"))["moves"], [
        { organization: 8, state: "draining", since: at, is_open: true, jobs_held: true },
        { organization: 7, state: "arrived", since: at, is_open: false, jobs_held: false },
      ])
      const { stdout } = yield* cli.run(environment, "cell", "show")
      assert.match(stdout, /^number: 0\norganization +state +since +is_open +jobs_held\n8 +draining +2030-/)
    }).pipe(Effect.scoped),
  )

  it.live("gives columns that a later migration adds numbers of its range, once", () =>
    Effect.gen(function* () {
      const { environment, json } = yield* onFreshDatabase
      const url = environment.DATABASE_URL
      yield* json("cell", "set-number", "--number", "3")
      const directory = yield* withMigration("create table later (id bigint generated always as identity primary key)")
      const apply = migrate({ url: Redacted.make(url) }, directory)
      assert.deepStrictEqual(yield* apply, ["99_test"])
      const numbers = textsOf(url, "insert into later default values returning id::text")
      const first = rangeOf(3, "bigint").min
      assert.deepStrictEqual(yield* numbers, [String(first)])
      assert.deepStrictEqual(yield* apply, [])
      assert.deepStrictEqual(yield* numbers, [String(first + 1n)])
    }).pipe(Effect.provide([NodeServices.layer, Statements.layerOfCommands]), Effect.scoped),
  )

  it.live("exports the prefixes of API keys and the connections to hiring systems, sorted, and no secret", () =>
    Effect.gen(function* () {
      const { environment, json } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      for (const name of ["a", "b", "c"]) yield* json("key", "create", "--organization", "1", "--name", name)
      const { key } = yield* json(
        "hiring-system",
        "create",
        "--organization",
        "1",
        "--system",
        "ashby",
        "--name",
        "Ashby",
      )
      const prefixes = yield* textsOf(
        environment.DATABASE_URL,
        `select key from (select prefix as key from api_key union all
          select unnest(array[upper(replace(id::text, '-', '')), upper(encode(key_hash, 'hex'))]) from ats_connection) keys
        order by key collate "C"`,
      )
      assert.lengthOf(prefixes, 5)
      assert.include(prefixes, createHash("sha256").update(String(key)).digest("hex").toUpperCase())
      const exported = (...args: ReadonlyArray<string>) =>
        Effect.map(cli.run(environment, "cell", "export", ...args), ({ stdout }) => stdout)
      assert.strictEqual(yield* exported("keys"), prefixes.map((prefix) => `${prefix} cell-0\n`).join(""))
      assert.strictEqual(
        yield* exported("keys", "--backend", "berlin"),
        prefixes.map((prefix) => `${prefix} berlin\n`).join(""),
      )
      assert.strictEqual(yield* exported("moved"), "")
    }).pipe(Effect.scoped),
  )
})
