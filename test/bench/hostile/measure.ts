/** Sends every case of a shape and returns the figures of the worst. */
import { Effect } from "effect"
import { send } from "./send.ts"
import { rounds, slowMillis } from "./settings.ts"
import type { Shape } from "./shapes.ts"
import type { Stage } from "./stage.ts"

/** Figures in milliseconds, and the count of each status. */
export interface Figure {
  readonly name: string
  /** The name of the worst case. */
  readonly worst: string
  readonly statuses: string
  /** The longest block of an event loop as the probe measures it. The minimum of the rounds, as a real block recurs. */
  readonly block: number
  /** The longest event loop delay as the pod reports it; the minimum of the rounds. */
  readonly lag: number
  /** The longest response time of the idle server in any round. */
  readonly control: number
  readonly limit: number
  readonly reached: boolean
}

export const countOf = (statuses: ReadonlyArray<number>): string =>
  [...Map.groupBy(statuses, (status) => status)]
    .toSorted(([a], [b]) => a - b)
    .map(([status, all]) => `${status === 0 ? "none" : status}${all.length > 1 ? ` × ${all.length}` : ""}`)
    .join(", ")

export const measure = Effect.fnUntraced(function* (
  stage: Stage,
  { cases, connections, expected, limit, name }: Shape,
) {
  const measured: Array<Omit<Figure, "name" | "limit">> = []
  const all: Array<number> = []
  for (const [target, requests] of Object.entries(cases)) {
    const windows = []
    for (let round = 0; round < rounds; round++) {
      const window = yield* stage.watched(Effect.promise(() => send(stage.pods[0].url, requests, connections)))
      windows.push(window)
      if (window.block > slowMillis) break
    }
    const statuses = windows.flatMap(({ result }) => result.map(({ status }) => status))
    all.push(...statuses)
    const block = Math.min(...windows.map((one) => one.block))
    const isAnswered = expected === undefined || statuses.every((status) => expected.includes(status))
    measured.push({
      worst: target,
      statuses: countOf(statuses),
      block,
      lag: Math.min(...windows.map((one) => one.lag)),
      control: Math.max(...windows.map((one) => one.control)),
      reached: block <= limit && isAnswered,
    })
    if (block > slowMillis) break
  }
  const [worst] = measured.toSorted((a, b) => b.block - a.block)
  return {
    ...(worst ?? (yield* Effect.die(`${name} has no cases`))),
    statuses: countOf(all),
    name,
    limit,
  } satisfies Figure
})
