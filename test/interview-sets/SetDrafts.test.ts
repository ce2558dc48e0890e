/** Drafts of interview sets over HTTP: saved while members type, continued, refused when outdated, deleted. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { draftLimits } from "../../src/interview-sets/SetDrafts.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { InterviewSetId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

const list = "/interview-sets"
const drafts = `${list}/drafts`
const text = (title: string) => ({ title, question_mode: "interview" as const, question_type: "text" as const })
const twoQuestions = { title: "Backend Engineer", iai_questions: [text("One"), text("Two")] }
const idOf = (fields: ReadonlyArray<readonly [string, string]>) =>
  InterviewSetId.make(new Map(fields).get("id") ?? assert.fail("the form has no id"))
const stored = (organization: Scenario.Invited["organization"], id: InterviewSetId) =>
  Effect.flatMap(InterviewSets, (sets) => sets.find(operator(organization), id))

layer(pages)("the draft of an interview set", (it) => {
  it.effect("is saved while the member types, continued from the list, and deleted once the set is created", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization)
      const colleague = yield* signedIn(organization)
      const blank = fieldsOf((yield* get(`${list}/new`, cookie)).text, list)
      const id = idOf(blank)
      const draft = `${list}/${id}/draft`
      const typed = withFields(blank, { title: "Night nurse", "q.0.title": "Why nights?", "q.0.type": "radio" })
      assert.deepStrictEqual(JSON.parse((yield* post(drafts, cookie, typed)).text), { changes: 1 })
      const more = withFields(typed, { changes: "1", "q.0.options": "Quiet\nPay", "r.0.title": "Ward" })
      assert.deepStrictEqual(JSON.parse((yield* post(drafts, cookie, more)).text), { changes: 2 })
      const page = (yield* get(list, cookie)).text
      assert.include(page, `<a href="${draft}" dir="auto">Night nurse</a> <span class="quiet">new set, saved <time`)
      assert.notInclude((yield* get(list, colleague.cookie)).text, "Night nurse")
      assert.strictEqual((yield* get(draft, colleague.cookie)).status, 404)
      const continued = yield* get(draft, cookie)
      assert.include(continued.text, "This is your draft, saved <time")
      const fields = fieldsOf(continued.text, list)
      const values = new Map(fields)
      assert.deepStrictEqual(
        ["id", "changes", "title", "q.0.title", "q.0.type", "q.0.options", "r.0.title"].map((name) => values.get(name)),
        [id, "2", "Night nurse", "Why nights?", "radio", "Quiet\nPay", "Ward"],
      )
      assert.strictEqual((yield* post(list, cookie, [...fields, ["do", "save"]])).status, 303)
      assert.strictEqual((yield* stored(organization, id)).title, "Night nurse")
      assert.notInclude((yield* get(list, cookie)).text, "Continue your draft")
      assert.strictEqual((yield* get(draft, cookie)).location, `${list}/${id}/edit`)
      // a window that still shows the form of the new set
      const late = yield* post(drafts, cookie, more)
      assert.strictEqual(late.status, 409)
      assert.deepStrictEqual(JSON.parse(late.text), { reason: "this set was created in another window" })
    }),
  )

  it.effect("is refused when another window has saved or deleted it, with what differs", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(twoQuestions)
      const { cookie } = yield* signedIn(one.id)
      const stranger = yield* signedIn(one.id, "recruiter")
      const path = `${list}/${one.set.id}/edit`
      const opened = fieldsOf((yield* get(path, cookie)).text, path)
      assert.strictEqual((yield* post(drafts, stranger.cookie, opened)).status, 403)
      const here = withFields(opened, { "q.0.title": "One, here" })
      yield* post(drafts, cookie, withFields(opened, { "q.0.title": "One, there", position: "Lead" }))
      const refused = yield* post(drafts, cookie, here)
      assert.strictEqual(refused.status, 409)
      assert.deepStrictEqual(JSON.parse(refused.text), {
        changes: 1,
        differences: [
          { name: "Role that you hire for", saved: "Lead", own: "" },
          { name: "Question “One, here”", saved: "One, there", own: "One, here" },
        ],
      })
      assert.strictEqual((yield* post(drafts, cookie, withFields(here, { changes: "1" }))).status, 200)
      // also when both windows have saved before
      const stale = yield* post(drafts, cookie, withFields(opened, { "q.0.title": "One, there again", changes: "1" }))
      assert.deepStrictEqual([stale.status, JSON.parse(stale.text).changes], [409, 2])
      assert.strictEqual(new Map(fieldsOf((yield* get(path, cookie)).text, path)).get("q.0.title"), "One, here")
      assert.strictEqual((yield* post(`${drafts}/delete`, cookie, { id: one.set.id })).location, `${list}?done=draft`)
      const gone = yield* post(drafts, cookie, withFields(here, { changes: "2" }))
      assert.deepStrictEqual([gone.status, JSON.parse(gone.text)], [409, { changes: 0, differences: [] }])
      assert.strictEqual((yield* stored(one.id, one.set.id)).iai_questions[0]?.title, "One")
    }),
  )

  it.effect("is saved and kept by buttons without scripts", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(twoQuestions)
      const { cookie } = yield* signedIn(one.id)
      const path = `${list}/${one.set.id}/edit`
      const opened = fieldsOf((yield* get(path, cookie)).text, path)
      const first = withFields(opened, { description: "First", do: "draft" })
      assert.strictEqual((yield* post(path, cookie, first)).location, `${list}/${one.set.id}/draft`)
      const refused = yield* post(path, cookie, withFields(opened, { description: "Second", do: "draft" }))
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "you changed it in another window or on another device")
      assert.match(refused.text, /<bdi class="written">First<\/bdi>[\s\S]*<bdi class="written">Second<\/bdi>/)
      const again = fieldsOf(refused.text, path)
      assert.strictEqual(new Map(again).get("description"), "Second")
      const [, kept = ""] = /name="kept" value="(\d+)">Save as the draft anyway/.exec(refused.text) ?? []
      assert.strictEqual((yield* post(path, cookie, [...again, ["kept", kept]])).status, 303)
      assert.include((yield* get(list, cookie)).text, "changes, saved <time")
      const page = (yield* get(path, cookie)).text
      assert.strictEqual(new Map(fieldsOf(page, path)).get("description"), "Second")
      assert.isNull((yield* stored(one.id, one.set.id)).description)
    }),
  )

  it.effect("of a set that was saved meanwhile is refused when it is saved, and a newer draft stays", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(twoQuestions)
      const { cookie } = yield* signedIn(one.id)
      const bob = yield* signedIn(one.id)
      const path = `${list}/${one.set.id}/edit`
      const opened = fieldsOf((yield* get(path, cookie)).text, path)
      yield* post(drafts, cookie, withFields(opened, { description: "Draft" }))
      yield* post(
        path,
        bob.cookie,
        withFields(fieldsOf((yield* get(path, bob.cookie)).text, path), { position: "Lead" }),
      )
      const continued = fieldsOf((yield* get(path, cookie)).text, path)
      const refused = yield* post(path, cookie, [...continued, ["do", "save"]])
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "the set was saved while you were editing it")
      const [, version = ""] = /name="replaced" value="([^"]+)"/.exec(refused.text) ?? []
      // another window goes on writing the draft
      yield* post(drafts, cookie, withFields(opened, { description: "Later", changes: "1" }))
      const saved = yield* post(path, cookie, [...fieldsOf(refused.text, path), ["replaced", version]])
      assert.strictEqual(saved.status, 303)
      assert.strictEqual((yield* stored(one.id, one.set.id)).description, "Draft")
      const later = fieldsOf((yield* get(path, cookie)).text, path)
      assert.strictEqual(new Map(later).get("description"), "Later")
    }),
  )

  it.effect("of a set that another window created shows what differs; the same form twice creates one set", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const { cookie } = yield* signedIn(organization, "recruiter")
      const blank = fieldsOf((yield* get(`${list}/new`, cookie)).text, list)
      const id = idOf(blank)
      const here = withFields(blank, { title: "Here", "q.0.title": "One", do: "save" })
      for (let i = 0; i < 2; i++)
        assert.strictEqual((yield* post(list, cookie, here)).location, `${list}/${id}?done=created`)
      const there = yield* post(list, cookie, withFields(here, { title: "There" }))
      assert.strictEqual(there.status, 409)
      assert.match(there.text, /<bdi class="written">Here<\/bdi>[\s\S]*<bdi class="written">There<\/bdi>/)
      const edit = `${list}/${id}/edit`
      const [, version = ""] = /name="replaced" value="([^"]+)"/.exec(there.text) ?? []
      const saved = yield* post(edit, cookie, [...fieldsOf(there.text, edit), ["replaced", version]])
      assert.strictEqual(saved.location, `${list}/${id}?done=saved`)
      assert.strictEqual((yield* stored(organization, id)).title, "There")
    }),
  )

  it.effect("is one of at most 50, and is deleted when the member is removed", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const owner = yield* signedIn(organization)
      const { cookie, id: member } = yield* signedIn(organization, "recruiter")
      const { sql } = yield* Database
      yield* sql`
        insert into set_draft (organization_id, member_id, interview_set_id, title, version, fields)
        select ${organization}::int, ${member}::uuid, gen_random_uuid(), 'Draft ' || n, '', '[]'
        from generate_series(1, ${draftLimits.drafts}::int) n`
      const refused = yield* post(drafts, cookie, { id: randomUUID(), part: "about", title: "One more" })
      assert.deepStrictEqual(JSON.parse(refused.text), { reason: "you have 50 drafts already: delete one first" })
      assert.lengthOf([...(yield* get(list, cookie)).text.matchAll(/<a href="[^"]+\/draft"/g)], draftLimits.listed)
      yield* post(`/settings/members/${member}/remove`, owner.cookie)
      assert.deepStrictEqual(yield* sql`select from set_draft where member_id = ${member}::uuid`, [])
    }),
  )

  it.effect("of a set whose questions are fixed meanwhile shows what can no longer be saved, and saves the rest", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(twoQuestions)
      const { cookie } = yield* signedIn(one.id)
      const path = `${list}/${one.set.id}/edit`
      const opened = fieldsOf((yield* get(path, cookie)).text, path)
      const typed = withFields(opened, { "q.0.title": "Better", description: "New" })
      yield* post(drafts, cookie, typed)
      yield* Scenario.completed(yield* Scenario.invited(one))
      const page = (yield* get(path, cookie)).text
      assert.include(page, "Your changes that can no longer be saved here")
      assert.include(page, "Better")
      assert.strictEqual((yield* post(path, cookie, [...fieldsOf(page, path), ["do", "save"]])).status, 303)
      assert.deepInclude(yield* stored(one.id, one.set.id), { description: "New" })
      assert.notInclude((yield* get(list, cookie)).text, "Continue your draft")
    }),
  )
})
