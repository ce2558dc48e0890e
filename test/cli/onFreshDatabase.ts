/** Runs commands on an own database and checks their output. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as cli from "../support/cli.ts"
import { freshDatabase } from "../support/TestDatabase.ts"

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const unknownId = "0190b5a2-7c1e-7def-8abc-0123456789ab"

export const onFreshDatabase = Effect.map(freshDatabase, (DATABASE_URL) => {
  const environment = { DATABASE_URL, SECRET_KEY: cli.secretKey }
  /** The object that a command prints with --json. */
  const json = (...args: ReadonlyArray<string>) =>
    Effect.map(cli.run(environment, ...args, "--json"), ({ code, stderr, stdout }): Record<string, unknown> => {
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.match(stdout, /^\{[^\n]*\}\n$/)
      return JSON.parse(stdout)
    })
  /** The line that a refused command prints. */
  const refused = (...args: ReadonlyArray<string>) =>
    Effect.map(cli.run(environment, ...args), ({ code, stderr, stdout }) => {
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^error: [^\n]+\n$/)
      assert.notMatch(stderr, /node_modules|\n +at /)
      return stderr.slice("error: ".length).trim()
    })
  return { environment, json, refused }
})
