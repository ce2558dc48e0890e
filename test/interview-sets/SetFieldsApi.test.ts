/** Stores and returns every field of an interview set unchanged (docs/api.md). */
import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import type * as Api from "../support/Api.ts"
import { Caller, created, invitedOne, layer as specification, uuid } from "../support/Specification.ts"

type Place = "set" | "iai_questions" | "options" | "iai_requirements" | "com_accesses"

/** The required fields of an item. */
const question = { question_mode: "interview", question_type: "radio" }
const access = { email: "eva@example.com" }

const requestWith = (place: Place, fields: object): object => {
  switch (place) {
    case "set":
      return { title: "Backend Engineer", ...fields }
    case "iai_questions":
      return { title: "x", iai_questions: [{ ...question, ...fields }] }
    case "options":
      return { title: "x", iai_questions: [{ ...question, options: [fields] }] }
    case "iai_requirements":
      return { title: "x", iai_requirements: [fields] }
    case "com_accesses":
      return { title: "x", com_accesses: [{ ...access, ...fields }] }
  }
}

const rows = (value: unknown) => value as ReadonlyArray<Api.Row>

const itemOf = (place: Place, set: Api.Row): Api.Row => {
  const items =
    place === "set" ? [set] : place === "options" ? rows(rows(set["iai_questions"])[0]?.["options"]) : rows(set[place])
  assert.lengthOf(items, 1)
  return items[0] ?? {}
}

const texts = [
  "Text",
  " spaces and\nlines\t",
  "",
  '<b>"quotes"</b> \\ \u2028',
  "مرحبا שלום 日本",
  "e\u0301 \u00e9 \u{1F469}\u200d\u{1F680}",
]
const integers = [0, 1, -7, 2147483647, -2147483648]
const trees = [
  {},
  { deep: [{ a: null, b: [true, 1.5, "x"] }], "": -0.25 },
  JSON.parse('{ "__proto__": { "a": 1 }, "constructor": 1, "toString": null }'),
]
const anyJson = ["Text", 1.5, false, ["a"], { de: "Ja", en: { x: null } }]

layer(specification(), { excludeTestServices: true })("an interview set", (it) => {
  it.effect("has each access once, by its address without what was copied along", () =>
    Effect.gen(function* () {
      const emails = ["mailto:eva@example.com", "<Bo@example.com>,", "\u200beva@EXAMPLE.com", "bo@example.com"]
      const set = yield* created({ title: "x", com_accesses: emails.map((email, i) => ({ email, priority: i })) })
      assert.deepStrictEqual(
        rows(set["com_accesses"]).map(({ email, priority }) => [email, priority]),
        [
          ["eva@example.com", 0],
          ["Bo@example.com", 1],
        ],
      )
    }),
  )

  it.effect.each<readonly [name: string, place: Place, field: string, values: ReadonlyArray<unknown>, absent: unknown]>(
    [
      ["title | string | yes", "set", "title", ["Backend Engineer", ...texts.filter((text) => text !== "")], undefined],
      ["position | string | no | max 1024 chars; the role hired for", "set", "position", texts, null],
      ["set_type | int | no | 1 = interview (default), 2 = CV set", "set", "set_type", [1, 2], 1],
      ["description | string | no | free text", "set", "description", [...texts, "x".repeat(100_000)], null],
      ["interview_duration | int | no | minutes", "set", "interview_duration", [1, 45, 2147483647], null],
      ["cfg_lingual_ids | int[] | no", "set", "cfg_lingual_ids", [[], [2, 1], [1, 1, -5]], []],
      ["cfg_lingual_ids … an unknown id is kept", "set", "cfg_lingual_ids", [[999, 2]], []],
      ["number_of_retakes | int | no", "set", "number_of_retakes", [0, 3, 2147483647], null],
      ["priority | int | no | sort/priority weight", "set", "priority", integers, null],
      [
        "job_locations | array | no | ISO 3166",
        "set",
        "job_locations",
        [
          [],
          [
            { country: "US", region: "NY", city: "New York" },
            { country: "DE", region: null, city: null },
          ],
        ],
        [],
      ],
      ["iai_questions | array | no", "set", "iai_questions", [[]], []],
      ["iai_requirements | array | no", "set", "iai_requirements", [[]], []],
      ["com_accesses | array | no", "set", "com_accesses", [[]], []],
      ["question title | string | no", "iai_questions", "title", texts, null],
      ["question content | string | no", "iai_questions", "content", texts, null],
      ["question hint | string | no", "iai_questions", "hint", texts, null],
      ["question details | string | no", "iai_questions", "details", texts, null],
      ["question priority | int | no | order weight", "iai_questions", "priority", integers, null],
      ["question options | array | no | choice options", "iai_questions", "options", [[]], []],
      ["allowed_file_types", "iai_questions", "allowed_file_types", [["pdf"], ["text", "image"]], null],
      ["question attributes | object | no | arbitrary metadata", "iai_questions", "attributes", trees, null],
      ["options, each an object with id", "options", "id", ["a", "1", 1, -3, 9007199254740991], "1"],
      ["options … title", "options", "title", texts, null],
      ["options … titles", "options", "titles", anyJson, null],
      ["options … content", "options", "content", texts, null],
      ["options … contents", "options", "contents", anyJson, null],
      ["options … priority", "options", "priority", integers, null],
      ["requirement title | string | no", "iai_requirements", "title", texts, null],
      ["requirement content | string | no", "iai_requirements", "content", texts, null],
      ["requirement hint | string | no", "iai_requirements", "hint", texts, null],
      ["cfg_importance_id | int | no", "iai_requirements", "cfg_importance_id", [244, 245, 272, 273], 244],
      ["tal_skill_ids | int[] | no", "iai_requirements", "tal_skill_ids", [[], [3, 1, 3]], []],
      ["requirement priority | int | no", "iai_requirements", "priority", integers, null],
      ["requirement attributes | object | no", "iai_requirements", "attributes", trees, null],
      ["access email | string | yes", "com_accesses", "email", ["Eva.O'Neil+x@Mail.Example.com"], undefined],
      ["access fullname | string | no", "com_accesses", "fullname", texts, null],
      ["access firstname | string | no", "com_accesses", "firstname", texts, null],
      ["access lastname | string | no", "com_accesses", "lastname", texts, null],
      ["access priority | int | no", "com_accesses", "priority", integers, null],
      ["access attributes | object | no", "com_accesses", "attributes", trees, null],
    ],
  )("stores and returns: %s", ([, place, field, values, absent]) =>
    Effect.gen(function* () {
      for (const value of values) {
        const set = yield* created(requestWith(place, { [field]: value }))
        assert.deepStrictEqual(itemOf(place, set)[field], value)
      }
      if (absent === undefined) return
      // null means absent
      for (const nothing of [{}, { [field]: null }]) {
        assert.deepStrictEqual(itemOf(place, yield* created(requestWith(place, nothing)))[field], absent)
      }
    }),
  )

  it.effect.each([
    ["stores the mode interview as 248", { question_mode: "interview" }, { cfg_question_mode_id: 248 }],
    ["stores the mode pre_screening as 247", { question_mode: "pre_screening" }, { cfg_question_mode_id: 247 }],
    ["stores the type text as 250", { question_type: "text" }, { cfg_question_type_id: 250 }],
    ["stores the type checkbox as 251", { question_type: "checkbox" }, { cfg_question_type_id: 251 }],
    ["stores the type radio as 252", { question_type: "radio" }, { cfg_question_type_id: 252 }],
    ["stores the type file as 253", { question_type: "file" }, { cfg_question_type_id: 253 }],
  ] as const)("%s", ([, fields, ids]) =>
    Effect.gen(function* () {
      const stored = itemOf("iai_questions", yield* created(requestWith("iai_questions", fields)))
      assert.deepInclude(stored, ids)
      assert.doesNotHaveAnyKeys(stored, ["question_mode", "question_type"])
    }),
  )

  it.effect.each<readonly [name: string, place: Place, keys: ReadonlyArray<string>]>([
    [
      "Response fields of a created set: id, title, set_type, interview_duration, number_of_retakes, com_project_id",
      "set",
      [
        ...["id", "title", "position", "set_type", "description", "interview_duration", "cfg_lingual_ids"],
        ...["number_of_retakes", "job_locations", "priority", "com_project_id", "external_id", "metadata"],
        ...["iai_questions", "iai_requirements", "com_accesses"],
        ...["version", "is_fixed", "archived_at", "created_at", "updated_at"],
      ],
    ],
    [
      "In responses each question carries id, title, content, cfg_question_mode_id, cfg_question_type_id, priority",
      "iai_questions",
      [
        ...["id", "title", "content", "hint", "details", "cfg_question_mode_id", "cfg_question_type_id"],
        ...["priority", "options", "allowed_file_types", "attributes"],
      ],
    ],
    [
      "an object with id, title, titles, content, contents, priority",
      "options",
      ["id", "title", "titles", "content", "contents", "priority"],
    ],
    [
      "In responses each requirement carries id, title, cfg_importance_id, priority",
      "iai_requirements",
      ["id", "title", "content", "hint", "cfg_importance_id", "tal_skill_ids", "priority", "attributes"],
    ],
    [
      "In responses each access carries id, email, fullname",
      "com_accesses",
      ["id", "email", "fullname", "firstname", "lastname", "priority", "attributes"],
    ],
  ])("returns every field: %s", ([, place, keys]) =>
    Effect.gen(function* () {
      const item = itemOf(place, yield* created(requestWith(place, {})))
      assert.sameMembers(Object.keys(item), [...keys])
      if (place !== "options") assert.match(String(item["id"]), uuid)
    }),
  )

  it.effect("returns project_id as com_project_id, in lower case", () =>
    Effect.gen(function* () {
      const project = yield* (yield* Projects).create(operator((yield* Caller).organization), "Payments")
      for (const project_id of [project, project.toUpperCase()]) {
        assert.strictEqual((yield* created({ title: "x", project_id }))["com_project_id"], project)
      }
      for (const nothing of [{}, { project_id: null }]) {
        assert.isNull((yield* created({ title: "x", ...nothing }))["com_project_id"])
      }
    }),
  )

  it.effect.each<readonly [name: string, place: Place]>([
    ["set", "set"],
    ["question", "iai_questions"],
    ["option", "options"],
    ["requirement", "iai_requirements"],
    ["access", "com_accesses"],
  ])("ignores unknown keys of a request, in %s", ([, place]) =>
    Effect.gen(function* () {
      const unknown = {
        unknown_field: "x",
        id_: { deep: [1] },
        Title: 1,
        "": null,
        nul: "\0",
        half: "\ud800",
        title_: 5,
      }
      const assigned = ["id", "version", "created_at", "updated_at"]
      const itemWith = (fields: object) =>
        Effect.map(created(requestWith(place, fields)), (set) => Struct.omit(itemOf(place, set), assigned))
      assert.deepStrictEqual(yield* itemWith(unknown), yield* itemWith({}))
    }),
  )

  it.effect("returns arrays in the order of the request, regardless of their priority", () =>
    Effect.gen(function* () {
      const priorities = [3, null, 1, 2, 1]
      const items = priorities.map((priority, i) => ({ title: `${i}`, priority }))
      const set = yield* created({
        title: "x",
        iai_questions: items.map((item) => ({ ...question, ...item, options: items })),
        iai_requirements: items,
        com_accesses: items.map(({ priority, title }) => ({ email: `a${title}@example.com`, priority })),
      })
      for (const field of ["iai_questions", "iai_requirements", "com_accesses"]) {
        assert.deepStrictEqual(
          rows(set[field]).map(({ priority }) => priority),
          priorities,
          field,
        )
      }
      const [first] = rows(set["iai_questions"])
      assert.deepStrictEqual(
        rows(first?.["options"]).map(({ title }) => title),
        ["0", "1", "2", "3", "4"],
      )
    }),
  )

  it.effect("sorts by priority for the candidate: ascending, null last, ties in the order of the request", () =>
    Effect.gen(function* () {
      const items = [3, null, 1, 2, 1, null].map((priority, i) => ({ title: `${i}`, priority }))
      const set = yield* created({ title: "x", iai_questions: items.map((item) => ({ ...question, ...item })) })
      const { submission } = yield* invitedOne({ com_interview_set_id: set["id"] }, { email: "ada@example.com" })
      const { questions } = yield* (yield* Interviews).view(String(submission?.interview_url).replace(/^.*\//, ""))
      assert.deepStrictEqual(
        questions.map(({ title }) => title),
        ["2", "4", "3", "0", "1", "5"],
      )
    }),
  )

  it.effect.each<readonly [ids: ReadonlyArray<number> | null, language: string | null]>([
    [[2, 1], "de"],
    [[999, 3], "fr"],
    [[999], null],
    [[], null],
    [null, null],
  ])("ignores unknown language ids when it chooses the page's language: %j → %s", ([ids, language]) =>
    Effect.gen(function* () {
      const { id } = yield* created({ title: "x", cfg_lingual_ids: ids })
      const { submission } = yield* invitedOne({ com_interview_set_id: id }, { email: "ada@example.com" })
      const view = yield* (yield* Interviews).view(String(submission?.interview_url).replace(/^.*\//, ""))
      assert.strictEqual(view.language, language)
    }),
  )

  it.effect("gives an option without an id one that no other option of the question has", () =>
    Effect.gen(function* () {
      const options = [{ title: "A" }, { id: 1 }, { id: "x" }, { id: null }, { id: "2" }]
      const set = yield* created(requestWith("iai_questions", { options }))
      const ids = rows(itemOf("iai_questions", set)["options"]).map(({ id }) => id)
      assert.deepStrictEqual([ids[1], ids[2], ids[4]], [1, "x", "2"])
      assert.lengthOf(new Set(ids.map(String)), 5)
    }),
  )

  it.effect("accepts a choice question without options", () =>
    Effect.gen(function* () {
      for (const question_type of ["radio", "checkbox"]) {
        for (const nothing of [{}, { options: null }, { options: [] }]) {
          const set = yield* created(requestWith("iai_questions", { question_type, ...nothing }))
          assert.deepStrictEqual(itemOf("iai_questions", set)["options"], [])
        }
      }
    }),
  )

  it.effect("keeps the first of several accesses with the same email address, ignoring case", () =>
    Effect.gen(function* () {
      const com_accesses = [
        { email: "Eva@Example.com", fullname: "Eva First" },
        { email: "bo@example.com" },
        { email: "eva@example.COM", fullname: "Eva Second", firstname: "Eva" },
      ]
      const found = rows((yield* created({ title: "x", com_accesses }))["com_accesses"])
      assert.deepStrictEqual(
        found.map(({ email, firstname, fullname }) => [email, fullname, firstname]),
        [
          ["Eva@Example.com", "Eva First", null],
          ["bo@example.com", null, null],
        ],
      )
    }),
  )
})
