/** The workspace's list of submissions over real HTTP: narrowed, ordered, page by page, and as a table. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { parseCsv } from "../../src/domain/Csv.ts"
import type { OrganizationId } from "../../src/domain/Ids.ts"
import { Database } from "../../src/repository/Database.ts"
import { InterviewSets } from "../../src/service/InterviewSets.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { get, settings, signedIn } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings, evaluate: Dossier.evaluate })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

/** Submissions of one set: `scored` of them with rising scores, one that can not be evaluated, the rest without. */
const many = Effect.fnUntraced(function* (organization: OrganizationId, set: string, count: number, scored: number) {
  const { sql } = yield* Database
  yield* sql`
    with c as (
      insert into candidate (id, organization_id, email, email_key, name)
      select gen_random_uuid(), ${organization}::int, 'c' || n || '@example.com', 'c' || n || '@example.com', 'Candidate ' || n
      from generate_series(1, ${count}::int) n returning id, name
    ), b as (
      insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, created_at)
      select gen_random_uuid(), ${organization}::int, ${set}::uuid, c.id, 'interview', 'evaluated', now(),
        '2026-11-01'::timestamptz + substring(c.name from 11)::int * interval '1 second'
      from c returning id, created_at
    )
    insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluated_at, state, due_at)
    select gen_random_uuid(), ${organization}::int, b.id, 'interview', 1,
      case when n <= ${scored}::int then jsonb_build_object('score', round(n * 9.9 / ${scored}::int, 1), 'score_status', 'scored')
        else jsonb_build_object('score', null, 'score_status', 'cannot_evaluate') end, now(), 'done', null
    from (select id, row_number() over (order by created_at) as n from b) b where n <= ${scored}::int + 1`
})

const names = (text: string) =>
  [...text.matchAll(/<span class="row-name" dir="auto">([^<]*)</g)].map(([, name]) => name)

layer(pages)("the list of submissions", (it) => {
  it.effect("is narrowed to a set, a state and a kind of score, in three orders, page by page", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      yield* many(id, set.id, 70, 60)
      const other = yield* (yield* InterviewSets).create(id, { title: "Another set" })
      yield* Scenario.invited({ id, set: other }, "waiting@example.com")
      const list = (query: string) => Effect.map(get(`/submissions${query}`, cookie), ({ text }) => text)
      /** All pages from a query on. */
      const walk = Effect.fnUntraced(function* (query: string) {
        const all: Array<string | undefined> = []
        for (let next: string | undefined = query; next !== undefined; ) {
          const text: string = yield* list(next)
          all.push(...names(text))
          next = /href="\/submissions(\?[^"]*cursor=[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&")
        }
        return all
      })
      const numbered = (from: number, to: number) =>
        Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => `Candidate ${from + (to < from ? -i : i)}`)
      assert.deepStrictEqual(yield* walk("?order=best"), numbered(60, 1))
      assert.deepStrictEqual(yield* walk("?order=weakest"), numbered(1, 60))
      assert.deepStrictEqual(yield* walk(`?set=${set.id}`), numbered(70, 1))
      assert.deepStrictEqual(yield* walk(`?order=best&set=${set.id}&status=evaluated&score=scored`), numbered(60, 1))
      assert.deepStrictEqual(yield* walk("?order=best&status=evaluated"), numbered(60, 1))
      assert.deepStrictEqual(yield* walk("?order=weakest&status=evaluated"), numbered(1, 60))
      assert.deepStrictEqual(yield* walk("?order=best&status=need_interview"), [])
      assert.deepStrictEqual(yield* walk("?order=best&status=evaluated&score=cannot_evaluate"), [])
      assert.deepStrictEqual(yield* walk("?score=scored"), numbered(60, 1))
      assert.deepStrictEqual(yield* walk("?score=cannot_evaluate"), ["Candidate 61"])
      assert.deepStrictEqual(yield* walk(`?score=not_scored&set=${set.id}`), numbered(70, 62))
      assert.deepStrictEqual(yield* walk("?status=need_interview"), ["Ada"])
      assert.lengthOf(yield* walk(""), 71)
      assert.deepStrictEqual(yield* walk(`?set=${other.id}&order=best`), [])
      assert.include(yield* list(`?set=${other.id}&score=scored`), "Nothing is like this.")
      assert.include(yield* list("?order=best"), "What has no score is left out of this order.")
      for (const query of ["?cursor=x", "?order=best&cursor=x", "?order=best&cursor=8.5~x"]) {
        assert.strictEqual((yield* get(`/submissions${query}`, cookie)).location, "/submissions", query)
      }
      // a place in one order is none in another
      const [, best = ""] = /[?&;](cursor=[\w-]+)/.exec(yield* list("?order=best")) ?? []
      assert.strictEqual((yield* get(`/submissions?order=best&${best}`, cookie)).status, 200)
      for (const query of ["?order=weakest&", "?"]) {
        assert.strictEqual((yield* get(`/submissions${query}${best}`, cookie)).location, "/submissions", query)
      }
      assert.lengthOf(names(yield* list("?status=nothing&score=x&order=y&set=z")), 50)
      assert.isBelow((yield* get("/submissions", cookie)).bytes.length, 60_000)
    }),
  )

  it.effect("the score is the one of the detail, and follows it", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const { cookie } = yield* signedIn(organization)
      const detail = yield* get(`/submissions/${submission}`, cookie)
      const [, score = "none"] = /<span class="total">(\d+\.\d)</.exec(detail.text) ?? []
      const list = yield* get("/submissions?order=best", cookie)
      assert.include(list.text, `<span class="figure">${score}<`)
      const { sql } = yield* Database
      yield* sql`
        update evaluation set result = jsonb_build_object('score', null, 'score_status', 'cannot_evaluate')
        where submission_id = ${submission}::uuid and evaluation_type = 'holistic'`
      assert.include((yield* get("/submissions?score=cannot_evaluate", cookie)).text, "Cannot be evaluated")
      assert.deepStrictEqual(names((yield* get("/submissions?order=best", cookie)).text), [])
      const scores = sql<{ score: number | null }>`
        select score::float8 as score from submission_score where submission_id = ${submission}::uuid`
      yield* sql`delete from evaluation where submission_id = ${submission}::uuid and evaluation_type = 'holistic'`
      const [left] = yield* scores
      assert.isNumber(left?.score, "that of the interview leads now")
      yield* sql`delete from evaluation where submission_id = ${submission}::uuid`
      assert.deepStrictEqual(yield* scores, [])
    }),
  )

  it.effect("as a table it has every line of the list, in its order, and no cell is a formula", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization({ title: '=HYPERLINK("https://evil.example";"x")' })
      const { cookie } = yield* signedIn(id)
      yield* many(id, set.id, 1203, 700)
      const { sql } = yield* Database
      yield* sql`update candidate set name = ${"+cmd|' /C calc'!A0, \"Ada\"; \n x"} where name = 'Candidate 1' and organization_id = ${id}::int`
      const answer = yield* get("/submissions.csv", cookie)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-type"), "text/csv; charset=utf-8")
      assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="submissions\.csv"/)
      assert.deepStrictEqual([...answer.bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
      const rows = Result.getOrThrow(parseCsv(answer.text)).map(({ cells }) => cells)
      assert.lengthOf(rows, 1204)
      assert.strictEqual(rows[1]?.[0], "Candidate 1203")
      assert.strictEqual(new Set(rows.map(([, email]) => email)).size, 1204)
      const last = rows.at(-1)
      assert.strictEqual(last?.[0], `'+cmd|' /C calc'!A0, "Ada"; \n x`)
      assert.strictEqual(last?.[3], `'=HYPERLINK("https://evil.example";"x")`)
      assert.deepStrictEqual(last?.slice(4, 8), ["Evaluated", "0", "With a score", "2026-11-01 00:00:01"])
      for (const cell of rows.flat()) assert.notMatch(cell, /^[=+\-@\t\r]/)
      const best = yield* get("/submissions.csv?order=best&score=scored", cookie)
      assert.lengthOf(Result.getOrThrow(parseCsv(best.text)), 701)
    }),
  )

  it.effect("a recruiter's list and table have what names them, and no set of others", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization({ title: "Hidden set" })
      yield* Scenario.invited(one, "hidden@example.com")
      const own = yield* (yield* InterviewSets).create(one.id, {
        title: "Own set",
        com_accesses: [{ email: "Own@example.com" }],
      })
      yield* Scenario.invited({ id: one.id, set: own }, "mine@example.com")
      const foreign = yield* Scenario.organization()
      const { cookie } = yield* signedIn(one.id, "recruiter", "own@example.com")
      for (const path of ["/submissions", "/submissions.csv", "/submissions?score=not_scored"]) {
        const { text } = yield* get(path, cookie)
        assert.include(text, "Own set", path)
        assert.notInclude(text, "Hidden set", path)
        assert.notInclude(text, "hidden@example.com", path)
      }
      for (const path of ["/submissions", "/submissions.csv"]) {
        assert.strictEqual((yield* get(`${path}?set=${one.set.id}`, cookie)).status, 403)
        assert.strictEqual((yield* get(`${path}?set=${foreign.set.id}`, cookie)).status, 404)
      }
      assert.match((yield* get("/submissions.csv", "")).location ?? "", /^\/sign-in/)
    }),
  )
})
