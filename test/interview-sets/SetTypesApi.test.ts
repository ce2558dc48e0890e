/** Values of the wrong JSON type and unknown choices, for every field of an interview set (docs/api.md). */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createSet, faults, layer as specification } from "../support/Specification.ts"

const question = { question_mode: "interview", question_type: "text" }
const access = { email: "eva@example.com" }

/** A request whose item at `place` has these fields; `#` is the set. */
const requestAt = (place: string, fields: object): object => {
  switch (place) {
    case "#":
      return { title: "x", ...fields }
    case "#/iai_questions/0":
      return { title: "x", iai_questions: [{ ...question, ...fields }] }
    case "#/iai_questions/0/options/0":
      return { title: "x", iai_questions: [{ ...question, options: [fields] }] }
    case "#/iai_requirements/0":
      return { title: "x", iai_requirements: [fields] }
    default:
      return { title: "x", com_accesses: [{ ...access, ...fields }] }
  }
}

const wrong = {
  text: [1, 0, true, false, [], ["x"], {}, { a: "x" }],
  int: ["1", "", true, [], [1], {}, 1.5],
  list: ["x", "", 1, true, {}, { 0: 1 }],
  object: ["x", 1, true, [], [{}]],
}

/** Values that are not among the choices. */
const noChoice = ["", "x", "Interview", " interview", 1, 0, 248, true, [], ["interview"], {}]

const fields = {
  "#": {
    text: ["title", "position", "description"],
    int: ["interview_duration", "number_of_retakes", "priority"],
    list: ["cfg_lingual_ids", "iai_questions", "iai_requirements", "com_accesses"],
    object: [],
  },
  "#/iai_questions/0": {
    text: ["title", "content", "hint", "details"],
    int: ["priority"],
    list: ["options"],
    object: ["attributes"],
  },
  "#/iai_questions/0/options/0": { text: ["title", "content"], int: ["priority"], list: [], object: [] },
  "#/iai_requirements/0": {
    text: ["title", "content", "hint"],
    int: ["priority"],
    list: ["tal_skill_ids"],
    object: ["attributes"],
  },
  "#/com_accesses/0": {
    text: ["email", "fullname", "firstname", "lastname"],
    int: ["priority"],
    list: [],
    object: ["attributes"],
  },
} as const

type Kind = keyof typeof wrong
const kinds: Readonly<Record<Kind, string>> = { text: "string", int: "int", list: "array", object: "object" }

const typeRows = Object.entries(fields).flatMap(([place, byKind]) =>
  (Object.keys(wrong) as ReadonlyArray<Kind>).flatMap((kind) =>
    byKind[kind].map((field) => [`${field} | ${kinds[kind]}`, place, field, kind] as const),
  ),
)
layer(specification(), { excludeTestServices: true })("a set's types", (it) => {
  it.effect.each(typeRows)("refuses the wrong type: %s (%s)", ([, place, field, kind]) =>
    Effect.gen(function* () {
      for (const value of wrong[kind]) {
        const reported = yield* faults(createSet, requestAt(place, { [field]: value }))
        assert.deepStrictEqual(reported, [`${place}/${field} wrong_type`], JSON.stringify(value))
      }
    }),
  )

  it.effect.each<
    readonly [name: string, request: (value: unknown) => object, pointer: string, values: ReadonlyArray<unknown>]
  >([
    ["cfg_lingual_ids | int[]", (id) => ({ cfg_lingual_ids: [1, id] }), "#/cfg_lingual_ids/1", [...wrong.int, null]],
    [
      "tal_skill_ids | int[]",
      (id) => ({ iai_requirements: [{ tal_skill_ids: [1, id] }] }),
      "#/iai_requirements/0/tal_skill_ids/1",
      [...wrong.int, null],
    ],
    [
      "iai_questions | array | no | question items",
      (item) => ({ iai_questions: [question, item] }),
      "#/iai_questions/1",
      [...wrong.object, null],
    ],
    [
      "options … each an object",
      (item) => ({ iai_questions: [{ ...question, options: [item] }] }),
      "#/iai_questions/0/options/0",
      [...wrong.object, null],
    ],
    [
      "iai_requirements | array | no | requirement items",
      (item) => ({ iai_requirements: [{}, item] }),
      "#/iai_requirements/1",
      [...wrong.object, null],
    ],
    [
      "com_accesses | array | no | access items",
      (item) => ({ com_accesses: [access, item] }),
      "#/com_accesses/1",
      [...wrong.object, null],
    ],
    [
      "options, each an object with id",
      (id) => ({ iai_questions: [{ ...question, options: [{ id }] }] }),
      "#/iai_questions/0/options/0/id",
      [true, 1.5, [], {}],
    ],
    ["project_id | UUID", (project_id) => ({ project_id }), "#/project_id", [1, true, [], {}]],
  ])("refuses the wrong type: %s", ([, request, pointer, values]) =>
    Effect.gen(function* () {
      for (const value of values) {
        const reported = yield* faults(createSet, { title: "x", ...request(value) })
        assert.deepStrictEqual(reported, [`${pointer} wrong_type`], JSON.stringify(value))
      }
    }),
  )

  it.effect.each<readonly [name: string, place: string, field: string, values: ReadonlyArray<unknown>]>([
    [
      "question_mode not pre_screening/interview",
      "#/iai_questions/0",
      "question_mode",
      [...noChoice, "text", "pre-screening"],
    ],
    [
      "question_type not text/checkbox/radio/file",
      "#/iai_questions/0",
      "question_type",
      [...noChoice, "video", "TEXT", 250, "250"],
    ],
    ["1 = interview (default), 2 = CV set", "#", "set_type", [0, 3, -1, 1.5, "1", "", true, [], [1], {}]],
  ])("refuses an unknown choice: %s", ([, place, field, values]) =>
    Effect.gen(function* () {
      for (const value of values) {
        const reported = yield* faults(createSet, requestAt(place, { [field]: value }))
        assert.deepStrictEqual(reported, [`${place}/${field} not_one_of`], JSON.stringify(value))
      }
    }),
  )
})
