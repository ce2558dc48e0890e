/** Every contestant in rounds that alternate, so that what else the machine does meets all alike. */
import { Console, Effect } from "effect"
import { execute } from "../../support/databases.ts"
import { BenchFailed } from "../support/BenchFailed.ts"
import { ask } from "../support/control.ts"
import { median } from "../support/statistics.ts"
import { makeJobs } from "./jobs.ts"
import * as Protocol from "./protocol.ts"
import type { Queue } from "./queues.ts"
import { type Amount, bodyBytes } from "./settings.ts"
import type { Receiver } from "./stage.ts"

export interface Contestant {
  readonly name: string
  /** Where its worker takes commands. */
  readonly worker: string
  readonly queue: Queue
  /** Of its database; undefined: it has none. */
  readonly url: string | undefined
  /** Every how many-th answer comes after a second; 0: none. */
  readonly slowEvery: number
}

export interface Figures {
  readonly contestant: string
  /** Of the median round, from the start of the worker to the last POST received. */
  readonly perSecond: number
  /** Microseconds of processor that the worker's process takes for one, all its threads together; of the median round. */
  readonly cpuMicros: number
  /** How many the first contestant sends while this one sends one: the median of what each round says. */
  readonly ratio: number
}

const perform = Effect.fnUntraced(function* (contestant: Contestant, receiver: Receiver, posts: number) {
  const { name, queue, slowEvery, worker } = contestant
  yield* ask(receiver.control, Protocol.expect, {
    posts,
    bodyBytes,
    slowEvery,
    counts: "/",
    hangs: "",
    secrets: receiver.secrets,
  })
  const { at } = yield* ask(worker, Protocol.start, { posts })
  const { last } = yield* ask(receiver.control, Protocol.received, {})
  const { cpuMillis } = yield* ask(worker, Protocol.stop, {})
  const { faults, requests } = yield* ask(receiver.control, Protocol.counted, {})
  const unfinished = yield* queue.unfinished
  if (requests !== posts || faults.length > 0 || unfinished > 0) {
    const message = `${name}: ${requests} requests where ${posts} were queued, ${unfinished} unfinished; ${faults.join(", ")}`
    return yield* new BenchFailed({ message })
  }
  return { perSecond: (posts / (last - at)) * 1000, cpuMicros: (cpuMillis * 1000) / posts }
})

/** Sends so many, and proves that each job came once and that none is left. */
export const pass = Effect.fnUntraced(function* (contestant: Contestant, receiver: Receiver, posts: number) {
  yield* contestant.queue.fill(makeJobs(posts))
  return yield* perform(contestant, receiver, posts)
})

/** The same behind what autovacuum would do at some time of a round: it is done for all alike before it. */
const round = Effect.fnUntraced(function* (contestant: Contestant, receiver: Receiver, posts: number) {
  const { queue, url } = contestant
  yield* queue.fill(makeJobs(posts))
  if (url !== undefined) yield* Effect.forEach(["vacuum analyze", "checkpoint"], (statement) => execute(url, statement))
  return yield* perform(contestant, receiver, posts)
})

/** The figures are in the order of the contestants. */
export const measure = Effect.fnUntraced(function* (
  contestants: ReadonlyArray<Contestant>,
  receiver: Receiver,
  { posts, rounds, warmUp }: Amount,
) {
  yield* Effect.forEach(contestants, (contestant) => round(contestant, receiver, warmUp))
  const measured = yield* Effect.forEach(Array.from({ length: rounds }), () =>
    Effect.forEach(contestants, (contestant) =>
      Effect.tap(round(contestant, receiver, posts), ({ cpuMicros, perSecond }) =>
        Console.error(`${contestant.name}: ${perSecond.toFixed(0)}/s, ${cpuMicros.toFixed(0)} µs`),
      ),
    ),
  )
  return contestants.map(({ name }, c): Figures => {
    const own = measured.flatMap((one) => one.slice(c, c + 1))
    const first = measured.flatMap((one) => one.slice(0, 1))
    return {
      contestant: name,
      perSecond: median(own.map(({ perSecond }) => perSecond)),
      cpuMicros: median(own.map(({ cpuMicros }) => cpuMicros)),
      ratio: median(own.flatMap((one, i) => first.slice(i, i + 1).map(({ perSecond }) => perSecond / one.perSecond))),
    }
  })
})
