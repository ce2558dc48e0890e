/** One text for each value (RFC 8785). */
import { assert, describe, it } from "@effect/vitest"
import { canonicalJson, maxDepth, NotCanonical } from "../../src/record/CanonicalJson.ts"
import * as Random from "../support/fuzz/Random.ts"

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, one]) => [name, shuffled(one)]),
  )
}

const texts = [
  "",
  "a",
  "é",
  "e\u0301",
  "\u{1f600}",
  "\ufb33",
  "\u0000",
  "\u2028",
  '"',
  "\\",
  "__proto__",
  "1",
  "10",
  "2",
] as const
const numbers = [0, -0, 1.5, -7, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, 0.1 + 0.2] as const

const valueOf = (random: Random.Random, depth: number): unknown => {
  switch (random.below(depth > 4 ? 4 : 6)) {
    case 0:
      return random.pick(texts) + random.pick(texts)
    case 1:
      return random.pick(numbers)
    case 2:
      return random.chance(0.5)
    case 3:
      return null
    case 4:
      return Array.from({ length: random.below(4) }, () => valueOf(random, depth + 1))
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(6) }, () => [
          random.pick(texts) + random.pick(texts),
          valueOf(random, depth + 1),
        ]),
      )
  }
}

describe("canonical JSON", () => {
  it("sorts names by UTF-16 code units, as the example of RFC 8785 does", () => {
    const names = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"]
    const text = canonicalJson(Object.fromEntries(names.map((name, i) => [name, i])))
    assert.strictEqual(text, '{"\\r":1,"1":3,"\u0080":5,"\u00f6":6,"\u20ac":0,"\u{1f600}":4,"\ufb33":2}')
  })

  it.each([
    [333333333.3333333, "333333333.3333333"],
    [1e30, "1e+30"],
    [4.5, "4.5"],
    [2e-3, "0.002"],
    [0.000000000000000000000000001, "1e-27"],
    [-0, "0"],
  ])("writes the number %d as ECMAScript does", (number, text) => {
    assert.strictEqual(canonicalJson(number), text)
  })

  it("escapes only what JSON requires", () => {
    assert.strictEqual(canonicalJson('\u20ac$\u000f\nA\'B"\\"/'), '"\u20ac$\\u000f\\nA\'B\\"\\\\\\"/"')
  })

  it.each([
    ["not a number", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["half of a surrogate pair", "\ud800"],
    ["half of a surrogate pair in a name", { "\udc00": 1 }],
    ["undefined", { a: undefined }],
    ["a function", () => 1],
  ])("refuses %s", (_, value) => {
    assert.throws(() => canonicalJson(value), NotCanonical)
  })

  it("refuses values that are nested too deeply, instead of exhausting the stack", () => {
    const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels))
    assert.strictEqual(canonicalJson(nested(maxDepth)).length, 2 * maxDepth)
    assert.throws(() => canonicalJson(nested(100_000)), NotCanonical)
  })

  it("has the same value, and the same text for each order of names", () => {
    for (let run = 0; run < 500; run++) {
      const value = valueOf(Random.make(8785, run), 0)
      const text = canonicalJson(value)
      const read: unknown = JSON.parse(text)
      assert.strictEqual(canonicalJson(read), text)
      assert.strictEqual(canonicalJson(shuffled(value)), text)
      assert.deepStrictEqual(read, JSON.parse(JSON.stringify(value)))
    }
  })
})
