/** Runs the keyword evaluator over a labelled set and compares its levels with the labels. */
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { type EvaluationInput, evaluationResult } from "../../../src/evaluations/Evaluation.ts"
import { Evaluator } from "../../../src/evaluations/Evaluator.ts"
import { type Level, levelScore } from "../../../src/evaluations/Score.ts"
import type { Category, LabelledPair } from "./case.ts"
import { measuredEvaluator } from "./evaluator.ts"
import type { LongCase } from "./long.ts"
import { mean, orderWithin, tauB } from "./statistics.ts"

export const levels: ReadonlyArray<Level> = ["none", "weak", "partial", "strong", "full"]

/** The clock's fixed date, so that "since 2018" is the same number of years in every run. */
const today = Date.UTC(2026, 10, 21)

const question = "Tell us about your experience."

const Raw = Schema.Struct({ requirements: Schema.NonEmptyArray(Schema.Struct({ value: Schema.Finite })) })

const outputOf = Effect.fnUntraced(function* (input: EvaluationInput) {
  return yield* (yield* Evaluator).evaluate(input)
})

const resultOf = (input: EvaluationInput) => Effect.map(outputOf(input), (output) => evaluationResult(input, output))

/** The expected and the rated level as indices of `levels`; `rated` is -1 when the evaluator could not rate. */
export interface Outcome {
  readonly pair: LabelledPair
  readonly expected: number
  readonly rated: number
  /** From 0 to 1, before it is mapped to a level. */
  readonly value: number
  readonly rationale: string
}

const rateOne = Effect.fnUntraced(function* (pair: LabelledPair) {
  const { requirement, source, text } = pair
  const input: EvaluationInput = {
    interview_title: pair.trade,
    position: null,
    language: pair.language,
    requirements: [{ id: "requirement", ...requirement, hint: null, cfg_importance_id: null }],
    sources: [
      {
        source,
        text,
        question_id: source === "cv" ? null : "question",
        question: source === "cv" ? null : question,
      },
    ],
  }
  const output = yield* outputOf(input)
  const [criterion] = evaluationResult(input, output).criteria
  return {
    pair,
    expected: levels.indexOf(pair.expected),
    rated: typeof criterion?.score === "number" ? Math.round(criterion.score / levelScore("weak")) : -1,
    value: Option.match(Schema.decodeUnknownOption(Raw)(output.raw), {
      onNone: () => 0,
      onSome: ({ requirements }) => requirements[0].value,
    }),
    rationale: criterion?.rationale ?? "",
  } satisfies Outcome
})

const agreement = (outcomes: ReadonlyArray<Outcome>) => ({
  pairs: outcomes.length,
  exact: mean(outcomes.map(({ expected, rated }) => (expected === rated ? 1 : 0))),
  withinOne: mean(outcomes.map(({ expected, rated }) => (Math.abs(expected - rated) <= 1 ? 1 : 0))),
})

export const measurePairs = Effect.fnUntraced(
  function* (pairs: ReadonlyArray<LabelledPair>) {
    yield* TestClock.setTime(today)
    const outcomes = yield* Effect.forEach(pairs, rateOne)
    const ranks = ({ expected, rated }: Outcome) => [expected, rated] as const
    const categories = [...new Set(pairs.map(({ category }) => category))]
    const groups = [...new Set(pairs.map(({ group }) => group))]
    return {
      outcomes,
      ...agreement(outcomes),
      tauB: tauB(outcomes.map(ranks)),
      orderWithin: orderWithin(groups.map((group) => outcomes.filter(({ pair }) => pair.group === group).map(ranks))),
      confusion: levels.map((_, expected) =>
        levels.map((_, rated) => outcomes.filter((one) => one.expected === expected && one.rated === rated).length),
      ),
      categories: categories.map((category): { category: Category } & ReturnType<typeof agreement> => ({
        category,
        ...agreement(outcomes.filter(({ pair }) => pair.category === category)),
      })),
    }
  },
  Effect.provide([measuredEvaluator, TestClock.layer()]),
)

export const measureLong = Effect.fnUntraced(
  function* (cases: ReadonlyArray<LongCase>) {
    yield* TestClock.setTime(today)
    const totals: Array<{ name: string; fit: "fit" | "potential" | "none"; score: number }> = []
    for (const { fit, job, name, none, potential } of cases) {
      const texts = [
        { fit: "fit" as const, text: fit },
        ...(potential === null ? [] : [{ fit: "potential" as const, text: potential }]),
        ...none.map((text) => ({ fit: "none" as const, text })),
      ]
      for (const { fit, text } of texts) {
        const { score } = yield* resultOf({
          interview_title: name,
          position: null,
          language: null,
          requirements: job.map((one, index) => ({ id: String(index), ...one, hint: null, cfg_importance_id: 272 })),
          sources: [{ source: "cv", question_id: null, question: null, text }],
        })
        totals.push({ name, fit, score: score ?? Number.NaN })
      }
    }
    return totals
  },
  Effect.provide([measuredEvaluator, TestClock.layer()]),
)
