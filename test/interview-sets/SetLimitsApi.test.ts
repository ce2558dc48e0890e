/** The limits of an interview set: accepts the last valid value, refuses the next one (docs/api.md). */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { created, createSet, faults, layer as specification } from "../support/Specification.ts"

const question = { question_mode: "interview", question_type: "radio" }

type Request = (value: unknown) => object

const set =
  (field: string): Request =>
  (value) => ({ title: "x", [field]: value })
const ofQuestion =
  (field: string): Request =>
  (value) => ({ title: "x", iai_questions: [{ ...question }, { ...question, [field]: value }] })
const ofOption =
  (field: string): Request =>
  (value) => ({ title: "x", iai_questions: [{ ...question, options: [{ [field]: value }] }] })
const ofRequirement =
  (field: string): Request =>
  (value) => ({ title: "x", iai_requirements: [{ [field]: value }] })
const ofAccess =
  (field: string): Request =>
  (value) => ({ title: "x", com_accesses: [{ email: "eva@example.com", [field]: value }] })

/** The value at a pointer such as `#/a/0/b`. */
const at = (pointer: string, value: unknown): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce(
      (inner: unknown, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : inner),
      value,
    )

/** One, two and four UTF-8 bytes; a combining mark; right to left; a joined emoji. */
const alphabets = [
  "x",
  "\u00e9",
  "\u{1F600}",
  "e\u0301",
  "\u0643\u0628\u05e9",
  "\u{1F469}\u200d\u{1F680}",
  "a b\n\u{1F600}\u0301",
]

/** A text of `count` code points of the alphabet. */
const codePoints = (count: number, alphabet: string) => {
  const points = [...alphabet]
  return Array.from({ length: count }, (_, i) => points[i % points.length]).join("")
}

/** An email address of this length: 64 characters before the @, labels of at most 63. */
const address = (length: number) => {
  const label = "b".repeat(60)
  const start = `${"a".repeat(64)}@${label}.${label}.`
  return `${start}${"c".repeat(length - start.length - 3)}.de`
}

const int32 = [-2147483648, 2147483647] as const

layer(specification(), { excludeTestServices: true })("a set's limits", (it) => {
  it.effect.each<readonly [name: string, pointer: string, max: number, request: Request]>([
    ["title (set) | 1024 chars", "#/title", 1024, (title) => ({ title })],
    ["position | 1024 chars", "#/position", 1024, set("position")],
    ["question title … 5000 chars each", "#/iai_questions/1/title", 5000, ofQuestion("title")],
    ["question … content | 5000 chars each", "#/iai_questions/1/content", 5000, ofQuestion("content")],
    ["question hint | 2000 chars", "#/iai_questions/1/hint", 2000, ofQuestion("hint")],
    ["question details | 10000 chars", "#/iai_questions/1/details", 10_000, ofQuestion("details")],
    ["requirement title … 5000 chars each", "#/iai_requirements/0/title", 5000, ofRequirement("title")],
    ["requirement … content | 5000 chars each", "#/iai_requirements/0/content", 5000, ofRequirement("content")],
    ["requirement hint | 2000 chars", "#/iai_requirements/0/hint", 2000, ofRequirement("hint")],
    ["access fullname | 500 chars", "#/com_accesses/0/fullname", 500, ofAccess("fullname")],
    ["access firstname … 250 chars each", "#/com_accesses/0/firstname", 250, ofAccess("firstname")],
    ["access … lastname | 250 chars each", "#/com_accesses/0/lastname", 250, ofAccess("lastname")],
  ])("limits the code points: %s", ([, pointer, max, request]) =>
    Effect.gen(function* () {
      for (const alphabet of alphabets) {
        const longText = codePoints(max, alphabet)
        assert.strictEqual(at(pointer, yield* created(request(longText))), longText)
        const longer = codePoints(max + 1, alphabet)
        assert.deepStrictEqual(yield* faults(createSet, request(longer)), [`${pointer} too_long`])
      }
    }),
  )

  it.effect("limits access email to 250 characters", () =>
    Effect.gen(function* () {
      const pointer = "#/com_accesses/0/email"
      const longText = address(250)
      assert.lengthOf(longText, 250)
      assert.strictEqual(at(pointer, yield* created(ofAccess("email")(longText))), longText)
      assert.deepStrictEqual(yield* faults(createSet, ofAccess("email")(address(251))), [`${pointer} too_long`])
    }),
  )

  it.effect.each<readonly [name: string, pointer: string, min: number, max: number, request: Request]>([
    ["interview_duration | int; ≥ 1", "#/interview_duration", 1, int32[1], set("interview_duration")],
    ["number_of_retakes | int; ≥ 0", "#/number_of_retakes", 0, int32[1], set("number_of_retakes")],
    ["priority | int; in int32", "#/priority", ...int32, set("priority")],
    ["cfg_lingual_ids | int[]; in int32", "#/cfg_lingual_ids/1", ...int32, (id) => set("cfg_lingual_ids")([1, id])],
    ["question priority | int", "#/iai_questions/1/priority", ...int32, ofQuestion("priority")],
    ["options … priority", "#/iai_questions/0/options/0/priority", ...int32, ofOption("priority")],
    ["requirement priority | int", "#/iai_requirements/0/priority", ...int32, ofRequirement("priority")],
    [
      "tal_skill_ids | int[]",
      "#/iai_requirements/0/tal_skill_ids/1",
      ...int32,
      (id) => ofRequirement("tal_skill_ids")([1, id]),
    ],
    ["access priority | int", "#/com_accesses/0/priority", ...int32, ofAccess("priority")],
  ])("limits the integer: %s", ([, pointer, min, max, request]) =>
    Effect.gen(function* () {
      for (const value of [min, min + 1, max]) {
        assert.strictEqual(at(pointer, yield* created(request(value))), value)
      }
      for (const value of [min - 1, max + 1, -(2 ** 53 - 1), 2 ** 53 - 1]) {
        assert.deepStrictEqual(yield* faults(createSet, request(value)), [`${pointer} out_of_range`])
      }
      // An exponent or a zero fraction still makes an integer.
      const written = (number: string) => JSON.stringify(request("@")).replace('"@"', number)
      assert.strictEqual(at(pointer, yield* created(written("20.0"))), 20)
      assert.strictEqual(at(pointer, yield* created(written("2e1"))), 20)
      for (const number of ["1.5", "1e400", "-1e400", '"1"']) {
        assert.deepStrictEqual(yield* faults(createSet, written(number)), [`${pointer} wrong_type`])
      }
    }),
  )

  it.effect("refuses a blank title", () =>
    Effect.gen(function* () {
      for (const title of [" ", "\n\t", "\u00a0\u2003", ""]) {
        assert.deepStrictEqual(yield* faults(createSet, { title }), ["#/title blank"])
      }
      for (const title of ["\u200b", ".", "0"]) assert.strictEqual((yield* created({ title }))["title"], title)
    }),
  )

  it.effect.each([
    ["#/iai_questions", 500, set("iai_questions"), { ...question }],
    ["#/iai_requirements", 200, set("iai_requirements"), { title: "x" }],
    ["#/com_accesses", 200, set("com_accesses"), undefined],
    ["#/iai_questions/1/options", 200, ofQuestion("options"), { title: "x" }],
    ["#/iai_requirements/0/tal_skill_ids", 1000, ofRequirement("tal_skill_ids"), 7],
  ] as const)("limits the list %s to %i items", ([pointer, max, request, item]) =>
    Effect.gen(function* () {
      const items = (count: number) =>
        Array.from({ length: count }, (_, i) => item ?? { email: `eva-${i}@example.com` })
      const stored = yield* created(request(items(max)))
      assert.lengthOf(at(pointer, stored) as ReadonlyArray<unknown>, max)
      assert.deepStrictEqual(yield* faults(createSet, request(items(max + 1))), [`${pointer} too_many`])
      // The items of a list that is too long are not decoded; errors of other fields are reported.
      const wrong = { ...request(Array(max + 1).fill(null)), title: 5 }
      assert.deepStrictEqual(yield* faults(createSet, wrong), ["#/title wrong_type", `${pointer} too_many`])
    }),
  )
})
