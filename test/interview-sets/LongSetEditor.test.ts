/** The editor of a set with 40 questions and 20 requirements over HTTP: one page of at most 60 KB, whose closed cards are folded. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

/** The largest page of the workspace, in bytes. */
const maxPage = 60_000

const longSet = {
  title: "Head nurse, intensive care",
  position: "Head nurse",
  description: "Please answer in your own words. You can come back as often as you like until you submit.",
  interview_duration: 90,
  iai_questions: Array.from({ length: 40 }, (_, i) => ({
    title: `Question number ${i + 1}: how would you lead a team of twelve on a night with three absences?`,
    content: i % 2 === 0 ? `Describe the situation, what you did first, and what came of it. Part ${i + 1}.` : null,
    hint: i % 4 === 0 ? "Three to five sentences." : null,
    question_mode: i < 3 ? ("pre_screening" as const) : ("interview" as const),
    question_type: i < 3 ? ("radio" as const) : i === 5 ? ("file" as const) : ("text" as const),
    options: i < 3 ? [{ title: "Yes", content: "with a certificate" }, { title: "No" }] : [],
    allowed_file_types: i === 5 ? (["pdf", "word"] as const) : null,
  })),
  iai_requirements: Array.from({ length: 20 }, (_, i) => ({
    title: `Requirement ${i + 1}: leads a team on a ward`,
    content: i % 2 === 0 ? "At least two years, on any ward." : null,
    cfg_importance_id: i % 3 === 0 ? 273 : 245,
  })),
}

/** Without the templates of scripts. */
const sent = (page: string, path: string) => fieldsOf(page, path).filter(([name]) => !name.includes(".N."))
const cards = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, id]) => id)
const openCards = (page: string) => cards(page, /<li class="entry card" id="(\w+)"><details open/g)
const foldedCards = (page: string) => cards(page, /<li class="entry card" id="(\w+)" data-folded/g)
const bytesOf = (page: string) => Buffer.byteLength(page)

layer(pages)("the editor of a long set", (it) => {
  it.effect("shows 40 questions and 20 requirements on one page of at most 60 KB, and saves them unchanged", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(longSet)
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const page = yield* get(path, cookie)
      assert.isAtMost(bytesOf(page.text), maxPage)
      assert.lengthOf(foldedCards(page.text), 60)
      assert.notInclude(page.text, "too long for one form")
      assert.strictEqual((yield* post(path, cookie, [...sent(page.text, path), ["do", "save"]])).status, 303)
      assert.deepStrictEqual(yield* (yield* InterviewSets).detail(operator(one.id), one.set.id), {
        ...one.set,
        com_accesses: [],
      })
    }),
  )

  it.effect("opens one card at a time, moves it, and keeps what was typed in the others", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(longSet)
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const send = (page: string, changes: Record<string, string>) =>
        Effect.map(post(path, cookie, withFields(sent(page, path), changes)), ({ text }) => text)
      const edited = yield* send((yield* get(path, cookie)).text, { do: "q.1.show" })
      assert.deepStrictEqual(openCards(edited), ["q1"])
      assert.isAtMost(bytesOf(edited), maxPage)
      const added = yield* send(edited, { "q.1.title": "Changed", "q.1.options": "Yes\nNo\nSoon", do: "q.add" })
      assert.deepStrictEqual(openCards(added), ["q40"])
      const moved = yield* send(added, { "q.40.title": "Last", do: "q.40.up" })
      assert.match(moved, /id="q39" data-folded tabindex="-1" autofocus>/)
      const copied = yield* send(moved, { do: "q.1.copy" })
      assert.deepStrictEqual(openCards(copied), ["q2"])
      const removed = yield* send(copied, { do: "r.0.remove" })
      const saved = yield* post(path, cookie, [...sent(removed, path), ["do", "save"]])
      assert.strictEqual(saved.status, 303)
      const { iai_questions, iai_requirements } = yield* (yield* InterviewSets).detail(operator(one.id), one.set.id)
      assert.deepStrictEqual(
        [1, 2, 40, 41].map((at) => iai_questions[at]?.title?.slice(0, 18)),
        ["Changed", "Changed", "Last", "Question number 40"],
      )
      assert.deepStrictEqual(
        iai_questions[2]?.options.map(({ title }) => title),
        ["Yes", "No", "Soon"],
      )
      assert.deepInclude(iai_questions[6], {
        allowed_file_types: ["pdf", "word"],
        hint: null,
        cfg_question_type_id: 253,
      })
      assert.lengthOf(iai_requirements, 19)
    }),
  )

  it.effect("opens the first cards with errors, and names the errors of the others", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization(longSet)
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const fields = sent((yield* get(path, cookie)).text, path)
      const long = "x".repeat(5001)
      const faulty = Object.fromEntries([10, 11, 12, 13, 14, 15].map((at) => [`q.${at}.title`, long]))
      const refused = yield* post(path, cookie, withFields(fields, { ...faulty, do: "save" }))
      assert.strictEqual(refused.status, 422)
      assert.deepStrictEqual(openCards(refused.text), ["q10", "q11", "q12", "q13", "q14"])
      assert.include(refused.text, '<span class="error" id="q.15.title">The title must have at most 5000 characters.')
      assert.deepStrictEqual(
        sent(refused.text, path).filter(([name]) => name === "q.15.title"),
        [["q.15.title", long]],
      )
    }),
  )
})
