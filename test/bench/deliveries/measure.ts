/** Measures every contestant. Rounds alternate, so that other load on the machine affects all alike. */
import { Console, Effect } from "effect"
import { execute } from "../../support/databases.ts"
import { BenchFailed } from "../support/BenchFailed.ts"
import { sendCommand } from "../support/control.ts"
import * as Postgres from "../support/postgres.ts"
import { median } from "../support/statistics.ts"
import { makeJobs } from "./jobs.ts"
import * as Protocol from "./protocol.ts"
import type { Queue } from "./queues.ts"
import { type Amount, bodyBytes } from "./settings.ts"
import type { Receiver } from "./stage.ts"

export interface Contestant {
  readonly name: string
  /** Origin for commands to its worker. */
  readonly worker: string
  readonly queue: Queue
  /** URL of its database, if it has one. */
  readonly url: string | undefined
  /** The receiver delays every n-th response by a second; 0 delays none. */
  readonly slowEvery: number
}

export interface Figures {
  readonly contestant: string
  /** POSTs/s from the start of the worker to the last POST received; median of the rounds. */
  readonly perSecond: number
  /** Microseconds of CPU time per POST, all threads of the worker's process; median of the rounds. */
  readonly cpuMicros: number
  /** The same of Postgres, all processes; 0 without a database, NaN if it is on another machine. */
  readonly postgresMicros: number
  /** POSTs/s of the first contestant divided by those of this one; median of the rounds. */
  readonly ratio: number
}

const perform = Effect.fnUntraced(function* (contestant: Contestant, receiver: Receiver, posts: number) {
  const { name, queue, slowEvery, url, worker } = contestant
  const postgresMillis = url === undefined ? Effect.succeed(0) : Postgres.cpuMillis(url)
  const before = yield* postgresMillis
  yield* sendCommand(receiver.control, Protocol.expect, {
    posts,
    bodyBytes,
    slowEvery,
    counts: "/",
    hangs: "",
    secrets: receiver.secrets,
  })
  const { at } = yield* sendCommand(worker, Protocol.start, { posts })
  const { last } = yield* sendCommand(receiver.control, Protocol.received, {})
  const { cpuMillis } = yield* sendCommand(worker, Protocol.stop, {})
  const postgres = (yield* postgresMillis) - before
  const { errors, requests } = yield* sendCommand(receiver.control, Protocol.counted, {})
  const unfinished = yield* queue.unfinished
  if (requests !== posts || errors.length > 0 || unfinished > 0) {
    const message = `${name}: ${requests} requests for ${posts} queued jobs, ${unfinished} unfinished; ${errors.join(", ")}`
    return yield* new BenchFailed({ message })
  }
  return {
    perSecond: (posts / (last - at)) * 1000,
    cpuMicros: (cpuMillis * 1000) / posts,
    postgresMicros: (postgres * 1000) / posts,
  }
})

/** Queues and sends `posts` jobs. Fails unless each was received once and none is left. */
export const pass = Effect.fnUntraced(function* (contestant: Contestant, receiver: Receiver, posts: number) {
  yield* contestant.queue.fill(makeJobs(posts))
  return yield* perform(contestant, receiver, posts)
})

/** As `pass`, but vacuums and flushes before the start, so that neither happens during one contestant's round. */
const round = Effect.fnUntraced(function* (contestant: Contestant, receiver: Receiver, posts: number) {
  const { queue, url } = contestant
  yield* queue.fill(makeJobs(posts))
  if (url !== undefined) yield* Effect.forEach(["vacuum analyze", "checkpoint"], (statement) => execute(url, statement))
  return yield* perform(contestant, receiver, posts)
})

/** Returns the figures in the order of the contestants. */
export const measure = Effect.fnUntraced(function* (
  contestants: ReadonlyArray<Contestant>,
  receiver: Receiver,
  { posts, rounds, warmUp }: Amount,
) {
  yield* Effect.forEach(contestants, (contestant) => round(contestant, receiver, warmUp))
  const measured = yield* Effect.forEach(Array.from({ length: rounds }), () =>
    Effect.forEach(contestants, (contestant) =>
      Effect.tap(round(contestant, receiver, posts), ({ cpuMicros, perSecond, postgresMicros }) =>
        Console.error(
          `${contestant.name}: ${perSecond.toFixed(0)}/s, ${cpuMicros.toFixed(0)} + ${postgresMicros.toFixed(0)} µs`,
        ),
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
      postgresMicros: median(own.map(({ postgresMicros }) => postgresMicros)),
      ratio: median(own.flatMap((one, i) => first.slice(i, i + 1).map(({ perSecond }) => perSecond / one.perSecond))),
    }
  })
})
