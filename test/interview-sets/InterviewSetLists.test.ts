import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { readSetReference } from "../../src/values/ExternalReference.ts"
import { InterviewSetId } from "../../src/values/Ids.ts"
import { NotFound } from "../../src/values/Problem.ts"
import * as Pod from "../support/Pod.ts"
import { assertPaging, fewRuns, firstPage, Sizes } from "../support/pages.ts"

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const organization = yield* (yield* Organizations).create("Acme")
  const sets = yield* InterviewSets
  return {
    organization,
    sets,
    create: (request: object) => sets.create(operator(organization), { title: "Set", ...request }),
  }
})

layer(Pod.layer())("Interview sets", (it) => {
  it.effect("returns a set as the create operation returned it", () =>
    Effect.gen(function* () {
      const { create, organization, sets } = yield* begin
      const project = yield* (yield* Projects).create(operator(organization), "Payments")
      const set = yield* create({
        position: "Engineer",
        set_type: 1,
        description: "Two questions",
        interview_duration: 25,
        cfg_lingual_ids: [2, 1, 99],
        number_of_retakes: 0,
        priority: -3,
        project_id: project.toUpperCase(),
        iai_questions: [
          { content: "Why?", question_mode: "interview", question_type: "text", attributes: { z: 1, a: [null] } },
          {
            title: "Where?",
            question_mode: "pre_screening",
            question_type: "radio",
            options: [
              { title: "Here", titles: { de: "Hier" } },
              { id: 7, content: "There" },
            ],
          },
        ],
        iai_requirements: [
          { title: "PostgreSQL", cfg_importance_id: 273, tal_skill_ids: [3, 1] },
          { content: "Tests" },
        ],
        com_accesses: [{ email: "eve@example.com", fullname: "Eve" }],
      })
      assert.deepStrictEqual(yield* sets.detail(operator(organization), set.id), set)
      const plain = yield* create({})
      assert.deepStrictEqual(yield* sets.detail(operator(organization), plain.id), plain)
    }),
  )

  it.effect("lists sets with their fields, also archived ones", () =>
    Effect.gen(function* () {
      const { create, organization, sets } = yield* begin
      const { sql } = yield* Database
      const plain = yield* create({})
      yield* TestClock.adjust("1 second")
      const full = yield* create({ position: "Engineer", set_type: 2, description: "A CV set", priority: 4 })
      yield* sql`update interview_set set archived_at = '2026-02-03T04:05:06.789Z' where id = ${full.id}::uuid`
      const none = {
        interview_duration: null,
        number_of_retakes: null,
        com_project_id: null,
        job_locations: [],
        cfg_lingual_ids: [],
        version: "1772600767.890000",
        updated_at: "2026-03-04T05:06:07.890Z",
        ...readSetReference({}),
      }
      yield* sql`update interview_set set updated_at = '2026-03-04T05:06:07.890Z' where organization_id = ${organization}::int`
      const since = (updated_since: string) =>
        Effect.map(sets.list(operator(organization), { updated_since }, firstPage), ({ results }) => results.length)
      assert.strictEqual(yield* since("2026-03-04T05:06:07.890Z"), 2)
      assert.strictEqual(yield* since("2026-03-04T05:06:07.891Z"), 0)
      assert.deepStrictEqual(yield* sets.list(operator(organization), {}, firstPage), {
        results: [
          {
            ...none,
            id: full.id,
            title: "Set",
            position: "Engineer",
            set_type: 2,
            description: "A CV set",
            priority: 4,
            archived_at: "2026-02-03T04:05:06.789Z",
            created_at: "2026-01-01T00:00:01.000Z",
          },
          {
            ...none,
            id: plain.id,
            title: "Set",
            position: null,
            set_type: 1,
            description: null,
            priority: null,
            archived_at: null,
            created_at: "2026-01-01T00:00:00.000Z",
          },
        ],
        next_cursor: null,
      })
    }),
  )

  it.effect("filters by project, by type and by both", () =>
    Effect.gen(function* () {
      const { create, organization, sets } = yield* begin
      const project_id = yield* (yield* Projects).create(operator(organization), "Payments")
      const a = yield* create({ project_id })
      const b = yield* create({ project_id, set_type: 2 })
      const c = yield* create({ set_type: 2 })
      const ids = (filter: Parameters<typeof sets.list>[1]) =>
        Effect.map(
          sets.list(operator(organization), filter, firstPage),
          ({ results }) => new Set(results.map(({ id }) => id)),
        )
      assert.deepStrictEqual(yield* ids({ project_id: null, set_type: undefined }), new Set([a.id, b.id, c.id]))
      assert.deepStrictEqual(yield* ids({ project_id }), new Set([a.id, b.id]))
      assert.deepStrictEqual(yield* ids({ set_type: 2 }), new Set([b.id, c.id]))
      assert.deepStrictEqual(yield* ids({ project_id, set_type: 2 }), new Set([b.id]))
      assert.deepStrictEqual(yield* ids({ project_id: c.id }), new Set())
    }),
  )

  it.effect("returns 404 for deleted, unknown and other organizations' sets", () =>
    Effect.gen(function* () {
      const { create, organization, sets } = yield* begin
      const { sql } = yield* Database
      const project_id = yield* (yield* Projects).create(operator(organization), "Payments")
      const set = yield* create({ project_id })
      const foreign = yield* (yield* Organizations).create("Other")
      const empty = { results: [], next_cursor: null }
      const missing = new NotFound({ record: "interview set" })
      for (const filter of [{}, { project_id }, { set_type: 1 } as const]) {
        assert.deepStrictEqual(yield* sets.list(operator(foreign), filter, firstPage), empty)
      }
      assert.deepStrictEqual(yield* Effect.flip(sets.find(operator(foreign), set.id)), missing)
      const unknown = InterviewSetId.make("00000000-0000-4000-8000-000000000000")
      assert.deepStrictEqual(yield* Effect.flip(sets.find(operator(organization), unknown)), missing)
      yield* sql`update interview_set set deleted_at = now() where id = ${set.id}::uuid`
      for (const filter of [{}, { project_id }, { set_type: 1 } as const]) {
        assert.deepStrictEqual(yield* sets.list(operator(organization), filter, firstPage), empty)
      }
      assert.deepStrictEqual(yield* Effect.flip(sets.find(operator(organization), set.id)), missing)
    }),
  )

  it.effect.prop(
    "lists page by page without gaps or repetitions",
    [Sizes],
    ([sizes]) =>
      Effect.gen(function* () {
        const { create, organization, sets } = yield* begin
        const project_id = yield* (yield* Projects).create(operator(organization), "Payments")
        const add = create({ project_id })
        yield* Effect.replicateEffect(add, 8)
        for (const filter of [{}, { project_id }, { set_type: 1 } as const]) {
          const list = (page: typeof firstPage) => sets.list(operator(organization), filter, page)
          yield* assertPaging("interview_set", organization, list, sizes, add)
        }
      }),
    fewRuns,
  )
})
