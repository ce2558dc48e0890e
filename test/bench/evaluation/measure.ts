/** Runs an evaluator over a labelled set and compares its levels with the labels. */
import { Effect, Option, Schema } from "effect"
import { type EvaluationInput, evaluationResult } from "../../../src/evaluations/Evaluation.ts"
import { type Level, levelScore } from "../../../src/evaluations/Score.ts"
import type { Category, LabelledPair } from "./case.ts"
import { concurrency, outputOf, resultOf } from "./evaluator.ts"
import type { LongCase } from "./long.ts"
import { areaUnderCurve, mean, orderWithin, tauB } from "./statistics.ts"

export const levels: ReadonlyArray<Level> = ["none", "weak", "partial", "strong", "full"]

const question = "Tell us about your experience."

const Raw = Schema.Struct({ requirements: Schema.NonEmptyArray(Schema.Struct({ value: Schema.Finite })) })

/** The expected and the rated level as indices of `levels`; `rated` is -1 when the evaluator could not rate. */
export interface Outcome {
  readonly pair: LabelledPair
  readonly expected: number
  readonly rated: number
  /** From 0 to 1, before it is mapped to a level. */
  readonly value: number
  readonly rationale: string
}

export const inputOfPair = (
  { language, source, text, trade }: LabelledPair,
  requirement: LabelledPair["requirement"],
): EvaluationInput => ({
  interview_title: trade,
  position: null,
  language,
  requirements: [{ id: "requirement", ...requirement, hint: null, cfg_importance_id: null }],
  sources: [
    {
      source,
      text,
      question_id: source === "cv" ? null : "question",
      question: source === "cv" ? null : question,
    },
  ],
})

const rateOne = Effect.fnUntraced(function* (pair: LabelledPair) {
  const input = inputOfPair(pair, pair.requirement)
  const output = yield* outputOf(input)
  const [criterion] = evaluationResult(input, output).criteria
  const score = criterion?.score
  return {
    pair,
    expected: levels.indexOf(pair.expected),
    rated: typeof score === "number" ? Math.round(score / levelScore("weak")) : -1,
    value: Option.match(Schema.decodeUnknownOption(Raw)(output.raw), {
      onNone: () => (score ?? 0) / 10,
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

export const measurePairs = Effect.fnUntraced(function* (pairs: ReadonlyArray<LabelledPair>) {
  const outcomes = yield* Effect.forEach(pairs, rateOne, { concurrency })
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
})

/** Rates each text that fits its requirement against the requirements of all pairs in its language. */
export const measureChoice = Effect.fnUntraced(function* (pairs: ReadonlyArray<LabelledPair>) {
  const groups = [...new Map(pairs.map((pair) => [pair.group, pair])).values()]
  const fitting = pairs.filter(({ expected }) => levels.indexOf(expected) >= levels.indexOf("strong"))
  const rows = yield* Effect.forEach(
    fitting,
    Effect.fnUntraced(function* (pair) {
      const others = groups.filter(({ group, language }) => language === pair.language && group !== pair.group)
      const [own = 0, ...rest] = yield* Effect.forEach([pair, ...others], ({ requirement }) =>
        Effect.map(resultOf(inputOfPair(pair, requirement)), ({ score }) => score ?? 0),
      )
      return { own, rest }
    }),
    { concurrency },
  )
  return {
    "own requirement, AUC": areaUnderCurve(
      rows.flatMap(({ own, rest }) => [[own, 1] as const, ...rest.map((score) => [score, 0] as const)]),
    ),
    "own requirement scores highest": mean(rows.map(({ own, rest }) => (rest.every((score) => score < own) ? 1 : 0))),
  }
})

export const measureLong = Effect.fnUntraced(function* (cases: ReadonlyArray<LongCase>) {
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
      totals.push({ name, fit, score: score ?? 0 })
    }
  }
  return totals
})
