/**
 * Measures the evaluator that EVALUATOR, MODEL_… and EMBEDDINGS_… choose, on labelled pairs of requirement and text, and
 * on long CVs with job descriptions. One half of the data was used for tuning, the other was held out. The keyword
 * evaluator's author wrote both. Baselines that only count words stand beside it. EVALUATION_DATA names a folder with data
 * of others (docs/evaluation.md). `--write` writes the tables of docs/evaluation.md, `--ablations` measures the keyword
 * evaluator without each of its parts.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { Console, Context, Effect } from "effect"
import { evaluatorsWithout } from "./evaluation/ablations.ts"
import { baselinesOf } from "./evaluation/baselines.ts"
import { calibrate, distanceOf } from "./evaluation/calibration.ts"
import type { LabelledPair } from "./evaluation/case.ts"
import { development } from "./evaluation/development.ts"
import { byKeywords, configuredEvaluator, configuredName, fixedDate } from "./evaluation/evaluator.ts"
import { heldOut } from "./evaluation/heldOut.ts"
import { byEvaluator, type Figures, measureBaselines, measureData, readData } from "./evaluation/labelledData.ts"
import { longDevelopment } from "./evaluation/longDevelopment.ts"
import { longHeldOut } from "./evaluation/longHeldOut.ts"
import { levels, measureChoice, measureLong, measurePairs } from "./evaluation/measure.ts"
import { countTexts, type Unrated, withProgress } from "./evaluation/progress.ts"
import { measureRobustness } from "./evaluation/robustness.ts"
import { mean, tauB } from "./evaluation/statistics.ts"
import { BenchFailed } from "./support/BenchFailed.ts"

export const description = "the configured evaluator on labelled pairs; needs no database"

export const EvaluationOptions = Context.Reference<{ readonly ablations: boolean; readonly write: boolean }>(
  "bench/EvaluationOptions",
  { defaultValue: () => ({ ablations: false, write: false }) },
)

const percent = (part: number): string => `${Math.round(part * 100)} %`

type Measurement = Effect.Success<ReturnType<typeof measurePairs>>
type Totals = Effect.Success<ReturnType<typeof measureLong>>

const linesOf = (name: string, measured: Measurement): ReadonlyArray<string> => [
  `${name}: ${measured.pairs} pairs`,
  `  Kendall's tau-b over all pairs   ${measured.tauB.toFixed(2)}`,
  `  ordered right within requirement ${percent(measured.orderWithin)}`,
  `  exact level                      ${percent(measured.exact)}`,
  `  within one level                 ${percent(measured.withinOne)}`,
  "",
  `  ${"expected, rated".padEnd(20)}${levels.map((level) => level.padStart(9)).join("")}`,
  ...measured.confusion.map(
    (row, index) => `  ${(levels[index] ?? "").padEnd(20)}${row.map((count) => String(count).padStart(9)).join("")}`,
  ),
  "",
  `  ${"category".padEnd(22)}${["pairs", "exact", "within one"].map((cell) => cell.padStart(12)).join("")}`,
  ...measured.categories.map(
    ({ category, exact, pairs, withinOne }) =>
      `  ${category.padEnd(22)}${[String(pairs), percent(exact), percent(withinOne)].map((cell) => cell.padStart(12)).join("")}`,
  ),
  "",
]

/** Compares the level thresholds with those that fit the development pairs best. */
const calibrationLines = (tuned: Measurement, held: Measurement): ReadonlyArray<string> => {
  const best = calibrate(tuned.outcomes)
  const now = (measured: Measurement) =>
    mean(measured.outcomes.map(({ expected, rated }) => Math.abs(expected - rated)))
  const row = (name: string, measured: Measurement) =>
    `  ${name.padEnd(13)}${now(measured).toFixed(2).padStart(8)}${distanceOf(measured.outcomes, best).toFixed(2).padStart(14)}`
  return [
    `calibration: the development pairs ask for levels from ${best.join(", ")}`,
    "  mean distance from the labels, in levels: now, with these",
    row("development", tuned),
    row("held out", held),
    "",
  ]
}

const longLines = (name: string, totals: Totals): ReadonlyArray<string> => [
  `${name}: long CVs, scores out of 10`,
  ...[...new Set(totals.map((total) => total.name))].map((job) => {
    const of = (fit: string) =>
      totals.flatMap((total) => (total.name === job && total.fit === fit ? [total.score.toFixed(1)] : [])).join(" ")
    return `  ${job.padEnd(14)} fit ${of("fit")}, in part ${of("potential") || "-"}, none ${of("none") || "-"}`
  }),
  "",
]

/** Kendall's tau-b of each baseline. */
const baselineFigures = (pairs: ReadonlyArray<LabelledPair>): Readonly<Record<string, number>> => {
  const plain = ({ requirement: { content, title } }: LabelledPair) =>
    [title, content].filter((part) => part !== null).join(". ")
  const baselines = baselinesOf(pairs.flatMap((pair) => [plain(pair), pair.text]))
  const expected = ({ expected }: LabelledPair) => levels.indexOf(expected)
  return Object.fromEntries(
    Object.entries(baselines).map(([name, baseline]) => [
      name,
      tauB(pairs.map((pair) => [expected(pair), baseline(plain(pair), pair.text)])),
    ]),
  )
}

const baselineLines = (name: string, figures: Readonly<Record<string, number>>): ReadonlyArray<string> => [
  `${name}: Kendall's tau-b of baselines`,
  ...Object.entries(figures).map(([baseline, value]) => `  ${baseline.padEnd(33)}${value.toFixed(2)}`),
  "",
]

interface Half {
  readonly measured: Measurement
  readonly long: Totals
  readonly choice: Figures
  readonly robustness: Effect.Success<ReturnType<typeof measureRobustness>>
  readonly baselines: Readonly<Record<string, number>>
}

const measureHalf = Effect.fnUntraced(function* (
  pairs: ReadonlyArray<LabelledPair>,
  cases: Parameters<typeof measureLong>[0],
) {
  return {
    measured: yield* measurePairs(pairs),
    long: yield* measureLong(cases),
    choice: yield* measureChoice(pairs),
    robustness: yield* measureRobustness(pairs),
    baselines: baselineFigures(pairs),
  } satisfies Half
})

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const line = (cells: ReadonlyArray<string>) => `|${cells.map((cell) => (cell === "" ? " |" : ` ${cell} |`)).join("")}`
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n")
}

const two = (value: number): string => value.toFixed(2)

const ownHead = ["", "tuned on", "held out"]

const ownTable = (tuned: Half, held: Half): string => {
  const row = (name: string, of: (half: Half) => string) => [name, of(tuned), of(held)]
  const exactOf = (category: string) =>
    row(`${category}, exact`, ({ measured }) => {
      const found = measured.categories.find((one) => one.category === category)
      return found === undefined ? "" : `${Math.round(found.exact * found.pairs)} of ${found.pairs}`
    })
  const scores =
    (fit: string) =>
    ({ long }: Half) => {
      const all = long.filter((one) => one.fit === fit).map(({ score }) => score)
      const [min, max] = [Math.min(...all).toFixed(1), Math.max(...all).toFixed(1)]
      return min === max ? min : `${min} to ${max}`
    }
  return table(ownHead, [
    row("pairs", ({ measured }) => String(measured.pairs)),
    row("Kendall's tau-b, all pairs", ({ measured }) => two(measured.tauB)),
    row("the same of the best baseline", ({ baselines }) => two(Math.max(...Object.values(baselines)))),
    row("two texts for one requirement in the right order", ({ measured }) => percent(measured.orderWithin)),
    row("exact level, of five", ({ measured }) => percent(measured.exact)),
    row("within one level", ({ measured }) => percent(measured.withinOne)),
    exactOf("paraphrase"),
    exactOf("same words, no match"),
    row("own requirement against those of other pairs, AUC", ({ choice }) => two(choice["own requirement, AUC"] ?? 0)),
    row("own requirement scores highest", ({ choice }) => percent(choice["own requirement scores highest"] ?? 0)),
    row("long CVs that fit a job, out of 10", scores("fit")),
    row("long CVs that fit in part", scores("potential")),
    row("long CVs that do not fit", scores("none")),
    row("scores that another name changes", ({ robustness }) => `${robustness.swapped} of ${robustness.swaps}`),
    row(
      "scores that a second evaluation changes",
      ({ robustness }) => `${robustness.retested} of ${robustness.retests}`,
    ),
    ...tuned.robustness.raised.map(({ attack }) =>
      row(`scores that ${attack} raises by more than 0.2`, ({ robustness }) => {
        const found = robustness.raised.find((one) => one.attack === attack)
        return `${found?.count ?? 0} of ${robustness.retests}`
      }),
    ),
  ])
}

type Columns = ReadonlyArray<readonly [name: string, figures: Figures]>

const dataHead = (columns: Columns): ReadonlyArray<string> => ["", ...columns.map(([name]) => name)]

const dataTable = (columns: Columns): string =>
  table(
    dataHead(columns),
    Object.entries(columns[0]?.[1] ?? {}).map(([figure]) => [
      figure,
      ...columns.map(([, figures]) => {
        const value = figures[figure] ?? Number.NaN
        return / of \d+$/.test(figure) ? String(value) : two(value)
      }),
    ]),
  )

const docs = new URL("../../docs/evaluation.md", import.meta.url)

/** Replaces the table with the same first row. */
const writeTable = (written: string): void => {
  const head = written.split("\n")[0] ?? ""
  const lines = readFileSync(docs, "utf8").split("\n")
  const from = lines.indexOf(head)
  if (from === -1) throw new Error(`docs/evaluation.md has no table that begins with ${head}`)
  const length = lines.slice(from).findIndex((line) => !line.startsWith("|"))
  writeFileSync(docs, [...lines.slice(0, from), written, ...lines.slice(from + length)].join("\n"))
}

/** What falls when a part of the keyword evaluator is off. */
const measureAblations = Effect.fnUntraced(function* (folder: string | undefined) {
  const data = folder === undefined ? undefined : yield* readData(folder)
  const measure = Effect.gen(function* () {
    const pairs = yield* measurePairs([...development, ...heldOut])
    const choice = yield* measureChoice([...development, ...heldOut])
    const others = data === undefined ? {} : yield* measureData(data, byEvaluator)
    const figures: Figures = {
      "tau-b": pairs.tauB,
      "order within": pairs.orderWithin,
      "within one level": pairs.withinOne,
      ...choice,
      ...others,
    }
    return figures
  })
  const whole = yield* measure.pipe(Effect.provide(configuredEvaluator))
  const without = yield* Effect.forEach(yield* evaluatorsWithout, ({ layer, part }) =>
    Effect.map(measure.pipe(Effect.provide(layer)), (figures) => ({ part, figures })),
  )
  const shown = (part: string, figures: Figures, base: Figures) => [
    part.padEnd(42),
    ...Object.entries(figures).map(([name, value]) =>
      (value - (base[name] ?? 0)).toFixed(/ of \d+$/.test(name) ? 0 : 3).padStart(8),
    ),
  ]
  const columns = Object.keys(whole)
  return {
    json: { whole, without },
    lines: [
      "ablations: the change of each figure when a part is off",
      ...columns.map((name, at) => `  (${at + 1}) ${name}: ${(whole[name] ?? Number.NaN).toFixed(3)}`),
      ["".padEnd(42), ...columns.map((_, at) => `(${at + 1})`.padStart(8))].join(""),
      ...without.map(({ figures, part }) => shown(part, figures, whole).join("")),
      "",
    ],
  }
})

const withoutOutcomes = ({ measured: { outcomes, ...figures }, ...half }: Half) => ({ ...figures, ...half })

const unratedLines = ({ reasons, texts }: Unrated, all: number): ReadonlyArray<string> =>
  texts === 0
    ? []
    : [
        `${texts} of ${all} texts could not be rated, and count as a score of 0:`,
        ...[...reasons].map(([reason, count]) => `  ${count} times: ${reason}`),
        "",
      ]

const ownData =
  "To measure on texts of your own, set EVALUATION_DATA to a folder (docs/evaluation.md, “Your own texts”)."

/** With the keyword evaluator, it takes some seconds; with EVALUATION_DATA half a minute. */
export const run = Effect.gen(function* () {
  const { ablations, write } = yield* EvaluationOptions
  const folder = process.env["EVALUATION_DATA"]
  const name = yield* configuredName
  const data = folder === undefined ? undefined : yield* readData(folder)
  const isWritten = write && name === byKeywords
  if (write && !isWritten)
    yield* Console.error(`docs/evaluation.md keeps the figures ${byKeywords}; the tables to publish are printed.`)
  const measurement = Effect.gen(function* () {
    return {
      tuned: yield* measureHalf(development, longDevelopment),
      held: yield* measureHalf(heldOut, longHeldOut),
      others: data === undefined ? undefined : yield* measureData(data, byEvaluator),
    }
  })
  const texts = yield* countTexts(measurement)
  yield* Console.error(`${name}: ${texts.toLocaleString("en")} texts to rate`)
  const { measured, unrated } = yield* withProgress(measurement, texts).pipe(Effect.provide(configuredEvaluator))
  const { held, others, tuned } = measured
  const columns =
    data === undefined || others === undefined ? [] : [[name, others] as const, ...(yield* measureBaselines(data))]
  const own = ownTable(tuned, held)
  if (isWritten) {
    writeTable(own)
    if (columns.length > 0) writeTable(dataTable(columns))
  }
  const parts = ablations ? yield* measureAblations(folder) : undefined
  return {
    json: {
      evaluator: name,
      texts,
      unrated: unrated.texts,
      ...(columns.length === 0 ? {} : { data: Object.fromEntries(columns) }),
      development: withoutOutcomes(tuned),
      heldOut: withoutOutcomes(held),
      ...(parts === undefined ? {} : { ablations: parts.json }),
    },
    text: [
      `evaluator: ${name}`,
      "",
      ...unratedLines(unrated, texts),
      ...linesOf("development", tuned.measured),
      ...baselineLines("development", tuned.baselines),
      ...longLines("development", tuned.long),
      ...linesOf("held out", held.measured),
      ...baselineLines("held out", held.baselines),
      ...longLines("held out", held.long),
      ...calibrationLines(tuned.measured, held.measured),
      own,
      "",
      ...(columns.length === 0 ? [] : [dataTable(columns), ""]),
      ...(parts?.lines ?? []),
      ...(data === undefined ? [ownData] : []),
    ].join("\n"),
  }
}).pipe(
  Effect.catchTag("EvaluatorUnavailable", ({ reason }) => Effect.fail(new BenchFailed({ message: reason }))),
  Effect.provide(fixedDate),
)
