/** Formats the figures and targets of hostile requests. */
import type { Machine, Target } from "../api/report.ts"
import { atMost, conclusion, digits, lineOf } from "../support/report.ts"
import { countOf, type Figure } from "./measure.ts"
import { limits, memory as memorySettings, pool as poolSettings } from "./settings.ts"

export interface Figures {
  readonly strangers: ReadonlyArray<Figure>
  readonly insiders: ReadonlyArray<Figure>
  readonly pool:
    | { readonly millis: number; readonly unrelated: ReadonlyArray<number>; readonly lists: ReadonlyArray<number> }
    | undefined
  readonly memory:
    | {
        readonly before: number
        readonly during: number
        readonly after: number
        readonly statuses: ReadonlyArray<number>
        readonly block: number
        readonly control: number
      }
    | undefined
}

const longest = (figures: ReadonlyArray<Figure>): number => Math.max(...figures.map(({ block }) => block))

const missed = ({ insiders, strangers }: Figures): ReadonlyArray<string> =>
  [...strangers, ...insiders].filter(({ reached }) => !reached).map(({ name }) => name)

export const targetsOf = (figures: Figures): ReadonlyArray<Target> => {
  const { insiders, memory, pool, strangers } = figures
  const { allowed } = memorySettings
  return [
    ...(strangers.length === 0
      ? []
      : [
          atMost(
            `longest block by a request without an account at most ${limits.stranger} ms`,
            longest(strangers.filter(({ limit }) => limit === limits.stranger)),
            limits.stranger,
          ),
        ]),
    ...(insiders.length === 0
      ? []
      : [
          atMost(
            `longest block by a request with a key or a session at most ${limits.member} ms`,
            longest(insiders),
            limits.member,
          ),
        ]),
    atMost("shapes beyond their limit, or valid input that was refused", missed(figures).length, 0),
    ...(memory === undefined
      ? []
      : [
          atMost(`memory with slow connections at most ${allowed} × before`, memory.during / memory.before, allowed),
          atMost(`memory after slow connections at most ${allowed} × before`, memory.after / memory.before, allowed),
          atMost(
            "other requests refused beside slow connections",
            memory.statuses.filter((status) => status === 0 || status >= 400).length,
            0,
          ),
        ]),
    ...(pool === undefined
      ? []
      : [
          atMost(
            `unrelated request beside a locked table at most ${digits(poolSettings.allowedMillis)} ms`,
            pool.millis,
            poolSettings.allowedMillis,
          ),
        ]),
  ]
}

const columns = ["block ms", "lag ms", "idle ms", "limit", "      "]

const rowOf = ({ block, control, lag, limit, name, reached, statuses, worst }: Figure): string =>
  `${lineOf(columns, `  ${name}`, [...[block, lag, control, limit].map(digits), reached ? "ok" : "MISSED"])}   ${worst}: ${statuses}`

/** The whole result as a table; the last line names the missed targets. */
export const toText = (machine: Machine, figures: Figures): string => {
  const { insiders, memory, pool, strangers } = figures
  const megabytes = (value: number) => `${digits(value)} MB`
  const misses = missed(figures)
  return [
    "block: the longest response time of a small request beside the shape, minus that of an idle server; minimum of the rounds",
    "lag: the longest event loop delay that the pod reports; idle: the longest response time of the idle server in any round",
    "",
    lineOf(columns, "without an account", columns),
    ...strangers.map(rowOf),
    "",
    lineOf(columns, "with a key, a session or valid input", columns),
    ...insiders.map(rowOf),
    "",
    ...(memory === undefined
      ? []
      : [
          `${memorySettings.connections} connections that stop within a body of 2 MiB: ${megabytes(memory.before)} before, ` +
            `${megabytes(memory.during)} during, ${megabytes(memory.after)} ${memorySettings.afterSeconds} s after; ` +
            `other requests: ${countOf(memory.statuses)}, longest response time ${digits(memory.block)} ms`,
        ]),
    ...(pool === undefined
      ? []
      : [
          `a locked table and ${poolSettings.lists} requests that read it (${countOf(pool.lists)}): ` +
            `another request ${digits(pool.millis)} ms (${countOf(pool.unrelated)})`,
        ]),
    ...conclusion(machine, targetsOf(figures)),
    ...(misses.length === 0 ? [] : ["", `missed: ${misses.join(", ")}`]),
  ].join("\n")
}
