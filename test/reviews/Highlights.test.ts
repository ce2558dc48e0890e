import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { highlights, type Quote } from "../../src/reviews/Highlights.ts"

/** Few letters, so that quotes overlap and repeat. */
const Letters = Schema.Array(Schema.Literals(["a", "b", " ", "<", "é", "😀"])).check(Schema.isMaxLength(40))
const Cut = Schema.Struct({
  from: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 39 })),
  length: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 })),
  mark: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })),
})

describe("highlights", () => {
  it.prop(
    "returns pieces that join to the text and marks the quotes",
    [Letters, Schema.Array(Cut)],
    ([letters, cuts]) => {
      const text = letters.join("")
      const quotes = cuts.map(({ from, length, mark }): Quote => ({ text: text.slice(from, from + length), mark }))
      const pieces = highlights(text, quotes)
      assert.strictEqual(pieces.map((piece) => piece.text).join(""), text)
      const marks = pieces.flatMap((piece) => Array.from({ length: piece.text.length }, () => piece.marks))
      for (let at = 0; at < text.length; at++) {
        const covers = ({ text: quote }: Quote, begins: (from: number) => boolean) =>
          Array.from({ length: quote.length }, (_, i) => at - i).some(
            (from) => begins(from) && at < from + quote.length,
          )
        for (const mark of [1, 2, 3, 4]) {
          const own = quotes.filter((quote) => quote.mark === mark)
          const anywhere = own.some((quote) => covers(quote, (from) => text.startsWith(quote.text, from) && from >= 0))
          const first = own.some((quote) => covers(quote, (from) => text.indexOf(quote.text) === from))
          // marks the first place of a quote, and only places of quotes
          if (first) assert.include(marks[at] ?? [], mark)
          if (!anywhere) assert.notInclude(marks[at] ?? [], mark)
        }
      }
      pieces.forEach((piece, i) => {
        assert.isNotEmpty(piece.text)
        assert.notDeepEqual(piece.marks, pieces[i + 1]?.marks)
      })
    },
  )

  it("cuts where marks change and gives all marks of a piece", () => {
    const quotes = [
      { text: "ran Postgres", mark: 2 },
      { text: "Postgres for years", mark: 1 },
    ]
    assert.deepStrictEqual(highlights("I ran Postgres for years.", quotes), [
      { text: "I ", marks: [], ids: [] },
      { text: "ran ", marks: [2], ids: [] },
      { text: "Postgres", marks: [1, 2], ids: [] },
      { text: " for years", marks: [1], ids: [] },
      { text: ".", marks: [], ids: [] },
    ])
  })

  it("names the piece with the first occurrence of each quote", () => {
    const quotes = [
      { text: "Postgres", mark: 1, id: "a" },
      { text: "gres and", mark: 1, id: "b" },
      { text: "and", mark: 2, id: "c" },
      { text: "missing", mark: 2, id: "d" },
    ]
    assert.deepStrictEqual(
      highlights("Postgres and Postgres", quotes).map(({ ids, text }) => [text, ids]),
      [
        ["Postgres ", ["a", "b"]],
        ["and", ["c"]],
        [" ", []],
        ["Postgres", []],
      ],
    )
  })

  it("marks a repeated quote up to a limit, and a duplicate quote once", () => {
    const quotes = [
      { text: "a", mark: 1 },
      { text: "a", mark: 1 },
    ]
    const marked = highlights("a-".repeat(100), quotes).filter(({ marks }) => marks.length > 0)
    assert.deepStrictEqual(marked, Array(20).fill({ text: "a", marks: [1], ids: [] }))
  })

  it("marks fewer places of each quote when there are many quotes", () => {
    const quotes = Array.from({ length: 1000 }, (_, i) => ({ text: "a", mark: i }))
    const marked = highlights("a-".repeat(100), quotes).filter(({ marks }) => marks.length > 0)
    assert.lengthOf(marked, 2)
    assert.lengthOf(marked[0]?.marks ?? [], 1000)
  })

  it("returns no piece of an empty text, and no mark of a missing quote", () => {
    assert.deepStrictEqual(highlights("", [{ text: "x", mark: 1 }]), [])
    assert.deepStrictEqual(highlights("text", [{ text: "Text", mark: 1 }]), [{ text: "text", marks: [], ids: [] }])
  })
})
