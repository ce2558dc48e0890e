/** Commands of the signed record. */
import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { exportLines, testKey } from "../record/chain.ts"
import * as cli from "../support/cli.ts"
import { onFreshDatabase, unknownId } from "./onFreshDatabase.ts"

const key = testKey("a").fingerprint

/** The path of a new file. */
const fileWith = (text: string): string => {
  const path = join(tmpdir(), `record-${randomUUID()}.jsonl`)
  writeFileSync(path, text)
  return path
}

const exported = (lines = exportLines()) => fileWith(lines.map((line) => `${line}\n`).join(""))

const verify = (...args: ReadonlyArray<string>) =>
  cli.run({ DATABASE_URL: "postgres://nowhere.invalid/none" }, "record", "verify", ...args)

describe("record verify", () => {
  it.live("accepts a file without a database, and says what it proves", () =>
    Effect.gen(function* () {
      const file = exported()
      const alone = yield* verify(file)
      assert.deepStrictEqual([alone.code, alone.stderr], [0, ""])
      assert.include(alone.stdout, "valid: true")
      assert.include(alone.stdout, "It does not prove who made it")
      assert.include(alone.stdout, key)
      const typed = key.toUpperCase().replaceAll(/(..)(?=.)/g, "$1:")
      const known = yield* verify(file, "--key", typed)
      assert.include(known.stdout, "The record was signed with the key that you noted")
      assert.include(known.stdout, "None of the 5 entries is missing")
      assert.include(known.stdout, "only against a head that you noted earlier")
      const head = JSON.parse(exportLines()[0] ?? "").statement.head
      assert.include(
        (yield* verify(file, "--head", `5:${head}`)).stdout,
        "The record continues the head that you noted.",
      )
    }),
  )

  it.live("fails with the line of each fault, also as JSON", () =>
    Effect.gen(function* () {
      const file = exported(exportLines().toSpliced(2, 1))
      const text = yield* verify(file)
      assert.strictEqual(text.code, 1)
      assert.include(text.stdout, "line 3: entries 2 to 2 are missing")
      assert.match(text.stderr, /^error: the file is not a valid record: \d faults\n$/)
      const json = yield* verify(file, "--json")
      assert.strictEqual(json.code, 1)
      const result = JSON.parse(json.stdout)
      assert.deepInclude(result, { valid: false, kind: "record", key_noted: false })
      assert.isAtLeast(result.fault_count, result.faults.length)
      const foreign = yield* verify(exported(), "--key", testKey("b").fingerprint)
      assert.include(foreign.stdout, "the file is not signed by the key that you noted")
      assert.strictEqual(foreign.code, 1)
    }),
  )

  it.live("refuses files that cannot be read, and wrong flags", () =>
    Effect.gen(function* () {
      const errors = {
        [join(tmpdir(), randomUUID())]: /^error: the file .* cannot be read\n$/,
        [tmpdir()]: /^error: the file .* cannot be read\n$/,
      }
      for (const [file, error] of Object.entries(errors)) assert.match((yield* verify(file)).stderr, error)
      const file = exported()
      assert.match((yield* verify(file, "--key", "abc")).stderr, /^error: --key "abc" must be a fingerprint of 64/)
      assert.match((yield* verify(file, "--head", "5")).stderr, /^error: --head must be a number of entries, a colon/)
      assert.include((yield* verify(fileWith(""))).stdout, "the file is empty")
      assert.include((yield* verify(fileWith("\0\xff".repeat(1000)))).stdout, "is not JSON")
    }),
  )
})

describe("record commands", () => {
  it.live("show and export the record of an organization, and replace its key", () =>
    Effect.gen(function* () {
      const { environment, json, refused } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      const empty = { organization: 1, entries: 0, head: null, sealed_at: null, waiting: 0, key: null, keys: [] }
      assert.deepStrictEqual(yield* json("record", "show", "--organization", "1"), empty)
      assert.strictEqual(yield* refused("record", "show", "--organization", "7"), "there is no such organization")
      assert.match(yield* refused("record", "export", "--organization", "1"), /^the record has no entries yet/)
      const one = ["record", "export", "--organization", "1", "--submission", unknownId]
      assert.strictEqual(yield* refused(...one), "there is no such submission")
      assert.deepStrictEqual(yield* json("record", "rotate-key"), { rotated: [] })
      const { stdout } = yield* cli.run(environment, "record", "rotate-key")
      assert.strictEqual(stdout, "no organization has a key yet\n")

      const rotate = Effect.map(json("record", "rotate-key", "--organization", "1"), ({ rotated }) => rotated)
      const [first] = rotatedOf(yield* rotate)
      assert.deepStrictEqual([first?.previous, first?.signed_by_previous], [null, false])
      const [second] = rotatedOf((yield* json("record", "rotate-key"))["rotated"])
      assert.deepStrictEqual([second?.previous, second?.signed_by_previous], [first?.fingerprint, true])
      const shown = yield* json("record", "show", "--organization", "1")
      assert.deepStrictEqual(shown["keys"], [first?.fingerprint, second?.fingerprint])
      assert.strictEqual(shown["key"], second?.fingerprint)
    }),
  )

  it.live("sign with a key that secret-key reencrypt encrypted again, and refuse one whose SECRET_KEY is missing", () =>
    Effect.gen(function* () {
      const { environment, json } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      yield* json("record", "rotate-key", "--organization", "1")
      const other = Buffer.alloc(32, 9).toString("base64")
      const both = { ...environment, SECRET_KEY: `${other},${environment.SECRET_KEY}` }
      const again = yield* cli.run(both, "secret-key", "reencrypt", "--json")
      assert.deepStrictEqual(JSON.parse(again.stdout), { reencrypted: 1, unreadable: 0 })
      const rotate = ["record", "rotate-key", "--organization", "1", "--json"]
      const old = yield* cli.run(environment, ...rotate)
      assert.match(old.stderr, /^error: no key of SECRET_KEY decrypts the key that signs the record of organization 1/)
      const signed = yield* cli.run({ ...environment, SECRET_KEY: other }, ...rotate)
      assert.isTrue(rotatedOf(JSON.parse(signed.stdout).rotated)[0]?.signed_by_previous)
      yield* json("organization", "create", "--name", "Other")
      yield* json("record", "rotate-key", "--organization", "2")
      const all = yield* cli.run(environment, "record", "rotate-key", "--json")
      assert.match(all.stderr, /^error: no key of SECRET_KEY decrypts the key that signs the record of organization 1/)
      assert.deepStrictEqual(
        rotatedOf(JSON.parse(all.stdout).rotated).map(({ organization, signed_by_previous }) => [
          organization,
          signed_by_previous,
        ]),
        [[2, true]],
      )
      const lost = yield* cli.run(environment, ...rotate, "--forget-lost")
      assert.isFalse(rotatedOf(JSON.parse(lost.stdout).rotated)[0]?.signed_by_previous)
      const rows = yield* Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        return yield* sql<{
          count: number
        }>`select count(*)::int as count from record_key where private_key is not null`
      }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(environment.DATABASE_URL) }), { local: true }))
      assert.deepStrictEqual(rows, [{ count: 2 }])
    }),
  )
})

interface Rotated {
  readonly organization: number
  readonly fingerprint: string
  readonly previous: string | null
  readonly signed_by_previous: boolean
}

const rotatedOf = (value: unknown): ReadonlyArray<Rotated> => (Array.isArray(value) ? value : [])
