/** Errors of the database's settings: what they say to do. */
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { namingUrl, poolerAdvice } from "../../src/cli/Environment.ts"
import { DatabaseUnavailable } from "../../src/platform/database/Database.ts"

const errorOf = (message: string) =>
  namingUrl({ url: Redacted.make("postgres://user:password@pooler:6432/interviews") })(
    new DatabaseUnavailable({ message }),
  ).message

const [check, guide] = ["Check that Postgres is running", "docs/scale.md#connection-poolers"]

describe("An error of the database at the start", () => {
  it("says what to check", () => {
    const text = errorOf("cannot connect to the database: connect ECONNREFUSED 10.0.0.1:5432")
    assert.include(text, `DATABASE_URL (pooler:6432/interviews, as user): cannot connect`)
    assert.include(text, `5432. ${check}`)
    assert.notInclude(text, guide)
  })

  it.each([
    [
      "cannot connect to the database: unsupported startup parameter: search_path",
      "set DATABASE_DIRECT_URL to the address of Postgres itself",
    ],
    [
      "connections of the pooler have no statement_timeout: run alter role r …; then reconnect the pooler",
      "alter role",
    ],
  ])("names the setting and the guide when a pooler answers: %s", (message, advice) => {
    const text = errorOf(message)
    assert.include(text, message)
    assert.include(text, advice)
    assert.include(text, guide)
    assert.notInclude(text, check)
  })

  it.each([
    ['no pg_hba.conf entry for host "10.0.0.1", user "a", database "b", no encryption', "add sslmode=require"],
    ["connection is insecure (try using `sslmode=require`): insecure connection", "add sslmode=require"],
    ["self-signed certificate in certificate chain", "Set sslrootcert"],
    ["unable to verify the first certificate", "Set sslrootcert"],
    ["Hostname/IP does not match certificate's altnames", "sslmode=verify-ca"],
  ])("says how to encrypt: %s", (message, advice) => {
    const text = errorOf(`cannot connect to the database: ${message}`)
    assert.include(text, advice)
    assert.notInclude(text, check)
  })

  it.each(["unsupported startup parameter: options", "unsupported startup parameter in options: search_path"])(
    "says to remove options that a pooler refuses: %s",
    (message) => {
      const text = errorOf(`cannot connect to the database: ${message}`)
      assert.include(text, "The pooler refuses options in the address: remove it")
      assert.notInclude(text, "DATABASE_DIRECT_URL")
    },
  )

  it("names MOVE_TARGET_URL for the target of a move", () => {
    const message = "unsupported startup parameter: search_path"
    assert.include(poolerAdvice(message, "MOVE_TARGET_URL"), "set MOVE_TARGET_URL to the address of Postgres itself")
  })
})
