/**
 * Measures the keyword evaluator on labelled pairs of requirement and text, and on long CVs with job descriptions. One
 * half of the data was used for tuning, the other was held out. The evaluator's author wrote both.
 */
import { Effect } from "effect"
import { development } from "./evaluation/development.ts"
import { heldOut } from "./evaluation/heldOut.ts"
import { longDevelopment } from "./evaluation/longDevelopment.ts"
import { longHeldOut } from "./evaluation/longHeldOut.ts"
import { levels, measureLong, measurePairs } from "./evaluation/measure.ts"

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

const longLines = (name: string, totals: Totals): ReadonlyArray<string> => [
  `${name}: long CVs, scores out of 10`,
  ...[...new Set(totals.map((total) => total.name))].map((job) => {
    const of = (fit: string) =>
      totals.flatMap((total) => (total.name === job && total.fit === fit ? [total.score.toFixed(1)] : [])).join(" ")
    return `  ${job.padEnd(14)} fit ${of("fit")}, in part ${of("potential") || "-"}, none ${of("none") || "-"}`
  }),
  "",
]

const withoutOutcomes = ({ outcomes, ...figures }: Measurement) => figures

/** Takes about a second. */
export const run = Effect.gen(function* () {
  const tuned = yield* measurePairs(development)
  const held = yield* measurePairs(heldOut)
  const longTuned = yield* measureLong(longDevelopment)
  const longHeld = yield* measureLong(longHeldOut)
  return {
    json: {
      development: { ...withoutOutcomes(tuned), long: longTuned },
      heldOut: { ...withoutOutcomes(held), long: longHeld },
    },
    text: [
      ...linesOf("development", tuned),
      ...longLines("development", longTuned),
      ...linesOf("held out", held),
      ...longLines("held out", longHeld),
    ].join("\n"),
  }
})
