/** Two cells on one machine, each with a Postgres server and a pod of its own: invites in one while the other is stopped. */
import { setTimeout } from "node:timers/promises"
import { Console, Effect } from "effect"
import { Client } from "undici"
import * as OwnPostgres from "../support/OwnPostgres.ts"
import { seed } from "./api/accounts.ts"
import { invite1 } from "./api/scenarios.ts"
import { settings } from "./api/settings.ts"
import { BenchFailed } from "./support/BenchFailed.ts"
import { start } from "./support/child.ts"
import type { Request } from "./support/load.ts"
import { atMost, conclusion, digits, lineOf, machineOf } from "./support/report.ts"
import { median, percentile } from "./support/statistics.ts"

export const description = "latency of invites in a cell while another cell on the machine is stopped"

const columns = ["p50 ms", "p99 ms"]
const rounds = 6
/** Of each part of a round, in milliseconds. */
const part = 15_000
/** Between two requests to a cell, in milliseconds: long enough that two cells leave most of the two cores idle. */
const interval = 25

interface Cell {
  readonly origin: string
  readonly request: () => Request
}

/** Sends requests one after the other. Returns the milliseconds of each, and how many had another status than 200. */
const invite = async ({ origin, request }: Cell) => {
  const client = new Client(origin, { pipelining: 1, keepAliveTimeout: 60_000 })
  const latencies: Array<number> = []
  let refused = 0
  const end = performance.now() + part
  while (performance.now() < end) {
    const next = request()
    const sent = performance.now()
    const response = await client.request(next)
    await response.body.bytes()
    latencies.push(performance.now() - sent)
    if (response.statusCode !== invite1.status) refused++
    await setTimeout(interval)
  }
  await client.close()
  return { p50: median(latencies), p99: percentile(latencies, 0.99), refused }
}

const startCell = Effect.gen(function* () {
  const postgres = yield* OwnPostgres.start
  const account = yield* Effect.flatMap(seed(postgres.url, 1), ([one]) => Effect.fromNullishOr(one))
  const program = new URL("./servers/workingPod.ts", import.meta.url)
  const origin = yield* start(program, { ...settings, DATABASE_URL: postgres.url })
  return { postgres, cell: { origin, request: () => invite1.request(account) } }
})

/** Takes about four minutes. */
export const run = Effect.gen(function* () {
  const [measured, other] = [yield* startCell, yield* startCell]
  const machine = yield* machineOf(measured.postgres.url)
  const both = Effect.promise(() => Promise.all([invite(measured.cell), invite(other.cell)]))
  const round = Effect.gen(function* () {
    const [working, besideWorking] = yield* both
    yield* other.postgres.stop
    const [stopped, besideStopped] = yield* both
    yield* other.postgres.start
    if (working.refused + stopped.refused + besideWorking.refused > 0 || besideStopped.refused === 0) {
      return yield* new BenchFailed({ message: "a cell refused requests, or the stopped one answered" })
    }
    yield* Console.error(`p99 ${digits(working.p99)} ms, other cell stopped: ${digits(stopped.p99)} ms`)
    return { working, stopped }
  })
  yield* round
  const results = yield* Effect.replicateEffect(round, rounds)
  const of = (which: "working" | "stopped", figure: "p50" | "p99") => median(results.map((one) => one[which][figure]))
  const ratio = median(results.map(({ stopped, working }) => stopped.p99 / working.p99))
  const targets = [atMost("p99 while the other cell is stopped at most 1.2 × the p99 beside it", ratio, 1.2)]
  const line = (name: string, which: "working" | "stopped") =>
    lineOf(columns, `  ${name}`, [digits(of(which, "p50")), digits(of(which, "p99"))])
  const text = [
    lineOf(columns, `invites of one candidate, one each ${interval} ms`, columns),
    line("the other cell works as much", "working"),
    line("the other cell's database is stopped", "stopped"),
    ...conclusion(machine, targets),
  ].join("\n")
  return { json: { machine, results, ratio, targets }, text }
}).pipe(Effect.scoped)
