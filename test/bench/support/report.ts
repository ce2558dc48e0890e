/** Lines and targets that the reports of all benches share. */
import { availableParallelism, loadavg } from "node:os"
import { Effect } from "effect"
import type { Machine, Target } from "../api/report.ts"
import * as Postgres from "./postgres.ts"

/** Describes the machine; called before anything is measured. */
export const machineOf = Effect.fnUntraced(function* (postgres: string) {
  const [load = 0] = loadavg()
  return {
    cores: availableParallelism(),
    node: process.versions.node,
    postgres: yield* Postgres.version(postgres),
    load,
  } satisfies Machine
})

export const atLeast = (target: string, value: number, least: number): Target => ({
  target,
  value,
  reached: value >= least,
})

export const atMost = (target: string, value: number, most: number): Target => ({
  target,
  value,
  reached: value <= most,
})

/** Formats a number with two, one or no decimals, depending on its size. */
export const digits = (value: number): string =>
  value < 10 ? value.toFixed(2) : value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 })

/** A table row whose cells are as wide as `columns`, the names of the columns. */
export const lineOf = (columns: ReadonlyArray<string>, first: string, cells: ReadonlyArray<string>): string =>
  (first.padEnd(50) + cells.map((cell, i) => cell.padStart((columns[i]?.length ?? 0) + 3)).join("")).trimEnd()

/** The last lines of a report: targets and machine. */
export const conclusion = (machine: Machine, targets: ReadonlyArray<Target>): ReadonlyArray<string> => [
  "",
  ...targets.map(({ reached, target, value }) => `${reached ? "reached" : "missed "}  ${target}: ${digits(value)}`),
  "",
  `${machine.cores} cores, load ${machine.load.toFixed(1)} before the start, Node ${machine.node}, Postgres ${machine.postgres}`,
]
