/** Changes of interview sets, projects and job posts over the API: rules, audit log, versions, requests at once. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import { many } from "../support/races.ts"

const sets = "/company/integration/hiring/interview-sets/v1"
const projects = "/company/integration/hiring/projects/v1"
const posts = "/company/integration/hiring/job-posts/v1"

const text = { question_mode: "interview", question_type: "text" }

interface SetRow extends Api.Row {
  readonly id: string
  readonly version: string
  readonly iai_questions: ReadonlyArray<{ readonly id: string; readonly title: string | null }>
  readonly iai_requirements: ReadonlyArray<{ readonly id: string }>
}

type Named = Api.Row & { readonly id: string }

interface Invited {
  readonly invitation: { readonly is_new: boolean } | null
}

const begin = Effect.gen(function* () {
  const { id: keyId, key, organization } = yield* Api.account
  const { id } = yield* Api.results<SetRow>(201, "POST", Api.paths.createSet, {
    key,
    json: {
      title: "Backend Engineer",
      position: "Engineer",
      interview_duration: 30,
      external_id: "job-1",
      metadata: { department: "Payments" },
      iai_questions: [
        { title: "First", ...text, attributes: { source: "ats" } },
        { title: "Second", question_mode: "interview", question_type: "radio", options: [{ title: "Yes" }] },
      ],
      iai_requirements: [{ title: "PostgreSQL", cfg_importance_id: 273 }],
      com_accesses: [{ email: "eve@example.com", fullname: "Eve" }],
    },
  })
  const read = Api.results<SetRow>(200, "GET", `${sets}/${id}`, { key })
  const patch = (json: object, headers = {}) => Api.call("PATCH", `${sets}/${id}`, { key, json, headers })
  const changed = (json: object) => Api.results<SetRow>(200, "PATCH", `${sets}/${id}`, { key, json })
  return { organization, key, keyId, id, set: yield* read, read, patch, changed }
})

const audited = Effect.fnUntraced(function* (organization: OrganizationId, type: string) {
  const { sql } = yield* Database
  return yield* sql<{ action: string; api_key_id: string | null; detail: Record<string, unknown> }>`
    select l.action, k.id as api_key_id, l.detail from audit_log l left join api_key k on k.prefix = l.api_key
    where l.organization_id = ${organization}::int and l.record_type = ${type} order by l.id`
})

/** A candidate has started. */
const startedOf = Effect.fnUntraced(function* (key: string, id: string) {
  const json = { com_interview_set_id: id, send_invite: false, candidates: [{ email: "ada@example.com" }] }
  const [invited] = yield* Api.results<ReadonlyArray<{ submission: { interview_url: string } }>>(
    200,
    "POST",
    Api.paths.invite,
    { key, json },
  )
  yield* (yield* Interviews).start(invited?.submission.interview_url.split("/").at(-1) ?? "")
})

layer(Api.layer(), { excludeTestServices: true })("a change of an interview set", (it) => {
  it.effect("changes the given fields, keeps the others and the ids, and is noted with the API key", () =>
    Effect.gen(function* () {
      const { changed, keyId, organization, read, set } = yield* begin
      const after = yield* changed({
        version: set.version,
        title: "Senior",
        interview_duration: null,
        metadata: { department: "Search" },
      })
      const { updated_at: _, version, ...rest } = after
      assert.notStrictEqual(version, set.version)
      const { updated_at: _changed, version: _before, ...before } = set
      assert.deepStrictEqual(
        { ...rest, com_accesses: null },
        {
          ...before,
          title: "Senior",
          interview_duration: null,
          metadata: { department: "Search" },
          com_accesses: null,
        },
      )
      assert.deepStrictEqual(yield* read, after)
      const entries = yield* audited(organization, "interview_set")
      assert.deepStrictEqual(
        entries.map(({ action, api_key_id, detail }) => [action, api_key_id, detail]),
        [
          ["interview_set.create", keyId, { title: "Backend Engineer" }],
          [
            "interview_set.update",
            keyId,
            {
              before: { title: "Backend Engineer", interview_duration: 30, metadata: "department: Payments" },
              after: { title: "Senior", interview_duration: null, metadata: "department: Search" },
            },
          ],
        ],
      )
    }),
  )

  it.effect("replaces questions, which keep the ids that are sent, and removes the others", () =>
    Effect.gen(function* () {
      const { changed, set } = yield* begin
      const [first, second] = set.iai_questions
      const iai_questions = [
        { title: "New", ...text },
        { id: second?.id.toUpperCase(), title: "Kept", ...text },
      ]
      const after = yield* changed({ version: set.version, iai_questions, iai_requirements: [] })
      assert.deepStrictEqual(
        after.iai_questions.map(({ title }) => title),
        ["New", "Kept"],
      )
      assert.strictEqual(after.iai_questions[1]?.id, second?.id)
      assert.notInclude([first?.id, second?.id], after.iai_questions[0]?.id)
      assert.deepStrictEqual(after.iai_requirements, [])
      const { changed: changedOther, set: other } = yield* begin
      const kept = yield* changedOther({ version: other.version, iai_requirements: [{ title: "SQL" }] })
      assert.deepStrictEqual(kept.iai_questions, other.iai_questions)
    }),
  )

  it.effect("gets 422 with pointers for ids that the set does not have, repeated ids and null lists", () =>
    Effect.gen(function* () {
      const { patch, read, set } = yield* begin
      const other = yield* begin
      const id = set.iai_questions[0]?.id
      const refused = Effect.fnUntraced(function* (json: object) {
        const answer = yield* patch({ version: set.version, ...json })
        return Contract.problem(answer, 422, "validation_failed").errors?.map(
          ({ code, pointer }) => `${pointer} ${code}`,
        )
      })
      const foreign = other.set.iai_questions[0]?.id
      assert.deepStrictEqual(yield* refused({ iai_questions: [{ id: foreign, ...text }] }), [
        "#/iai_questions/0/id not_found",
      ])
      assert.deepStrictEqual(
        yield* refused({
          iai_questions: [
            { id, ...text },
            { id, ...text },
          ],
          iai_requirements: [{ id, title: "x" }],
        }),
        ["#/iai_questions/1/id duplicate", "#/iai_requirements/0/id not_found"],
      )
      assert.deepStrictEqual(yield* refused({ iai_questions: null, title: null }), [
        "#/title wrong_type",
        "#/iai_questions wrong_type",
      ])
      assert.deepStrictEqual(yield* refused({ title: " ", project_id: id }), ["#/title blank"])
      assert.deepStrictEqual(yield* refused({ project_id: id }), ["#/project_id not_found"])
      assert.deepStrictEqual(yield* read, set)
    }),
  )

  it.effect("of an earlier version gets 409; the same request again succeeds without a change", () =>
    Effect.gen(function* () {
      const { changed, organization, patch, read, set } = yield* begin
      const request = { version: set.version, title: "Senior", iai_questions: [{ title: "Only", ...text }] }
      const after = yield* changed(request)
      assert.deepStrictEqual(yield* changed(request), after)
      const late = yield* patch({ version: set.version, title: "Junior" })
      assert.include(Contract.problem(late, 409, "conflict").detail, "read the set")
      // it names a question that the first change removed
      const gone = { version: set.version, iai_questions: [{ id: set.iai_questions[0]?.id, ...text }] }
      Contract.problem(yield* patch(gone), 409, "conflict")
      assert.deepStrictEqual(yield* read, after)
      const entries = yield* audited(organization, "interview_set")
      assert.deepStrictEqual(
        entries.map(({ action }) => action),
        ["interview_set.create", "interview_set.update"],
      )
    }),
  )

  it.effect("of ten different ones at once, one succeeds", () =>
    Effect.gen(function* () {
      const { patch, set } = yield* begin
      let n = 0
      const answers = yield* many(Effect.suspend(() => patch({ version: set.version, title: `Title ${n++}` })))
      const statuses = answers.map(({ status }) => status).toSorted()
      assert.deepStrictEqual(statuses, [200, ...Array.from({ length: 9 }, () => 409)])
    }),
  )

  it.effect("cannot change what candidates are rated by once one has started, and nothing else of that request", () =>
    Effect.gen(function* () {
      const { changed, id, key, patch, read, set } = yield* begin
      yield* startedOf(key, id)
      const fixed = yield* read
      assert.isTrue(fixed["is_fixed"])
      for (const json of [
        { iai_requirements: [{ title: "SQL" }] },
        { iai_questions: [] },
        { interview_duration: 10 },
        { number_of_retakes: 3 },
        { cfg_lingual_ids: [2] },
      ]) {
        const answer = yield* patch({ version: set.version, title: "Sneaked in", ...json })
        assert.include(Contract.problem(answer, 409, "conflict").detail, "duplicate the set")
      }
      const type = yield* patch({ version: set.version, set_type: 2 })
      assert.deepStrictEqual(Contract.problem(type, 422, "validation_failed").errors?.[0]?.code, "fixed")
      assert.deepStrictEqual(yield* read, fixed)
      const same = {
        iai_requirements: [{ id: set.iai_requirements[0]?.id, title: "PostgreSQL", cfg_importance_id: 273 }],
      }
      assert.strictEqual((yield* changed({ version: set.version, title: "Senior", ...same }))["title"], "Senior")
    }),
  )

  it.effect("is refused for another organization's set and project", () =>
    Effect.gen(function* () {
      const { patch, set } = yield* begin
      const other = yield* begin
      const { id: project } = yield* Api.results(201, "POST", projects, { key: other.key, json: { name: "Theirs" } })
      const answer = yield* patch({ version: set.version, project_id: project })
      assert.deepStrictEqual(Contract.problem(answer, 422, "validation_failed").errors?.[0]?.pointer, "#/project_id")
      const json = { version: other.set.version, title: "Taken" }
      const foreign = yield* Api.call("PATCH", `${sets}/${other.id}`, { key: (yield* begin).key, json })
      Contract.problem(foreign, 404, "not_found")
      assert.deepStrictEqual(yield* other.read, other.set)
    }),
  )
})

layer(Api.layer(), { excludeTestServices: true })("an archived set", (it) => {
  it.effect(
    "is no longer used for its project's invites, is archived and unarchived once, and noted with the API key",
    () =>
      Effect.gen(function* () {
        const { changed, id, key, keyId, organization, set } = yield* begin
        const project = yield* Api.results<{ id: string }>(201, "POST", projects, { key, json: { name: "Team" } })
        yield* changed({ version: set.version, project_id: project.id })
        const to = (action: string, headers = {}) =>
          Api.results(200, "POST", `${sets}/${id}/${action}`, { key, headers })
        const archived = yield* to("archive")
        assert.isString(archived["archived_at"])
        assert.deepStrictEqual(yield* to("archive"), archived)
        const json = { com_project_id: project.id, candidates: [{ email: "ada@example.com" }] }
        const invite = Api.call("POST", Api.paths.invite, { key, json })
        const submissionOf = Effect.map(invite, ({ body }) => JSON.stringify(body).includes('"submission":{'))
        assert.isFalse(yield* submissionOf)
        const again = { "idempotency-key": "back" }
        const used = yield* to("unarchive", again)
        assert.isNull(used["archived_at"])
        assert.deepStrictEqual(yield* to("unarchive", again), used)
        assert.isTrue(yield* submissionOf)
        assert.deepStrictEqual(
          (yield* audited(organization, "interview_set")).map(({ action, api_key_id }) => [action, api_key_id]),
          [
            ["interview_set.create", keyId],
            ["interview_set.update", keyId],
            ["interview_set.archive", keyId],
            ["interview_set.unarchive", keyId],
            ["interview_set.invite", keyId],
          ],
        )
      }),
  )

  it.effect("is invited to by requests that name it, also with its project, and again", () =>
    Effect.gen(function* () {
      const { changed, id, key, read, set } = yield* begin
      const project = yield* Api.results<{ id: string }>(201, "POST", projects, { key, json: { name: "Team" } })
      yield* changed({ version: set.version, project_id: project.id })
      yield* Api.results(200, "POST", `${sets}/${id}/archive`, { key })
      const invite = Effect.fnUntraced(function* (named: object) {
        const json = { com_interview_set_id: id, candidates: [{ email: "ada@example.com" }], ...named }
        const [result] = yield* Api.results<ReadonlyArray<Invited>>(200, "POST", Api.paths.invite, { key, json })
        return result?.invitation?.is_new
      })
      assert.isTrue(yield* invite({}))
      assert.isFalse(yield* invite({ com_project_id: project.id }))
      assert.isTrue(yield* invite({ com_project_id: project.id, candidates: [{ email: "grace@example.com" }] }))
      assert.isString((yield* read)["archived_at"])
    }),
  )
})

layer(Api.layer(), { excludeTestServices: true })("projects and job posts", (it) => {
  it.effect("are created once and renamed, and noted with the API key", () =>
    Effect.gen(function* () {
      const { id: keyId, key, organization } = yield* Api.account
      const headers = { "idempotency-key": "one" }
      const create = Api.results<Named>(201, "POST", projects, { key, json: { name: " Platform " }, headers })
      const project = yield* create
      assert.deepInclude(project, { name: "Platform" })
      assert.deepStrictEqual(yield* create, project)
      const renamed = yield* Api.results(200, "PATCH", `${projects}/${project.id}`, { key, json: { name: "Search" } })
      assert.deepStrictEqual(renamed, { ...project, name: "Search" })
      const json = { project_id: project.id, title: "Engineer" }
      const post = yield* Api.results<Named>(201, "POST", posts, { key, json })
      assert.deepInclude(post, { com_project_id: project.id, title: "Engineer", status: "open" })
      const patched = (json: object) => Api.results(200, "PATCH", `${posts}/${post.id}`, { key, json })
      assert.deepStrictEqual(yield* patched({ status: "closed" }), { ...post, status: "closed" })
      assert.deepStrictEqual(yield* patched({ title: "Designer" }), { ...post, status: "closed", title: "Designer" })
      assert.deepStrictEqual(yield* patched({}), { ...post, status: "closed", title: "Designer" })
      assert.deepStrictEqual(yield* Api.results(200, "GET", `${projects}/${project.id}`, { key }), renamed)
      assert.deepStrictEqual(yield* Api.results(200, "GET", `${posts}/${post.id}`, { key }), yield* patched({}))
      const { results: listed } = (yield* Api.call("GET", projects, { key })).body as {
        results: ReadonlyArray<Api.Row>
      }
      assert.lengthOf(listed, 1)
      const entries = [...(yield* audited(organization, "project")), ...(yield* audited(organization, "job_post"))]
      assert.deepStrictEqual(
        entries.map(({ action }) => action),
        ["project.create", "project.update", "job_post.create", "job_post.update", "job_post.update"],
      )
      for (const { api_key_id } of entries) assert.strictEqual(api_key_id, keyId)
    }),
  )

  it.effect("are refused with blank names and in another organization's project", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const theirs = yield* Api.keyOf(yield* (yield* Organizations).create("Theirs"))
      const project = yield* Api.results<{ id: string }>(201, "POST", projects, {
        key: theirs.key,
        json: { name: "x" },
      })
      const json = { project_id: project.id, title: "x" }
      const post = yield* Api.results<{ id: string }>(201, "POST", posts, { key: theirs.key, json })
      const errorOf = (answer: Api.Answer) => Contract.problem(answer, 422, "validation_failed").errors?.[0]?.pointer
      assert.strictEqual(errorOf(yield* Api.call("POST", posts, { key, json })), "#/project_id")
      for (const name of ["", " ", "x".repeat(251), "a\0b"]) {
        assert.strictEqual(errorOf(yield* Api.call("POST", projects, { key, json: { name } })), "#/name")
        const renamed = yield* Api.call("PATCH", `${posts}/${post.id}`, { key: theirs.key, json: { title: name } })
        assert.strictEqual(errorOf(renamed), "#/title")
      }
      const paths = [`${projects}/${project.id}`, `${posts}/${post.id}`]
      for (const path of paths) {
        Contract.problem(yield* Api.call("PATCH", path, { key, json: { name: "y", title: "y" } }), 404, "not_found")
        Contract.problem(yield* Api.call("GET", path, { key }), 404, "not_found")
      }
    }),
  )
})
