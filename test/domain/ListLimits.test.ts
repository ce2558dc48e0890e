/** Lists that are longer than their schema allows are found without decoding their items. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { optional } from "../../src/domain/Fields.ts"
import { longLists } from "../../src/domain/ListLimits.ts"

const undecodable = Schema.Unknown.check(
  Schema.makeFilter(() => {
    throw new Error("decoded")
  }),
)
const schema = Schema.Struct({
  options: optional(Schema.Array(undecodable).check(Schema.isMaxLength(2, { code: "too_many", message: "at most 2" }))),
  questions: optional(
    Schema.Array(Schema.Struct({ ids: optional(Schema.Array(Schema.Int).check(Schema.isMaxLength(1))) })).check(
      Schema.makeFilter(() => true),
      Schema.isMaxLength(3),
    ),
  ),
})
const faults = (value: unknown) => longLists(schema.ast, value)

describe("longLists", () => {
  it("finds the lists at every level, and looks at nothing inside a long one", () => {
    assert.deepStrictEqual(faults({ options: [1, 2, 3], questions: [{ ids: [1] }, { ids: [1, 2] }] }), [
      { pointer: "#/options", code: "too_many", message: "at most 2" },
      { pointer: "#/questions/1/ids", code: "too_many", message: "must have at most 1 items" },
    ])
    assert.deepStrictEqual(
      faults({ questions: Array.from({ length: 4 }, () => ({ ids: [1, 2] })) }).map(({ pointer }) => pointer),
      ["#/questions"],
    )
  })

  it("leaves everything else to the schema", () => {
    for (const value of [null, 1, "x", [], {}, { options: null, questions: {} }, { options: [1, 2], questions: [1] }]) {
      assert.deepStrictEqual(faults(value), [])
    }
  })
})
