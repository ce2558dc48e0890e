/**
 * Measures evaluators on data sets of others, which are not part of this repository. EVALUATION_DATA is a folder with any
 * of these files; each line is a JSON object:
 *
 * - `graded-answers.jsonl`: `question`, `reference` (used as the requirement), `answer`, `grade` (larger is better)
 * - `interview-levels.jsonl`: `answers` (`question`, `answer`), `levels` (requirement to low, medium or high)
 * - `interview-evidence.jsonl`: `interview`, `test`, `trait`, `before` (answers), `turn` (the answer that is added)
 * - `*-requirements.json`: by name of the requirement, `title` and `content`
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { type EvaluationInput, evaluationResult } from "../../../src/evaluations/Evaluation.ts"
import { Evaluator } from "../../../src/evaluations/Evaluator.ts"
import { type Baseline, baselinesOf } from "./baselines.ts"
import { measuredEvaluator } from "./evaluator.ts"
import { areaUnderCurve, mean, pearson, spearman } from "./statistics.ts"

const Turn = Schema.Struct({ question: Schema.String, answer: Schema.String })
type Turn = typeof Turn.Type
const Graded = Schema.Struct({ ...Turn.fields, reference: Schema.String, grade: Schema.Finite })
const Level = Schema.Literals(["low", "medium", "high"])
const Simulated = Schema.Struct({ answers: Schema.Array(Turn), levels: Schema.Record(Schema.String, Level) })
const Staged = Schema.Struct({
  interview: Schema.String,
  test: Schema.String,
  trait: Schema.NullOr(Schema.String),
  before: Schema.Array(Turn),
  turn: Turn,
})
const Wanted = Schema.Struct({ title: Schema.NullOr(Schema.String), content: Schema.NullOr(Schema.String) })
type Wanted = typeof Wanted.Type
const Requirements = Schema.Record(Schema.String, Wanted)

const decodeGraded = Schema.decodeUnknownSync(Schema.fromJsonString(Graded))
const decodeSimulated = Schema.decodeUnknownSync(Schema.fromJsonString(Simulated))
const decodeStaged = Schema.decodeUnknownSync(Schema.fromJsonString(Staged))
const decodeRequirements = Schema.decodeUnknownSync(Schema.fromJsonString(Requirements))

const linesOf = <A>(path: string, decode: (line: string) => A): ReadonlyArray<A> =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map(decode)
    : []

/** Scores of the requirements by name, and the total; out of 10 for the evaluator. */
interface Scores {
  readonly of: (name: string) => number
  readonly total: number
}

type Scorer<R> = (
  wanted: Readonly<Record<string, Wanted>>,
  turns: ReadonlyArray<Turn>,
) => Effect.Effect<Scores, never, R>

const plain = ({ content, title }: Wanted) => [title, content].filter((part) => part !== null).join(". ")

const counting =
  (baseline: Baseline): Scorer<never> =>
  (wanted, turns) => {
    const text = turns.map(({ answer }) => answer).join("\n")
    const scores = new Map(Object.entries(wanted).map(([name, one]) => [name, 10 * baseline(plain(one), text)]))
    return Effect.succeed({ of: (name) => scores.get(name) ?? 0, total: mean([...scores.values()]) })
  }

const ours: Scorer<Evaluator> = Effect.fnUntraced(function* (wanted, turns) {
  const input: EvaluationInput = {
    interview_title: "Interview",
    position: null,
    language: "en",
    requirements: Object.entries(wanted).map(([id, one]) => ({ id, ...one, hint: null, cfg_importance_id: null })),
    sources: turns.map(({ answer, question }, index) => ({
      source: "answer",
      question_id: String(index),
      question,
      text: answer,
    })),
  }
  const output = yield* Effect.orDie((yield* Evaluator).evaluate(input))
  const result = evaluationResult(input, output)
  const scores = new Map(result.criteria.map(({ requirement_id, score }) => [requirement_id, score ?? 0]))
  return { of: (name) => scores.get(name) ?? 0, total: result.score ?? 0 }
})

const gradedFigures = <R>(rows: ReadonlyArray<typeof Graded.Type>, score: Scorer<R>) =>
  Effect.map(
    Effect.forEach(rows, ({ answer, question, reference }) =>
      Effect.map(score({ it: { title: null, content: reference } }, [{ question, answer }]), (found) => found.of("it")),
    ),
    (scores) => ({ "graded answers, Pearson r": pearson(scores.map((one, at) => [one, rows[at]?.grade ?? 0])) }),
  )

const ranks = { low: 0, medium: 1, high: 2 } as const

const simulatedFigures = Effect.fnUntraced(function* <R>(
  rows: ReadonlyArray<typeof Simulated.Type>,
  wanted: Readonly<Record<string, Wanted>>,
  score: Scorer<R>,
) {
  const scored = yield* Effect.forEach(rows, (row) =>
    Effect.map(score(wanted, row.answers), (found) => ({ row, found })),
  )
  const pairsOf = (name: string) =>
    scored.flatMap(({ found, row }) => {
      const level = row.levels[name]
      return level === undefined ? [] : [[found.of(name), ranks[level]] as const]
    })
  const all = Object.keys(wanted).map(pairsOf)
  const ends = (pairs: ReadonlyArray<readonly [number, number]>) => pairs.filter(([, rank]) => rank !== 1)
  return {
    "simulated interviews, mean Spearman rho": mean(all.map(spearman)),
    "simulated interviews, AUC high/low": mean(all.map((pairs) => areaUnderCurve(ends(pairs)))),
  }
})

const stagedFigures = Effect.fnUntraced(function* <R>(
  rows: ReadonlyArray<typeof Staged.Type>,
  wanted: Readonly<Record<string, Wanted>>,
  score: Scorer<R>,
) {
  const interviews = [...Map.groupBy(rows, ({ interview }) => interview).values()]
  let ordered = 0
  let reversed = 0
  let raised = 0
  const moved = { aggrandising: 0, irrelevance: 0, repetition: 0 }
  for (const tests of interviews) {
    const of = (test: string) => tests.find((one) => one.test === test)
    const trait = tests.find((one) => one.trait !== null)?.trait ?? ""
    const scoreOf = (...added: ReadonlyArray<string>) =>
      score(wanted, [...(tests[0]?.before ?? []), ...added.flatMap((test) => of(test)?.turn ?? [])])
    const levels = yield* Effect.forEach(["low", "medium", "high"], (level) => scoreOf(`${level}-evidence`))
    const [low = 0, medium = 0, high = 0] = levels.map((one) => one.of(trait))
    if (low < medium && medium < high) ordered += 1
    if (low > high || low > medium || medium > high) reversed += 1
    for (const [index, level] of ["low", "medium", "high"].entries()) {
      const debased = yield* scoreOf(`${level}-evidence`, `${level}-evidence-debase`)
      if (debased.of(trait) > (levels[index]?.of(trait) ?? 0) + 1e-9) raised += 1
    }
    const base = yield* scoreOf()
    for (const test of ["aggrandising", "irrelevance", "repetition"] as const) {
      if (Math.abs((yield* scoreOf(test)).total - base.total) <= 0.2 + 1e-9) moved[test] += 1
    }
  }
  const count = interviews.length
  return {
    [`evidence, low < medium < high, of ${count}`]: ordered,
    [`evidence, an order reversed, of ${count}`]: reversed,
    [`evidence, debasing raises, of ${3 * count}`]: raised,
    [`boasting within 0.2, of ${count}`]: moved.aggrandising,
    [`irrelevance within 0.2, of ${count}`]: moved.irrelevance,
    [`repetition within 0.2, of ${count}`]: moved.repetition,
  }
})

/** Returns a column of figures for the evaluator (`ours`) and one for each baseline. */
export const measureData = Effect.fn(function* (folder: string) {
  const graded = linesOf(join(folder, "graded-answers.jsonl"), decodeGraded)
  const simulated = linesOf(join(folder, "interview-levels.jsonl"), decodeSimulated)
  const staged = linesOf(join(folder, "interview-evidence.jsonl"), decodeStaged)
  const files = readdirSync(folder).filter((name) => name.endsWith("-requirements.json"))
  const wanted = Object.assign(
    {},
    ...files.map((name) => decodeRequirements(readFileSync(join(folder, name), "utf8"))),
  ) as Readonly<Record<string, Wanted>>
  const texts = [
    ...graded.flatMap(({ answer, reference }) => [answer, reference]),
    ...simulated.flatMap(({ answers }) => answers.map(({ answer }) => answer)),
    ...staged.map(({ turn }) => turn.answer),
    ...Object.values(wanted).map(plain),
  ]
  const figures = <R>(score: Scorer<R>) =>
    Effect.map(
      Effect.all([
        graded.length === 0 ? Effect.succeed({}) : gradedFigures(graded, score),
        simulated.length === 0 ? Effect.succeed({}) : simulatedFigures(simulated, wanted, score),
        staged.length === 0 ? Effect.succeed({}) : stagedFigures(staged, wanted, score),
      ]),
      (parts): Readonly<Record<string, number>> => Object.assign({}, ...parts),
    )
  const columns: Record<string, Readonly<Record<string, number>>> = {
    ours: yield* figures(ours).pipe(Effect.provide(measuredEvaluator)),
  }
  for (const [name, baseline] of Object.entries(baselinesOf(texts))) columns[name] = yield* figures(counting(baseline))
  return columns
})
