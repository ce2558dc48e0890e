import { assert, describe, it } from "@effect/vitest"
import { decisionNames, requirementDots } from "../../src/submissions/pages/SubmissionLabels.ts"

describe("requirementDots", () => {
  it("shows a sign for each requirement and has their counts as text", () => {
    const text = String(requirementDots([{ score: 10 }, { score: 5 }, { score: 0 }, { score: null }]))
    assert.strictEqual(text.replaceAll(/<[^>]*>/g, ""), "●◐○–1 of 4 met, 1 partly met, 1 not rated, 1 no match found")
    assert.isNull(requirementDots([]))
  })
})

describe("decisionNames", () => {
  it("names each decision", () => {
    assert.deepStrictEqual(Object.keys(decisionNames), ["advance", "hold", "reject"])
  })
})
