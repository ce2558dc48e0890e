/** What the pages of a set say when something is missing: nothing to ask, no title, no set chosen. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Server } from "../support/Api.ts"
import { get, settings, signedIn } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

layer(pages)("the pages of an interview set", (it) => {
  it.effect("say that there is nothing to ask, on the set's page and before an invite", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization({ iai_questions: [] })
      const { cookie } = yield* signedIn(id)
      const link = `<a href="/interview-sets/${set.id}/edit#q0">Add questions</a>`
      for (const path of [`/interview-sets/${set.id}`, `/interview-sets/${set.id}/invite`]) {
        const { text } = yield* get(path, cookie)
        assert.include(
          text,
          `Nothing to ask yet: this set has no questions, so candidates who are invited cannot take part. ${link}`,
        )
      }
      const cvs = yield* Scenario.organization({ set_type: 2, iai_questions: [], iai_requirements: [] })
      const other = yield* signedIn(cvs.id)
      const rated = (yield* get(`/interview-sets/${cvs.set.id}`, other.cookie)).text
      assert.include(rated, "Nothing to rate yet: this set has no requirements, so CVs get no score.")
      const full = yield* Scenario.organization()
      const third = yield* signedIn(full.id)
      assert.notInclude((yield* get(`/interview-sets/${full.set.id}`, third.cookie)).text, "Nothing to")
    }),
  )

  it.effect("ask which set candidates are invited to, and open its invite", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      yield* Scenario.invited({ id, set })
      const { cookie } = yield* signedIn(id)
      assert.include((yield* get("/submissions", cookie)).text, 'href="/interview-sets?for=invite"')
      const list = (yield* get("/interview-sets?for=invite", cookie)).text
      assert.include(list, "<h1>Invite candidates: choose an interview set</h1>")
      assert.include(list, `<a href="/interview-sets/${set.id}/invite" id="s0"`)
      assert.include(list, '<input type="hidden" name="for" value="invite">', "a search stays in the invite")
    }),
  )

  it.effect("name a question without a title by its text, shortened at a word", () =>
    Effect.gen(function* () {
      const content = `Tell us about a system that you ran. ${"What was hard about it? ".repeat(20)}`.trim()
      const { id, set } = yield* Scenario.organization({
        iai_questions: [{ title: " ", content, question_mode: "interview", question_type: "text" }],
      })
      const { cookie } = yield* signedIn(id)
      const page = (yield* get(`/interview-sets/${set.id}`, cookie)).text
      assert.match(
        page,
        /<span dir="auto">Tell us about a system that you ran\.[^<]* (What|was|hard|about|it\?)…<\/span>/,
      )
      const invited = yield* Scenario.invited({ id, set })
      yield* (yield* Interviews).start(invited.token)
      const panel = (yield* get(`/i/${invited.token}/questions/1`, "")).text
      assert.match(panel, /<span class="name" dir="auto">Tell us[^<]{60,118}…<\/span>/)
      assert.include(panel, content, "the page of the question has the whole text")
      const question_id = set.iai_questions[0]?.id ?? assert.fail("no question")
      const answer = { question_id, content: Scenario.answer, option_ids: [] }
      yield* (yield* Interviews).finish(invited.token, [answer])
      const submission = (yield* get(`/submissions/${invited.subject.submission_id}`, cookie)).text
      assert.match(submission, /<h3 dir="auto">Tell us about a system that you ran\.[^<]{100,170}…<\/h3>/)
      assert.include(submission, `<p class="quiet written" dir="auto">${content}</p>`)
    }),
  )
})
