import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { durationText } from "../../src/values/DurationText.ts"

describe("durationText", () => {
  it.each([
    ["30 days", "30 days"],
    ["24 hours", "24 hours"],
    ["48 hours", "2 days"],
    ["90 minutes", "90 minutes"],
    ["2 hours", "2 hours"],
    ["1 second", "1 second"],
    ["1500 millis", "1500 milliseconds"],
    ["0 seconds", "0 seconds"],
  ] as const)("%s is %s", (input, words) => {
    assert.strictEqual(durationText(Duration.fromInputUnsafe(input)), words)
  })
})
