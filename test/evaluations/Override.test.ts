import { assert, describe, it } from "@effect/vitest"
import { overrideErrors } from "../../src/evaluations/Override.ts"

const reason = "She explained the plan in the call."

describe("overrideErrors", () => {
  it.each([0, 0.1, 0.3, 1, 2.5, 7.3, 9.9, 10, -0])("accepts %s", (score) => {
    assert.isEmpty(overrideErrors(score, reason))
  })

  it.each([-0.1, 10.1, 7.25, 0.30000000000000004, Number.NaN, Number.POSITIVE_INFINITY])("refuses %s", (score) => {
    assert.deepStrictEqual(
      overrideErrors(score, reason).map(({ code, pointer }) => [pointer, code]),
      [["#/score", "out_of_range"]],
    )
  })

  it.each([
    ["123456789", "too_short"],
    ["          123456789          ", "too_short"],
    ["😀".repeat(9), "too_short"],
    ["x".repeat(2001), "too_long"],
    ["0123456789\0", "unstorable_text"],
    ["0123456789\ud800", "unstorable_text"],
  ])("refuses the reason %j", (text, code) => {
    assert.deepStrictEqual(
      overrideErrors(5, text).map(({ code, pointer }) => [pointer, code]),
      [["#/reason", code]],
    )
  })

  it.each(["0123456789", "😀".repeat(10), "😀".repeat(2000), ` ${"x".repeat(2000)} `])(
    "accepts the reason %j",
    (text) => {
      assert.isEmpty(overrideErrors(5, text))
    },
  )

  it("returns the errors of both at once", () => {
    assert.lengthOf(overrideErrors(11, ""), 2)
  })
})
