import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type EvaluationInput, evaluationResult } from "../../../src/evaluations/Evaluation.ts"
import { consensus, type Reading } from "../../../src/evaluations/model/Consensus.ts"
import { passagesOf } from "../../../src/evaluations/model/Passages.ts"
import { Level, levelScore, totalScore } from "../../../src/evaluations/Score.ts"
import { importanceOf } from "../../../src/interview-sets/Importance.ts"

const importances = [273, 245, 244]

const input: EvaluationInput = {
  interview_title: "Backend engineer",
  position: null,
  language: "en",
  requirements: importances.map((cfg_importance_id, index) => ({
    id: `id-${index}`,
    title: `Requirement ${index}`,
    content: null,
    hint: null,
    cfg_importance_id,
  })),
  sources: [{ source: "cv", question_id: null, question: null, text: "I ran it." }],
}

const ids = input.requirements.map(({ id }) => id)

/** Null: the reading leaves out the requirement. */
const Levels = Schema.Tuple([Schema.NullOr(Level), Schema.NullOr(Level), Schema.NullOr(Level)])

const readingOf = (levels: typeof Levels.Type): Reading => ({
  votes: new Map(
    levels.flatMap((level, index) =>
      level === null
        ? []
        : [
            [
              ids[index] ?? "",
              {
                claimed: level,
                level,
                rationale: "",
                evidence: [{ quote: "I ran it.", source: "cv", question_id: null }],
                quotesAddressed: false,
              },
            ] as const,
          ],
    ),
  ),
  narrative: { summary: "", strengths: [], gaps: [], recommendations: [] },
})

describe("consensus", () => {
  it.prop(
    "rates each requirement, so readings that disagree or leave it out cannot raise the total",
    [Levels, Levels, Levels],
    (all) => {
      const ratings = consensus(input, new Set(ids), all.map(readingOf), passagesOf(input.sources)).ratings
      const output = {
        evaluator: "",
        model: null,
        ratings,
        summary: "",
        strengths: [],
        gaps: [],
        recommendations: [],
        raw: null,
      }
      const most = ids.map((_, index) => {
        const scores = all
          .flatMap((levels) => levels[index] ?? [])
          .map(levelScore)
          .toSorted((one, other) => one - other)
        const [lowest = 0] = scores
        if (scores.length < 2) return 0
        return (scores.at(-1) ?? 0) - lowest >= 5 ? lowest : (scores[1] ?? 0)
      })
      const { criteria, score } = evaluationResult(input, output)
      for (const [index, criterion] of criteria.entries())
        assert.isAtMost(criterion.score ?? Number.NaN, most[index] ?? 0)
      const weights = importances.map((id) => importanceOf(id).weight)
      const limit = totalScore(most.map((one, index) => ({ weight: weights[index] ?? 0, score: one })))
      assert.isAtMost(score ?? Number.NaN, limit ?? Number.NaN)
    },
  )
})
