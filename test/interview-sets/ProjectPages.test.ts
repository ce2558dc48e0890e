import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const hostile = `<script>alert(1)</script>"'&`

layer(pages)("projects in the workspace", (it) => {
  it.effect("creates a project once, renames it, and creates, renames, closes and reopens its job posts", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie, id: member } = yield* signedIn(organization, "admin")
      const { text } = yield* get("/projects", cookie)
      assert.include(text, "No projects yet.")
      const fields = withFields(fieldsOf(text, "/projects"), { name: ` ${hostile} ` })
      const [one, two] = yield* Effect.all([post("/projects", cookie, fields), post("/projects", cookie, fields)], {
        concurrency: 2,
      })
      assert.strictEqual(one.status, 303)
      assert.strictEqual(one.location, two.location)
      const path = (one.location ?? "").replace(/\?.*/, "")
      const shown = yield* get(one.location ?? "", cookie)
      assert.include(shown.text, "The project was created.")
      assert.notInclude(shown.text, "<script>alert")
      assert.strictEqual((yield* post(path, cookie, { name: "Payments" })).location, `${path}?done=renamed`)
      const made = withFields(fieldsOf((yield* get(path, cookie)).text, `${path}/posts`), { title: hostile })
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* post(`${path}/posts`, cookie, made)).status, 303)
      const after = yield* get(path, cookie)
      const ids = [...after.text.matchAll(/id="post-([0-9a-f-]{36})"/g)].map(([, id]) => id)
      assert.lengthOf(ids, 1)
      assert.notInclude(after.text, "<script>alert")
      const [postId = ""] = ids
      const change = { [`title-${postId}`]: "Backend, Hamburg", status: "closed" }
      for (let i = 0; i < 2; i++)
        assert.strictEqual((yield* post(`${path}/posts/${postId}`, cookie, change)).status, 303)
      const { sql } = yield* Database
      const posts = sql<{ title: string; status: string }>`
        select title, status from job_post where organization_id = ${organization}::int`
      assert.deepStrictEqual(yield* posts, [{ title: "Backend, Hamburg", status: "closed" }])
      yield* post(`${path}/posts/${postId}`, cookie, { ...change, status: "open" })
      assert.deepStrictEqual(yield* posts, [{ title: "Backend, Hamburg", status: "open" }])
      const entries = yield* sql<{ action: string; member_id: string }>`
        select action, member_id from audit_log where organization_id = ${organization}::int and member_id is not null order by id`
      assert.deepStrictEqual(
        entries.map(({ action }) => action),
        ["project.create", "project.update", "job_post.create", "job_post.update", "job_post.update"],
      )
      assert.isTrue(entries.every((entry) => entry.member_id === member))
      assert.include(
        (yield* get(`/interview-sets/new?project=${path.slice(10)}`, cookie)).text,
        `value="${path.slice(10)}" selected`,
      )
    }),
  )

  it.effect("shows errors beside their fields and keeps the typed text", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization)
      const project = yield* (yield* Projects).create(operator(organization), "Payments")
      const postId = yield* (yield* Projects).createJobPost(operator(organization), project, "Backend")
      const path = `/projects/${project}`
      const long = "x".repeat(251)
      const fields = fieldsOf((yield* get("/projects", cookie)).text, "/projects")
      for (const [name, fault] of [
        [" ", "The name must not be blank."],
        [long, "The name must have at most 250 characters."],
      ] as const) {
        for (const [to, sent] of [
          ["/projects", withFields(fields, { name })],
          [path, { name }],
        ] as const) {
          const answer = yield* post(to, cookie, sent)
          assert.strictEqual(answer.status, 422)
          assert.include(answer.text, `id="name-error">${fault}`)
          assert.include(answer.text, `value="${name}"`)
        }
      }
      const blank = yield* post(`${path}/posts/${postId}`, cookie, { [`title-${postId}`]: "", status: "closed" })
      assert.strictEqual(blank.status, 422)
      assert.include(blank.text, `id="title-${postId}-error">The title must not be blank.`)
      const { sql } = yield* Database
      const stored = yield* sql`select from job_post where organization_id = ${organization}::int and status = 'closed'`
      assert.deepStrictEqual(stored, [])
    }),
  )

  it.effect("hides projects from recruiters and other organizations", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const project = yield* (yield* Projects).create(operator(organization), "Payments")
      const theirs = operator((yield* Scenario.organization()).id)
      const foreign = yield* (yield* Projects).create(theirs, "Foreign")
      const foreignPost = yield* (yield* Projects).createJobPost(theirs, foreign, "Foreign post")
      const owner = yield* signedIn(organization)
      const { cookie } = yield* signedIn(organization, "recruiter")
      for (const path of ["/projects", `/projects/${project}`]) {
        assert.strictEqual((yield* get(path, cookie)).status, 403)
        assert.strictEqual((yield* post(path, cookie, { name: "Taken" })).status, 403)
      }
      assert.strictEqual((yield* post(`/projects/${project}/posts`, cookie, { title: "Taken" })).status, 403)
      assert.notInclude((yield* get("/submissions", cookie)).text, 'href="/projects"')
      for (const path of [`/projects/${foreign}`, "/projects/x"]) {
        assert.strictEqual((yield* get(path, owner.cookie)).status, 404)
        assert.strictEqual((yield* post(path, owner.cookie, { name: "Taken" })).status, 404)
      }
      const title = { [`title-${foreignPost}`]: "Taken", status: "closed" }
      assert.strictEqual((yield* post(`/projects/${foreign}/posts/${foreignPost}`, owner.cookie, title)).status, 404)
      yield* post(`/projects/${project}/posts/${foreignPost}`, owner.cookie, title)
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* sql`select from job_post where title = 'Taken' or status = 'closed'`, [])
    }),
  )
})
