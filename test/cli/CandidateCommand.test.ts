/** Commands for candidates and for the setup code. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as cli from "../support/cli.ts"
import { execute } from "../support/databases.ts"
import { onFreshDatabase, unknownId } from "./onFreshDatabase.ts"

describe("candidate and setup", () => {
  it.live(
    "setup prints a code until an organization exists; a candidate is exported, and unknown ones are not found, exported or erased",
    () =>
      Effect.gen(function* () {
        const { environment, json, refused } = yield* onFreshDatabase
        const { code, url } = yield* json("setup")
        assert.match(String(code), /^[\w-]{22}$/)
        assert.strictEqual(url, "http://localhost:8080/setup")
        const again = yield* cli.run(environment, "setup")
        assert.include(again.stdout, `\n\n  ${code}\n`)
        assert.isTrue(
          again.stdout.startsWith(
            "APP_URL is not set, http://localhost:8080 is assumed. Open http://localhost:8080/setup,",
          ),
          again.stdout,
        )
        const unknown = yield* cli.run({ ...environment, PORT: "0" }, "setup")
        assert.strictEqual(
          unknown.stderr,
          "error: APP_URL: is required with PORT=0: the page's address begins with it\n",
        )
        const named = yield* cli.run({ ...environment, APP_URL: "https://acme.example/" }, "setup")
        assert.isTrue(
          named.stdout.startsWith(`Open https://acme.example/setup and enter the code:\n\n  ${code}\n`),
          named.stdout,
        )
        const other = yield* cli.run({ ...environment, SECRET_KEY: Buffer.alloc(32, 9).toString("base64") }, "setup")
        assert.include(other.stderr, "SECRET_KEY is not the key")
        yield* json("organization", "create", "--name", "Acme")
        assert.match(yield* refused("setup"), /an organization exists already/)
        const of = ["--organization", "1"]
        assert.deepStrictEqual(yield* json("candidate", "find", ...of, "--text", "ada"), { results: [] })
        assert.match(yield* refused("candidate", "erase", unknownId, ...of, "--yes"), /no such candidate/)
        assert.match(yield* refused("candidate", "export", unknownId, ...of), /no such candidate/)
        yield* execute(
          environment.DATABASE_URL,
          `insert into candidate (id, organization_id, email, email_key, name)
          values ('${unknownId}', 1, 'ada@example.com', 'ada@example.com', 'Ada "Countess" Lovelace')`,
        )
        const exported = yield* cli.run(environment, "candidate", "export", unknownId, ...of)
        assert.deepInclude(JSON.parse(exported.stdout).candidate, { id: unknownId, name: 'Ada "Countess" Lovelace' })
        assert.isTrue(exported.stdout.endsWith("}\n"))
        assert.deepStrictEqual([exported.code, exported.stderr], [0, ""])
      }),
  )
})
