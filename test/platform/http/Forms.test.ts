/** Parses forms as URLSearchParams does, up to a limit of fields. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { parseForm } from "../../../src/platform/http/Forms.ts"

const parse = (text: string, maxFields = 1_000) => parseForm(Buffer.from(text), maxFields)

/** The question mark is removed by URLSearchParams. */
const expected = (text: string) => [...new URLSearchParams(`?${text}`)]

const Piece = Schema.Literals(
  ["a", "Z", "&", "=", "+", "%", "%4", "%41", "%4g", "%26", "%3D", "%2B", "%00", "?", " ", "\r\n"].concat([
    "%C3%A9",
    "%e2%82%AC",
    "%F0%9F%98%80",
    "%ED%A0%80",
    "%FF",
    "%E2%82",
    "%C0%AF",
    "%EF%BB%BF",
    "%80",
  ]),
)

describe("parseForm", () => {
  it.prop("returns what URLSearchParams returns", [Schema.Array(Piece)], ([pieces]) => {
    const text = pieces.join("")
    assert.deepStrictEqual(parse(text), expected(text))
  })

  it.prop(
    "reads what URLSearchParams writes",
    [Schema.Array(Schema.Tuple([Schema.String, Schema.String]))],
    ([form]) => {
      const fields = form.map(([name, value]): [string, string] => [name.toWellFormed(), value.toWellFormed()])
      assert.deepStrictEqual(parse(new URLSearchParams(fields).toString()), fields)
    },
  )

  it("reads unescaped UTF-8, also next to invalid escapes", () => {
    assert.deepStrictEqual(parse("n\u00e4me=\u20ac%FF\u{1f600}&b=%"), [
      ["n\u00e4me", "\u20ac\ufffd\u{1f600}"],
      ["b", "%"],
    ])
  })

  it("returns undefined when there are more fields than the limit", () => {
    assert.lengthOf(parse("a&a&a=1&", 3) ?? [], 3)
    assert.isUndefined(parse("a&a&a=1&a", 3))
    assert.isUndefined(parse("a&".repeat(2 ** 20), 50_000))
  })
})
