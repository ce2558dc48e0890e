/** The integration API as a hiring system uses it, over real HTTP (spec, Endpoints). */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/repository/Database.ts"
import { Organizations } from "../../src/service/Organizations.ts"
import * as Api from "../support/Api.ts"

const { createSet, invite } = Api.paths
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Takes the ids out of a tree, once they are seen to be ids. */
const withoutIds = (items: unknown): ReadonlyArray<Api.Row> =>
  (items as ReadonlyArray<Api.Row>).map(({ id, ...rest }) => {
    assert.match(String(id), uuid)
    return rest
  })

const question = {
  title: null,
  content: null,
  hint: null,
  details: null,
  priority: null,
  options: [],
  attributes: null,
}
const requirement = { title: null, content: null, hint: null, tal_skill_ids: [], priority: null, attributes: null }
const option = { title: null, titles: null, content: null, contents: null, priority: null }

layer(Api.layer(), { excludeTestServices: true })("Integration API", (it) => {
  it.effect("a set comes back with every stored field", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      const project = yield* (yield* Organizations).createProject(organization, "Payments")
      const asked = {
        title: "Backend Engineer",
        position: "Senior",
        set_type: 1,
        description: "Three questions. \u{1F680}",
        interview_duration: 30,
        cfg_lingual_ids: [2, 1, 999],
        number_of_retakes: 0,
        priority: -5,
      }
      const texts = { title: "T", content: "C", hint: "H", priority: 1, attributes: { deep: [{ a: null }], "": 1.5 } }
      const set = yield* Api.results(201, "POST", createSet, {
        key,
        json: {
          ...asked,
          unknown_field: "ignored",
          project_id: project.toUpperCase(),
          iai_questions: [
            {
              ...texts,
              details: "D",
              question_mode: "pre_screening",
              question_type: "radio",
              options: [{ title: "A" }],
            },
            { question_mode: "interview", question_type: "checkbox", priority: null, options: null },
            { question_mode: "interview", question_type: "text" },
            { question_mode: "interview", question_type: "file", content: "Last" },
          ],
          iai_requirements: [
            { ...texts, cfg_importance_id: 273, tal_skill_ids: [3, 1] },
            { cfg_importance_id: 272 },
            { cfg_importance_id: 245 },
            { cfg_importance_id: 244 },
            { cfg_importance_id: 4 },
            { cfg_importance_id: null },
            {},
          ],
          com_accesses: [
            {
              email: "Eva@Example.com",
              fullname: "Eva First",
              firstname: "Eva",
              lastname: "F",
              priority: 2,
              attributes: {},
            },
            { email: "bo@example.com" },
            { email: "eva@example.com", fullname: "Eva Second" },
          ],
        },
      })
      const { com_accesses, iai_questions, iai_requirements, id, ...rest } = set
      assert.match(String(id), uuid)
      assert.deepStrictEqual(rest, { ...asked, com_project_id: project })
      assert.deepStrictEqual(withoutIds(iai_questions), [
        {
          ...texts,
          details: "D",
          cfg_question_mode_id: 247,
          cfg_question_type_id: 252,
          options: [{ ...option, id: "1", title: "A" }],
        },
        { ...question, cfg_question_mode_id: 248, cfg_question_type_id: 251 },
        { ...question, cfg_question_mode_id: 248, cfg_question_type_id: 250 },
        { ...question, cfg_question_mode_id: 248, cfg_question_type_id: 253, content: "Last" },
      ])
      assert.deepStrictEqual(withoutIds(iai_requirements), [
        { ...texts, cfg_importance_id: 273, tal_skill_ids: [3, 1] },
        ...[272, 245, 244, 244, 244, 244].map((cfg_importance_id) => ({ ...requirement, cfg_importance_id })),
      ])
      const access = { fullname: null, firstname: null, lastname: null, priority: null, attributes: null }
      assert.deepStrictEqual(withoutIds(com_accesses), [
        {
          email: "Eva@Example.com",
          fullname: "Eva First",
          firstname: "Eva",
          lastname: "F",
          priority: 2,
          attributes: {},
        },
        { ...access, email: "bo@example.com" },
      ])
    }),
  )

  it.effect("a title is enough, null is as good as absent, and lengths count characters", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const nothing = {
        position: null,
        description: null,
        interview_duration: null,
        number_of_retakes: null,
        priority: null,
      }
      const nulls = { ...nothing, set_type: null, project_id: null, iai_questions: null, com_accesses: null }
      const title = "\u{1F600}".repeat(1024)
      for (const json of [{ title }, { title, ...nulls, cfg_lingual_ids: null, iai_requirements: null }]) {
        const { id: _, ...set } = yield* Api.results(201, "POST", createSet, { key, json })
        assert.deepStrictEqual(set, {
          title,
          set_type: 1,
          ...nothing,
          com_project_id: null,
          cfg_lingual_ids: [],
          iai_questions: [],
          iai_requirements: [],
          com_accesses: [],
        })
      }
    }),
  )

  it.effect("options keep their ids, and get one that is free when they have none", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const options = [
        { title: "A" },
        { id: 1, title: "B" },
        { id: "x", titles: { de: "C" }, priority: 3 },
        { content: "D" },
      ]
      const { iai_questions } = yield* Api.results(201, "POST", createSet, {
        key,
        json: { title: "x", iai_questions: [{ question_mode: "interview", question_type: "radio", options }] },
      })
      assert.deepStrictEqual((iai_questions as ReadonlyArray<Api.Row>)[0]?.["options"], [
        { ...option, id: "2", title: "A" },
        { ...option, id: 1, title: "B" },
        { ...option, id: "x", titles: { de: "C" }, priority: 3 },
        { ...option, id: "3", content: "D" },
      ])
    }),
  )

  it.effect("a thousand candidates in one request, one result for each, in its order", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { id } = yield* Api.results(201, "POST", createSet, { key, json: { title: "x" } })
      const emails = Array.from({ length: 1000 }, (_, i) => `candidate-${i}@example.com`)
      const json = { com_interview_set_id: id, candidates: emails.map((email) => ({ email })) }
      const invited = yield* Api.results<ReadonlyArray<Api.Row>>(200, "POST", invite, { key, json })
      assert.deepStrictEqual(
        invited.map((one) => one["email_address"]),
        emails,
      )
      assert.deepStrictEqual(yield* Api.results<ReadonlyArray<Api.Row>>(200, "POST", invite, { key, json }), invited)
      const { sql } = yield* Database
      const [row] = yield* sql`
        select count(*)::int as mails from email e join invitation i on i.id = e.invitation_id
        where i.interview_set_id = ${String(id)}::uuid`
      assert.deepStrictEqual(row, { mails: 1000 })
    }),
  )
})
