/** Lengths and ranges of an interview set: the last value that is taken, the first one that is not (spec, Limits). */
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

/** What stands at a pointer `#/a/0/b`. */
const at = (pointer: string, value: unknown): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce(
      (inner: unknown, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : inner),
      value,
    )

/** One, two and four UTF-8 bytes; a surrogate pair; a base with a combining mark; right to left; a joined emoji. */
const alphabets = [
  "x",
  "\u00e9",
  "\u{1F600}",
  "e\u0301",
  "\u0643\u0628\u05e9",
  "\u{1F469}\u200d\u{1F680}",
  "a b\n\u{1F600}\u0301",
]

/** So many code points, over and over through the alphabet. */
const codePoints = (count: number, alphabet: string) => {
  const points = [...alphabet]
  return Array.from({ length: count }, (_, i) => points[i % points.length]).join("")
}

/** An address of so many characters: 64 before the @, labels of at most 63 after it. */
const address = (length: number) => {
  const label = "b".repeat(60)
  const start = `${"a".repeat(64)}@${label}.${label}.`
  return `${start}${"c".repeat(length - start.length - 3)}.de`
}

const int32 = [-2147483648, 2147483647] as const

layer(specification(), { excludeTestServices: true })("a set's limits", (it) => {
  it.effect.each<readonly [quote: string, pointer: string, most: number, request: Request]>([
    ["spec: title (set) | 1024 chars", "#/title", 1024, (title) => ({ title })],
    ["spec: position | 1024 chars", "#/position", 1024, set("position")],
    ["spec: question title … 5000 chars each", "#/iai_questions/1/title", 5000, ofQuestion("title")],
    ["spec: question … content | 5000 chars each", "#/iai_questions/1/content", 5000, ofQuestion("content")],
    ["spec: question hint | 2000 chars", "#/iai_questions/1/hint", 2000, ofQuestion("hint")],
    ["spec: question details | 10000 chars", "#/iai_questions/1/details", 10_000, ofQuestion("details")],
    ["spec: requirement title … 5000 chars each", "#/iai_requirements/0/title", 5000, ofRequirement("title")],
    ["spec: requirement … content | 5000 chars each", "#/iai_requirements/0/content", 5000, ofRequirement("content")],
    ["spec: requirement hint | 2000 chars", "#/iai_requirements/0/hint", 2000, ofRequirement("hint")],
    ["spec: access fullname | 500 chars", "#/com_accesses/0/fullname", 500, ofAccess("fullname")],
    ["spec: access firstname … 250 chars each", "#/com_accesses/0/firstname", 250, ofAccess("firstname")],
    ["spec: access … lastname | 250 chars each", "#/com_accesses/0/lastname", 250, ofAccess("lastname")],
  ])("%s; contract: Lengths count Unicode code points", ([, pointer, most, request]) =>
    Effect.gen(function* () {
      for (const alphabet of alphabets) {
        const longest = codePoints(most, alphabet)
        assert.strictEqual(at(pointer, yield* created(request(longest))), longest)
        const longer = codePoints(most + 1, alphabet)
        assert.deepStrictEqual(yield* faults(createSet, request(longer)), [`${pointer} too_long`])
      }
    }),
  )

  it.effect("spec: access email | 250 chars", () =>
    Effect.gen(function* () {
      const pointer = "#/com_accesses/0/email"
      const longest = address(250)
      assert.lengthOf(longest, 250)
      assert.strictEqual(at(pointer, yield* created(ofAccess("email")(longest))), longest)
      assert.deepStrictEqual(yield* faults(createSet, ofAccess("email")(address(251))), [`${pointer} too_long`])
    }),
  )

  it.effect.each<readonly [quote: string, pointer: string, least: number, most: number, request: Request]>([
    ["spec: interview_duration | int; contract: ≥ 1", "#/interview_duration", 1, int32[1], set("interview_duration")],
    ["spec: number_of_retakes | int; contract: ≥ 0", "#/number_of_retakes", 0, int32[1], set("number_of_retakes")],
    ["spec: priority | int; contract: in int32", "#/priority", ...int32, set("priority")],
    [
      "spec: cfg_lingual_ids | int[]; contract: in int32",
      "#/cfg_lingual_ids/1",
      ...int32,
      (id) => set("cfg_lingual_ids")([1, id]),
    ],
    ["spec: question priority | int", "#/iai_questions/1/priority", ...int32, ofQuestion("priority")],
    ["spec: options … priority", "#/iai_questions/0/options/0/priority", ...int32, ofOption("priority")],
    ["spec: requirement priority | int", "#/iai_requirements/0/priority", ...int32, ofRequirement("priority")],
    [
      "spec: tal_skill_ids | int[]",
      "#/iai_requirements/0/tal_skill_ids/1",
      ...int32,
      (id) => ofRequirement("tal_skill_ids")([1, id]),
    ],
    ["spec: access priority | int", "#/com_accesses/0/priority", ...int32, ofAccess("priority")],
  ])("%s", ([, pointer, least, most, request]) =>
    Effect.gen(function* () {
      for (const value of [least, least + 1, most]) {
        assert.strictEqual(at(pointer, yield* created(request(value))), value)
      }
      for (const value of [least - 1, most + 1, -(2 ** 53 - 1), 2 ** 53 - 1]) {
        assert.deepStrictEqual(yield* faults(createSet, request(value)), [`${pointer} out_of_range`])
      }
      // contract: Integers are JSON integers; written with an exponent or a fraction of zero they are still whole
      const written = (number: string) => JSON.stringify(request("@")).replace('"@"', number)
      assert.strictEqual(at(pointer, yield* created(written("20.0"))), 20)
      assert.strictEqual(at(pointer, yield* created(written("2e1"))), 20)
      for (const number of ["1.5", "1e400", "-1e400", '"1"']) {
        assert.deepStrictEqual(yield* faults(createSet, written(number)), [`${pointer} wrong_type`])
      }
    }),
  )

  it.effect("contract: `title` must have a non-blank character", () =>
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
  ] as const)("contract: %s has at most %i items", ([pointer, most, request, item]) =>
    Effect.gen(function* () {
      const items = (count: number) =>
        Array.from({ length: count }, (_, i) => item ?? { email: `eva-${i}@example.com` })
      const stored = yield* created(request(items(most)))
      assert.lengthOf(at(pointer, stored) as ReadonlyArray<unknown>, most)
      assert.deepStrictEqual(yield* faults(createSet, request(items(most + 1))), [`${pointer} too_many`])
      // the items of a list that is too long are not decoded; faults of other fields are reported too
      const wrong = { ...request(Array(most + 1).fill(null)), title: 5 }
      assert.deepStrictEqual(yield* faults(createSet, wrong), ["#/title wrong_type", `${pointer} too_many`])
    }),
  )
})
