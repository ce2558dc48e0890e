/** Required questions, suggested times and knock-out answers: in the form of a set, for candidates, and in the submission. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import { Server } from "../support/Api.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

const choice = {
  title: "Do you have a driving licence?",
  question_mode: "interview" as const,
  question_type: "radio" as const,
  options: [{ title: "Yes" }, { title: "No", content: "and no plan" }],
}
const open = { title: "A system that you ran", question_mode: "interview" as const, question_type: "text" as const }

layer(pages)("the rules of a question", (it) => {
  it.effect("are set in the form, kept beside other attributes, and shown on the set's page", () =>
    Effect.gen(function* () {
      const attributes = { source: "ats", required: "perhaps" }
      const one = yield* Scenario.organization({ iai_questions: [{ ...choice, attributes }, open] })
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const stored = Effect.map(
        Effect.flatMap(InterviewSets, (sets) => sets.find(operator(one.id), one.set.id)),
        ({ iai_questions }) => iai_questions.map((question) => question.attributes),
      )
      const blank = fieldsOf((yield* get(path, cookie)).text, path)
      // what the form does not change stays as it came
      assert.strictEqual((yield* post(path, cookie, withFields(blank, { "q.0.title": "Licence?" }))).status, 303)
      assert.deepStrictEqual(yield* stored, [attributes, null])
      const fields = fieldsOf((yield* get(path, cookie)).text, path)
      const changes = { "q.0.required": "yes", "q.0.minutes": "5", "q.0.knockOut": "No | and no plan" }
      assert.strictEqual((yield* post(path, cookie, withFields(fields, changes))).status, 303)
      const rules = { required: true, knock_out: ["2"], suggested_minutes: 5 }
      assert.deepStrictEqual(yield* stored, [{ source: "ats", ...rules }, null])
      const shown = (yield* get(`/interview-sets/${one.set.id}`, cookie)).text
      assert.include(shown, " · Required · Suggested: 5 minutes · Knock-out: <bdi>No</bdi>")
      const again = (yield* get(path, cookie)).text
      assert.include(again, '<input type="checkbox" name="q.0.knockOut" value="No | and no plan" checked>')
      assert.strictEqual(new Map(fieldsOf(again, path)).get("q.0.minutes"), "5")
      // and can be removed
      const none = fieldsOf(again, path).filter(([name]) => !/^q\.0\.(required|minutes|knockOut)$/.test(name))
      assert.strictEqual((yield* post(path, cookie, none)).status, 303)
      assert.deepStrictEqual(yield* stored, [{ source: "ats" }, null])
    }),
  )

  it.effect("are refused in the form when the time is no number or a knock-out answer is no option", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization({ iai_questions: [choice, open] })
      const { cookie } = yield* signedIn(one.id)
      const path = `/interview-sets/${one.set.id}/edit`
      const fields = fieldsOf((yield* get(path, cookie)).text, path)
      const refused = yield* post(
        path,
        cookie,
        withFields(fields, { "q.0.knockOut": "No", "q.0.options": "Yes\nMaybe", "q.1.minutes": "0.5" }),
      )
      assert.strictEqual(refused.status, 422)
      assert.include(refused.text, "“No” is a knock-out answer and no longer an option. Mark the option that you mean.")
      assert.include(refused.text, "The suggested time must be a whole number of minutes, from 1 to 600.")
      // it can be unmarked, and its replacement marked
      assert.include(refused.text, 'name="q.0.knockOut" value="No" checked>')
      assert.include(refused.text, 'name="q.0.knockOut" value="Maybe">')
    }),
  )

  it.effect("are shown to candidates, who cannot submit without required answers", () =>
    Effect.gen(function* () {
      const one = yield* Scenario.organization({
        iai_questions: [
          { ...choice, attributes: { knock_out: ["2"] } },
          { ...open, attributes: { required: true, suggested_minutes: 5 } },
        ],
      })
      const { set, subject, token } = yield* Scenario.invited(one)
      const interviews = yield* Interviews
      yield* interviews.start(token)
      const page = (yield* get(`/i/${token}/questions/2`, "")).text
      assert.include(page, '<p class="note">Required · Suggested time: 5 minutes</p>')
      assert.notInclude((yield* get(`/i/${token}/questions/1`, "")).text.toLowerCase(), "knock")
      const [licence, system] = set.iai_questions
      const chosen = { [`option.${licence?.id}`]: "2" }
      const refused = yield* post(`/i/${token}/finish`, "", { attempt: "1", ...chosen })
      assert.strictEqual(refused.status, 422)
      assert.include(refused.text, "Please answer the required questions before you submit.")
      assert.match(refused.text, /<li[^>]*><a href="[^"]+\/questions\/\d+\?review"[^>]*>/)
      assert.match(refused.text, /<p class="missing">Required · Not answered<\/p>/)
      assert.include(refused.text, '<div class="written" dir="auto">No</div>', "the other answers are saved")
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* sql`select status from submission where id = ${subject.submission_id}::uuid`, [
        { status: "started" },
      ])
      const answered = { [`answer.${system?.id}`]: "A billing system" }
      assert.strictEqual((yield* post(`/i/${token}/finish`, "", { attempt: "1", ...chosen, ...answered })).status, 303)
      const { cookie } = yield* signedIn(one.id)
      const submission = (yield* get(`/submissions/${subject.submission_id}`, cookie)).text
      assert.match(submission, /<a class="tag knock-out" href="#answer-[^"]+">Knock-out answer<\/a>/)
      assert.include(submission, '<span class="tag knock-out">Knock-out answer</span>')
      const { answers } = yield* (yield* Submissions).detail(operator(one.id), subject.submission_id)
      assert.deepStrictEqual(
        answers.map(({ options }) => options),
        [[{ id: "2", title: "No", is_knock_out: true }], []],
      )
    }),
  )
})
