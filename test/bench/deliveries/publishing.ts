/** Measures how many events a second one process publishes, and the latency from commit to receipt. */
import { Console, Effect } from "effect"
import { execute } from "../../support/databases.ts"
import { BenchFailed } from "../support/BenchFailed.ts"
import { sendCommand } from "../support/control.ts"
import * as Postgres from "../support/postgres.ts"
import { median, percentile } from "../support/statistics.ts"
import * as Protocol from "./protocol.ts"
import * as settings from "./settings.ts"
import type { Receiver } from "./stage.ts"

const deleteEvents = (url: string) => execute(url, "truncate webhook_event, webhook_delivery cascade")

/** Measures events/s without a worker. One transaction with one statement stores an event and its deliveries. */
export const measureFanOut = Effect.fnUntraced(function* (publisher: string, url: string) {
  const { endpoints, millis, rounds } = settings.fanOut
  yield* Console.error("measuring fan-out ...")
  const round = Effect.gen(function* () {
    yield* deleteEvents(url)
    const { elapsed, events } = yield* sendCommand(publisher, Protocol.fanOut, { millis })
    const { count } = yield* Postgres.query<{ count: number }>(url, "select count(*)::int from webhook_delivery")
    if (count !== events * endpoints) {
      return yield* new BenchFailed({ message: `fan-out: ${count} deliveries of ${events} events` })
    }
    return (events / elapsed) * 1000
  })
  yield* round
  const perSecond = yield* Effect.forEach(Array.from({ length: rounds }), () => round)
  yield* deleteEvents(url)
  return { perSecond: median(perSecond) }
})

/**
 * Measures the milliseconds from commit to receipt. Publisher and worker are two pods; NOTIFY wakes the worker. The
 * path `hangs` never gets a response.
 */
export const measureLatency = Effect.fnUntraced(function* (
  publisher: string,
  worker: string,
  receiver: Receiver,
  { events, perSecond }: { readonly events: number; readonly perSecond: number },
  hangs = "",
) {
  yield* sendCommand(receiver.control, Protocol.expect, {
    posts: events,
    bodyBytes: 0,
    slowEvery: 0,
    counts: "/events/",
    hangs,
    secrets: [],
  })
  yield* sendCommand(worker, Protocol.start, { posts: events })
  const committed = yield* sendCommand(publisher, Protocol.trickle, { events, perSecond })
  yield* sendCommand(receiver.control, Protocol.received, {})
  const receivedAt = new Map(yield* sendCommand(receiver.control, Protocol.receipts, {}))
  yield* sendCommand(worker, Protocol.stop, {})
  const latencies = committed.map(([id, at]) => (receivedAt.get(id) ?? Number.NaN) - at)
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) }
})
