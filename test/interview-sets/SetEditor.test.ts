/** The editor of sets over HTTP: cards, file types, saves of two members, the library, copies, previews of drafts. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { InterviewSetId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings })),
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-02T09:42:00Z")))),
)

const text = (title: string) => ({ title, question_mode: "interview" as const, question_type: "text" as const })

const threeQuestions = {
  title: "Backend Engineer",
  iai_questions: [text("One"), text("Two"), text("Three")],
  iai_requirements: [{ title: "PostgreSQL" }, { title: "TypeScript" }],
}

const idIn = (location: string | null) => InterviewSetId.make(/sets\/([0-9a-f-]{36})/.exec(location ?? "")?.[1] ?? "")
const stored = (set: { readonly id: InterviewSetId }, organization: Scenario.Invited["organization"]) =>
  Effect.flatMap(InterviewSets, (sets) => sets.find(operator(organization), set.id))
const titles = (items: ReadonlyArray<{ readonly title: string | null }>) => items.map(({ title }) => title)
const hostile = "<script>alert(1)</script>"
const escaped = "&lt;script&gt;alert(1)&lt;/script&gt;"
/** Name, saved and own text of each difference, as HTML. */
const differences = (page: string) =>
  [...page.matchAll(/<dt dir="auto">(.*?)<\/dt>(.*?)<\/div>/gs)].map(([, name, versions = ""]) => [
    name,
    ...[...versions.matchAll(/<\/span> <(?:bdi|span) class="\w+">(.*?)<\/(?:bdi|span)>/gs)].map(([, text]) => text),
  ])
/** What "Save my version anyway" sends. */
const replacing = (page: string): [string, string] => [
  "replaced",
  /name="replaced" value="([^"]+)">Save my version anyway/.exec(page)?.[1] ?? "",
]
const openCards = (page: string) =>
  [...page.matchAll(/<li class="entry card" id="(\w+)"><details open/g)].map(([, id]) => id)

layer(pages)("the editor of interview sets", (it) => {
  it.effect("opens new cards and cards with errors, and keeps the others closed", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(threeQuestions)
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const page = yield* get(path, cookie)
      assert.deepStrictEqual(openCards(page.text), [])
      assert.include(page.text, '<span class="card-title" dir="auto" data-title>Two</span>')
      const fields = fieldsOf(page.text, path)
      const added = yield* post(path, cookie, withFields(fields, { do: "q.add" }))
      assert.deepStrictEqual(openCards(added.text), ["q3"])
      assert.match(added.text, /id="q3"><details open><summary autofocus>/)
      const faulty = yield* post(path, cookie, withFields(fields, { "q.1.title": "x".repeat(5001), do: "save" }))
      assert.strictEqual(faulty.status, 422)
      assert.deepStrictEqual(openCards(faulty.text), ["q1"])
      const copied = yield* post(path, cookie, withFields(fields, { do: "q.0.copy", "q.0.title": "Changed" }))
      const names = new Map(fieldsOf(copied.text, path))
      assert.deepStrictEqual(
        ["q.0.title", "q.1.title", "q.2.title", "q.1.id"].map((name) => names.get(name)),
        ["Changed", "Changed", "Two", ""],
      )
      assert.deepStrictEqual(openCards(copied.text), ["q1"])
    }),
  )

  it.effect("reads rows in the order in which they are sent, not by their numbers", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(threeQuestions)
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const fields = fieldsOf((yield* get(path, cookie)).text, path)
      const isFirst = ([name]: readonly [string, string]) => name.startsWith("q.0.")
      const moved = [...fields.filter((one) => !isFirst(one)), ...fields.filter(isFirst)]
      const numbered: Array<[string, string]> = [...moved, ["q.17.title", "Four"], ["q.17.type", "text"]]
      // buttons name the row's number in the form, not its position
      const pressed = yield* post(path, cookie, [...numbered, ["do", "q.0.up"]])
      assert.deepStrictEqual(
        [0, 1, 2, 3].map((i) => new Map(fieldsOf(pressed.text, path)).get(`q.${i}.title`)),
        ["Two", "One", "Three", "Four"],
      )
      assert.strictEqual((yield* post(path, cookie, [...numbered, ["do", "save"]])).status, 303)
      const after = yield* stored(one.set, one.id)
      assert.deepStrictEqual(titles(after.iai_questions), ["Two", "Three", "One", "Four"])
      assert.strictEqual(after.iai_questions[2]?.id, one.set.iai_questions[0]?.id)
    }),
  )

  it.effect("changes the set's updated_at when only a question changes, and not when nothing changes", () =>
    Effect.gen(function* () {
      const iai_questions = [
        { ...text("Second"), priority: 2 },
        { ...text("First"), priority: 1 },
      ]
      const one = yield* Scenario.organization({ ...threeQuestions, iai_questions, external_id: "ats-1" })
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const { sql } = yield* Database
      const updated = Effect.map(
        sql<{ at: string }>`select updated_at::text as at from interview_set where id = ${one.set.id}::uuid`,
        ([row]) => row?.at,
      )
      const before = yield* updated
      const fields = fieldsOf((yield* get(path, cookie)).text, path)
      assert.strictEqual((yield* post(path, cookie, [...fields, ["do", "save"]])).status, 303)
      assert.strictEqual(yield* updated, before)
      yield* post(path, cookie, withFields(fields, { "q.1.hint": "Think twice", do: "save" }))
      assert.notStrictEqual(yield* updated, before)
    }),
  )

  it.effect("stores the accepted file types of a question, and null if all are accepted", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(threeQuestions)
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const fields = fieldsOf((yield* get(path, cookie)).text, path)
      const shown = yield* post(path, cookie, withFields(fields, { "q.0.type": "file", do: "q.0.show" }))
      assert.include(shown.text, '<input type="checkbox" name="q.0.files" value="pdf" checked>')
      const all = fieldsOf(shown.text, path).filter(([name]) => !name.includes(".N."))
      assert.strictEqual((yield* post(path, cookie, [...all, ["do", "save"]])).status, 303)
      assert.isNull((yield* stored(one.set, one.id)).iai_questions[0]?.allowed_file_types)
      const again = fieldsOf((yield* get(path, cookie)).text, path)
      const some = again.filter(([name, value]) => name !== "q.0.files" || value === "" || value === "pdf")
      assert.strictEqual((yield* post(path, cookie, [...some, ["do", "save"]])).status, 303)
      const { iai_questions } = yield* stored(one.set, one.id)
      assert.deepStrictEqual(iai_questions[0]?.allowed_file_types, ["pdf"])
      const last = fieldsOf((yield* get(path, cookie)).text, path)
      const none = last.filter(([name, value]) => name !== "q.0.files" || value === "")
      const refused = yield* post(path, cookie, [...none, ["do", "save"]])
      assert.strictEqual(refused.status, 422)
      assert.include(refused.text, 'id="q.0.files-error">Choose at least one type of file.')
      assert.deepStrictEqual(openCards(refused.text), ["q0"])
    }),
  )

  it.effect("saves a hiring system's equal options while they are unchanged", () =>
    Effect.gen(function* () {
      const options = [{ title: "Yes" }, { title: "Yes" }]
      const choice = { ...text("Remote?"), question_type: "radio" as const, options }
      const one = yield* Scenario.organization({ ...threeQuestions, iai_questions: [choice] })
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const send = Effect.fnUntraced(function* (changes: Record<string, string>) {
        const fields = fieldsOf((yield* get(path, cookie)).text, path)
        return (yield* post(path, cookie, withFields(fields, { ...changes, do: "save" }))).status
      })
      assert.strictEqual(yield* send({ "q.0.title": "Remote work?" }), 303)
      assert.strictEqual(yield* send({ "q.0.options": "Yes\nNo\nYes" }), 422)
      assert.deepStrictEqual(titles((yield* stored(one.set, one.id)).iai_questions[0]?.options ?? []), ["Yes", "Yes"])
    }),
  )

  it.effect("refuses a save of an outdated form, and shows what was typed beside the saved version", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(threeQuestions)
      const ada = yield* signedIn(one.id)
      const bob = yield* signedIn(one.id, "owner", "bob@example.com")
      const path = `/interview-sets/${one.set.id}/edit`
      const opened = fieldsOf((yield* get(path, ada.cookie)).text, path)
      const theirs = withFields(opened, {
        position: "Lead Engineer",
        "q.0.type": "file",
        "q.1.title": "Two, by Bob",
        "q.3.title": "Four, by Bob",
        do: "save",
      }).filter(([name]) => !name.startsWith("r.1."))
      assert.strictEqual((yield* post(path, bob.cookie, theirs)).status, 303)
      const saved = yield* stored(one.set, one.id)
      const mine = withFields(opened, {
        description: "By Ada",
        "q.1.title": `Two, ${hostile}`,
        "q.3.title": "Four, by Ada",
        do: "save",
      })
      const refused = yield* post(path, ada.cookie, mine)
      assert.strictEqual(refused.status, 409)
      assert.deepStrictEqual(yield* stored(one.set, one.id), saved)
      assert.include(refused.text, "Not saved – Edit interview set")
      assert.match(
        refused.text,
        /while you were editing it\.<\/strong> It was last saved by <bdi>bob@example\.com<\/bdi>, <time/,
      )
      assert.deepStrictEqual(differences(refused.text), [
        ["Role that you hire for", "Lead Engineer", "(none)"],
        ["Description", "(none)", "By Ada"],
        ["Question “One”, answer type", "File upload", "Text"],
        [
          "Question “One”, accepted files",
          "PDF, Word and OpenDocument text, Excel, PowerPoint, Images, Plain text",
          "(none)",
        ],
        [`Question “Two, ${escaped}”`, "Two, by Bob", `Two, ${escaped}`],
        ["Question “Four, by Ada”", "(none)", "Four, by Ada\nInterview\nText"],
        ["Question “Four, by Bob”", "Four, by Bob\nInterview\nText", "(none)"],
        ["Requirement “TypeScript”", "(none)", "TypeScript\nGood To Have, counts 1×"],
      ])
      // everything that was typed, and the outdated version
      const again = fieldsOf(refused.text, path)
      const names = mine.map(([name]) => name).filter((name) => name !== "do")
      assert.deepStrictEqual(
        names.map((name) => new Map(again).get(name)),
        names.map((name) => new Map(mine).get(name)),
      )
      assert.strictEqual((yield* post(path, ada.cookie, [...again, ["do", "save"]])).status, 409)
      const replaced = [...again, replacing(refused.text)]
      // a third version is refused, and shown
      yield* post(path, bob.cookie, withFields(fieldsOf((yield* get(path, bob.cookie)).text, path), { priority: "3" }))
      const third = yield* post(path, ada.cookie, replaced)
      assert.strictEqual(third.status, 409)
      assert.deepInclude(differences(third.text), ["Priority", "3", "(none)"])
      const faulty = yield* post(path, ada.cookie, withFields([...again, replacing(third.text)], { title: " " }))
      assert.strictEqual(faulty.status, 422)
      const corrected = withFields(fieldsOf(faulty.text, path), { title: "Backend Engineer", do: "save" })
      assert.strictEqual((yield* post(path, ada.cookie, corrected)).status, 303)
      const after = yield* stored(one.set, one.id)
      assert.deepInclude(after, { position: null, description: "By Ada", priority: null })
      assert.deepStrictEqual(titles(after.iai_questions), ["One", `Two, ${hostile}`, "Three", "Four, by Ada"])
      assert.deepStrictEqual(titles(after.iai_requirements), ["PostgreSQL", "TypeScript"])
      assert.deepStrictEqual(
        after.iai_questions.slice(0, 3).map(({ id }) => id),
        one.set.iai_questions.map(({ id }) => id),
      )
    }),
  )

  it.effect("shows the first of two long texts' differences, a changed order, and who saved in another window", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(threeQuestions)
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const opened = fieldsOf((yield* get(path, cookie)).text, path)
      const long = `${"a".repeat(500)}\n`
      const first = opened.filter(([name]) => name.startsWith("q.0."))
      const moved = [...opened.filter(([name]) => !name.startsWith("q.0.")), ...first]
      assert.strictEqual((yield* post(path, cookie, withFields(moved, { description: `${long}Monday` }))).status, 303)
      const refused = yield* post(path, cookie, withFields(opened, { description: `${long}Friday` }))
      assert.include(refused.text, "It was last saved by you, <time")
      assert.deepStrictEqual(differences(refused.text), [
        ["Description", `…${"a".repeat(59)}\nMonday`, `…${"a".repeat(59)}\nFriday`],
        ["Order of the questions", "Two\nThree\nOne", "One\nTwo\nThree"],
      ])
    }),
  )

  it.effect("saves a form once when it is sent twice, also with new questions", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(threeQuestions)
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const opened = fieldsOf((yield* get(path, cookie)).text, path)
      const twice = withFields(opened, { "q.0.title": "Changed", "q.3.title": "Four", "r.2.title": "Go", do: "save" })
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* post(path, cookie, twice)).status, 303)
      const first = yield* stored(one.set, one.id)
      assert.deepStrictEqual(titles(first.iai_questions), ["Changed", "Two", "Three", "Four"])
      assert.deepStrictEqual(titles(first.iai_requirements), ["PostgreSQL", "TypeScript", "Go"])
    }),
  )

  it.effect("accepts one of two simultaneous saves", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        const one = yield* Scenario.organization(threeQuestions)
        const ada = yield* signedIn(one.id)
        const bob = yield* signedIn(one.id)
        const path = `/interview-sets/${one.set.id}/edit`
        const opened = fieldsOf((yield* get(path, ada.cookie)).text, path)
        const answers = yield* Effect.all(
          [
            post(path, ada.cookie, withFields(opened, { position: "By Ada", do: "save" })),
            post(path, bob.cookie, withFields(opened, { description: "By Bob", do: "save" })),
          ],
          { concurrency: 2 },
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [303, 409])
        const late = answers.find(({ status }) => status === 409)
        assert.lengthOf(differences(late?.text ?? ""), 2)
        const { description, position } = yield* stored(one.set, one.id)
        assert.deepStrictEqual([position, description], late === answers[0] ? [null, "By Bob"] : ["By Ada", null])
      }
    }),
  )

  it.effect("shows what was typed and can no longer be saved, because a candidate has started", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(threeQuestions)
      const { cookie } = yield* signedIn(one.id)
      const invited = yield* Scenario.invited(one)
      const path = `/interview-sets/${one.set.id}/edit`
      const opened = fieldsOf((yield* get(path, cookie)).text, path)
      yield* (yield* Interviews).start(invited.token)
      const refused = yield* post(
        path,
        cookie,
        withFields(opened, { "q.1.title": "Two, better", interview_duration: "9" }),
      )
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "Your changes that can no longer be saved here")
      assert.deepStrictEqual(differences(refused.text), [
        ["Minutes to answer", "(none)", "9"],
        ["Question “Two, better”", "Two", "Two, better"],
      ])
      // the form of one part of a long set
      const part = opened.filter(([name, value]) => !/^[qr]\./.test(name) && !/^(questions|requirements)$/.test(value))
      const late = yield* post(path, cookie, withFields(part, { interview_duration: "9" }))
      assert.strictEqual(late.status, 409)
      assert.deepStrictEqual(differences(late.text), [["Minutes to answer", "(none)", "9"]])
      assert.isNull((yield* stored(one.set, one.id)).interview_duration)
    }),
  )

  it.effect("duplicates a set once, with new ids, without candidates, and readable for the member only", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const project = yield* (yield* Projects).create(operator(organization), "Payments")
      const sets = yield* InterviewSets
      const recruiter = yield* signedIn(organization, "recruiter")
      const other = yield* signedIn(organization, "recruiter")
      const set = yield* sets.create(operator(organization), {
        ...threeQuestions,
        title: "T".repeat(1024),
        project_id: project,
        external_id: "ats-1",
        number_of_retakes: 1,
        cfg_lingual_ids: [2, 1],
        iai_questions: [
          {
            ...text("Choose"),
            question_type: "radio",
            options: [{ id: "a", title: "Yes", titles: { de: "Ja" } }],
          },
          { ...text("Upload"), question_type: "file", allowed_file_types: ["pdf"] },
        ],
        com_accesses: [{ email: recruiter.email }, { email: other.email }],
      })
      yield* Scenario.invited({ id: organization, set })
      const page = yield* get(`/interview-sets/${set.id}`, recruiter.cookie)
      const path = `/interview-sets/${set.id}/duplicate`
      const fields = fieldsOf(page.text, path)
      const [first, second] = yield* Effect.all(
        [post(path, recruiter.cookie, fields), post(path, recruiter.cookie, fields)],
        { concurrency: 2 },
      )
      assert.strictEqual(first.location, second.location)
      assert.match(first.location ?? "", /\/edit\?done=copied$/)
      const copy = yield* stored({ id: idIn(first.location) }, organization)
      const { com_accesses, iai_questions, iai_requirements, id, ...rest } = copy
      assert.deepStrictEqual(rest, {
        title: `Copy of ${"T".repeat(1016)}`,
        position: null,
        set_type: 1,
        description: null,
        interview_duration: null,
        cfg_lingual_ids: [2, 1],
        number_of_retakes: 1,
        priority: null,
        job_locations: [],
        com_project_id: project,
        external_id: null,
        metadata: {},
      })
      assert.deepStrictEqual(
        com_accesses.map(({ email }) => email),
        [recruiter.email],
      )
      assert.deepStrictEqual(
        iai_questions.map(({ id: _, ...question }) => question),
        set.iai_questions.map(({ id: _, ...question }) => question),
      )
      const ids = new Set([...set.iai_questions, ...set.iai_requirements, set].map((one) => one.id as string))
      for (const one of [...iai_questions, ...iai_requirements, { id }]) assert.isFalse(ids.has(one.id))
      const { sql } = yield* Database
      assert.lengthOf(yield* sql`select from submission where interview_set_id = ${id}::uuid`, 0)
      const editor = yield* get(first.location ?? "", recruiter.cookie)
      assert.include(editor.text, "This is a saved copy of the set")
      assert.deepStrictEqual(openCards(editor.text), [])
      assert.strictEqual((yield* get(`/interview-sets/${id}`, other.cookie)).status, 403)
    }),
  )

  it.effect("copies questions of other sets into the draft, without losing typed text", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(threeQuestions)
      const sets = yield* InterviewSets
      const { cookie, email } = yield* signedIn(one.id, "recruiter")
      yield* sets.create(operator(one.id), {
        ...threeQuestions,
        title: "Hidden",
        iai_questions: [text("Kafka hidden")],
      })
      const foreign = yield* Scenario.organization({ ...threeQuestions, iai_questions: [text("Kafka foreign")] })
      const source = yield* sets.create(operator(one.id), {
        title: "Platform Engineer",
        com_accesses: [{ email }],
        iai_questions: [
          text("Kafka in production"),
          {
            ...text("Which brokers?"),
            content: "Káfka, or others",
            question_type: "checkbox",
            options: [{ id: "k", title: "Kafka", titles: { de: "Kafka!" } }, { title: "NATS" }],
          },
          text("Rust"),
          { ...text("Portfolio"), question_type: "file", allowed_file_types: ["pdf", "image"] },
        ],
        iai_requirements: [{ title: "Kafka", cfg_importance_id: 272, content: "Ran it" }],
      })
      const duplicated = yield* sets.create(operator(one.id), {
        title: "Platform Engineer 2",
        com_accesses: [{ email }],
        iai_questions: [text("Kafka in production")],
      })
      const path = "/interview-sets"
      const blank = fieldsOf((yield* get("/interview-sets/new", cookie)).text, path)
      const send = Effect.fnUntraced(function* (fields: ReadonlyArray<readonly [string, string]>) {
        const answer = yield* post(path, cookie, fields)
        assert.strictEqual(answer.status, 200, answer.text)
        return answer.text
      })
      const library = yield* send(withFields(blank, { title: "Typed", "r.0.title": "Typed too", do: "q.library" }))
      assert.include(library, "Add questions from another set")
      for (const shown of ["Kafka in production", "Which brokers?", "Rust", "Platform Engineer"]) {
        assert.include(library, shown)
      }
      assert.include(
        library,
        "Choice of several, 2 options: <bdi>Kafka</bdi> / <bdi>NATS</bdi> · <bdi>Platform Engineer</bdi>",
      )
      assert.include(library, "File upload: PDF, Images · <bdi>Platform Engineer</bdi>")
      for (const hidden of ["Kafka hidden", "Kafka foreign", "One"]) assert.notInclude(library, hidden)
      const found = yield* send(withFields(fieldsOf(library, path), { "library.text": "kafk", do: "library.search" }))
      const items = [...found.matchAll(/name="pick" value="([^"]+)"><span><span dir="auto">([^<]*)/g)]
      assert.deepStrictEqual(
        items.map(([, , title]) => title),
        ["Kafka in production", "Which brokers?"],
        "equal questions once, the newest set's",
      )
      assert.strictEqual(items[0]?.[1], duplicated.iai_questions[0]?.id)
      const bySigns = yield* send(
        withFields(fieldsOf(library, path), { "library.text": "\u{1f389}", do: "library.search" }),
      )
      assert.notInclude(bySigns, 'name="pick"')
      const bySet = yield* send(withFields(fieldsOf(library, path), { "library.set": source.id, do: "library.search" }))
      assert.include(bySet, "Rust")
      const empty = yield* send(withFields(fieldsOf(found, path), { do: "library.insert" }))
      assert.include(empty, "Select at least one to add.")
      const [kafka, brokers, rust] = source.iai_questions.map(({ id }) => id)
      const hidden = foreign.set.iai_questions[0]?.id ?? ""
      const inserted = yield* send([
        ...fieldsOf(found, path),
        ...[brokers ?? "", rust ?? "", hidden].map((id) => ["pick", id] as const),
        ["do", "library.insert"],
      ])
      assert.include(inserted, "2 copies were added. Save the set to keep them.")
      const fields = new Map(fieldsOf(inserted, path))
      assert.deepStrictEqual(
        ["title", "r.0.title", "q.0.title", "q.0.options", "q.0.id", "q.1.title", "q.2.title"].map((name) =>
          fields.get(name),
        ),
        ["Typed", "Typed too", "Which brokers?", "Kafka\nNATS", "", "Rust", undefined],
      )
      const rows = yield* send(withFields(fieldsOf(inserted, path), { do: "r.library" }))
      assert.include(rows, "Add requirements from another set")
      const requirement = source.iai_requirements[0]?.id ?? ""
      const both = yield* send([...fieldsOf(rows, path), ["pick", requirement], ["do", "library.insert"]])
      const made = yield* post(path, cookie, [...fieldsOf(both, path), ["do", "save"]])
      const set = yield* stored({ id: idIn(made.location) }, one.id)
      assert.deepStrictEqual(titles(set.iai_questions), ["Which brokers?", "Rust"])
      assert.notStrictEqual(set.iai_questions[0]?.id, brokers)
      assert.deepStrictEqual(set.iai_questions[0]?.options, source.iai_questions[1]?.options)
      assert.deepStrictEqual(titles(set.iai_requirements), ["Typed too", "Kafka"])
      assert.deepInclude(set.iai_requirements[1], { cfg_importance_id: 272, content: "Ran it" })
      assert.isDefined(kafka)
      const back = yield* send(withFields(fieldsOf(library, path), { do: "library.back" }))
      assert.strictEqual(new Map(fieldsOf(back, path)).get("title"), "Typed")
    }),
  )

  it.effect("previews a question as it is typed, and saves nothing", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(threeQuestions)
      const { cookie } = yield* signedIn(one.id)
      const stranger = yield* signedIn(one.id, "recruiter")
      const path = `/interview-sets/${one.set.id}/edit`
      const opened = fieldsOf((yield* get(path, cookie)).text, path)
      const typed = withFields(opened, {
        "q.1.title": "Typed <b>question</b>",
        "q.1.type": "radio",
        "q.1.options": "Yes | surely\nNo",
        at: "1",
      })
      const preview = "/i/preview/draft"
      const page = yield* post(preview, cookie, typed)
      assert.strictEqual(page.status, 200)
      for (const shown of ["Typed &lt;b&gt;question&lt;/b&gt;", "surely", "Question 2 of 3", "nothing is saved"]) {
        assert.include(page.text, shown)
      }
      assert.notInclude(page.text, "interview.js")
      const framed = yield* post(preview, cookie, [...typed, ["frame", "1"]])
      assert.include(framed.text, "<div inert>")
      assert.notInclude(framed.text, "<script")
      assert.include(page.text, `href="${preview}?/questions/3"`)
      assert.include((yield* get(`${preview}?/questions/3`, cookie)).text, "Nothing was saved or sent.")
      const [, action = ""] =
        /<form id="answers" class="answering" method="post" action="([^"]+)"/.exec(page.text) ?? []
      assert.include((yield* post(action, cookie, { go: "next" })).text, "Nothing was saved or sent.")
      assert.strictEqual((yield* post(preview, stranger.cookie, typed)).status, 403)
      const bare = yield* post(preview, stranger.cookie, { part: "questions", "q.0.title": "", "q.0.type": "nothing" })
      assert.strictEqual(bare.status, 200)
      assert.deepStrictEqual(titles((yield* stored(one.set, one.id)).iai_questions), ["One", "Two", "Three"])
    }),
  )

  it.effect("forbids and allows typing in all spoken questions at once", () =>
    Effect.gen(function* () {
      const spoken = (answer_with: ReadonlyArray<string>) => ({ attributes: { answer_with, takes: 2 } })
      const one = yield* Scenario.organization({
        iai_questions: [
          { ...text("One"), ...spoken(["text", "audio"]) },
          text("Two"),
          { ...text("Three"), ...spoken(["video"]) },
        ],
      })
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const press = Effect.fnUntraced(function* (text: string, button: string, said: string) {
        assert.include(text, `value="${button}"`)
        const page = yield* post(path, cookie, [...fieldsOf(text, path), ["do", button]])
        assert.include(page.text, said)
        assert.strictEqual((yield* post(path, cookie, [...fieldsOf(page.text, path), ["do", "save"]])).status, 303)
        return (yield* stored(one.set, one.id)).iai_questions.map(({ attributes }) => attributes)
      })
      const page = yield* get(path, cookie)
      assert.include(page.text, "Speaking only in all 2 spoken questions")
      assert.deepStrictEqual(yield* press(page.text, "q.only", "Typing is not offered in any question"), [
        { answer_with: ["audio"], speaking_only: true, takes: 2 },
        null,
        { answer_with: ["video"], speaking_only: true, takes: 2 },
      ])
      const again = yield* get(path, cookie)
      assert.include(again.text, "Offer typing in all 2 spoken questions")
      assert.deepStrictEqual(yield* press(again.text, "q.typed", "Typing is offered in every question"), [
        { answer_with: ["text", "audio"], takes: 2 },
        null,
        { answer_with: ["text", "video"], takes: 2 },
      ])
    }),
  )

  it.effect("asks for spoken answers, keeps them in drafts, and refuses wrong limits", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(threeQuestions)
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const before = fieldsOf((yield* get(path, cookie)).text, path)
      const page = yield* post(path, cookie, [...before, ["do", "q.0.speak"]])
      assert.include(page.text, "Question 1 can be answered by speaking.")
      const spoken = (maxSeconds: string): ReadonlyArray<[string, string]> => [
        ...fieldsOf(page.text, path).filter(([name]) => name !== "q.0.answerWith" && name !== "q.0.maxSeconds"),
        ["q.0.answerWith", ""],
        ["q.0.answerWith", "audio"],
        ["q.0.answerWith", "video"],
        ["q.0.maxSeconds", maxSeconds],
      ]
      const wrong = yield* post(path, cookie, [...spoken("5"), ["do", "save"]])
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, "The longest answer must be a whole number from 10 to 600.")
      const none = yield* post(path, cookie, [
        ...spoken("").filter(([name, value]) => name !== "q.0.answerWith" || value === ""),
        ["do", "save"],
      ])
      assert.include(none.text, "Choose at least one way to answer.")

      const both = [...spoken("").map(([name, value]) => [name, value === "video" ? "text" : value] as const)]
      const unclear = yield* post(path, cookie, [...both, ["q.0.speakingOnly", "yes"], ["do", "save"]])
      assert.strictEqual(unclear.status, 422)
      assert.include(unclear.text, "Choose either text or speaking only, not both.")

      const kept = yield* post(path, cookie, [...withFields(spoken("90"), { "q.0.takes": "2" }), ["do", "draft"]])
      assert.strictEqual(kept.status, 303)
      const draft = yield* get(path, cookie)
      assert.include(draft.text, "This is your draft")
      const fields = fieldsOf(draft.text, path)
      assert.deepStrictEqual(
        fields.flatMap(([name, value]) => (name === "q.0.answerWith" ? [value] : [])),
        ["", "audio", "video"],
      )
      const shown = yield* post("/i/preview/draft", cookie, [...fields, ["at", "0"]])
      assert.include(shown.text, 'data-record="video"')
      assert.include(shown.text, "You can record 2 times;")
      assert.strictEqual((yield* post(path, cookie, [...fields, ["do", "save"]])).status, 303)
      const set = yield* stored(one.set, one.id)
      assert.deepStrictEqual(
        set.iai_questions.map(({ attributes }) => attributes),
        [{ answer_with: ["audio", "video"], max_seconds: 90, takes: 2 }, null, null],
      )
      assert.include(
        (yield* get(`/interview-sets/${one.set.id}`, cookie)).text,
        "Audio or video, at most 90 seconds, 2 recordings",
      )
    }),
  )
})
