import { assert, describe, it } from "@effect/vitest"
import { tooFewWords } from "../../src/evaluations/ShortText.ts"

describe("tooFewWords", () => {
  it("counts the words of all texts; returns null for twenty or more", () => {
    assert.strictEqual(tooFewWords([]), 0)
    assert.strictEqual(tooFewWords(["Yes.", "It's a well-known   thing – 4 of 5!"]), 8)
    assert.strictEqual(tooFewWords(["word ".repeat(10), "word ".repeat(9)]), 19)
    assert.isNull(tooFewWords(["word ".repeat(10), "word ".repeat(10)]))
  })

  it("counts each character of scripts without spaces", () => {
    assert.strictEqual(tooFewWords(["私は倉庫で働いた。"]), 8)
    assert.isNull(tooFewWords(["私は倉庫でSAPを四年間使い、十人のチームを率いました。"]))
  })
})
