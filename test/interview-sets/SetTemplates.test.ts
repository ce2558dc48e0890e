import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { outcomeOf } from "../../src/evaluations/Score.ts"
import type { CreateInterviewSet } from "../../src/interview-sets/InterviewSet.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { setTemplates } from "../../src/interview-sets/SetTemplates.ts"
import { InterviewSetId } from "../../src/values/Ids.ts"
import { Server } from "../support/Api.ts"
import { keywordEvaluator } from "../support/Computation.ts"
import { answer, inputOf, resultOf } from "../support/Keywords.ts"
import { fieldsOf, get, post, settings, signedIn, withFields } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { templateAnswers } from "./templateAnswers.ts"

const requirementsOf = ({ iai_requirements }: CreateInterviewSet) =>
  (iai_requirements ?? []).map(({ cfg_importance_id, title }, index) => ({
    id: String(index),
    title: title ?? null,
    content: null,
    hint: null,
    cfg_importance_id: cfg_importance_id ?? 244,
  }))

describe("templates of interview sets", () => {
  layer(keywordEvaluator)((it) => {
    for (const { key, set } of setTemplates) {
      it.effect(`${key}: the keyword evaluator finds each requirement in answers of an experienced candidate`, () =>
        Effect.gen(function* () {
          const written = (set.iai_questions ?? []).filter(({ question_type }) => question_type === "text")
          const texts = templateAnswers[key] ?? []
          assert.lengthOf(texts, written.length)
          const sources = texts.map((text, i) => ({
            ...answer(text, `q${i}`),
            question: `${written[i]?.title} ${written[i]?.content ?? ""}`,
          }))
          const { criteria, score } = yield* resultOf(inputOf(requirementsOf(set), sources))
          const unmet = criteria.filter((criterion) => outcomeOf(criterion.score) !== "met")
          assert.deepStrictEqual(
            unmet.map(({ score, title }) => `${title}: ${score}`),
            [],
          )
          assert.isAbove(score ?? 0, 7)
        }),
      )

      it.effect(`${key}: general praise of oneself meets no requirement`, () =>
        Effect.gen(function* () {
          const text =
            "I am a very motivated team player and I learn fast. I would be perfect for this position, and I am passionate about my work. People like me."
          const { criteria } = yield* resultOf(inputOf(requirementsOf(set), [answer(text)]))
          assert.deepStrictEqual(
            criteria.filter((criterion) => outcomeOf(criterion.score) === "met").map(({ title }) => title),
            [],
          )
        }),
      )
    }
  })

  const pages = Server.layer.pipe(Layer.provide(App.serve(App.pages)), Layer.provideMerge(Pod.layer({ settings })))

  layer(pages)("in the workspace", (it) => {
    it.effect("lists eight, each with 4 to 6 questions and 3 to 6 requirements; each fills the form of a new set", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* Scenario.organization()
        const { cookie } = yield* signedIn(organization)
        assert.include((yield* get("/interview-sets/new", cookie)).text, `href="/interview-sets/templates"`)
        const { text } = yield* get("/interview-sets/templates", cookie)
        const hrefs = [...text.matchAll(/href="(\/interview-sets\/new\?template=[a-z-]+)"/g)].map(
          ([, href = ""]) => href,
        )
        assert.lengthOf(hrefs, 8)
        for (const [i, href] of hrefs.entries()) {
          const form = yield* get(href, cookie)
          assert.include(form.text, "Nothing is saved yet.")
          const { location, status } = yield* post("/interview-sets", cookie, [
            ...fieldsOf(form.text, "/interview-sets"),
            ["do", "save"],
          ])
          assert.strictEqual(status, 303, href)
          const id = InterviewSetId.make(/sets\/([0-9a-f-]{36})/.exec(location ?? "")?.[1] ?? "")
          const { iai_questions, iai_requirements, title } = yield* (yield* InterviewSets).find(
            operator(organization),
            id,
          )
          assert.strictEqual(title, setTemplates[i]?.set.title)
          assert.isTrue(iai_questions.length >= 4 && iai_questions.length <= 6, title)
          assert.isTrue(iai_requirements.length >= 3 && iai_requirements.length <= 6, title)
          assert.deepStrictEqual(
            iai_requirements.map((saved) => [saved.title, saved.cfg_importance_id]),
            setTemplates[i]?.set.iai_requirements?.map((one) => [one.title, one.cfg_importance_id]),
          )
        }
      }),
    )

    it.effect("keeps the project for which the set is created; a form that was typed in offers no templates", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* Scenario.organization()
        const project = yield* (yield* Projects).create(operator(organization), "Payments")
        const { cookie } = yield* signedIn(organization)
        const start = yield* get(`/interview-sets/new?project=${project}`, cookie)
        assert.include(start.text, `href="/interview-sets/templates?project=${project}"`)
        const list = yield* get(`/interview-sets/templates?project=${project}`, cookie)
        assert.include(list.text, `/interview-sets/new?project=${project}&amp;template=data-analyst`)
        const { text } = yield* get(`/interview-sets/new?project=${project}&template=data-analyst`, cookie)
        assert.include(text, `value="${project}" selected`)
        const fields = withFields(fieldsOf(text, "/interview-sets"), { "q.0.title": "Mine", do: "q.add" })
        const added = yield* post("/interview-sets", cookie, fields)
        assert.include(added.text, `value="Mine"`)
        assert.notInclude(added.text, `href="/interview-sets/templates`)
      }),
    )

    it.effect("opens the empty form for an unknown template", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* Scenario.organization()
        const { cookie } = yield* signedIn(organization)
        const { status, text } = yield* get("/interview-sets/new?template=astronaut", cookie)
        assert.strictEqual(status, 200)
        assert.notInclude(text, "Nothing is saved yet.")
      }),
    )
  })
})
