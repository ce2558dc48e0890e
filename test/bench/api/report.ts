/** Formats the measurements and targets as a table and as JSON. */

import { atLeast, atMost } from "../support/report.ts"
import type { Figures, Measurement } from "./measure.ts"
import { createSet, invite1, invite100, invite1000, readSubmission, type Scenario } from "./scenarios.ts"

export interface Machine {
  readonly cores: number
  readonly node: string
  readonly postgres: string
  /** Load average of the minute before the start. Above zero, other processes slowed the measurement. */
  readonly load: number
}

export interface Target {
  readonly target: string
  readonly value: number
  readonly reached: boolean
}

/** Smallest rates relative to Fastify. */
const leastRates: ReadonlyArray<readonly [scenario: Scenario, least: number]> = [
  [createSet, 0.75],
  [invite1000, 0.9],
  [invite100, 0.9],
  [invite1, 0.9],
  [readSubmission, 0.85],
]

/** The service is the first server of each measurement. */
export const targetsOf = (measurements: ReadonlyArray<Measurement>): ReadonlyArray<Target> => {
  const figuresOf = (of: Scenario, server: string): Figures | undefined =>
    measurements.find(({ scenario }) => scenario === of)?.figures.find((one) => one.server === server)
  const slowest = (server: string) => figuresOf(invite1000, server)?.p99 ?? Number.NaN
  return [
    ...leastRates.map(([scenario, least]) =>
      atLeast(
        `${scenario.name}: at least ${least} of fastify's requests/s`,
        figuresOf(scenario, "fastify")?.ratio ?? Number.NaN,
        least,
      ),
    ),
    atMost("invite 1,000: p99 at most fastify's", slowest("service") / slowest("fastify"), 1),
  ]
}

export const toJson = (machine: Machine, measurements: ReadonlyArray<Measurement>) => ({
  machine,
  scenarios: measurements.map(({ figures, scenario: { candidates, connections, name } }) => ({
    name,
    connections,
    candidates,
    servers: figures,
  })),
  targets: targetsOf(measurements),
})

const digits = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)

const columns = ["requests/s", "candidates/s", "p50 ms", "p99 ms", "service to this"]

const lineOf = (first: string, cells: ReadonlyArray<string>) =>
  (first.padEnd(34) + cells.map((cell, i) => cell.padStart((columns[i]?.length ?? 0) + 3)).join("")).trimEnd()

const tableOf = ({ figures, scenario: { candidates, connections, name } }: Measurement) => [
  lineOf(`${name}, ${connections} connections`, columns),
  ...figures.map(({ candidatesPerSecond, p50, p99, ratio, requestsPerSecond, server }, i) =>
    lineOf(`  ${server}`, [
      digits(requestsPerSecond),
      candidates === 0 ? "" : digits(candidatesPerSecond),
      digits(p50),
      digits(p99),
      i === 0 ? "" : ratio.toFixed(2),
    ]),
  ),
  "",
]

export const toText = (machine: Machine, measurements: ReadonlyArray<Measurement>) =>
  [
    ...measurements.flatMap(tableOf),
    ...targetsOf(measurements).map(
      ({ reached, target, value }) => `${reached ? "reached" : "missed "}  ${target}: ${digits(value)}`,
    ),
    "",
    `${machine.cores} cores, load ${machine.load.toFixed(1)} before the start, Node ${machine.node}, Postgres ${machine.postgres}`,
  ].join("\n")
