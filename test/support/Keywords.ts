/** Rates texts with an Evaluator on a fixed date. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type EvaluationInput, type EvaluationSource, evaluationResult } from "../../src/evaluations/Evaluation.ts"
import { Evaluator } from "../../src/evaluations/Evaluator.ts"
import { levelOf, levelScore } from "../../src/evaluations/Score.ts"

const today = Date.UTC(2026, 10, 21)

export const cv = (text: string): EvaluationSource => ({ source: "cv", question_id: null, question: null, text })
export const answer = (text: string, question_id = "question"): EvaluationSource => ({
  source: "answer",
  question_id,
  question: "Tell us about your work.",
  text,
})

export const requirement = (title: string | null, content: string | null = null, id = "requirement") => ({
  id,
  title,
  content,
  hint: null,
  cfg_importance_id: 272,
})

export const inputOf = (
  requirements: EvaluationInput["requirements"],
  sources: ReadonlyArray<EvaluationSource>,
  language: string | null = "en",
): EvaluationInput => ({ interview_title: "Interview", position: null, language, requirements, sources })

export const resultOf = Effect.fnUntraced(function* (input: EvaluationInput) {
  yield* TestClock.setTime(today)
  return evaluationResult(input, yield* (yield* Evaluator).evaluate(input))
})

export const criterionOf = Effect.fnUntraced(function* (
  title: string,
  source: EvaluationSource,
  language: string | null = "en",
) {
  const { criteria } = yield* resultOf(inputOf([requirement(title)], [source], language))
  const [criterion] = criteria
  if (criterion === undefined) return yield* Effect.die("no criterion")
  return criterion
})

/** The score of the level that is nearest to the criterion's score: 0, 2.5, 5, 7.5 or 10. */
export const scoreOf = (title: string, source: EvaluationSource, language: string | null = "en") =>
  Effect.map(criterionOf(title, source, language), ({ score }) =>
    score === null ? Number.NaN : levelScore(levelOf(score)),
  )
