/** Tags of candidates, over HTTP: on the page of a submission, in the list, in the settings and in the API. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { cleanTag, tagKey, tagLimits } from "../../src/submissions/Tag.ts"
import { parseCsv } from "../../src/values/Csv.ts"
import * as Api from "../support/Api.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(Layer.mergeAll(App.pages, App.api))),
  Layer.provideMerge(Pod.layer({ settings })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

/** An organization with candidates `c0@example.com` and so on, and its owner. */
const begin = Effect.fnUntraced(function* (count = 1) {
  const organization = yield* Scenario.organization()
  const owner = yield* signedIn(organization.id)
  const subjects = yield* Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) => Effect.map(Scenario.invited(organization, `c${n}@example.com`), ({ subject }) => subject),
  )
  const pathOf = (n = 0) => `/submissions/${subjects[n]?.submission_id}`
  const add = (tag: string, n = 0, cookie = owner.cookie) => post(`${pathOf(n)}/tags`, cookie, { tag })
  const { sql } = yield* Database
  /** Of each candidate, in the order of their addresses. */
  const stored = Effect.map(
    sql<{ tags: ReadonlyArray<string> }>`
      select array(select t.name from submission_tag x join tag t on t.id = x.tag_id
        where x.submission_id = b.id order by t.key) as tags
      from submission b join candidate c on c.id = b.candidate_id
      where b.organization_id = ${organization.id}::int order by c.email`,
    (rows) => rows.map(({ tags }) => [...tags]),
  )
  const idOf = (name: string) =>
    Effect.map(
      sql<{ id: string }>`select id from tag where organization_id = ${organization.id}::int and name = ${name}`,
      ([row]) => row?.id ?? assert.fail(`no tag ${name}`),
    )
  return { ...organization, owner, subjects, pathOf, add, stored, idOf }
})

const chips = (text: string) =>
  [...text.matchAll(/<li class="tag">(?:<a [^>]*>)?<bdi>([^<]*)<\/bdi>/g)].map(([, name]) => name)

describe("the name of a tag", () => {
  it("is in NFC, on one line, and equal in another case or normal form", () => {
    assert.strictEqual(cleanTag("  Cafe\u0301 \n crème "), "Café crème")
    assert.strictEqual(tagKey("CAFE\u0301  crème"), tagKey("café CRÈME"))
    assert.strictEqual(tagKey("ﬁnance"), tagKey("FINANCE"))
    assert.notStrictEqual(tagKey("cafe"), tagKey("café"))
  })
})

layer(pages)("tags", (it) => {
  it.effect("that are new are added once by forms that are sent at the same time", () =>
    Effect.gen(function* () {
      const { add, pathOf, stored } = yield* begin()
      for (const name of ["Backend", "Frontend", "Night shift"]) {
        const answers = yield* Effect.all([add(name), add(name), add(name), add(name)], { concurrency: 4 })
        assert.deepStrictEqual(
          answers.map(({ location }) => location),
          Array.from({ length: 4 }, () => `${pathOf()}?done=tagged`),
        )
      }
      assert.deepStrictEqual(yield* stored, [["Backend", "Frontend", "Night shift"]])
    }),
  )

  it.effect("are added and removed on the page of a submission, once in any spelling, and are in the audit log", () =>
    Effect.gen(function* () {
      const { add, owner, pathOf, stored } = yield* begin(2)
      assert.strictEqual((yield* add(" Café ")).location, `${pathOf()}?done=tagged`)
      yield* add("CAFE\u0301")
      yield* add("<b>Backend</b>")
      yield* add("café", 1)
      assert.deepStrictEqual(yield* stored, [["<b>Backend</b>", "Café"], ["Café"]])
      const { text } = yield* get(`${pathOf()}?done=tagged`, owner.cookie)
      assert.deepStrictEqual(chips(text), ["&lt;b&gt;Backend&lt;/b&gt;", "Café"])
      assert.include(text, "The tag was added.")
      assert.notInclude(/<datalist id="tag-names">.*?<\/datalist>/.exec(text)?.[0] ?? assert.fail(), "Café")
      assert.include((yield* get(pathOf(1), owner.cookie)).text, '<option value="&lt;b&gt;Backend&lt;/b&gt;">')
      const form = fieldsOf(text, `${pathOf()}/tags/remove`)
      for (const _ of [1, 2])
        assert.strictEqual(
          (yield* post(`${pathOf()}/tags/remove`, owner.cookie, form)).location,
          `${pathOf()}?done=untagged`,
        )
      assert.deepStrictEqual(yield* stored, [["Café"], ["Café"]])
      const { text: log } = yield* get("/settings/audit", owner.cookie)
      for (const words of ["created a tag", "tagged a candidate", "removed a tag from a candidate"])
        assert.include(log, words)
      const { text: timeline } = yield* get(pathOf(), owner.cookie)
      assert.include(timeline, "Tag <bdi>&lt;b&gt;Backend&lt;/b&gt;</bdi> removed by")
      assert.include(timeline, "Tag <bdi>Café</bdi> added by")
    }),
  )

  it.effect("are refused when blank, too long or too many, and what was typed stays in the form", () =>
    Effect.gen(function* () {
      const { add, id, owner, pathOf, stored } = yield* begin(2)
      const { sql } = yield* Database
      for (const [tag, error] of [
        ["  ", "The tag must not be blank."],
        ["x".repeat(10_000), "The tag must have at most 40 characters."],
        ["a\u0007b", "The tag contains characters that cannot be stored."],
      ] as const) {
        const refused = yield* add(tag)
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, error)
        assert.include(refused.text, `name="tag" value="${tag}"`)
      }
      yield* add("👩🏽‍💻".repeat(10))
      assert.deepStrictEqual(yield* stored, [["👩🏽‍💻".repeat(10)], []])
      for (let n = 1; n < tagLimits.ofSubmission; n++) yield* add(`tag ${n}`)
      const full = yield* add("one more")
      assert.strictEqual(full.status, 409)
      assert.include(full.text, "The tag was not added: the candidate has 20 tags already; remove one first.")
      assert.include(full.text, 'name="tag" value="one more"')
      yield* sql`
        insert into tag (id, organization_id, name, key, created_at)
        select gen_random_uuid(), ${id}::int, 'x' || n, 'x' || n, now()
        from generate_series(${tagLimits.ofSubmission + 1}::int, ${tagLimits.ofOrganization}::int) n`
      const tooMany = yield* add("another", 1)
      assert.strictEqual(tooMany.status, 409)
      assert.include(tooMany.text, "there are 200 tags already")
      assert.strictEqual((yield* add("X21", 1)).status, 303)
      assert.isBelow((yield* get(pathOf(), owner.cookie)).bytes.length, 60_000)
      assert.isBelow((yield* get("/settings/tags", owner.cookie)).bytes.length, 60_000)
    }),
  )

  it.effect(
    "of other organizations are unknown, recruiters tag candidates of their sets, and reviewers only see tags",
    () =>
      Effect.gen(function* () {
        const { add, id, idOf, owner, pathOf, stored, subjects } = yield* begin()
        yield* add("Backend")
        const stranger = yield* begin()
        assert.strictEqual((yield* add("Foreign", 0, stranger.owner.cookie)).status, 404)
        const tag = yield* idOf("Backend")
        for (const path of [`/settings/tags/${tag}`, `/settings/tags/${tag}/remove`])
          yield* post(path, stranger.owner.cookie, { name: "Mine", tag: "Mine", seen_name: "Backend" })
        yield* post(`${stranger.pathOf()}/tags/remove`, stranger.owner.cookie, { tag })
        assert.notInclude((yield* get(stranger.pathOf(), stranger.owner.cookie)).text, "Backend</")
        const recruiter = yield* signedIn(id, "recruiter")
        assert.strictEqual((yield* add("Own", 0, recruiter.cookie)).status, 403)
        assert.strictEqual((yield* get("/settings/tags", recruiter.cookie)).status, 403)
        const reviewer = yield* signedIn(id, "reviewer")
        yield* post(`${pathOf()}/reviewers`, owner.cookie, { member: reviewer.id })
        const { text } = yield* get(pathOf(), reviewer.cookie)
        assert.deepStrictEqual(chips(text), ["Backend"])
        assert.notInclude(text, `${pathOf()}/tags`)
        assert.strictEqual((yield* add("Own", 0, reviewer.cookie)).status, 403)
        assert.strictEqual((yield* post("/submissions/tag", reviewer.cookie, {})).status, 403)
        assert.deepStrictEqual(yield* stored, [["Backend"]])
        assert.deepStrictEqual(yield* stranger.stored, [[]])
        const { sql } = yield* Database
        yield* sql`
        insert into set_access (id, organization_id, interview_set_id, ordinal, email)
        select gen_random_uuid(), ${id}::int, interview_set_id, 1, ${recruiter.email} from submission
        where id = ${subjects[0]?.submission_id ?? null}::uuid`
        assert.strictEqual((yield* add("Own", 0, recruiter.cookie)).status, 303)
      }),
  )

  it.effect("filter the list by name, its saved views, counts and exports", () =>
    Effect.gen(function* () {
      const { add, idOf, owner } = yield* begin(3)
      yield* add("Back & end", 0)
      yield* add("back & END", 2)
      const tag = yield* idOf("Back & end")
      const list = (query: string) => get(`/submissions?${query}`, owner.cookie)
      const asked = yield* list("status=need_interview&tag=BACK+%26+end")
      assert.strictEqual(asked.location, `/submissions?status=need_interview&tag=${tag}`)
      const { text } = yield* list(`tag=${tag}`)
      assert.deepStrictEqual(
        [...text.matchAll(/<span>(c\d@example.com)<\/span>/g)].map(([, address]) => address),
        ["c2@example.com", "c0@example.com"],
      )
      assert.include(text, '<span class="total">2</span>')
      assert.include(text, 'name="tag" value="Back &amp; end"')
      for (const query of [`tag=${tag}&q=c2`, `tag=${tag}&q=c2&order=a_to_z`])
        assert.lengthOf([...(yield* list(query)).text.matchAll(/<tr data-v/g)], 1)
      const unknown = yield* list("tag=Front")
      assert.strictEqual(unknown.status, 422)
      assert.include(unknown.text, "There is no tag “Front”.")
      assert.include(unknown.text, 'name="tag" value="Front"')
      const csv = Result.getOrThrow(parseCsv((yield* get(`/submissions.csv?tag=${tag}`, owner.cookie)).text)).map(
        ({ cells }) => cells,
      )
      assert.lengthOf(csv, 3)
      assert.strictEqual(csv[1]?.[csv[0]?.indexOf("Tags") ?? -1], "Back & end")
      const saved = yield* post("/submissions/views", owner.cookie, { name: "Backend", list: `tag=${tag}` })
      const view = /\/submissions\/views\/[0-9a-f-]+/.exec((yield* get(saved.location ?? "", owner.cookie)).text)?.[0]
      assert.strictEqual((yield* get(view ?? "", owner.cookie)).location, `/submissions?tag=${tag}`)
    }),
  )

  it.effect("are added to and removed from selected rows and all that match, with what is skipped", () =>
    Effect.gen(function* () {
      const { add, idOf, owner, stored } = yield* begin(3)
      yield* add("Backend", 1)
      const send = Effect.fnUntraced(function* (query: string, fields: Readonly<Record<string, string>>) {
        const { text } = yield* get(`/submissions${query}`, owner.cookie)
        const values = [...text.matchAll(/name="selected" value="([^"]*)"/g)].map(([, value = ""]) => value)
        const sent = fieldsOf(text, "/submissions/decide").filter(([name]) => name !== "reason")
        const rows = "every" in fields ? [] : values.map((value) => ["selected", value] as const)
        const question = yield* post("/submissions/tag", owner.cookie, [...sent, ...rows, ...Object.entries(fields)])
        assert.include(question.text, "Tag ")
        return fieldsOf(question.text, "/submissions/tag")
      })
      const rowsOf = (form: ReadonlyArray<readonly [string, string]>) =>
        form.filter(([name]) => name === "selected").length
      const submit = (form: ReadonlyArray<readonly [string, string]>, changes: Readonly<Record<string, string>>) =>
        post("/submissions/tag", owner.cookie, withFields(form, changes))
      const follow = (location: string | null) =>
        Effect.map(get(location ?? assert.fail(), owner.cookie), ({ text }) => text)

      const form = yield* send("", {})
      assert.strictEqual(rowsOf(form), 3)
      const refused = yield* submit(form, { tag: "x".repeat(41), do: "add" })
      assert.strictEqual(refused.status, 422)
      assert.include(refused.text, `value="${"x".repeat(41)}"`)
      const done = yield* submit(form, { tag: "backend", do: "add" })
      const shown = yield* follow(done.location)
      assert.include(shown, "Added the tag “Backend” to 2 candidates.")
      assert.include(shown, "the candidate has the tag already")
      // sent twice, and from the browser's history with another tag
      assert.strictEqual((yield* submit(form, { tag: "backend", do: "add" })).location, done.location)
      yield* submit(form, { tag: "Senior", do: "add" })
      assert.deepStrictEqual(
        yield* stored,
        Array.from({ length: 3 }, () => ["Backend", "Senior"]),
      )

      const missing = yield* submit(yield* send("", {}), { tag: "Junior", do: "remove" })
      assert.strictEqual(missing.status, 422)
      assert.include(missing.text, "The tag does not exist.")
      const all = yield* send(`?tag=${yield* idOf("Backend")}`, { every: "yes" })
      assert.strictEqual(rowsOf(all), 3)
      const removed = yield* submit(all, { tag: "BACKEND", do: "remove" })
      assert.include(yield* follow(removed.location), "Removed the tag “Backend” from 3 candidates.")
      assert.deepStrictEqual(
        yield* stored,
        Array.from({ length: 3 }, () => ["Senior"]),
      )
    }),
  )

  it.effect("are renamed and removed in the settings, not by an outdated form", () =>
    Effect.gen(function* () {
      const { add, idOf, owner, stored } = yield* begin()
      yield* add("Backend")
      const path = "/settings/tags"
      const define = (tag: string) => post(path, owner.cookie, { name: tag })
      assert.strictEqual((yield* define("Frontend")).location, `${path}?done=added`)
      const twice = yield* define("FRONTEND")
      assert.strictEqual(twice.status, 422)
      assert.include(twice.text, "The tag exists already.")
      assert.include((yield* get(path, owner.cookie)).text, "1 candidate<")
      const one = `${path}/${yield* idOf("Backend")}`
      const opened = fieldsOf((yield* get(one, owner.cookie)).text, one)
      const rename = (tag: string) => post(one, owner.cookie, withFields(opened, { name: tag }))
      const taken = yield* rename("frontend")
      assert.strictEqual(taken.status, 422)
      assert.include(taken.text, "The tag is the name of another tag.")
      assert.strictEqual((yield* rename("Server")).location, `${path}?done=saved`)
      assert.deepStrictEqual(yield* stored, [["Server"]])
      const stale = yield* rename("Database")
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "another member has renamed the tag since you opened the page")
      assert.include(stale.text, 'value="Database"')
      const removal = (seen: string) => post(`${one}/remove`, owner.cookie, { seen_name: seen })
      assert.strictEqual((yield* removal("Backend")).status, 409)
      assert.strictEqual((yield* removal("Server")).location, `${path}?done=removed`)
      assert.strictEqual((yield* removal("Server")).status, 404)
      assert.deepStrictEqual(yield* stored, [[]])
      const { text: log } = yield* get("/settings/audit", owner.cookie)
      for (const words of ["changed a tag", "deleted a tag"]) assert.include(log, words)
    }),
  )

  it.effect("are in the API's detail and list, which filters by them and knows that they changed", () =>
    Effect.gen(function* () {
      const { add, id, idOf, subjects } = yield* begin(2)
      const { key } = yield* Api.keyOf(id)
      yield* add("Senior")
      yield* add("Backend")
      const [senior, backend] = [yield* idOf("Senior"), yield* idOf("Backend")]
      const tags = [
        { id: backend, name: "Backend" },
        { id: senior, name: "Senior" },
      ]
      const detail = yield* Api.results(200, "GET", Api.paths.detail(subjects[0]?.submission_id ?? assert.fail()), {
        key,
      })
      assert.deepStrictEqual(detail["tags"], tags)
      const list = (query: string) =>
        Effect.map(
          Api.call("GET", `/company/integration/hiring/submissions/v1?${query}`, { key }),
          ({ body }) => (body as { results: ReadonlyArray<{ id: string; tags: unknown }> }).results,
        )
      const found = yield* list(`tag=${senior}`)
      assert.deepStrictEqual(
        found.map((one) => [one.id, one.tags]),
        [[subjects[0]?.submission_id, tags]],
      )
      const { sql } = yield* Database
      yield* sql`update submission set updated_at = '2020-01-01' where organization_id = ${id}::int`
      yield* add("Lead", 1)
      assert.deepStrictEqual(
        (yield* list("updated_since=2020-01-02T00:00:00Z")).map((one) => one.id),
        subjects.slice(1).map(({ submission_id }) => submission_id as string),
      )
    }),
  )

  it.effect("are exported with the candidate's data, and an erasure removes them, also from the audit log", () =>
    Effect.gen(function* () {
      const { add, id, owner, pathOf, stored, subjects } = yield* begin()
      yield* add("Referred by a friend")
      const person = `/settings/people/${subjects[0]?.candidate_id}`
      const exported = yield* post(`${person}/export`, owner.cookie)
      assert.deepStrictEqual(JSON.parse(exported.text).submissions[0].tags, ["Referred by a friend"])
      yield* post(`${person}/erase`, owner.cookie, { confirm: "erase" })
      assert.deepStrictEqual(yield* stored, [[]])
      const { sql } = yield* Database
      const log = yield* sql<{ detail: unknown }>`
        select detail from audit_log where organization_id = ${id}::int and action = 'submission.tag'`
      assert.deepStrictEqual(
        log.map(({ detail }) => detail),
        [{}],
      )
      const refused = yield* add("Again")
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "the candidate&#39;s personal data was erased")
      assert.notInclude((yield* get(pathOf(), owner.cookie)).text, `action="${pathOf()}/tags"`)
    }),
  )
})
