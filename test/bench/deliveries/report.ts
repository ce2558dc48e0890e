/** Formats the measurements and targets as a table and as JSON. */
import { readFileSync } from "node:fs"
import type { Machine, Target } from "../api/report.ts"
import { atLeast, atMost, conclusion, digits, lineOf } from "../support/report.ts"
import type { Figures } from "./measure.ts"
import { amount, fanOut, trickle } from "./settings.ts"

export interface Measurements {
  readonly machine: Machine
  /** The first is the service. */
  readonly figures: ReadonlyArray<Figures>
  readonly fanOut: { readonly perSecond: number }
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number }
}

const { devDependencies } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"))

export const names = {
  service: "service",
  slow: "service, 1 % of answers after 1 s",
  graphileWorker: `graphile-worker ${devDependencies["graphile-worker"]}`,
  pgBoss: `pg-boss ${devDependencies["pg-boss"]}`,
  dispatch: "undici dispatch, no queue",
}

const targetsOf = ({ fanOut: published, figures, latency }: Measurements): ReadonlyArray<Target> => {
  const ratioTo = (name: string) => figures.find(({ contestant }) => contestant === name)?.ratio ?? Number.NaN
  const toFaster = Math.min(ratioTo(names.graphileWorker), ratioTo(names.pgBoss))
  const costOf = (name: string) => {
    const { cpuMicros = Number.NaN, postgresMicros = Number.NaN } =
      figures.find(({ contestant }) => contestant === name) ?? {}
    return { cpuMicros, postgresMicros, total: cpuMicros + postgresMicros }
  }
  const { cpuMicros, postgresMicros, total } = costOf(names.service)
  const cheaper = Math.min(costOf(names.graphileWorker).total, costOf(names.pgBoss).total)
  return [
    atLeast("rate at least 1.3 × the faster of graphile-worker and pg-boss", toFaster, 1.3),
    atLeast("rate at least 0.6 × dispatch without a queue", ratioTo(names.dispatch), 0.6),
    atMost("CPU of worker and Postgres at most 0.75 × that of the cheaper of the two", total / cheaper, 0.75),
    atMost("worker CPU at most 1.5 × dispatch without a queue", cpuMicros / costOf(names.dispatch).cpuMicros, 1.5),
    atMost(
      "Postgres CPU at most 0.9 × graphile-worker's",
      postgresMicros / costOf(names.graphileWorker).postgresMicros,
      0.9,
    ),
    atLeast("rate with slow answers at least 0.5 × the rate without", 1 / ratioTo(names.slow), 0.5),
    atLeast(`one event to ${fanOut.endpoints} endpoints: at least 4,000 events/s`, published.perSecond, 4000),
    atMost("commit to receipt: p99 at most 10 ms", latency.p99, 10),
  ]
}

export const toJson = (measurements: Measurements) => ({ ...measurements, targets: targetsOf(measurements) })

const columns = ["POSTs/s", "worker CPU µs", "Postgres CPU µs", "total", "service to this"]

export const toText = (measurements: Measurements) => {
  const { fanOut: published, figures, latency, machine } = measurements
  return [
    lineOf(columns, `${digits(amount.posts)} signed POSTs of 1 KB, median of ${amount.rounds} rounds`, columns),
    ...figures.map(({ contestant, cpuMicros, perSecond, postgresMicros, ratio }, i) =>
      lineOf(columns, `  ${contestant}`, [
        digits(perSecond),
        ...[cpuMicros, postgresMicros, cpuMicros + postgresMicros].map(digits),
        i === 0 ? "" : ratio.toFixed(2),
      ]),
    ),
    "",
    `one event to ${fanOut.endpoints} endpoints, ${fanOut.organizations} organizations at once: ${digits(published.perSecond)} events/s`,
    `commit to receipt in another pod, ${trickle.perSecond} events/s: p50 ${digits(latency.p50)} ms, p99 ${digits(latency.p99)} ms`,
    ...conclusion(machine, targetsOf(measurements)),
  ].join("\n")
}
