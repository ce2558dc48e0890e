/** The board: its columns, moves by form, stale moves, undo, access, and the list with the filter of a column. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import { shares } from "../../src/reviews/Boards.ts"
import { fieldsOf, get, post, signedIn, withFields } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

const begin = Effect.gen(function* () {
  const organization = yield* Scenario.organization()
  const ada = yield* Scenario.invited(organization)
  const { cookie } = yield* signedIn(organization.id)
  const { sql } = yield* Database
  const stages = yield* sql<{ id: string; name: string }>`
    select id, name from hiring_stage where organization_id = ${organization.id}::int`
  const stage = (name: string) => stages.find((one) => one.name === name)?.id ?? assert.fail(name)
  const board = `/interview-sets/${organization.set.id}/board`
  const submission = ada.subject.submission_id
  const form = `${board}/${submission}`
  const columns = Effect.map(get(board, cookie), ({ text }) => columnsOf(text))
  return { organization, ada, cookie, sql, stage, board, submission, form, columns }
})

/** The columns of a page with candidates: "name count: candidates". */
const columnsOf = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<section data-place="[^"]*"[\s\S]*?<\/section>/g)].flatMap(([column]) => {
    const [, name, count] = /<h2[^>]*>([^<]*) <span class="total">([^<]*)</.exec(column) ?? []
    const names = [...column.matchAll(/<li [^>]*><a [^>]*><bdi>([^<]*)/g)].map(([, one]) => one)
    return count === "0" ? [] : [`${name} ${count}: ${names.join(", ")}`]
  })

layer(Settings.layer())("the board", (it) => {
  it.effect("shows candidates by what they have done, and rejected ones last", () =>
    Effect.gen(function* () {
      const { columns, organization, sql } = yield* begin
      const state = Effect.fnUntraced(function* (name: string, status: string, decision: string | null = null) {
        const { subject } = yield* Scenario.invited(organization, `${name}@example.com`)
        yield* sql`update candidate set name = ${name} where id = ${subject.candidate_id}::uuid`
        yield* sql`
          update submission set status = ${status}, decision = ${decision} where id = ${subject.submission_id}::uuid`
        return subject.submission_id
      })
      yield* state("bo", "initiated")
      yield* state("cy", "cv_processing")
      yield* state("di", "evaluated")
      yield* state("ed", "completed", "hold")
      yield* state("flo", "evaluated", "advance")
      yield* state("gus", "expired")
      const hal = yield* state("hal", "evaluated", "reject")
      assert.deepStrictEqual(yield* columns, [
        "Invited 1: Ada",
        "In progress 2: bo, cy",
        "To review 2: di, ed",
        "Advanced 1: flo",
        "Ended 2: gus, hal",
      ])
      const [offer] = yield* sql<{ id: string }>`
        update submission set stage_id = (select id from hiring_stage where organization_id = ${organization.id}::int
          and name = 'Offer') where id = ${hal}::uuid returning stage_id as id`
      assert.match((yield* columns).join("\n"), /Ended 2: (gus, hal|hal, gus)/)
      yield* sql`update hiring_stage set decision = 'reject' where id = ${offer?.id ?? ""}::uuid`
      assert.include((yield* columns).join("\n"), "Offer 1: hal")
    }),
  )

  it.effect("moves a candidate by a form, says so, and undoes it", () =>
    Effect.gen(function* () {
      const { board, columns, cookie, form, stage, submission } = yield* begin
      const page = (yield* get(form, cookie)).text
      const moved = yield* post(form, cookie, withFields(fieldsOf(page, form), { to: stage("Phone call") }))
      assert.match(moved.location ?? "", new RegExp(`^${board}\\?moved=${submission}&.*#c${submission}$`))
      assert.deepStrictEqual(yield* columns, ["Phone call 1: Ada"])
      const told = (yield* get(moved.location?.split("#")[0] ?? "", cookie)).text
      assert.include(told, "<bdi>Ada</bdi>: moved to <bdi>Phone call</bdi>.")
      const undo = `${form}/undo`
      assert.include((yield* post(undo, cookie, fieldsOf(told, undo))).location, "done=undone")
      assert.deepStrictEqual(yield* columns, ["Invited 1: Ada"])
      const twice = yield* post(undo, cookie, fieldsOf(told, undo))
      assert.strictEqual(twice.status, 409)
      assert.include(twice.text, "The move was not undone: another member has moved the candidate")
    }),
  )

  it.effect("refuses an outdated move: the board shows the candidate where they are, the form keeps the reason", () =>
    Effect.gen(function* () {
      const { columns, cookie, form, stage } = yield* begin
      const fields = fieldsOf((yield* get(form, cookie)).text, form)
      yield* post(form, cookie, withFields(fields, { to: stage("On site") }))
      const dropped = yield* post(form, cookie, withFields(fields, { to: stage("Offer"), on: "board" }))
      assert.strictEqual(dropped.status, 409)
      assert.include(dropped.text, "Ada was not moved: another member has moved the candidate")
      assert.deepStrictEqual(columnsOf(dropped.text), ["On site 1: Ada"])
      const typed = yield* post(form, cookie, withFields(fields, { to: "reject", reason: "Salary" }))
      assert.strictEqual(typed.status, 409)
      assert.deepInclude(fieldsOf(typed.text, form), ["reason", "Salary"])
      assert.deepInclude(fieldsOf(typed.text, form), ["to", "reject"])
      assert.strictEqual((yield* post(form, cookie, fieldsOf(typed.text, form))).status, 303)
      assert.deepStrictEqual(yield* columns, ["Ended 1: Ada"])
    }),
  )

  it.effect("refuses a column that the candidate has not reached, an archived stage, and no choice", () =>
    Effect.gen(function* () {
      const { columns, cookie, form, sql, stage } = yield* begin
      const fields = fieldsOf((yield* get(form, cookie)).text, form)
      const told = (to: string, on = "board") =>
        Effect.map(post(form, cookie, withFields(fields, { to, on })), ({ text }) => text)
      assert.include(yield* told("to_review"), "a candidate cannot be moved to it: choose a stage")
      assert.include(yield* told("x"), "Not moved: choose a column.")
      assert.include(yield* told("", "form"), "Choose where the candidate goes.")
      yield* sql`update hiring_stage set archived_at = now() where id = ${stage("Offer")}::uuid`
      assert.include(yield* told(stage("Offer")), "the stage was archived since you opened the page")
      assert.deepStrictEqual(yield* columns, ["Invited 1: Ada"])
    }),
  )

  it.effect("is for members who may read the set, of candidates of the set", () =>
    Effect.gen(function* () {
      const { board, form, organization, stage, submission } = yield* begin
      const recruiter = yield* signedIn(organization.id, "recruiter")
      const other = yield* begin
      for (const [path, cookie, status] of [
        [board, recruiter.cookie, 403],
        [form, recruiter.cookie, 403],
        [board, other.cookie, 404],
        [form, other.cookie, 404],
        [`${other.board}/${submission}`, other.cookie, 404],
      ] as const) {
        assert.strictEqual((yield* get(path, cookie)).status, status, path)
        if (path === board) continue
        const sent = yield* post(path, cookie, { to: stage("Offer"), seen: "0.0" })
        assert.strictEqual(sent.status, status, path)
      }
    }),
  )

  it.effect("shows a part of large columns within 60 KB, and the list shows all of a column", () =>
    Effect.gen(function* () {
      const { board, cookie, organization, sql, stage } = yield* begin
      const names = "مريم العبد الله محمود ".repeat(12)
      yield* sql`
        insert into candidate (id, organization_id, email, email_key, name)
        select gen_random_uuid(), ${organization.id}::int, n || '@many.example', n || '@many.example', ${names} || n
        from generate_series(1, 300) n`
      yield* sql`
        insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, has_knock_out, stage_id, stage_moved_at)
        select gen_random_uuid(), ${organization.id}::int, ${organization.set.id}::uuid, c.id, 'interview', 'evaluated', now(),
          true, case when row_number() over (order by c.id) <= 120 then ${stage("Offer")}::uuid end, now()
        from candidate c where c.organization_id = ${organization.id}::int and c.email like '%@many.example'`
      yield* sql`
        insert into hiring_stage (id, organization_id, name, position)
        select gen_random_uuid(), ${organization.id}::int, left(${names}, 55) || n, 10 + n from generate_series(1, 27) n`
      const page = yield* get(board, cookie)
      assert.isBelow(page.bytes.length, 60_000)
      assert.match(page.text, /Show all 120/)
      const list = `/submissions?set=${organization.set.id}&stage=${stage("Offer")}`
      assert.include((yield* get(list, cookie)).text, "<b>120</b> submissions")
      const waiting = (yield* get(`/submissions?set=${organization.set.id}&stage=to_review`, cookie)).text
      assert.include(waiting, "<b>180</b> submissions")
      // rejected candidates are in the last column, except those in a stage that rejects
      yield* sql`
        update submission set decision = 'reject', decided_at = now() where id = any(array(
          select id from submission where stage_id = ${stage("Offer")}::uuid limit 3))`
      const ended = (yield* get(`/submissions?set=${organization.set.id}&stage=ended`, cookie)).text
      assert.include(ended, "<b>3</b> submissions")
      assert.include((yield* get(list, cookie)).text, "<b>117</b> submissions")
    }),
  )

  it.effect("says that a CV is not readable", () =>
    Effect.gen(function* () {
      const { board, cookie, sql, submission } = yield* begin
      assert.notInclude((yield* get(board, cookie)).text, "CV not readable")
      yield* sql`update submission set flow = 'cv', status = 'evaluated', is_cv_unreadable = true
        where id = ${submission}::uuid`
      assert.include((yield* get(board, cookie)).text, '<b class="failed">CV not readable</b>')
    }),
  )

  it("gives all columns the same number of cards while it lasts", () => {
    const most = 25
    assert.deepStrictEqual(
      shares(
        [
          { count: 1, most },
          { count: 100, most },
          { count: 3, most },
        ],
        12,
      ),
      [1, 8, 3],
    )
    assert.deepStrictEqual(
      shares(
        [
          { count: 100, most },
          { count: 100, most: 2 },
        ],
        100,
      ),
      [25, 2],
    )
    assert.deepStrictEqual(
      shares(
        [
          { count: 5, most },
          { count: 5, most },
        ],
        3,
      ),
      [2, 1],
    )
  })
})
