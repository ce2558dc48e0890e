/** Measures two services, one without and one with a held snapshot, in alternating windows. */
import { Console, Effect } from "effect"
import { type Contestant, pass } from "../deliveries/measure.ts"
import { measureLatency } from "../deliveries/publishing.ts"
import { horizon } from "../deliveries/settings.ts"
import type { Receiver } from "../deliveries/stage.ts"
import { digits } from "../support/report.ts"
import { median } from "../support/statistics.ts"
import { stateOf } from "./table.ts"

export interface Side {
  readonly contestant: Contestant & { readonly url: string }
  readonly publisher: string
}

export interface Window {
  readonly perSecond: number
  readonly postgresMicros: number
  /** Milliseconds from commit to receipt. */
  readonly p50: number
  readonly p99: number
  /** After the window. */
  readonly dead: number
  readonly size: number
  /** Pages of the queue's table and indexes read per delivery. */
  readonly pages: number
}

/** Measures a backlog, then events published at random times. */
const window = Effect.fnUntraced(function* ({ contestant, publisher }: Side, receiver: Receiver) {
  const { latency, posts } = horizon
  const before = yield* stateOf(contestant.url)
  const { perSecond, postgresMicros } = yield* pass(contestant, receiver, posts)
  const { p50, p99 } = yield* measureLatency(publisher, contestant.worker, receiver, latency)
  const after = yield* stateOf(contestant.url)
  const { dead, size } = after
  const pages = (after.pages - before.pages) / (posts + latency.events)
  yield* Console.error(
    `${contestant.name}: ${digits(perSecond)}/s, Postgres ${digits(postgresMicros)} µs, p50 ${digits(p50)} ms, p99 ${digits(p99)} ms, ${digits(dead)} dead rows, ${digits(pages)} pages`,
  )
  return { perSecond, postgresMicros, p50, p99, dead, size, pages } satisfies Window
})

/** Returns the windows of each side. The order of the sides changes with each window. */
export const measure = Effect.fnUntraced(function* (sides: ReadonlyArray<Side>, receiver: Receiver) {
  const windows = sides.map((): Array<Window> => [])
  for (let i = 0; i < horizon.windows; i++) {
    const order = [...sides.entries()]
    for (const [s, side] of i % 2 === 0 ? order : order.reverse()) {
      windows[s]?.push(yield* window(side, receiver))
    }
  }
  return windows
})

/** The median of each figure. */
export const summaryOf = (windows: ReadonlyArray<Window>): Window => {
  const of = (figure: keyof Window) => median(windows.map((window) => window[figure]))
  return {
    perSecond: of("perSecond"),
    postgresMicros: of("postgresMicros"),
    p50: of("p50"),
    p99: of("p99"),
    dead: of("dead"),
    size: of("size"),
    pages: of("pages"),
  }
}
