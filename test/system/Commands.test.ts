/** Commands as processes: exit codes, stdout and stderr. What each command does is tested in test/cli. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as cli from "../support/cli.ts"
import { freshDatabase } from "../support/TestDatabase.ts"

const environment = Effect.map(freshDatabase, (DATABASE_URL) => ({ DATABASE_URL, SECRET_KEY: cli.secretKey }))

describe("a command as a process", () => {
  it.live("prints one JSON object on stdout and exits with 0", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* cli.runProcess(
        yield* environment,
        ...["organization", "create", "--name", "Acme", "--json"],
      )
      assert.deepStrictEqual([code, stderr, JSON.parse(stdout)], [0, "", { id: 1 }])
    }),
  )

  it.live("prints one line on stderr and exits with 1 when refused", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* cli.runProcess(
        yield* environment,
        ...["key", "create", "--organization", "1", "--json"],
      )
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^error: [^\n]+\n$/)
    }),
  )

  it.live("reads stdin, and exits with 75 when the mail server must retry", () =>
    Effect.gen(function* () {
      const message = "Subject: hello\n\nno report\n"
      const accepted = yield* cli.pipeProcess(yield* environment, message, "email", "bounce", "--json")
      assert.deepStrictEqual([accepted.code, accepted.stdout], [0, '{"report":null}\n'])
      const nowhere = { DATABASE_URL: "postgres://nobody@127.0.0.1:9/none", SECRET_KEY: cli.secretKey }
      assert.strictEqual((yield* cli.pipeProcess(nowhere, message, "email", "bounce")).code, 75)
    }),
  )
})
