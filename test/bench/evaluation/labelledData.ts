/** Measures evaluators on data sets of others, which are not part of this repository: the files of EVALUATION_DATA. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Console, Effect, Result, Schema } from "effect"
import type { Evaluator, EvaluatorUnavailable } from "../../../src/evaluations/Evaluator.ts"
import { BenchFailed } from "../support/BenchFailed.ts"
import { type Baseline, baselinesOf } from "./baselines.ts"
import { concurrency, resultOf } from "./evaluator.ts"
import { areaUnderCurve, mean, pearson, quadraticKappa, spearman } from "./statistics.ts"

const Turn = Schema.Struct({ question: Schema.String, answer: Schema.String })
type Turn = typeof Turn.Type
const Grade = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 5 }))
const Graded = Schema.Struct({ ...Turn.fields, reference: Schema.String, grade: Grade })
const Labelled = Schema.Struct({
  ...Turn.fields,
  set: Schema.String,
  reference: Schema.String,
  label: Schema.String,
})
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

/** `form` is what an error says is expected. docs/evaluation.md describes the files. */
const files = {
  graded: {
    name: "graded-answers.jsonl",
    read: Schema.decodeUnknownResult(Schema.fromJsonString(Graded)),
    form: '{"question": "…", "reference": "…", "answer": "…", "grade": 0 to 5}',
  },
  labelled: {
    name: "labelled-answers.jsonl",
    read: Schema.decodeUnknownResult(Schema.fromJsonString(Labelled)),
    form: '{"set": "…", "question": "…", "reference": "…", "answer": "…", "label": "correct" or another}',
  },
  simulated: {
    name: "interview-levels.jsonl",
    read: Schema.decodeUnknownResult(Schema.fromJsonString(Simulated)),
    form: '{"answers": [{"question": "…", "answer": "…"}], "levels": {"<requirement>": "low", "medium" or "high"}}',
  },
  staged: {
    name: "interview-evidence.jsonl",
    read: Schema.decodeUnknownResult(Schema.fromJsonString(Staged)),
    form: '{"interview": "…", "test": "…", "trait": "<requirement>" or null, "before": [{"question": "…", "answer": "…"}], "turn": {"question": "…", "answer": "…"}}',
  },
} as const

const requirementsEnd = "-requirements.json"
const requirementsForm = '{"<requirement>": {"title": "…" or null, "content": "…" or null}}'
const readRequirements = Schema.decodeUnknownResult(Schema.fromJsonString(Requirements))

const wrong = (place: string, problem: string, form: string) =>
  new BenchFailed({ message: `${place}: ${problem.replaceAll(/\s+/g, " ")}. Expected ${form}.` })

const linesOf = Effect.fnUntraced(function* <A>(
  folder: string,
  { form, name, read }: { name: string; form: string; read: (line: string) => Result.Result<A, Schema.SchemaError> },
) {
  const path = join(folder, name)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, "utf8").split("\n")
  const found: Array<A> = []
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue
    const one = read(line)
    if (Result.isFailure(one))
      return yield* wrong(`${path}, line ${at + 1}`, one.failure.message, `one JSON object on this line: ${form}`)
    found.push(one.success)
  }
  return found
})

/** Scores of the requirements by name, and the total; out of 10 for the evaluator. */
interface Scores {
  readonly of: (name: string) => number
  readonly total: number
}

export type Scorer<R> = (
  wanted: Readonly<Record<string, Wanted>>,
  turns: ReadonlyArray<Turn>,
) => Effect.Effect<Scores, EvaluatorUnavailable, R>

const plain = ({ content, title }: Wanted) => [title, content].filter((part) => part !== null).join(". ")

const counting =
  (baseline: Baseline): Scorer<never> =>
  (wanted, turns) => {
    const text = turns.map(({ answer }) => answer).join("\n")
    const scores = new Map(Object.entries(wanted).map(([name, one]) => [name, 10 * baseline(plain(one), text)]))
    return Effect.succeed({ of: (name) => scores.get(name) ?? 0, total: mean([...scores.values()]) })
  }

export const byEvaluator: Scorer<Evaluator> = Effect.fnUntraced(function* (wanted, turns) {
  const result = yield* resultOf({
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
  })
  const scores = new Map(result.criteria.map(({ requirement_id, score }) => [requirement_id, score ?? 0]))
  return { of: (name) => scores.get(name) ?? 0, total: result.score ?? 0 }
})

type Referenced = Turn & { readonly reference: string }

const answerScores = <R>(rows: ReadonlyArray<Referenced>, score: Scorer<R>) =>
  Effect.forEach(
    rows,
    ({ answer, question, reference }) =>
      Effect.map(score({ it: { title: null, content: reference } }, [{ question, answer }]), (found) => found.of("it")),
    { concurrency },
  )

const gradedFigures = <R>(rows: ReadonlyArray<typeof Graded.Type>, score: Scorer<R>) =>
  Effect.map(answerScores(rows, score), (scores) => {
    const pairs = scores.map((one, at) => [one, rows[at]?.grade ?? 0] as const)
    return {
      [`${rows.length} graded short answers, correlation with the grade`]: pearson(pairs),
      "the same, quadratic weighted kappa of 0 to 5": quadraticKappa(
        pairs.map(([one, grade]) => [Math.round(one / 2), Math.round(grade)]),
      ),
    }
  })

/** The chance that a correct answer scores above another: of a set, and of the same question. */
const labelledFigures = Effect.fnUntraced(function* <R>(rows: ReadonlyArray<typeof Labelled.Type>, score: Scorer<R>) {
  const scores = yield* answerScores(rows, score)
  const scored = rows.map((row, at) => ({ row, pair: [scores[at] ?? 0, row.label === "correct" ? 1 : 0] as const }))
  const aucOf = (some: typeof scored) => areaUnderCurve(some.map(({ pair }) => pair))
  const within = [...Map.groupBy(scored, ({ row }) => `${row.set} ${row.question}`).values()]
    .map(aucOf)
    .filter((auc) => !Number.isNaN(auc))
  return {
    ...Object.fromEntries(
      [...Map.groupBy(scored, ({ row }) => row.set)].map(([set, some]) => [
        `${some.length} answers (${set}), AUC of correct ones`,
        aucOf(some),
      ]),
    ),
    "all of these, mean AUC within a question": mean(within),
  }
})

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
    [`${rows.length} simulated interviews, rank correlation with the level`]: mean(all.map(spearman)),
    "the same, AUC of high against low": mean(all.map((pairs) => areaUnderCurve(ends(pairs)))),
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
    [`interviews with weak, medium and strong evidence in order, of ${count}`]: ordered,
    [`the same, with two in reverse order, of ${count}`]: reversed,
    [`retracted answers that raise the score, of ${3 * count}`]: raised,
    [`boasts that change the total by at most 0.2, of ${count}`]: moved.aggrandising,
    [`irrelevant answers that do, of ${count}`]: moved.irrelevance,
    [`repetitions that do, of ${count}`]: moved.repetition,
  }
})

/** Reads the files of a folder. Fails with the file, the line and the expected form. */
export const readData = Effect.fnUntraced(function* (folder: string) {
  if (!existsSync(folder)) return yield* new BenchFailed({ message: `EVALUATION_DATA: there is no folder ${folder}.` })
  const names = readdirSync(folder)
  const wanted: Record<string, Wanted> = {}
  for (const name of names.filter((one) => one.endsWith(requirementsEnd))) {
    const read = readRequirements(readFileSync(join(folder, name), "utf8"))
    if (Result.isFailure(read)) return yield* wrong(join(folder, name), read.failure.message, requirementsForm)
    Object.assign(wanted, read.success)
  }
  const data = {
    graded: yield* linesOf(folder, files.graded),
    labelled: yield* linesOf(folder, files.labelled),
    simulated: yield* linesOf(folder, files.simulated),
    staged: yield* linesOf(folder, files.staged),
    wanted,
  }
  const known = Object.values(files).map(({ name }) => name)
  if (!names.some((name) => known.some((one) => one === name)))
    return yield* new BenchFailed({
      message: `EVALUATION_DATA: ${folder} has none of the files ${known.join(", ")}. docs/evaluation.md describes them.`,
    })
  const unread = names.filter((name) => name.endsWith(".jsonl") && !known.some((one) => one === name))
  if (unread.length > 0) yield* Console.error(`not read, because their names are not known: ${unread.join(", ")}`)
  const asked = [
    ...data.simulated.flatMap(({ levels }) => Object.keys(levels)),
    ...data.staged.map(({ trait }) => trait),
  ]
  const missing = asked.find((name) => name !== null && wanted[name] === undefined)
  if (missing !== undefined)
    return yield* wrong(
      folder,
      `no file describes the requirement "${missing}"`,
      `a file *${requirementsEnd} with ${requirementsForm}`,
    )
  return data
})
type Data = Effect.Success<ReturnType<typeof readData>>

export type Figures = Readonly<Record<string, number>>

export const measureData = <R>(
  { graded, labelled, simulated, staged, wanted }: Data,
  score: Scorer<R>,
): Effect.Effect<Figures, EvaluatorUnavailable, R> =>
  Effect.map(
    Effect.all([
      graded.length === 0 ? Effect.succeed({}) : gradedFigures(graded, score),
      labelled.length === 0 ? Effect.succeed({}) : labelledFigures(labelled, score),
      simulated.length === 0 ? Effect.succeed({}) : simulatedFigures(simulated, wanted, score),
      staged.length === 0 ? Effect.succeed({}) : stagedFigures(staged, wanted, score),
    ]),
    (parts) => Object.assign({}, ...parts),
  )

/** The figures of each baseline. */
export const measureBaselines = ({ graded, labelled, simulated, staged, wanted }: Data) => {
  const texts = [
    ...[...graded, ...labelled].flatMap(({ answer, reference }) => [answer, reference]),
    ...simulated.flatMap(({ answers }) => answers.map(({ answer }) => answer)),
    ...staged.map(({ turn }) => turn.answer),
    ...Object.values(wanted).map(plain),
  ]
  return Effect.forEach(Object.entries(baselinesOf(texts)), ([name, baseline]) =>
    Effect.map(
      measureData({ graded, labelled, simulated, staged, wanted }, counting(baseline)),
      (figures) => [name, figures] as const,
    ),
  )
}
