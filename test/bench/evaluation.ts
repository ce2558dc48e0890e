/**
 * Measures the keyword evaluator on labelled pairs of requirement and text, and on long CVs with job descriptions. One
 * half of the data was used for tuning, the other was held out. The evaluator's author wrote both. Baselines that only
 * count words stand beside it. With the EMBEDDINGS_… settings, the evaluator uses embeddings. EVALUATION_DATA names a
 * folder with data of others (evaluation/labelledData.ts).
 */
import { Effect } from "effect"
import { baselinesOf } from "./evaluation/baselines.ts"
import { calibrate, distanceOf } from "./evaluation/calibration.ts"
import type { LabelledPair } from "./evaluation/case.ts"
import { development } from "./evaluation/development.ts"
import { heldOut } from "./evaluation/heldOut.ts"
import { measureData } from "./evaluation/labelledData.ts"
import { longDevelopment } from "./evaluation/longDevelopment.ts"
import { longHeldOut } from "./evaluation/longHeldOut.ts"
import { levels, measureLong, measurePairs } from "./evaluation/measure.ts"
import { mean, tauB } from "./evaluation/statistics.ts"

export const description = "the keyword evaluator on labelled pairs; needs no database"

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

type Columns = Effect.Success<ReturnType<typeof measureData>>

const dataLines = (columns: Columns): ReadonlyArray<string> => {
  const names = Object.keys(columns)
  const cells = (of: (name: string) => string) => names.map((name) => of(name).padStart(15)).join("")
  return [
    "data of EVALUATION_DATA".padEnd(44) + cells((name) => name),
    ...Object.keys(columns["ours"] ?? {}).map(
      (figure) => figure.padEnd(44) + cells((name) => (columns[name]?.[figure] ?? Number.NaN).toFixed(3)),
    ),
    "",
  ]
}

const withoutOutcomes = ({ outcomes, ...figures }: Measurement) => figures

/** Takes about a second. */
export const run = Effect.gen(function* () {
  const tuned = yield* measurePairs(development)
  const held = yield* measurePairs(heldOut)
  const longTuned = yield* measureLong(longDevelopment)
  const longHeld = yield* measureLong(longHeldOut)
  const baselines = { development: baselineFigures(development), heldOut: baselineFigures(heldOut) }
  const folder = process.env["EVALUATION_DATA"]
  const data = folder === undefined ? undefined : yield* measureData(folder)
  return {
    json: {
      baselines,
      ...(data === undefined ? {} : { data }),
      development: { ...withoutOutcomes(tuned), long: longTuned },
      heldOut: { ...withoutOutcomes(held), long: longHeld },
    },
    text: [
      ...linesOf("development", tuned),
      ...baselineLines("development", baselines.development),
      ...longLines("development", longTuned),
      ...linesOf("held out", held),
      ...baselineLines("held out", baselines.heldOut),
      ...longLines("held out", longHeld),
      ...calibrationLines(tuned, held),
      ...(data === undefined ? [] : dataLines(data)),
    ].join("\n"),
  }
})
