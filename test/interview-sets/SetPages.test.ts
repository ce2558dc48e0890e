import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { SubmissionRepository } from "../../src/submissions/SubmissionRepository.ts"
import { CvId, InterviewSetId, SubmissionId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const hostile = `<script>alert(1)</script>"'&`

const filled = (page: string, changes: Record<string, string> = {}) =>
  withFields(fieldsOf(page, "/interview-sets"), {
    title: "Backend Engineer",
    "q.0.title": "A service you built",
    "r.0.title": "PostgreSQL",
    do: "save",
    ...changes,
  })

const idIn = (location: string | null) => InterviewSetId.make(/sets\/([0-9a-f-]{36})/.exec(location ?? "")?.[1] ?? "")

const audit = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql<{ action: string; record_id: string; detail: object; member_id: string | null }>`
    select action, record_id, detail, member_id from audit_log where record_type = 'interview_set' order by id`
})

layer(pages)("interview sets in the workspace", (it) => {
  it.effect("creates a set with every field of the API, and one set when the form is sent twice", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const project = yield* (yield* Projects).create(operator(organization), "Payments")
      const { cookie, id: member } = yield* signedIn(organization)
      const { text } = yield* get("/interview-sets/new", cookie)
      const fields = [
        ...filled(text, {
          position: "Senior Backend Engineer",
          description: "Line one\r\nLine two",
          interview_duration: "45",
          number_of_retakes: "2",
          priority: "-3",
          project_id: project,
          language: "2",
          "q.0.type": "radio",
          "q.0.mode": "pre_screening",
          "q.0.options": "Yes | with a note\r\n\r\nNo \\| maybe\r\n",
          "q.0.hint": "Think twice",
          "q.0.details": "Background",
          "q.0.content": "In full",
          "r.0.importance": "273",
          "r.0.content": "Ran it in production",
          "r.0.hint": "Ask for numbers",
          "r.0.skills": "4, 7;9",
          "a.0.email": "rec@example.com",
          "a.0.fullname": "Rec Ruiter",
          part: "people",
        }),
        ["part", "about"],
        ["part", "questions"],
        ["part", "requirements"],
        ["languages", "1"],
        ["q.1.title", ""],
      ] as Array<[string, string]>
      const made = yield* Effect.all(
        [post("/interview-sets", cookie, fields), post("/interview-sets", cookie, fields)],
        {
          concurrency: 2,
        },
      )
      assert.deepStrictEqual(
        made.map(({ status }) => status),
        [303, 303],
      )
      const [first, second] = made
      assert.strictEqual(first.location, second.location)
      const id = idIn(first.location)
      const set = yield* (yield* InterviewSets).find(operator(organization), id)
      assert.deepInclude(set, {
        title: "Backend Engineer",
        position: "Senior Backend Engineer",
        description: "Line one\nLine two",
        set_type: 1,
        interview_duration: 45,
        number_of_retakes: 2,
        priority: -3,
        com_project_id: project,
        cfg_lingual_ids: [2, 1],
      })
      assert.lengthOf(set.iai_questions, 1)
      const [question] = set.iai_questions
      assert.deepInclude(question, {
        title: "A service you built",
        content: "In full",
        hint: "Think twice",
        details: "Background",
        cfg_question_mode_id: 247,
        cfg_question_type_id: 252,
      })
      assert.deepStrictEqual(
        question?.options.map(({ content, id, title }) => [id, title, content]),
        [
          ["1", "Yes", "with a note"],
          ["2", "No | maybe", null],
        ],
      )
      assert.deepInclude(set.iai_requirements[0], {
        title: "PostgreSQL",
        cfg_importance_id: 273,
        content: "Ran it in production",
        hint: "Ask for numbers",
        tal_skill_ids: [4, 7, 9],
      })
      assert.deepInclude(set.com_accesses[0], { email: "rec@example.com", fullname: "Rec Ruiter" })
      const { text: shown } = yield* get(first.location ?? "", cookie)
      assert.include(shown, "The set was created.")
      assert.include(shown, "Must Have, counts 4×")
      assert.deepStrictEqual(
        (yield* audit).filter((one) => one.record_id === id).map(({ action, member_id }) => [action, member_id]),
        [["interview_set.create", member]],
      )
    }),
  )

  it.effect("shows the options, accepted files and stage of each question, in the set's language", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization)
      const question = { question_mode: "interview" as const, question_type: "file" as const }
      const set = yield* (yield* InterviewSets).create(operator(organization), {
        title: "Backend Engineer",
        cfg_lingual_ids: [2],
        iai_questions: [
          {
            title: "Where?",
            question_mode: "pre_screening",
            question_type: "radio",
            options: [
              { title: "Remote", titles: { de: "Zu Hause" } },
              { title: hostile },
              ...["3", "4", "5", "6", "7"].map((title) => ({ title })),
            ],
          },
          { ...question, title: "Portfolio", allowed_file_types: ["pdf", "image"] },
          { ...question, title: "Anything" },
        ],
      })
      const { text } = yield* get(`/interview-sets/${set.id}`, cookie)
      assert.include(text, "Pre-screening · Choice of one, 7 options: <bdi>Zu Hause</bdi> / ")
      assert.include(text, " / <bdi>5</bdi> and 2 more</span>")
      assert.notInclude(text, "<script>alert")
      assert.include(text, '<span class="quiet">File upload: PDF, Images</span>')
      assert.include(text, '<span class="quiet">File upload: all types</span>')
    }),
  )

  it.effect("adds, moves and removes rows without losing typed text", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization)
      const press = Effect.fnUntraced(function* (page: string, changes: Record<string, string>) {
        const answer = yield* post("/interview-sets", cookie, withFields(fieldsOf(page, "/interview-sets"), changes))
        assert.strictEqual(answer.status, 200)
        return answer.text
      })
      const { text } = yield* get("/interview-sets/new", cookie)
      const two = yield* press(text, { title: hostile, "q.0.title": "First", "q.0.hint": hostile, do: "q.add" })
      const filledTwo = yield* press(two, { "q.1.title": "Second", "q.1.options": "a\nb", do: "q.1.up" })
      const fields = new Map(fieldsOf(filledTwo, "/interview-sets"))
      assert.deepStrictEqual(
        ["title", "q.0.title", "q.0.options", "q.1.title", "q.1.hint"].map((name) => fields.get(name)),
        [hostile, "Second", "a\nb", "First", hostile],
      )
      assert.notInclude(filledTwo, "<script>alert")
      assert.match(filledTwo, /id="q0"><details open><summary autofocus>/)
      assert.include(filledTwo, "Moved: now question 1 of 2.")
      assert.match(filledTwo, /<form [^>]*data-dirty/)
      const removed = new Map(fieldsOf(yield* press(filledTwo, { do: "q.0.remove" }), "/interview-sets"))
      assert.strictEqual(removed.get("q.0.title"), "First")
      assert.isFalse(removed.has("q.1.title"))
      for (const nonsense of ["q.7.up", "q.0.up", "q.999.remove", "x.add"]) {
        yield* post(
          "/interview-sets",
          cookie,
          withFields(fieldsOf(two, "/interview-sets"), { title: "", do: nonsense }),
        )
      }
      assert.notInclude((yield* get("/interview-sets", cookie)).text, "&lt;script")
    }),
  )

  it.effect("suggests the organization's recruiters, and focuses the address of an added one", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie, email: owner } = yield* signedIn(organization)
      const [one, two] = [yield* signedIn(organization, "recruiter"), yield* signedIn(organization, "recruiter")]
      const stranger = yield* signedIn((yield* Scenario.organization({}, "Elsewhere")).id, "recruiter")
      const { text } = yield* get("/interview-sets/new", cookie)
      const suggested = (page: string) =>
        [...(/<datalist id="recruiters">(.*?)<\/datalist>/s.exec(page)?.[1] ?? "").matchAll(/value="([^"]*)"/g)].map(
          ([, email]) => email,
        )
      assert.sameMembers(suggested(text), [one.email, two.email])
      assert.notInclude(suggested(text), owner)
      assert.notInclude(text, stranger.email)
      const press = (changes: Record<string, string>) =>
        post("/interview-sets", cookie, withFields(fieldsOf(text, "/interview-sets"), changes))
      const added = (yield* press({ do: "a.add" })).text
      assert.match(
        added,
        /<input type="email" id="a\.0\.email" name="a\.0\.email" autofocus value="" list="recruiters">/,
      )
      assert.lengthOf(added.match(/ autofocus/g) ?? [], 1)
      const listed = (yield* press({ "a.0.email": one.email.toUpperCase(), do: "a.add" })).text
      assert.deepStrictEqual(suggested(listed), [two.email])
    }),
  )

  it.effect("shows errors beside their fields and stores nothing", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization)
      const { text } = yield* get("/interview-sets/new", cookie)
      const { sql } = yield* Database
      const count = Effect.map(sql<{ n: number }>`select count(*)::int as n from interview_set`, ([row]) => row?.n)
      const before = yield* count
      const answer = yield* post(
        "/interview-sets",
        cookie,
        filled(text, {
          title: "  ",
          interview_duration: "half an hour",
          number_of_retakes: "-1",
          "q.0.title": "",
          "q.1.title": "x".repeat(5001),
          "q.2.title": "A choice of nothing",
          "q.2.type": "checkbox",
          "q.2.options": " \r\n",
          "q.3.title": "A choice with equal options",
          "q.3.type": "radio",
          "q.3.options": "Yes\r\nYes | if remote\r\nNo\r\n Yes",
          "r.0.skills": "four",
          "a.0.email": "nobody",
          part: "people",
        }).concat([
          ["part", "about"],
          ["part", "questions"],
          ["part", "requirements"],
        ]),
      )
      assert.strictEqual(answer.status, 422)
      for (const fault of [
        'id="title-error">The title must not be blank.',
        'id="interview_duration-error">The time must be a whole number.',
        'id="number_of_retakes-error">The number of retakes must be from 0 to 2147483647.',
        'id="q.1.title-error">The title must have at most 5000 characters.',
        'id="q.2.options-error">A choice needs options, one per line.',
        'id="q.3.options-error">Two options are equal: &quot;Yes&quot;. Change or remove one.',
        'id="r.0.skills-error">A skill must be a whole number.',
        'id="a.0.email-error">The address must be a valid email address.',
        "Not saved – New interview set",
        'value="half an hour"',
        'value="nobody"',
      ]) {
        assert.include(answer.text, fault)
      }
      const foreign = yield* Scenario.organization()
      const project = yield* (yield* Projects).create(operator(foreign.id), "Foreign")
      const elsewhere = yield* post("/interview-sets", cookie, filled(text, { project_id: project }))
      assert.strictEqual(elsewhere.status, 422)
      assert.include(elsewhere.text, "The project is not a project of this organization.")
      assert.strictEqual(yield* count, (before ?? 0) + 1, "only the other organization's own set is new")
    }),
  )

  it.effect("changes everything before a candidate has started; unchanged items keep their ids and hidden fields", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization({
        iai_questions: [
          { title: "One", question_mode: "interview", question_type: "text", priority: 20, attributes: { a: 1 } },
          {
            title: "Two",
            question_mode: "interview",
            question_type: "radio",
            priority: 10,
            options: [
              { id: 5, title: "Yes", titles: { de: "Ja" } },
              { id: "n", title: "No" },
            ],
          },
        ],
      })
      const { cookie, id: member } = yield* signedIn(one.id)
      yield* Scenario.invited(one)
      const path = `/interview-sets/${one.set.id}/edit`
      const { text } = yield* get(path, cookie)
      assert.include(text, "Candidates have been invited and none has started")
      const fields = fieldsOf(text, path)
      const same = yield* post(path, cookie, [...fields, ["do", "save"]])
      assert.strictEqual(same.location, `/interview-sets/${one.set.id}?done=saved`)
      const sets = yield* InterviewSets
      assert.deepStrictEqual(
        (yield* audit).filter(({ record_id }) => record_id === one.set.id),
        [],
        "nothing has changed",
      )
      const unchanged = yield* sets.find(operator(one.id), one.set.id)
      assert.deepStrictEqual(
        unchanged.iai_questions.toSorted((a, b) => String(a.title).localeCompare(String(b.title))),
        one.set.iai_questions,
      )
      // in the order of their priorities
      const named = new Map(fields)
      assert.strictEqual(named.get("q.0.title"), "Two")
      const moved = yield* post(path, cookie, withFields(fields, { do: "q.0.down" }))
      const changed = withFields(fieldsOf(moved.text, path), {
        "q.1.options": "Yes\nNot yet",
        "q.2.title": "Three",
        interview_duration: "20",
        do: "save",
      })
      assert.strictEqual((yield* post(path, cookie, changed)).status, 303)
      const after = yield* sets.find(operator(one.id), one.set.id)
      const [first, second] = one.set.iai_questions
      assert.deepStrictEqual(
        after.iai_questions.map(({ attributes, priority, title }) => [title, priority, attributes]),
        [
          ["One", 1, { a: 1 }],
          ["Two", 2, null],
          ["Three", 3, null],
        ],
      )
      assert.strictEqual(after.iai_questions[0]?.id, first?.id)
      assert.strictEqual(after.iai_questions[1]?.id, second?.id)
      assert.deepStrictEqual(
        after.iai_questions[1]?.options.map(({ id, title, titles }) => [id, title, titles]),
        [
          [5, "Yes", { de: "Ja" }],
          ["n", "Not yet", null],
        ],
      )
      const [entry] = (yield* audit).filter(({ record_id }) => record_id === one.set.id)
      assert.deepInclude(entry, { action: "interview_set.update", member_id: member })
      assert.deepInclude(entry?.detail, { before: { interview_duration: null }, after: { interview_duration: 20 } })
    }),
  )

  it.effect(
    "fixes questions and requirements once a candidate has started; the rest can change, and a copy can change fully",
    () =>
      Effect.gen(function* () {
        const one = yield* Scenario.organization()
        const { cookie } = yield* signedIn(one.id)
        const invited = yield* Scenario.invited(one)
        const path = `/interview-sets/${one.set.id}/edit`
        const open = yield* get(path, cookie)
        yield* (yield* Interviews).start(invited.token)
        const late = withFields(fieldsOf(open.text, path), {
          "q.0.content": "Another question",
          title: "New title",
          do: "save",
        })
        const refused = yield* post(path, cookie, late)
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "a candidate has started this interview, or sent a CV, in the meantime")
        assert.include(refused.text, 'value="New title"')
        assert.notInclude(refused.text, "q.0.content")
        const again = withFields(fieldsOf(refused.text, path), { do: "save", description: "Hello" })
        assert.strictEqual((yield* post(path, cookie, [...again, ["interview_duration", "1"]])).status, 409)
        assert.strictEqual((yield* post(path, cookie, again)).status, 303)
        const after = yield* (yield* InterviewSets).find(operator(one.id), one.set.id)
        assert.deepInclude(after, { title: "New title", description: "Hello", interview_duration: null })
        assert.deepStrictEqual(after.iai_questions, one.set.iai_questions)
        assert.deepStrictEqual(after.iai_requirements, one.set.iai_requirements)
        const duplicate = `/interview-sets/${one.set.id}/duplicate`
        const made = yield* post(duplicate, cookie, fieldsOf((yield* get(path, cookie)).text, duplicate))
        const copied = yield* (yield* InterviewSets).find(operator(one.id), idIn(made.location))
        assert.strictEqual(copied.title, "Copy of New title")
        assert.include((yield* get(made.location ?? "", cookie)).text, "q.0.content")
        assert.strictEqual(copied.iai_questions[0]?.content, Scenario.question)
        assert.notStrictEqual(copied.iai_questions[0]?.id, one.set.iai_questions[0]?.id)
        assert.strictEqual(copied.iai_requirements[0]?.cfg_importance_id, 273)
      }),
  )

  it.effect("fixes requirements once a CV is queued", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization()
      const { cookie } = yield* signedIn(one.id)
      const { subject } = yield* Scenario.invited(one)
      const path = `/interview-sets/${one.set.id}/edit`
      const form = yield* get(path, cookie)
      const save = post(path, cookie, withFields(fieldsOf(form.text, path), { "r.0.title": "Another", do: "save" }))
      const { sql } = yield* Database
      const requirements = Effect.map(
        (yield* InterviewSets).find(operator(one.id), one.set.id),
        (set) => set.iai_requirements,
      )
      const stays = Effect.gen(function* () {
        assert.strictEqual((yield* save).status, 409)
        assert.include((yield* get(path, cookie)).text, "or sent a CV")
        assert.deepStrictEqual(yield* requirements, one.set.iai_requirements)
      })
      yield* (yield* SubmissionRepository).queueCvs(one.id, [
        {
          id: CvId.make("01980000-0000-7000-8000-0000000000c1"),
          submission_id: SubmissionId.make(subject.submission_id ?? ""),
          link: "https://cv.example/ada.pdf",
        },
      ])
      yield* stays
      // read, and queued for evaluation
      yield* sql`update cv set state = 'read', text = 'Ten years of Java', due_at = null where submission_id = ${subject.submission_id}::uuid`
      yield* sql`
        insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, state, due_at)
        select gen_random_uuid(), b.organization_id, b.id, 'cv', b.attempt, 'queued', now() from submission b
        where b.id = ${subject.submission_id}::uuid`
      yield* stays
      // rated
      yield* sql`
        update evaluation set state = 'done', due_at = null, evaluated_at = now(),
          result = '{"score": null, "score_status": "cannot_evaluate"}'
        where submission_id = ${subject.submission_id}::uuid`
      yield* stays
    }),
  )

  it.effect("serializes a start and a change at the same moment", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        const one = yield* Scenario.organization()
        const { cookie } = yield* signedIn(one.id)
        const invited = yield* Scenario.invited(one)
        const path = `/interview-sets/${one.set.id}/edit`
        const fields = withFields(fieldsOf((yield* get(path, cookie)).text, path), {
          "q.0.content": "Changed",
          do: "save",
        })
        const [saved] = yield* Effect.all([post(path, cookie, fields), (yield* Interviews).start(invited.token)], {
          concurrency: 2,
        })
        const { iai_questions } = yield* (yield* InterviewSets).find(operator(one.id), one.set.id)
        assert.include([303, 409], saved.status)
        assert.strictEqual(iai_questions[0]?.content, saved.status === 303 ? "Changed" : Scenario.question)
      }
    }),
  )

  it.effect("lets recruiters see, create and change their own sets only, and hides those of other organizations", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization({ title: "Hidden set" })
      const foreign = yield* Scenario.organization({ title: "Foreign set" })
      const { cookie, email } = yield* signedIn(one.id, "recruiter", "Rec.One@example.com")
      const owner = yield* signedIn(one.id)
      assert.include((yield* get("/interview-sets", cookie)).text, "No sets are shared with you yet.")
      const { text } = yield* get("/interview-sets/new", cookie)
      const made = yield* post("/interview-sets", cookie, filled(text, { title: "Own set" }))
      const own = idIn(made.location)
      const { com_accesses } = yield* (yield* InterviewSets).find(operator(one.id), own)
      assert.deepStrictEqual(
        com_accesses.map((access) => access.email),
        [email],
      )
      const list = yield* get("/interview-sets", cookie)
      assert.include(list.text, "Own set")
      assert.notInclude(list.text, "Hidden set")
      const reads = (id: string) => [`/interview-sets/${id}`, `/interview-sets/${id}/edit`, `/i/preview/${id}`]
      const steps = (id: string) => [
        `/interview-sets/${id}/edit`,
        `/interview-sets/${id}/archive`,
        `/interview-sets/${id}/duplicate`,
        `/i/preview/${id}/answers`,
      ]
      for (const [member, id, status] of [
        [cookie, one.set.id, 403],
        [cookie, foreign.set.id, 404],
        [owner.cookie, foreign.set.id, 404],
        [owner.cookie, "x", 404],
      ] as const) {
        for (const path of reads(id)) assert.strictEqual((yield* get(path, member)).status, status, path)
        for (const path of steps(id))
          assert.strictEqual((yield* post(path, member, { do: "save" })).status, status, path)
      }
      const { sql } = yield* Database
      const archived = yield* sql`select from interview_set where archived_at is not null`
      assert.deepStrictEqual(archived, [])
      // the id of another organization's set creates none
      const stolen = yield* post("/interview-sets", owner.cookie, filled(text, { id: foreign.set.id }))
      assert.strictEqual(stolen.status, 409)
      const bare = yield* Workspace.request("POST", "/interview-sets", {
        cookie,
        headers: { origin: "https://elsewhere.example" },
        fields: { title: "x" },
      })
      assert.strictEqual(bare.status, 403)
      assert.match((yield* Workspace.request("GET", "/interview-sets/new")).location ?? "", /^\/sign-in\?next=/)
    }),
  )

  it.effect("searches by prefixes of words, separates archived sets, and lists page by page", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization({
        title: "Backend Engineer",
        position: "Payments, Node.js, Zürich",
      })
      const { cookie } = yield* signedIn(organization)
      const sets = yield* InterviewSets
      for (let i = 0; i < 51; i++) yield* sets.create(operator(organization), { title: `Designer ${i} ${hostile}` })
      const list = (query: string) => Effect.map(get(`/interview-sets${query}`, cookie), ({ text }) => text)
      const count = (text: string) => [...text.matchAll(/<tr><th scope="row">/g)].length
      const first = yield* list("")
      assert.strictEqual(count(first), 50)
      assert.notInclude(first, "<script>alert")
      const [, next = ""] = /href="\/interview-sets(\?[^"]*)">Next page/.exec(first) ?? []
      assert.strictEqual(count(yield* list(next)), 2)
      for (const query of ["?q=backend", "?q=eng+back", "?q=NODE", "?q=js", "?q=paym", "?q=zurich", "?q=Z%C3%9Cri"]) {
        assert.strictEqual(count(yield* list(query)), 1, query)
      }
      for (const query of ["?q=ackend", "?q=backend+designer", `?q=${encodeURIComponent("backend ' | & ! :* zzz")}`]) {
        assert.include(yield* list(query), "matches your search", query)
      }
      for (const signs of ["!'&|():*\\ <->", "\u{1f389}"])
        assert.include(yield* list(`?q=${encodeURIComponent(signs)}`), "matches your search", signs)
      assert.strictEqual(count(yield* list("?q=+")), 50)
      const designers = yield* list("?q=desig")
      const [, narrowed = ""] = /href="\/interview-sets(\?[^"]*)">Next page/.exec(designers) ?? []
      assert.include(narrowed, "q=desig")
      assert.strictEqual(count(yield* list(narrowed.replaceAll("&amp;", "&"))), 1)
      const [, id = ""] = /\/interview-sets\/([0-9a-f-]{36})/.exec(yield* list("?q=backend")) ?? []
      for (let i = 0; i < 2; i++) {
        assert.strictEqual((yield* post(`/interview-sets/${id}/archive`, cookie)).status, 303)
      }
      assert.include(yield* list("?q=backend"), "matches your search")
      assert.strictEqual(count(yield* list("?state=archived")), 1)
      assert.notInclude((yield* get(`/interview-sets/${id}`, cookie)).text, "Invite candidates")
      yield* post(`/interview-sets/${id}/unarchive`, cookie)
      assert.strictEqual(count(yield* list("?q=backend")), 1)
      assert.deepStrictEqual(
        (yield* audit).filter(({ record_id }) => record_id === id).map(({ action }) => action),
        ["interview_set.archive", "interview_set.unarchive"],
      )
      assert.strictEqual((yield* get("/interview-sets?cursor=x", cookie)).location, "/interview-sets")
    }),
  )

  it.effect("previews the candidate's pages and saves nothing", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization({
        interview_duration: 45,
        cfg_lingual_ids: [2],
        iai_questions: [
          { title: "Second", question_mode: "interview", question_type: "file" },
          { title: "First", question_mode: "pre_screening", question_type: "text" },
        ],
      })
      yield* (yield* Organizations).update(operator(one.id), {
        contact: "jobs@acme.example",
        privacy_contact: "https://acme.example/privacy",
      })
      const { cookie } = yield* signedIn(one.id)
      const path = `/i/preview/${one.set.id}`
      const start = yield* get(path, cookie)
      assert.include(start.text, "Ada Lovelace")
      assert.notMatch(start.text, /m\d+@example/)
      assert.include(start.text, "mailto:jobs@acme.example")
      assert.include(start.text, "https://acme.example/privacy")
      assert.include(start.text, '<html lang="de">')
      assert.include(start.text, "45 Minuten")
      assert.include(start.text, "This is a preview: nothing is saved or sent.")
      assert.notInclude(start.text, "interview.js")
      assert.include(start.text, `action="${path}/start"`)
      assert.strictEqual((yield* post(`${path}/start`, cookie)).location, `${path}/questions/1`)
      const question = yield* get(`${path}/questions/1`, cookie)
      assert.include(question.text, "First")
      const [, asked = ""] = /name="question" value="([^"]+)"/.exec(question.text) ?? []
      const go = (to: string, id: string) =>
        Effect.map(
          post(`${path}/answers`, cookie, { question: id, [`answer.${id}`]: "Text", go: to }),
          ({ location }) => location,
        )
      assert.strictEqual(yield* go("next", asked), `${path}/questions/2`)
      const changed = yield* post(`${path}/answers`, cookie, { question: asked, from: "review", go: "next" })
      assert.strictEqual(changed.location, `${path}/review`)
      assert.strictEqual(yield* go("stay", asked), `${path}/questions/1`)
      const [, other = ""] =
        /name="question" value="([^"]+)"/.exec((yield* get(`${path}/questions/2`, cookie)).text) ?? []
      assert.strictEqual(yield* go("next", other), `${path}/review`)
      assert.strictEqual(yield* go("back", other), `${path}/questions/1`)
      assert.strictEqual((yield* get(`${path}/review`, cookie)).status, 200)
      assert.strictEqual((yield* get(`${path}/questions/9`, cookie)).location, path)
      assert.strictEqual((yield* post(`${path}/finish`, cookie)).location, `/interview-sets/${one.set.id}`)
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* sql`select from answer`, [])
    }),
  )

  it.effect("keeps the fields that the form does not show", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization)
      const sets = yield* InterviewSets
      const set = yield* sets.create(operator(organization), {
        title: "Many",
        iai_questions: Array.from({ length: 3 }, (_, i) => ({
          title: `Q ${i}`,
          question_mode: "interview" as const,
          question_type: "text" as const,
        })),
        iai_requirements: Array.from({ length: 100 }, (_, i) => ({ title: `Requirement ${i}` })),
      })
      const path = `/interview-sets/${set.id}/edit`
      const page = yield* get(`${path}?part=requirements`, cookie)
      assert.include(page.text, "r.99.title")
      const saved = yield* post(path, cookie, withFields(fieldsOf(page.text, path), { do: "save" }))
      assert.strictEqual(saved.status, 303)
      assert.lengthOf((yield* sets.find(operator(organization), set.id)).iai_requirements, 100)
    }),
  )

  it.effect("keeps pages below 60 KB for the largest set of a hiring system", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization)
      const sets = yield* InterviewSets
      const usual = {
        title: "Usual",
        iai_questions: Array.from({ length: 12 }, (_, i) => ({
          title: `Question ${i}: what did you build, and what came of it?`,
          question_mode: "interview" as const,
          question_type: "text" as const,
        })),
        iai_requirements: Array.from({ length: 8 }, (_, i) => ({ title: `Requirement ${i} of this role` })),
      }
      const set = yield* sets.create(operator(organization), usual)
      const form = yield* get(`/interview-sets/${set.id}/edit`, cookie)
      assert.isBelow(form.bytes.length, 60_000)
      assert.include(form.text, "q.11.title")
      const huge = yield* sets.create(operator(organization), {
        title: "T".repeat(1024),
        iai_questions: Array.from({ length: 300 }, (_, i) => ({
          title: `${i} ${"x".repeat(4000)}`,
          question_mode: "interview" as const,
          question_type: "text" as const,
        })),
        iai_requirements: Array.from({ length: 300 }, (_, i) => ({ title: `${i} ${"x".repeat(300)}` })),
        com_accesses: Array.from({ length: 150 }, (_, i) => ({ email: `recruiter${i}@example.com` })),
      })
      for (const path of ["", "/edit", "/edit?part=people", "/edit?part=nothing"]) {
        const { bytes, status } = yield* get(`/interview-sets/${huge.id}${path}`, cookie)
        assert.strictEqual(status, 200)
        if (path !== "/edit?part=people") assert.isBelow(bytes.length, 60_000, path)
      }
      const path = `/interview-sets/${huge.id}/edit`
      const saved = yield* post(
        path,
        cookie,
        withFields(fieldsOf((yield* get(path, cookie)).text, path), { title: "Shorter", do: "save" }),
      )
      assert.strictEqual(saved.status, 303)
      const after = yield* sets.find(operator(organization), huge.id)
      assert.lengthOf(after.iai_questions, 300, "what the form does not hold stays")
      assert.strictEqual(after.title, "Shorter")
    }),
  )
})
