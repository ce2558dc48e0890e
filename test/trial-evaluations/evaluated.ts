/** Evaluated submissions of a set, by an evaluator that finds titles of requirements in texts. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { EvaluatorOutput, Rating } from "../../src/evaluations/Evaluation.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import type { Evaluator } from "../../src/evaluations/Evaluator.ts"
import type { CreateInterviewSet } from "../../src/interview-sets/InterviewSet.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import * as Scenario from "../support/Scenario.ts"

/** `full` with the title as quote, or `none`. */
export const byTitle: Evaluator["Service"]["evaluate"] = ({ requirements, sources }) =>
  Effect.succeed({
    evaluator: "title/1",
    model: null,
    raw: null,
    summary: "",
    strengths: [],
    gaps: [],
    recommendations: [],
    ratings: requirements.map(({ id, title }): Rating => {
      const found = sources.find(({ text }) => text.includes(title ?? ""))
      return found === undefined
        ? { requirement_id: id, level: "none", rationale: "Not found.", evidence: [] }
        : {
            requirement_id: id,
            level: "full",
            rationale: "Found.",
            evidence: [{ quote: title ?? "", source: found.source, question_id: found.question_id }],
          }
    }),
  } satisfies EvaluatorOutput)

export const requirements: NonNullable<CreateInterviewSet["iai_requirements"]> = [
  { title: "PostgreSQL", cfg_importance_id: 273 },
  { title: "Kubernetes", cfg_importance_id: 244 },
]

export const evaluateAll = Effect.gen(function* () {
  const { queue } = yield* EvaluationQueue
  while ((yield* runOnce(queue)) > 0);
})

/** One submission for each answer. */
export const evaluated = Effect.fnUntraced(function* (
  answers: ReadonlyArray<string>,
  set: Partial<CreateInterviewSet> = {},
) {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const organization = yield* Scenario.organization({ iai_requirements: requirements, ...set })
  const candidates = yield* Effect.forEach(answers, (answer, i) =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      const candidate = yield* Scenario.invited(organization, `ada${i}@example.com`)
      yield* Scenario.completed(candidate, answer)
      return candidate
    }),
  )
  yield* evaluateAll
  return { ...organization, candidates }
})
