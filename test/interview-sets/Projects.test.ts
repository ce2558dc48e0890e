import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Invalid, NotFound } from "../../src/values/Problem.ts"
import * as Pod from "../support/Pod.ts"
import { assertPaging, fewRuns, firstPage, Sizes } from "../support/pages.ts"

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1, 12, 30, 15, 250))
  return { organization: yield* (yield* Organizations).create("Acme"), projects: yield* Projects }
})

layer(Pod.layer())("Projects", (it) => {
  it.effect("lists projects and their job posts, newest first", () =>
    Effect.gen(function* () {
      const { organization, projects } = yield* begin
      const old = yield* projects.create(operator(organization), " Payments ")
      const post = yield* projects.createJobPost(operator(organization), old, "Engineer")
      yield* TestClock.adjust("1 second")
      const young = yield* projects.create(operator(organization), "Search")
      const other = yield* projects.createJobPost(operator(organization), young, "Designer")
      assert.deepStrictEqual(yield* projects.list(operator(organization), firstPage), {
        results: [
          { id: young, name: "Search", created_at: "2026-01-01T12:30:16.250Z", open_posts: 1, sets: 0 },
          { id: old, name: "Payments", created_at: "2026-01-01T12:30:15.250Z", open_posts: 1, sets: 0 },
        ],
        next_cursor: null,
      })
      const all = yield* projects.listJobPosts(operator(organization), {}, firstPage)
      assert.deepStrictEqual(
        all.results.map(({ id }) => id),
        [other, post],
      )
      const ofOld = yield* projects.listJobPosts(operator(organization), { project_id: old.toUpperCase() }, firstPage)
      assert.deepStrictEqual(ofOld.results, [
        {
          id: post,
          com_project_id: old,
          title: "Engineer",
          status: "open",
          created_at: "2026-01-01T12:30:15.250Z",
        },
      ])
    }),
  )

  it.effect("hides deleted projects and those of other organizations", () =>
    Effect.gen(function* () {
      const { organization, projects } = yield* begin
      const { sql } = yield* Database
      const project = yield* projects.create(operator(organization), "Payments")
      const post = yield* projects.createJobPost(operator(organization), project, "Engineer")
      const foreign = yield* (yield* Organizations).create("Other")
      const empty = { results: [], next_cursor: null }
      assert.deepStrictEqual(yield* projects.list(operator(foreign), firstPage), empty)
      assert.deepStrictEqual(yield* projects.listJobPosts(operator(foreign), {}, firstPage), empty)
      assert.deepStrictEqual(yield* projects.listJobPosts(operator(foreign), { project_id: project }, firstPage), empty)
      yield* sql`update job_post set deleted_at = now() where id = ${post}::uuid`
      assert.deepStrictEqual(yield* projects.listJobPosts(operator(organization), {}, firstPage), empty)
      yield* sql`update project set deleted_at = now() where id = ${project}::uuid`
      assert.deepStrictEqual(yield* projects.list(operator(organization), firstPage), empty)
    }),
  )

  it.effect("refuses an empty name and an unknown project", () =>
    Effect.gen(function* () {
      const { organization, projects } = yield* begin
      const project = yield* projects.create(operator(organization), "Payments")
      assert.instanceOf(yield* Effect.flip(projects.create(operator(organization), "  ")), Invalid)
      assert.instanceOf(yield* Effect.flip(projects.createJobPost(operator(organization), project, "")), Invalid)
      const { sql } = yield* Database
      yield* sql`update project set deleted_at = now() where id = ${project}::uuid`
      assert.instanceOf(
        yield* Effect.flip(projects.createJobPost(operator(organization), project, "Engineer")),
        NotFound,
      )
    }),
  )

  it.effect.prop(
    "lists page by page without gaps or repetitions",
    [Sizes],
    ([sizes]) =>
      Effect.gen(function* () {
        const { organization, projects } = yield* begin
        const add = projects.create(operator(organization), "Payments")
        const ids = yield* Effect.replicateEffect(add, 8)
        yield* assertPaging("project", organization, (page) => projects.list(operator(organization), page), sizes, add)
        const [project] = ids
        const addPost = projects.createJobPost(operator(organization), yield* Effect.fromNullishOr(project), "Engineer")
        yield* Effect.replicateEffect(addPost, 8)
        for (const filter of [{}, { project_id: project }]) {
          const list = (page: typeof firstPage) => projects.listJobPosts(operator(organization), filter, page)
          yield* assertPaging("job_post", organization, list, sizes, addPost)
        }
      }),
    fewRuns,
  )
})
