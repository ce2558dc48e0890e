/** Knock-out answers in the list, on the board and in the API. */
import { assert, layer } from "@effect/vitest"
import { Effect, Result, type Schema } from "effect"
import { TestClock } from "effect/testing"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { parseCsv } from "../../src/values/Csv.ts"
import { QuestionId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import { get, signedIn } from "../support/Members.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"

/** A set with a question whose second option knocks out, and a candidate who chose `option` at each attempt. */
const begin = Effect.fnUntraced(function* (
  attributes: Readonly<Record<string, Schema.Json>>,
  ...chosen: Array<string>
) {
  yield* TestClock.setTime(Date.parse("2026-11-02T09:42:00Z"))
  const organization = yield* Scenario.organization({
    number_of_retakes: 3,
    iai_questions: [
      {
        title: "May you work in Germany?",
        question_mode: "pre_screening",
        question_type: "radio",
        options: [{ title: "Yes" }, { title: "No" }],
        attributes,
      },
    ],
  })
  const { cookie } = yield* signedIn(organization.id)
  const { subject, token } = yield* Scenario.invited(organization)
  const interviews = yield* Interviews
  const question = organization.set.iai_questions[0]?.id ?? ""
  yield* interviews.start(token)
  for (const option of chosen) {
    yield* interviews.finish(token, [{ question_id: QuestionId.make(question), content: null, option_ids: [option] }])
    if (option !== chosen.at(-1)) yield* interviews.reopen(token)
  }
  const { key } = yield* Api.keyOf(organization.id)
  const detail = yield* Api.results(200, "GET", Api.paths.detail(subject.submission_id), { key })
  const { body } = yield* Api.call("GET", "/company/integration/hiring/submissions/v1", { key })
  const list = (body as { results: ReadonlyArray<Api.Row> }).results
  const rows = (query: string) =>
    Effect.map(get(`/submissions${query}`, cookie), ({ text }) =>
      [...text.matchAll(/<tr data-v.*/g)].map(([row]) => row),
    )
  return { ...organization, cookie, detail, list, rows }
})

layer(Settings.layer())("a knock-out answer", (it) => {
  it.effect("marks the row and the card with a word, is a filter, and is in the API and the export", () =>
    Effect.gen(function* () {
      const { cookie, detail, list, rows, set } = yield* begin({ knock_out: ["2"] }, "2")
      assert.strictEqual(detail["has_knock_out"], true)
      assert.strictEqual(list[0]?.["has_knock_out"], true)
      assert.include((yield* rows(""))[0], "<em>Knock-out</em>")
      assert.lengthOf(yield* rows("?knock_out=yes"), 1)
      assert.lengthOf(yield* rows("?knock_out=yes&order=a_to_z"), 1)
      assert.lengthOf(yield* rows("?knock_out=yes&q=ada"), 1)
      assert.isEmpty(yield* rows("?knock_out=no"))
      const { text: board } = yield* get(`/interview-sets/${set.id}/board`, cookie)
      assert.include(board, "<em>Knock-out</em>")
      const csv = Result.getOrThrow(parseCsv((yield* get("/submissions.csv", cookie)).text)).map(({ cells }) => cells)
      assert.strictEqual(csv[1]?.[csv[0]?.indexOf("Knock-out answer") ?? -1], "yes")
    }),
  )

  it.effect("of an earlier attempt, or of an unmarked option, marks nothing", () =>
    Effect.gen(function* () {
      for (const { detail, list, rows } of [
        yield* begin({ knock_out: ["2"] }, "2", "1"),
        yield* begin({ knock_out: ["2"] }, "1"),
        // as rulesOf reads it
        yield* begin({ knock_out: ["2", { id: "1" }] }, "2"),
        yield* begin({ knock_out: "2" }, "2"),
      ]) {
        assert.strictEqual(detail["has_knock_out"], false)
        assert.strictEqual(list[0]?.["has_knock_out"], false)
        assert.notInclude((yield* rows(""))[0], "Knock-out")
        assert.isEmpty(yield* rows("?knock_out=yes"))
        assert.lengthOf(yield* rows("?knock_out=no"), 1)
      }
    }),
  )
})
