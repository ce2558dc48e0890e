/**
 * Finds the thresholds of the levels (`levels` in src/evaluations/keyword/RateByKeywords.ts) that agree best with the
 * labels. The other numbers of the keyword evaluator were chosen one at a time, by the figures that
 * `npm run bench evaluation` prints.
 */
import { mean } from "./statistics.ts"

/** `value` is from 0 to 1, `expected` the index of the level. */
export interface Calibrated {
  readonly value: number
  readonly expected: number
}

const candidates = [
  [0.03, 0.05, 0.07, 0.1, 0.12],
  [0.2, 0.24, 0.28, 0.33, 0.38],
  [0.45, 0.5, 0.54, 0.58, 0.62],
  [0.7, 0.75, 0.8, 0.85, 0.9],
] as const

export type Thresholds = readonly [weak: number, partial: number, strong: number, full: number]

const all: ReadonlyArray<Thresholds> = candidates[0].flatMap((weak) =>
  candidates[1].flatMap((partial) =>
    candidates[2].flatMap((strong) => candidates[3].map((full): Thresholds => [weak, partial, strong, full])),
  ),
)

/** The mean distance from the labels, in levels. */
export const distanceOf = (rows: ReadonlyArray<Calibrated>, thresholds: Thresholds): number =>
  mean(rows.map(({ expected, value }) => Math.abs(thresholds.filter((from) => value >= from).length - expected)))

/** Returns the best thresholds; the first of equally good ones. */
export const calibrate = (rows: ReadonlyArray<Calibrated>): Thresholds => {
  const [first = [0.07, 0.33, 0.58, 0.8], ...others] = all
  return others.reduce<Thresholds>((best, one) => (distanceOf(rows, one) < distanceOf(rows, best) ? one : best), first)
}
