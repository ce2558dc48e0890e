/** The bench of evaluators: data of one's own, and texts that cannot be rated. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { narrate } from "../../src/evaluations/Evaluation.ts"
import { Evaluator, EvaluatorUnavailable } from "../../src/evaluations/Evaluator.ts"
import { answer, inputOf, requirement } from "../support/Keywords.ts"
import { outputOf } from "./evaluation/evaluator.ts"
import { readData } from "./evaluation/labelledData.ts"
import { countTexts, withProgress } from "./evaluation/progress.ts"

const folderOf = (files: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "evaluation-data-"))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
  )

const graded = '{"question": "q", "reference": "r", "answer": "a", "grade": 3}\n'
const simulated = '{"answers": [{"question": "q", "answer": "a"}], "levels": {"calm": "high"}}\n'

describe("the evaluation data of one's own", () => {
  it.effect("is read by the names of its files, with empty lines", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({
        "graded-answers.jsonl": `${graded}\n${graded}`,
        "interview-levels.jsonl": simulated,
        "shop-requirements.json": '{"calm": {"title": "Calm", "content": null}}',
      })
      const data = yield* readData(folder)
      assert.strictEqual(data.graded.length, 2)
      assert.strictEqual(data.simulated.length, 1)
      assert.deepStrictEqual(data.wanted, { calm: { title: "Calm", content: null } })
    }),
  )

  it.effect.each<readonly [string, Readonly<Record<string, string>>, RegExp]>([
    [
      "a grade above 5",
      { "graded-answers.jsonl": graded + graded.replace("3", "7") },
      /graded-answers\.jsonl, line 2: .*between 0 and 5.*Expected .*"grade": 0 to 5/,
    ],
    [
      "a line that is no JSON",
      { "labelled-answers.jsonl": "set,question\n" },
      /labelled-answers\.jsonl, line 1: .*"label"/,
    ],
    [
      "an interview without requirements",
      { "interview-levels.jsonl": simulated },
      /requirement "calm".*-requirements\.json/,
    ],
    ["requirements of another form", { "a-requirements.json": "[]" }, /a-requirements\.json: /],
    ["no known file", { "answers.jsonl": graded }, /none of the files graded-answers\.jsonl/],
  ])("is refused with the file, the line and what is expected: %s", ([, files, message]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(readData(yield* folderOf(files)))
      assert.match(failure.message, message)
    }),
  )
})

const rated = { ...narrate([]), evaluator: "test", model: null, ratings: [], raw: null }

/** Rates `texts` texts with an evaluator that fails for those of which `fails` is true. */
const measure = Effect.fnUntraced(function* (texts: number, fails: (at: number) => boolean) {
  let at = 0
  const evaluate = () =>
    Effect.suspend(() => {
      at += 1
      return fails(at)
        ? Effect.fail(new EvaluatorUnavailable({ reason: "full", retryable: true }))
        : Effect.succeed(rated)
    })
  const measurement = Effect.forEach(Array.from({ length: texts }), () =>
    outputOf(inputOf([requirement("SAP")], [answer("I used SAP.")])),
  )
  const count = yield* countTexts(measurement)
  return yield* withProgress(measurement, count).pipe(
    Effect.provideService(Evaluator, Evaluator.of({ evaluate })),
    Effect.map(({ unrated }) => ({ count, unrated })),
  )
})

describe("a measurement", () => {
  it.effect("counts the texts that could not be rated, and goes on", () =>
    Effect.gen(function* () {
      const { count, unrated } = yield* measure(100, (at) => at > 1 && at <= 59)
      assert.strictEqual(count, 100)
      assert.deepStrictEqual([unrated.texts, ...unrated.reasons], [58, ["full", 58]])
    }),
  )

  it.effect.each<readonly [string, (at: number) => boolean, RegExp]>([
    ["none of the first texts can be rated", () => true, /after 0 of 100 texts, because the last 8 .*: full/],
    ["the evaluator stops working", (at) => at > 1, /after 1 of 100 texts, because the last 60 .*: full/],
  ])("stops with the reason if %s", ([, fails, message]) =>
    Effect.gen(function* () {
      assert.match((yield* Effect.flip(measure(100, fails))).reason, message)
    }),
  )
})
