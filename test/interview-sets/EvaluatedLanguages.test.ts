/** Warnings about languages that the evaluator does not read. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import { Evaluator } from "../../src/evaluations/Evaluator.ts"
import { Server } from "../support/Api.ts"
import { keywordEvaluator } from "../support/Computation.ts"
import { get, settings, signedIn } from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

/** The languages that the keyword evaluator reads. */
const pages = Layer.unwrap(
  Effect.map(Evaluator, ({ languages }) =>
    Server.layer.pipe(
      Layer.provide(App.serve(App.pages)),
      Layer.provideMerge(Pod.layer({ settings, evaluatedLanguages: languages ?? [] })),
    ),
  ),
).pipe(Layer.provide(keywordEvaluator))

const everywhere = Layer.provideMerge(Pod.layer({ settings }))(Server.layer.pipe(Layer.provide(App.serve(App.pages))))

/** Portuguese, Vietnamese, Arabic: as table `language` numbers them. */
const languages = [5, 6, 13]

const pagesOf = Effect.fnUntraced(function* (cfg_lingual_ids: ReadonlyArray<number>) {
  const { id, set } = yield* Scenario.organization({ cfg_lingual_ids })
  const { cookie } = yield* signedIn(id)
  const paths = ["", "/edit", "/invite"].map((end) => `/interview-sets/${set.id}${end}`)
  return yield* Effect.forEach(paths, (path) => Effect.map(get(path, cookie), ({ text }) => text))
})

const warning = "The evaluator does not read Vietnamese or Arabic: texts in these languages get no score."

layer(pages)("a set in languages that the evaluator does not read", (it) => {
  it.effect("has a warning on its page, in its form and before an invitation, and its form names them", () =>
    Effect.gen(function* () {
      const found = yield* pagesOf(languages)
      assert.deepStrictEqual(
        found.map((text) => text.includes(warning)),
        [true, true, true],
      )
      const [, form = ""] = found
      assert.include(form, "Tiếng Việt – no scores")
      assert.notInclude(form, "Português – no scores")
    }),
  )

  it.effect("has none when all are read", () =>
    Effect.gen(function* () {
      for (const text of yield* pagesOf([1, 5])) assert.notInclude(text, "does not read")
    }),
  )
})

layer(everywhere)("an evaluator that names no languages", (it) => {
  it.effect("reads all", () =>
    Effect.gen(function* () {
      for (const text of yield* pagesOf(languages)) assert.notInclude(text, "no score")
    }),
  )
})
