/** Validation errors of an interview set: each with its pointer and code, all in one response (docs/api.md). */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import {
  Caller,
  created,
  createSet,
  faults,
  nobodys,
  post,
  problem,
  layer as specification,
} from "../support/Specification.ts"

const question = { question_mode: "interview", question_type: "text" }
const access = { email: "eva@example.com" }

layer(specification(), { excludeTestServices: true })("errors of an interview set", (it) => {
  it.effect.each<readonly [name: string, without: object, withNull: object, pointer: string, nullCode: string]>([
    ["title | string | yes", {}, { title: null }, "#/title", "wrong_type"],
    [
      "question_mode | string | yes, per question",
      { title: "x", iai_questions: [question, { question_type: "text" }] },
      { title: "x", iai_questions: [question, { ...question, question_mode: null }] },
      "#/iai_questions/1/question_mode",
      "not_one_of",
    ],
    [
      "question_type | string | yes, per question",
      { title: "x", iai_questions: [{ question_mode: "interview" }] },
      { title: "x", iai_questions: [{ ...question, question_type: null }] },
      "#/iai_questions/0/question_type",
      "not_one_of",
    ],
    [
      "email | string | yes",
      { title: "x", com_accesses: [{}] },
      { title: "x", com_accesses: [{ email: null }] },
      "#/com_accesses/0/email",
      "wrong_type",
    ],
  ])("requires: %s", ([, without, withNull, pointer, nullCode]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* faults(createSet, without), [`${pointer} required`])
      assert.deepStrictEqual(yield* faults(createSet, withNull), [`${pointer} ${nullCode}`])
    }),
  )

  it.effect.each([
    "",
    " ",
    "nobody",
    "@example.com",
    "eva@",
    "eva@example",
    "eva@@example.com",
    "eva @example.com",
    "eva@example..com",
    "eva@-example.com",
    ".eva@example.com",
    "eva.@example.com",
    "Eva <eva@example>",
    "eva@example.com, bo@example.com",
    `${"a".repeat(65)}@example.com`,
    "mailto:eva",
    "eva@\u{1F600}.com",
  ])("refuses the email address %s", (email) =>
    Effect.gen(function* () {
      const reported = yield* faults(createSet, { title: "x", com_accesses: [access, { email }] })
      assert.deepStrictEqual(reported, ["#/com_accesses/1/email invalid_email"])
    }),
  )

  it.effect.each<readonly [types: ReadonlyArray<unknown>, reported: string]>([
    [[], " too_few"],
    [["pdf", "exe"], "/1 not_one_of"],
    [["pdf", "text", "pdf"], "/2 duplicate"],
    [["pdf", "word", "spreadsheet", "presentation", "image", "text", "pdf"], " too_many"],
  ])("refuses the allowed file types %j", ([types, reported]) =>
    Effect.gen(function* () {
      const request = { title: "x", iai_questions: [{ ...question, allowed_file_types: types }] }
      assert.deepStrictEqual(yield* faults(createSet, request), [`#/iai_questions/0/allowed_file_types${reported}`])
    }),
  )

  it.effect.each<
    readonly [name: string, code: string, project: (own: string, foreign: string, deleted: string) => string]
  >([
    ["refuses a project_id that is no UUID", "invalid_uuid", () => "nope"],
    ["refuses an empty project_id", "invalid_uuid", () => ""],
    ["refuses a UUID in braces", "invalid_uuid", (own) => `{${own}}`],
    ["refuses a project of another organization", "not_found", (_, foreign) => foreign],
    ["refuses an unknown project", "not_found", () => nobodys],
    ["refuses a deleted project", "not_found", (_, __, deleted) => deleted],
  ])("%s", ([, code, project]) =>
    Effect.gen(function* () {
      const projects = yield* Projects
      const own = yield* projects.create(operator((yield* Caller).organization), "Payments")
      const foreign = yield* projects.create(operator((yield* Api.account).organization), "Theirs")
      const deleted = yield* projects.create(operator((yield* Caller).organization), "Old")
      const { sql } = yield* Database
      yield* sql`update project set deleted_at = now() where id = ${deleted}::uuid`
      const request = { title: "x", project_id: project(own, foreign, deleted) }
      assert.deepStrictEqual(yield* faults(createSet, request), [`#/project_id ${code}`])
      assert.strictEqual((yield* created({ title: "x", project_id: own }))["com_project_id"], own)
    }),
  )

  it.effect.each<readonly [name: string, fields: string, reported: string]>([
    ["U+0000", '"description": "a\\u0000b"', "#/description unstorable_text"],
    ["half of a surrogate pair", '"position": "\\ud800"', "#/position unstorable_text"],
    [
      "U+0000 deep in metadata",
      '"iai_requirements": [{ "attributes": { "a": ["\\u0000"] } }]',
      "#/iai_requirements/0/attributes/a/0 unstorable_text",
    ],
    [
      "U+0000 in a key of metadata",
      '"iai_requirements": [{ "attributes": { "\\u0000": 1 } }]',
      "#/iai_requirements/0/attributes unstorable_text",
    ],
    [
      "a number that is no double",
      '"com_accesses": [{ "email": "a@b.de", "attributes": { "n": 1e400 } }]',
      "#/com_accesses/0/attributes/n wrong_type",
    ],
    [
      "a whole number that a double would change",
      '"com_accesses": [{ "email": "a@b.de", "attributes": { "n": 9007199254740993 } }]',
      "#/com_accesses/0/attributes/n unsafe_number",
    ],
  ])("refuses what cannot be stored: %s", ([, fields, reported]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* faults(createSet, `{ "title": "x", ${fields} }`), [reported])
    }),
  )

  it.effect("refuses options whose ids are equal as text", () =>
    Effect.gen(function* () {
      const options = (...ids: ReadonlyArray<unknown>) => ({
        title: "x",
        iai_questions: [{ ...question, options: ids.map((id) => ({ id })) }],
      })
      assert.deepStrictEqual(yield* faults(createSet, options("5", 5, "6", "a\nb", "a\u007fb")), [
        "#/iai_questions/0/options/3/id invalid",
        "#/iai_questions/0/options/4/id invalid",
      ])
      assert.deepStrictEqual(yield* faults(createSet, options("5", 5, null, null, "", "", "5")), [
        "#/iai_questions/0/options/1/id duplicate",
        "#/iai_questions/0/options/6/id duplicate",
      ])
      const set = yield* created(options("", null, " ", 2))
      const ids = (set["iai_questions"] as ReadonlyArray<{ options: ReadonlyArray<{ id: unknown }> }>).flatMap((one) =>
        one.options.map(({ id }) => id),
      )
      assert.deepStrictEqual(ids, ["1", "3", "4", 2])
    }),
  )

  it.effect("lists all errors at once", () =>
    Effect.gen(function* () {
      const long = "x".repeat(10_001)
      const reported = yield* faults(createSet, {
        position: 5,
        set_type: 3,
        description: "nul \0",
        interview_duration: 0,
        cfg_lingual_ids: [1, "2", 3, null],
        number_of_retakes: -1,
        priority: 2 ** 31,
        project_id: "nope",
        iai_questions: [
          { ...question, title: long, content: long, hint: long, details: long },
          {
            question_mode: "x",
            question_type: "video",
            priority: "1",
            options: [{ id: true, title: 1 }, "x"],
            attributes: [],
          },
          {},
        ],
        iai_requirements: [
          { title: long, content: 1, hint: long, tal_skill_ids: {}, attributes: { a: "half \ud800" } },
          5,
        ],
        com_accesses: [{}, { email: "nobody", fullname: long, firstname: long, lastname: long, priority: 0.5 }],
      })
      assert.sameMembers(reported, [
        "#/title required",
        "#/position wrong_type",
        "#/set_type not_one_of",
        "#/description unstorable_text",
        "#/interview_duration out_of_range",
        "#/cfg_lingual_ids/1 wrong_type",
        "#/cfg_lingual_ids/3 wrong_type",
        "#/number_of_retakes out_of_range",
        "#/priority out_of_range",
        "#/project_id invalid_uuid",
        "#/iai_questions/0/title too_long",
        "#/iai_questions/0/content too_long",
        "#/iai_questions/0/hint too_long",
        "#/iai_questions/0/details too_long",
        "#/iai_questions/1/question_mode not_one_of",
        "#/iai_questions/1/question_type not_one_of",
        "#/iai_questions/1/priority wrong_type",
        "#/iai_questions/1/options/0/id wrong_type",
        "#/iai_questions/1/options/0/title wrong_type",
        "#/iai_questions/1/options/1 wrong_type",
        "#/iai_questions/1/attributes wrong_type",
        "#/iai_questions/2/question_mode required",
        "#/iai_questions/2/question_type required",
        "#/iai_requirements/0/title too_long",
        "#/iai_requirements/0/content wrong_type",
        "#/iai_requirements/0/hint too_long",
        "#/iai_requirements/0/tal_skill_ids wrong_type",
        "#/iai_requirements/0/attributes/a unstorable_text",
        "#/iai_requirements/1 wrong_type",
        "#/com_accesses/0/email required",
        "#/com_accesses/1/email invalid_email",
        "#/com_accesses/1/fullname too_long",
        "#/com_accesses/1/firstname too_long",
        "#/com_accesses/1/lastname too_long",
        "#/com_accesses/1/priority wrong_type",
      ])
    }),
  )

  it.effect("ignores unknown keys and accepts an unknown importance, also next to errors", () =>
    Effect.gen(function* () {
      const requirement = '{"cfg_importance_id": 1e400}'
      const body = `{"unknown_field": "\\u0000", "unknown": 1e400, "iai_requirements": [${requirement}]}`
      assert.deepStrictEqual(yield* faults(createSet, body), ["#/title required"])
    }),
  )

  it.effect("stores nothing of a refused set, and does not repeat its texts", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const count = sql`select count(*)::int from interview_set`
      const before = yield* count
      const secret = "secret".repeat(200)
      const answer = yield* post(createSet, { title: secret, position: [secret], com_accesses: [{ email: secret }] })
      problem(answer, 422, "validation_failed")
      assert.notInclude(JSON.stringify(answer.body), "secret")
      assert.deepStrictEqual(yield* count, before)
    }),
  )
})
