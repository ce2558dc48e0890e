/** Options have the same texts for candidates, evaluators and hiring systems. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import { Server } from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const pages = Server.layer.pipe(
  Layer.provide(App.serve(App.pages)),
  Layer.provideMerge(Pod.layer({ settings: { PORT: "0" } })),
)

layer(pages)("options", (it) => {
  it.effect("have the interview's language and the order of their priority everywhere", () =>
    Effect.gen(function* () {
      const candidate = yield* Scenario.invited(
        yield* Scenario.organization({
          cfg_lingual_ids: [2],
          iai_questions: [
            {
              title: "Womit?",
              question_mode: "interview",
              question_type: "checkbox",
              options: [
                { id: "Kafka" },
                {
                  titles: { en: "A database", de: "Eine Datenbank" },
                  contents: { de: "Etwa PostgreSQL." },
                  priority: 2,
                },
                { title: "Cloud", titles: { fr: "Nuage" }, priority: 1 },
              ],
            },
          ],
        }),
      )
      const { organization, set, subject, token } = candidate
      const interviews = yield* Interviews
      yield* interviews.start(token)
      const { url } = yield* Server
      const read = (path: string) =>
        Effect.promise(() => fetch(url + path, { headers: { accept: "text/html" } }).then((answer) => answer.text()))
      const page = yield* read(`/i/${token}/questions/1`)
      assert.deepStrictEqual(
        [...page.matchAll(/<span dir="auto" lang="de">(.+?)<\/span><\/label>/g)].map(([, words]) =>
          words?.replace(/<[^>]+>/g, "|"),
        ),
        ["Cloud", "Eine Datenbank|Etwa PostgreSQL.|", "Kafka"],
      )
      const [question = assert.fail("no question")] = set.iai_questions
      const option_ids = ["1", "2", "Kafka"]
      yield* interviews.finish(token, [{ question_id: question.id, content: null, option_ids }])
      assert.include(yield* read(`/i/${token}`), '<div class="written" dir="auto">Cloud\nEine Datenbank\nKafka</div>')

      yield* runOnce((yield* EvaluationQueue).queue)
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* sql`select input -> 'sources' -> 0 ->> 'text' as text from evaluation`, [
        { text: "Cloud\nEine Datenbank\nKafka" },
      ])
      const { answers } = yield* (yield* Submissions).detail(operator(organization), subject.submission_id)
      assert.deepStrictEqual(answers[0]?.options, [
        { id: "2", title: "Cloud", is_knock_out: false },
        { id: "1", title: "Eine Datenbank", is_knock_out: false },
        { id: "Kafka", title: "Kafka", is_knock_out: false },
      ])
    }),
  )
})
