/** The workspace's list of submissions over HTTP: filters, orders, pages and the CSV export. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { strFromU8, unzipSync } from "fflate"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { parseCsv } from "../../src/values/Csv.ts"
import type { OrganizationId, SubmissionId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import * as Dossier from "../support/Dossier.ts"
import { get, settings, signedIn, viewer } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings, evaluate: Dossier.evaluate })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

/** Submissions of one set: `scored` with rising scores, one that cannot be evaluated, the rest without a score. */
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
  [...text.matchAll(/<th scope="row" [^>]*><a [^>]*><bdi>([^<]*)</g)].map(([, name]) => name)

layer(pages)("the list of submissions", (it) => {
  it.effect("filters by set, state and score state, in three orders, by page", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      yield* many(id, set.id, 70, 60)
      const other = yield* (yield* InterviewSets).create(operator(id), { title: "Another set" })
      yield* Scenario.invited({ id, set: other }, "waiting@example.com")
      const list = (query: string) => Effect.map(get(`/submissions${query}`, cookie), ({ text }) => text)
      /** All pages of a query. */
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
      assert.include(yield* list(`?set=${other.id}&score=scored`), "No submissions match.")
      assert.include(yield* list("?order=best"), "Submissions without a score are hidden")
      for (const query of ["?cursor=x", "?order=best&cursor=x", "?order=best&cursor=8.5~x"]) {
        assert.strictEqual((yield* get(`/submissions${query}`, cookie)).location, "/submissions", query)
      }
      // a cursor of one order is invalid in another
      const [, best = ""] = /[?&;](cursor=[\w-]+)/.exec(yield* list("?order=best")) ?? []
      assert.strictEqual((yield* get(`/submissions?order=best&${best}`, cookie)).status, 200)
      for (const query of ["?order=weakest&", "?"]) {
        assert.strictEqual((yield* get(`/submissions${query}${best}`, cookie)).location, "/submissions", query)
      }
      assert.lengthOf(names(yield* list("?status=nothing&score=x&order=y&set=z")), 50)
      assert.isBelow((yield* get("/submissions", cookie)).bytes.length, 60_000)
    }),
  )

  it.effect("counts what the frequent filters and the search match, up to 999", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { sql } = yield* Database
      const { cookie } = yield* signedIn(id)
      yield* many(id, set.id, 12, 10)
      yield* sql`update submission b set decision = case when c.name < 'Candidate 2' then 'hold' else 'advance' end,
          decided_at = now(), decided_by = jsonb_build_object('id', gen_random_uuid(), 'name', 'Eve'), decision_changes = 1
        from candidate c where c.id = b.candidate_id and b.organization_id = ${id}::int and c.name <> 'Candidate 2'`
      const other = yield* (yield* InterviewSets).create(operator(id), { title: "Another set" })
      yield* Scenario.invited({ id, set: other }, "waiting@example.com")
      const countsOf = Effect.fnUntraced(function* (query: string) {
        const { text } = yield* get(`/submissions${query}`, cookie)
        const chips = [...text.matchAll(/>([^<>]+) <span>(\d+\+?)<\/span><\/a>/g)].map(
          ([, name, count]) => `${name} ${count}`,
        )
        return {
          chips,
          total: /(?:<h1>Submissions <span class="total">|<p class="matching"><b>)([^<]*)</.exec(text)?.[1],
        }
      })
      const all = yield* countsOf("")
      assert.strictEqual(all.total, "13")
      assert.includeMembers(all.chips, ["All 13", "On hold 4", "Advanced 7", "Rejected 0"])
      const held = yield* countsOf(`?set=${set.id}&decision=hold`)
      assert.deepStrictEqual([held.total, held.chips[0]], ["4", "All 12"])
      assert.isUndefined((yield* countsOf("?q=candidate")).total)
      const recruiter = yield* signedIn(id, "recruiter")
      yield* sql`insert into set_access (id, organization_id, interview_set_id, ordinal, email)
        select gen_random_uuid(), ${id}::int, ${other.id}::uuid, 1, email from member where id = ${recruiter.id}::uuid`
      assert.include((yield* get("/submissions", recruiter.cookie)).text, "All <span>1</span>")
      const large = yield* Scenario.organization()
      yield* many(large.id, large.set.id, 1000, 1)
      const { cookie: owner } = yield* signedIn(large.id)
      assert.include((yield* get("/submissions", owner)).text, "All <span>999+</span>")
    }),
  )

  it.effect("lists the newest first and sorts by score only on request", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      yield* many(id, set.id, 4, 3)
      const { sql } = yield* Database
      yield* sql`
        update evaluation set result = jsonb_set(result, '{score}', to_jsonb(9.9 - (result ->> 'score')::numeric))
        where organization_id = ${id}::int and result ->> 'score' is not null`
      const shown = (query: string) => Effect.map(get(`/submissions${query}`, cookie), ({ text }) => names(text))
      const newest = ["Candidate 4", "Candidate 3", "Candidate 2", "Candidate 1"]
      assert.deepStrictEqual(yield* shown(""), newest)
      assert.deepStrictEqual(yield* shown("?score=scored"), newest.slice(1))
      assert.deepStrictEqual(yield* shown("?order=best"), newest.slice(1).toReversed())
    }),
  )

  it.effect("calls a score of the keyword evaluator a keyword match, in the list and the CSV", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      yield* many(id, set.id, 3, 2)
      const { sql } = yield* Database
      yield* sql`
        update evaluation set evaluator = 'keyword/6' where organization_id = ${id}::int and result ->> 'score' = '9.9'`
      const { text } = yield* get("/submissions?order=best", cookie)
      assert.include(text, "<b>9.9</b> <span>keyword match<")
      assert.lengthOf([...text.matchAll(/keyword match/g)], 1)
      const table = Result.getOrThrow(parseCsv((yield* get("/submissions.csv", cookie)).text))
      assert.deepStrictEqual(
        table.slice(1).map(({ cells }) => cells[table[0]?.cells.indexOf("Score type") ?? -1]),
        ["", "keyword match", "score"],
      )
    }),
  )

  it.effect("shows the score of the detail", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* Dossier.whole()
      const { cookie } = yield* signedIn(organization)
      const detail = yield* get(`/submissions/${submission}`, cookie)
      assert.include(detail.text, "<bdi>ada.pdf</bdi>")
      const [, score = "none"] = /<span class="total">(\d+\.\d)</.exec(detail.text) ?? []
      const list = yield* get("/submissions?order=best", cookie)
      assert.include(list.text, `<b>${score}</b>`)
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

  it.effect("searches names, addresses and titles of sets, also with filters", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization({ title: "Backend Engineer", position: "Payments" })
      const foreign = yield* Scenario.organization({ title: "Backend elsewhere" })
      yield* Scenario.invited(foreign, "grace@example.com")
      const { cookie } = yield* signedIn(one.id)
      yield* many(one.id, one.set.id, 12, 6)
      const other = yield* (yield* InterviewSets).create(operator(one.id), { title: "Night shift" })
      yield* Scenario.invited({ id: one.id, set: other }, "grace.hopper@example.com")
      const { sql } = yield* Database
      yield* sql`update candidate set firstname = 'Élodie', lastname = 'O''Neill' where organization_id = ${one.id}::int and name = 'Candidate 7'`
      const found = (query: string) => Effect.map(get(`/submissions?${query}`, cookie), ({ text }) => names(text))
      assert.deepStrictEqual(yield* found("q=grace.hop"), ["Ada"])
      assert.deepStrictEqual(yield* found("q=GRACE+example"), ["Ada"])
      assert.deepStrictEqual(yield* found("q=%C3%A9lodie+neill"), ["Candidate 7"])
      assert.deepStrictEqual(yield* found("q=night"), ["Ada"])
      assert.lengthOf(yield* found("q=back+pay"), 12)
      assert.deepStrictEqual(
        yield* found("q=backend&order=best&score=scored"),
        [6, 5, 4, 3, 2, 1].map((n) => `Candidate ${n}`),
      )
      assert.deepStrictEqual(yield* found("q=elodie+backend"), [])
      assert.deepStrictEqual(yield* found(`q=night&set=${one.set.id}`), [])
      for (const signs of ["':* & | !", "\u{1f389}", "\u0301", "—"])
        assert.deepStrictEqual(yield* found(`q=${encodeURIComponent(signs)}`), [], `${signs} is no word`)
      assert.lengthOf(yield* found("q=+"), 13)
      const none = yield* get("/submissions?q=%22%3E%3Cscript%3Enobody", cookie)
      assert.include(none.text, 'value="&quot;&gt;&lt;script&gt;nobody"')
      assert.include(none.text, "No submissions match.")
      const table = yield* get("/submissions.csv?q=night", cookie)
      assert.lengthOf(Result.getOrThrow(parseCsv(table.text)), 2)
    }),
  )

  it.effect("finds rare, frequent and universal words in every order", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      yield* many(id, set.id, 1600, 1599)
      const { sql } = yield* Database
      const number = sql.literal("substring(name from 11)::int")
      yield* sql`
        update candidate set firstname = case when ${number} in (3, 700) then 'Rare' when ${number} <= 1050 then 'Often' end
        where organization_id = ${id}::int`
      const found = (query: string) =>
        Effect.map(get(`/submissions?${query}`, cookie), ({ text }) => ({
          names: names(text),
          next: /href="\/submissions\?([^"]*cursor=[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "",
        }))
      const down = (from: number, to: number) =>
        Array.from({ length: from - to + 1 }, (_, i) => `Candidate ${from - i}`).filter(
          (name) => name !== "Candidate 700",
        )
      assert.deepStrictEqual((yield* found("q=candidate")).names, down(1600, 1551))
      for (const narrow of ["", "&status=evaluated", `&set=${set.id}`]) {
        const often = yield* found(`q=often${narrow}`)
        assert.deepStrictEqual(often.names, down(1050, 1001), narrow)
        assert.deepStrictEqual((yield* found(often.next)).names, down(1000, 951), narrow)
        for (const order of ["best", "weakest"]) {
          const ordered = yield* found(`q=often&order=${order}${narrow}`)
          const numbers = ordered.names.map((name) => Number(name?.slice(10)))
          assert.lengthOf(numbers, 50)
          // scores have one decimal, so some are equal
          assert.isTrue(
            numbers.every((n) => (order === "best" ? n > 980 && n <= 1050 : n < 70)),
            `${order} ${numbers}`,
          )
        }
        for (const order of ["newest", "best"]) {
          assert.deepStrictEqual((yield* found(`q=rare&order=${order}${narrow}`)).names, [
            "Candidate 700",
            "Candidate 3",
          ])
        }
        assert.deepStrictEqual((yield* found(`q=rare&order=weakest${narrow}`)).names, ["Candidate 3", "Candidate 700"])
      }
      for (const query of [
        "q=often&status=withdrawn",
        "q=often&score=not_scored",
        "q=often&order=best&status=started",
      ]) {
        assert.deepStrictEqual((yield* found(query)).names, [], query)
      }
    }),
  )

  it.effect("shows an override beside the evaluator's score and orders by it", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie, ...account } = yield* signedIn(id)
      const member = viewer(id, account)
      yield* many(id, set.id, 12, 10)
      const { sql } = yield* Database
      const rows = yield* sql<{ id: SubmissionId; name: string }>`
        select b.id, c.name from submission b join candidate c on c.id = b.candidate_id where b.organization_id = ${id}::int`
      const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? assert.fail(name)
      const overrides = yield* Overrides
      const own = { evaluation_type: "interview", reason: "Convinced me in the conversation." } as const
      yield* overrides.override(member, { ...own, submission: idOf("Candidate 2"), score: 9.5 })
      // also without an evaluator's score
      yield* overrides.override(member, { ...own, submission: idOf("Candidate 11"), score: 0.3 })
      const best = yield* get("/submissions?order=best", cookie)
      const order = names(best.text)
      assert.deepStrictEqual(order.slice(0, 3), ["Candidate 10", "Candidate 2", "Candidate 9"])
      assert.deepStrictEqual(order.slice(-2), ["Candidate 1", "Candidate 11"])
      assert.match(best.text, /<b>9\.5<\/b> <span>instead of 2\.0</)
      assert.match(best.text, /<b>0\.3<\/b> <span>overridden</)
      const table = Result.getOrThrow(parseCsv((yield* get("/submissions.csv?order=best", cookie)).text))
      assert.deepStrictEqual(table[0]?.cells.slice(7, 9), ["Score", "Override"])
      assert.deepStrictEqual(table[2]?.cells.slice(7, 9), ["2", "9.5"])
      yield* overrides.withdrawOverride(member, { submission: idOf("Candidate 2"), evaluation_type: "interview" })
      assert.strictEqual(names((yield* get("/submissions?order=best", cookie)).text)[1], "Candidate 9")
    }),
  )

  it.effect(
    "names warnings beside a score, and sorts it after all others in both directions; an override has none",
    () =>
      Effect.gen(function* () {
        const { id, set } = yield* Scenario.organization()
        const { cookie, ...account } = yield* signedIn(id)
        yield* many(id, set.id, 9, 8)
        const { sql } = yield* Database
        const warn = (name: string, code: string) => sql`
        update evaluation e set result = e.result || jsonb_build_object('warnings', jsonb_build_array(
          jsonb_build_object('code', ${code}::text, 'message', 'Why')))
        from submission b join candidate c on c.id = b.candidate_id
        where b.id = e.submission_id and b.organization_id = ${id}::int and c.name = ${name}`
        yield* warn("Candidate 7", "read_by_ocr")
        yield* warn("Candidate 2", "short_cv")
        const numbers = (text: string) => names(text).map((name) => Number(name?.split(" ")[1]))
        const best = yield* get("/submissions?order=best", cookie)
        assert.deepStrictEqual(numbers(best.text), [8, 6, 5, 4, 3, 1, 7, 2])
        assert.match(best.text, /<b>8\.7<\/b> <span>⚠ CV read by OCR<\/span>/)
        assert.include(best.text, "Scores with warnings are last")
        const weakest = yield* get("/submissions?order=weakest", cookie)
        assert.deepStrictEqual(numbers(weakest.text), [1, 3, 4, 5, 6, 8, 2, 7])
        const table = Result.getOrThrow(parseCsv((yield* get("/submissions.csv?order=best", cookie)).text))
        const column = table[0]?.cells.indexOf("Warnings") ?? -1
        assert.deepStrictEqual(
          table.slice(-2).map(({ cells }) => cells[column]),
          ["CV read by OCR", "short CV"],
        )
        const [first] = yield* sql<{ id: SubmissionId }>`
        select b.id from submission b join candidate c on c.id = b.candidate_id
        where b.organization_id = ${id}::int and c.name = 'Candidate 7'`
        const own = { evaluation_type: "interview", reason: "I read the scan.", score: 9.8 } as const
        yield* (yield* Overrides).override(viewer(id, account), { ...own, submission: first?.id ?? assert.fail() })
        assert.deepStrictEqual(numbers((yield* get("/submissions?order=best", cookie)).text), [8, 7, 6, 5, 4, 3, 1, 2])
      }),
  )

  it.effect("shows an unreached candidate as such in the list, the page and the CSV", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(id)
      const { subject } = yield* Scenario.invited({ id, set }, "not an address")
      const list = yield* get("/submissions", cookie)
      assert.include(list.text, '<b class="failed">Invitation failed</b> <span>the address takes no email</span>')
      assert.include((yield* get("/submissions.csv", cookie)).text, "Invitation failed")
      const page = yield* get(`/submissions/${subject.submission_id}`, cookie)
      assert.include(page.text, '<span class="tag failed">Invitation failed</span>')
      assert.include(page.text, "The invitation did not arrive: the address takes no email.")
    }),
  )

  it.effect("exports every row of the list in order as CSV, without formulas", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization({ title: '=HYPERLINK("https://evil.example";"x")' })
      const { cookie } = yield* signedIn(id)
      yield* many(id, set.id, 1203, 700)
      const { sql } = yield* Database
      yield* sql`update candidate set name = ${"+cmd|' /C calc'!A0, \"Ada\"; \n x"} where name = 'Candidate 1' and organization_id = ${id}::int`
      yield* sql`update submission set external_id = '=1+1', metadata = '{"source": "fair"}' where candidate_id = (
        select id from candidate where name = 'Candidate 1203' and organization_id = ${id}::int)`
      const answer = yield* get("/submissions.csv", cookie)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-type"), "text/csv; charset=utf-8")
      assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="submissions\.csv"/)
      assert.deepStrictEqual([...answer.bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
      const rows = Result.getOrThrow(parseCsv(answer.text)).map(({ cells }) => cells)
      assert.lengthOf(rows, 1204)
      assert.strictEqual(rows[1]?.[0], "Candidate 1203")
      assert.deepStrictEqual(rows[0]?.slice(2, 5), ["Id in the hiring system", "External id", "Metadata"])
      assert.deepStrictEqual(rows[1]?.slice(2, 5), ["", "'=1+1", "source: fair"])
      assert.strictEqual(new Set(rows.map(([, email]) => email)).size, 1204)
      const last = rows.at(-1)
      assert.strictEqual(last?.[0], `'+cmd|' /C calc'!A0, "Ada"; \n x`)
      assert.strictEqual(last?.[5], `'=HYPERLINK("https://evil.example";"x")`)
      assert.deepStrictEqual(last?.slice(6, 10), ["Evaluated", "0", "", "With a score"])
      const dates = ["Invited (UTC)", "Started (UTC)", "Submitted (UTC)", "Decided at (UTC)"]
      assert.deepStrictEqual(rows[0]?.slice(-4), dates)
      assert.deepStrictEqual(last?.slice(-4), ["2026-11-01 00:00:01", "", "", ""])
      for (const cell of rows.flat()) assert.notMatch(cell, /^[=+\-@\t\r]/)
      const book = yield* get("/submissions.xlsx", cookie)
      assert.strictEqual(
        book.headers.get("content-type"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      )
      assert.match(book.headers.get("content-disposition") ?? "", /^attachment; filename="submissions\.xlsx"/)
      const sheet = strFromU8(unzipSync(book.bytes)["xl/worksheets/sheet1.xml"] ?? assert.fail())
      assert.lengthOf(sheet.match(/<row /g) ?? [], 1204)
      assert.include(sheet, '<t xml:space="preserve">=1+1</t>')
      assert.match(sheet, /<c r="H\d+"><v>0<\/v><\/c>/)
      assert.match(sheet, /<c r="\w+" s="1"><v>46327\.0000\d+<\/v><\/c>/)
      const { url } = yield* Server
      const german = yield* Effect.promise(() =>
        fetch(`${url}/submissions.csv`, { headers: { cookie, "accept-language": "de-DE,de" } }).then((answer) =>
          answer.text(),
        ),
      )
      assert.match(german, /^Candidate;Email address;/)
      const best = yield* get("/submissions.csv?order=best&score=scored", cookie)
      assert.lengthOf(Result.getOrThrow(parseCsv(best.text)), 701)
    }),
  )

  it.effect("exports how many requirements are met, and each requirement's outcome if all rows are of one set", () =>
    Effect.gen(function* () {
      const requirements = [{ title: "PostgreSQL" }, { title: "=Rust" }, { title: "PostgreSQL" }]
      const { id, set } = yield* Scenario.organization({ iai_requirements: requirements })
      const { cookie } = yield* signedIn(id)
      yield* many(id, set.id, 2, 1)
      const { sql } = yield* Database
      const criteria = [10, null, 0].map((score) => ({ score, cfg_importance_id: 245 }))
      yield* sql`
        update evaluation set result = result || jsonb_build_object('criteria', ${JSON.stringify(criteria)}::jsonb)
        where organization_id = ${id}::int and result ->> 'score' is not null`
      const read = Effect.fnUntraced(function* (query: string) {
        const [header, ...rows] = Result.getOrThrow(parseCsv((yield* get(`/submissions.csv${query}`, cookie)).text))
        const of = (cells: ReadonlyArray<string>) =>
          header?.cells.flatMap((name, i) => (name.startsWith("Requirement") ? [[name, cells[i]]] : []))
        return rows.map(({ cells }) => of(cells))
      })
      const counts = (...values: ReadonlyArray<string>) =>
        ["met", "partly met", "not rated", "no match found"].map((name, i) => [`Requirements ${name}`, values[i]])
      assert.deepStrictEqual(yield* read(""), [counts("", "", "", ""), counts("1", "0", "1", "1")])
      assert.deepStrictEqual((yield* read(`?set=${set.id}`))[1], [
        ...counts("1", "0", "1", "1"),
        ["Requirement 1: PostgreSQL", "met"],
        ["Requirement 2: =Rust", "not rated"],
        ["Requirement 3: PostgreSQL", "no match found"],
      ])
    }),
  )

  it.effect("shows a recruiter only the submissions shared with them", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization({ title: "Hidden set" })
      yield* Scenario.invited(one, "hidden@example.com")
      const own = yield* (yield* InterviewSets).create(operator(one.id), {
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
    }),
  )
})
