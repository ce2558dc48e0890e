import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { highlights, type Quote } from "../../src/domain/Highlights.ts"

/** Few letters, so that quotes overlap and repeat. */
const Letters = Schema.Array(Schema.Literals(["a", "b", " ", "<", "é", "😀"])).check(Schema.isMaxLength(40))
const Cut = Schema.Struct({
  from: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 39 })),
  length: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 })),
  mark: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })),
})

describe("highlights", () => {
  it.prop(
    "the pieces are the text, and what is marked is what was quoted",
    [Letters, Schema.Array(Cut)],
    ([letters, cuts]) => {
      const text = letters.join("")
      const quotes = cuts.map(({ from, length, mark }): Quote => ({ text: text.slice(from, from + length), mark }))
      const pieces = highlights(text, quotes)
      assert.strictEqual(pieces.map((piece) => piece.text).join(""), text)
      let at = 0
      for (const piece of pieces) {
        assert.isNotEmpty(piece.text)
        for (const mark of piece.marks) {
          const covers = quotes.some((quote) => {
            if (quote.mark !== mark || quote.text === "") return false
            const from = Math.max(0, at + piece.text.length - quote.text.length)
            return text.slice(from, at + quote.text.length).includes(quote.text)
          })
          assert.isTrue(covers, `mark ${mark} on ${JSON.stringify(piece.text)}`)
        }
        at += piece.text.length
      }
      for (const { mark, text: quote } of quotes) {
        const first = quote === "" ? -1 : text.indexOf(quote)
        if (first < 0) continue
        let position = 0
        for (const piece of pieces) {
          const isInside = position >= first && position + piece.text.length <= first + quote.length
          if (isInside) assert.include(piece.marks, mark)
          position += piece.text.length
        }
      }
    },
  )

  it("cuts where quotes begin and end, and tells all that rest on a piece", () => {
    const quotes = [
      { text: "ran Postgres", mark: 2 },
      { text: "Postgres for years", mark: 1 },
    ]
    assert.deepStrictEqual(highlights("I ran Postgres for years.", quotes), [
      { text: "I ", marks: [] },
      { text: "ran ", marks: [2] },
      { text: "Postgres", marks: [1, 2] },
      { text: " for years", marks: [1] },
      { text: ".", marks: [] },
    ])
  })

  it("marks a repeated quote wherever it stands, within a limit, and the same quote twice once", () => {
    const quotes = [
      { text: "a", mark: 1 },
      { text: "a", mark: 1 },
    ]
    const marked = highlights("a-".repeat(100), quotes).filter(({ marks }) => marks.length > 0)
    assert.deepStrictEqual(marked, Array(20).fill({ text: "a", marks: [1] }))
  })

  it("an empty text has no piece, and a quote that is not there marks nothing", () => {
    assert.deepStrictEqual(highlights("", [{ text: "x", mark: 1 }]), [])
    assert.deepStrictEqual(highlights("text", [{ text: "Text", mark: 1 }]), [{ text: "text", marks: [] }])
  })
})
