/** Commands for API keys. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Scope } from "../../src/accounts/Permissions.ts"
import * as cli from "../support/cli.ts"
import { onFreshDatabase, unknownId, uuid } from "./onFreshDatabase.ts"

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe("key", () => {
  it.live("creates test keys of a test space, which the organization gets with the first one", () =>
    Effect.gen(function* () {
      const { json, refused } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      const of = ["--organization", "1"]
      const { value } = yield* json("key", "create", ...of, "--test")
      assert.match(String(value), /^iv_test_[a-z0-9]{8}\.[\w-]{43}$/)
      yield* json("key", "create", ...of, "--test")
      assert.deepStrictEqual(yield* json("key", "list", ...of), { results: [] })
      const space = ["--organization", "2"]
      const { results } = yield* json("key", "list", ...space)
      assert.lengthOf(results as ReadonlyArray<unknown>, 2)
      assert.strictEqual(yield* refused("key", "create", ...space, "--test"), "organization 2 is a test space already")
    }),
  )

  it.live("creates, lists, shows, changes and deletes a key", () =>
    Effect.gen(function* () {
      const { json, refused } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      const of = ["--organization", "1"]
      assert.deepStrictEqual(yield* json("key", "list", ...of), { results: [] })

      const { id, value, ...rest } = yield* json(
        ...["key", "create", ...of, "--name", "ATS", "--description", "of the recruiters"],
        ...["--scope", "create_set", "--scope", "read", "--scope", "create_set", "--scope", "read"],
        ...["--expires", "2100-01-01"],
      )
      assert.match(String(id), uuid)
      assert.match(String(value), /^iv_live_[a-z0-9]{8}\.[\w-]{43}$/)
      assert.deepStrictEqual(rest, {})
      const key = String(id)

      const { created_at, ...shown } = yield* json("key", "show", key)
      assert.match(String(created_at), timestamp)
      const expected = {
        id,
        name: "ATS",
        description: "of the recruiters",
        value: String(value).replace(/\..*/, ".****"),
        scopes: ["create_set", "read"],
        status: "active",
        expired: false,
        expires_at: "2100-01-01T00:00:00.000Z",
        last_used_at: null,
      }
      assert.deepStrictEqual(shown, expected)

      const update = ["key", "update", key]
      const changed = { ...expected, created_at, name: "Portal", status: "inactive", scopes: ["read"] }
      const replacing = (
        scopes_before: ReadonlyArray<string>,
        removed: ReadonlyArray<string>,
        added: ReadonlyArray<string>,
      ) => ({
        scopes_before,
        scopes_removed: removed,
        scopes_added: added,
      })
      assert.deepStrictEqual(
        yield* json(...update, "--name", "Portal", "--status", "inactive", "--scope", "read", "--scope", "manage_sets"),
        {
          ...changed,
          scopes: ["read", "manage_sets"],
          ...replacing(["create_set", "read"], ["create_set"], ["manage_sets"]),
        },
      )
      // those that the option does not name are taken away
      assert.deepStrictEqual(yield* json(...update, "--scope", "read"), {
        ...changed,
        ...replacing(["read", "manage_sets"], ["manage_sets"], []),
      })
      assert.deepStrictEqual(yield* json(...update, "--name", "Portal"), changed)
      const free = { ...changed, scopes: [], description: null }
      const others = Scope.literals.filter((scope) => scope !== "read")
      assert.deepStrictEqual(yield* json(...update, "--unrestricted", "--description", ""), {
        ...free,
        ...replacing(["read"], [], others),
      })
      const { id: newer } = yield* json("key", "create", ...of)
      assert.deepStrictEqual(yield* json("key", "list", ...of), {
        results: [yield* json("key", "show", String(newer)), free],
      })

      assert.deepStrictEqual(yield* json("key", "delete", key), { id, deleted: true })
      for (const args of [["show"], ["update", "--name", "x"], ["delete"]]) {
        assert.strictEqual(yield* refused("key", ...args, key), "there is no such API key")
      }
    }),
  )

  it.live("prints a table without control characters", () =>
    Effect.gen(function* () {
      const { environment, json } = yield* onFreshDatabase
      yield* json("organization", "create", "--name", "Acme")
      const lines = (...args: ReadonlyArray<string>) =>
        Effect.map(cli.run(environment, "key", ...args), ({ code, stderr, stdout }) => {
          assert.deepStrictEqual([code, stderr], [0, ""])
          return stdout.trimEnd().split("\n")
        })
      const of = ["--organization", "1"]
      assert.deepStrictEqual(yield* lines("list", ...of), ["no API keys"])
      const [idLine = "", valueLine = "", ...more] = yield* lines("create", ...of, "--scope", "read")
      assert.match(idLine, /^id: /)
      assert.match(valueLine, /^value: iv_live_/)
      assert.deepStrictEqual(more, [])
      yield* lines("create", ...of, "--name", "two\nlines \u001b[2J\u202e!")

      const [heading = "", second = "", first = "", ...others] = yield* lines("list", ...of)
      assert.deepStrictEqual(others, [])
      const cells = (line: string) => line.split(/ {2,}/)
      const headings = ["id", "value", "status", "scopes", "expires", "last used", "created", "name"]
      assert.deepStrictEqual(cells(heading), headings)
      for (const start of headings.map((name) => heading.indexOf(name))) {
        for (const line of [first, second]) {
          assert.match(line.slice(start), /^\S/)
          if (start > 0) assert.match(line.slice(0, start), / {2}$/)
        }
      }
      assert.deepStrictEqual(cells(first).slice(2, 6), ["active", "read", "-", "-"])
      assert.strictEqual(cells(second).at(-1), "two\\nlines \\u001b[2J\\u202e!")
      assert.deepStrictEqual(cells(second).slice(2, 6), ["active", "everything", "-", "-"])
      const id = idLine.slice("id: ".length)
      assert.include(yield* lines("show", id), "scopes: read")
      const unrestricted = yield* lines("update", id, "--unrestricted")
      const added = Scope.literals.filter((scope) => scope !== "read").join(", ")
      assert.deepStrictEqual(
        unrestricted.filter((line) => line.startsWith("scopes")),
        ["scopes: everything", "scopes_before: read", "scopes_removed: -", `scopes_added: ${added}`],
      )
      const masked = valueLine.slice("value: ".length).replace(/\..*/, ".****")
      assert.strictEqual(cells(first)[1], masked)
    }),
  )

  it.live("reports invalid arguments, without a database where possible", () =>
    Effect.gen(function* () {
      const nowhere = { DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" }
      const create = ["create", "--organization", "1"]
      for (const [args, fault] of [
        [[...create, "--expires", "soon"], '--expires "soon" must be an ISO 8601 date'],
        [[...create, "--scope", "write"], '--scope "write" must be one of '],
        [["show", "x"], '<id> "x" must be a UUID'],
        [
          ["update", unknownId, "--json"],
          "nothing to change: give one or more of --name, --description, --scope, --unrestricted, --status",
        ],
        [["update", unknownId, "--unrestricted", "--scope", "read"], "--scope and --unrestricted exclude each other"],
      ] as const) {
        const { code, stderr, stdout } = yield* cli.run(nowhere, "key", ...args)
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.match(stderr, /^error: [^\n]+\n$/)
        assert.include(stderr, fault)
      }

      const { json, refused } = yield* onFreshDatabase
      assert.strictEqual(yield* refused("key", ...create), "there is no such organization")
      assert.strictEqual(yield* refused("key", "list", "--organization", "1"), "there is no such organization")
      yield* json("organization", "create", "--name", "Acme")
      const long = "x".repeat(2001)
      assert.strictEqual(
        yield* refused("key", ...create, "--name", long, "--description", long),
        "--name must have at most 250 characters; --description must have at most 2000 characters",
      )
    }),
  )
})
