import { assert, describe, it } from "@effect/vitest"
import { CliError } from "effect/cli"
import { sentenceOf } from "../../src/cli/Report.ts"

const invalid = (option: string, value: string, expected: string, kind: "argument" | "flag" = "flag") =>
  sentenceOf(new CliError.InvalidValue({ option, value, expected, kind }))

describe("sentenceOf", () => {
  it("states what a value must be, without the parser's text", () => {
    const number = "Schema validation failed: must be a delivery's number, such as 17"
    assert.strictEqual(
      invalid("delivery", "abc", number, "argument"),
      '<delivery> "abc" must be a delivery\'s number, such as 17',
    )
    assert.strictEqual(
      invalid("state", "bad", 'Expected "queued" | "failed"'),
      '--state "bad" must be one of queued, failed',
    )
    assert.strictEqual(invalid("port", "x", "Expected: integer"), '--port "x" must be integer')
    assert.strictEqual(
      invalid("name", "a\nb", "Schema validation failed: must be short"),
      '--name "a\\nb" must be short',
    )
  })

  it("states how often a flag can be given, and that it requires a value", () => {
    assert.strictEqual(invalid("state", "2 occurrences", "at most 1 value"), "--state can be given once at most")
    assert.strictEqual(invalid("event", "21 occurrences", "at most 20 values"), "--event can be given 20 times at most")
    assert.strictEqual(invalid("limit", "", "integer"), "--limit needs a value")
  })

  it("keeps other messages", () => {
    const missing = new CliError.MissingOption({ option: "name" })
    assert.strictEqual(sentenceOf(missing), missing.message)
  })
})
