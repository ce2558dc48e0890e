/** Commands for connections to hiring systems. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { onFreshDatabase, unknownId, uuid } from "./onFreshDatabase.ts"

describe("hiring-system", () => {
  it.live("creates, lists, shows, pauses, resumes and deletes a connection, and replaces its key", () =>
    Effect.gen(function* () {
      const { json, refused } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      const of = ["--organization", "1"]
      assert.deepStrictEqual(yield* json("hiring-system", "list", ...of), { results: [] })
      const name = "Greenhouse of Acme"
      const create = ["hiring-system", "create", ...of, "--system", "greenhouse", "--name"]
      const { addresses, id, key, ...rest } = yield* json(...create, name)
      assert.match(String(id), uuid)
      assert.match(String(key), /^ih_[\w-]{43}$/)
      assert.deepStrictEqual(rest, { system: "greenhouse", name, missing: [] })
      assert.deepStrictEqual(
        addresses,
        ["list_tests", "send_test", "test_status", "response_error"].map(
          (path) => `http://localhost:8080/hiring-systems/greenhouse/${path}`,
        ),
      )
      const connection = String(id)
      const { created_at, ...shown } = yield* json("hiring-system", "show", connection)
      const expected = {
        id,
        system: "greenhouse",
        name,
        status: "active",
        last_used_at: null,
        orders: 0,
        waiting: 0,
        failed: 0,
        missing: [],
        lacks_access: false,
      }
      assert.deepStrictEqual(shown, { ...expected, known: {}, addresses, exchanges: [] })
      assert.deepStrictEqual(yield* json("hiring-system", "list", ...of), { results: [{ ...expected, created_at }] })
      assert.strictEqual((yield* json("hiring-system", "pause", connection))["status"], "paused")
      assert.strictEqual((yield* json("hiring-system", "resume", connection))["status"], "active")
      const rotated = yield* json("hiring-system", "rotate-key", connection)
      assert.match(String(rotated["key"]), /^ih_[\w-]{43}$/)
      assert.notStrictEqual(rotated["key"], key)
      assert.strictEqual(yield* refused(...create, "x".repeat(101)), "--name must have at most 100 characters")
      assert.strictEqual(
        yield* refused("hiring-system", "create", "--organization", "7", ...create.slice(4), name),
        "there is no such organization",
      )
      assert.deepStrictEqual(yield* json("hiring-system", "delete", connection), { id, deleted: true })
      for (const command of ["show", "pause", "resume", "rotate-key", "send-failed", "test", "delete"]) {
        for (const one of [connection, unknownId]) {
          assert.strictEqual(yield* refused("hiring-system", command, one), "there is no such connection")
        }
      }
    }),
  )

  it.live("reads credentials from files, when a connection is created and later, field by field", () =>
    Effect.gen(function* () {
      const { json, refused } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "credentials-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true })),
      )
      const file = (content: string) => {
        const path = join(folder, `${crypto.randomUUID()}.json`)
        writeFileSync(path, content)
        return ["--credentials", path]
      }
      const create = ["hiring-system", "create", "--organization", "1", "--system", "kombo", "--name", "Kombo of Acme"]
      const of = { region: "eu", integration_id: "workday:1" }
      const { id, key } = yield* json(...create, ...file(JSON.stringify(of)))
      assert.isUndefined(key)
      const connection = String(id)
      const missing = Effect.map(json("hiring-system", "show", connection), (shown) => shown["missing"])
      assert.deepStrictEqual(yield* missing, ["Kombo API key", "Webhook secret"])
      assert.strictEqual(
        yield* refused("hiring-system", "test", connection),
        "enter these credentials first: Kombo API key, Webhook secret",
      )
      const set = ["hiring-system", "set-credentials", connection]
      yield* json(...set, ...file('{"api_key": "secret"}'))
      assert.deepStrictEqual(yield* missing, ["Webhook secret"])
      yield* json(...set, ...file('{"webhook_secret": "secret"}'))
      assert.deepStrictEqual(yield* missing, [])
      for (const [content, error] of [
        ['{"token": "secret"}', "--credentials (token) is not a credential of Kombo"],
        ['{"region": "mars"}', "--credentials (region) must be one of eu, us"],
        ["[]", 'is not a JSON object of strings, such as {"api_key": "…"}'],
      ] as const) {
        assert.include(yield* refused(...set, ...file(content)), error)
      }
      assert.include(yield* refused(...set), "--credentials must have at least one value")
      assert.include(yield* refused(...set, "--credentials", join(folder, "none")), "none cannot be read")
      assert.strictEqual((yield* json("hiring-system", "send-failed", connection))["failed"], 0)
      assert.strictEqual(
        yield* refused("hiring-system", "rotate-key", connection),
        "Kombo signs its calls: replace the credentials instead",
      )
    }),
  )
})
