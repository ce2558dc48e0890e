/**
 * Measures the latency of new events while an endpoint with thousands of queued deliveries hangs, and while thousands
 * of retries fall due at once. Measures the CPU time of an idle pod.
 */
import { Console, Effect } from "effect"
import { execute } from "../support/databases.ts"
import { makeJobs } from "./deliveries/jobs.ts"
import * as Protocol from "./deliveries/protocol.ts"
import { measureLatency } from "./deliveries/publishing.ts"
import * as settings from "./deliveries/settings.ts"
import * as Stage from "./deliveries/stage.ts"
import { start } from "./support/child.ts"
import { sendCommand } from "./support/control.ts"
import { atMost, conclusion, digits, lineOf, machineOf } from "./support/report.ts"
import { median } from "./support/statistics.ts"

export const description = "latency of webhooks beside a hanging endpoint and beside many retries; CPU of an idle pod"

const columns = ["p50 ms", "p99 ms"]

/** Takes about three minutes. */
export const run = Effect.gen(function* () {
  const stage = yield* Stage.open
  const machine = yield* machineOf(stage.postgres)
  const { idleSeconds, retries, rounds, waiting } = settings.isolation
  // keeps the hanging endpoint active: the default deactivates it after 15 attempts
  const own = { WEBHOOK_DEACTIVATE_AFTER: "1000000" }
  const { queue, url, worker } = yield* Stage.service(stage, "service", "service", () => Effect.void, own)
  const publisher = yield* start(new URL("./servers/publisher.ts", import.meta.url), {
    ...settings.settings,
    DATABASE_URL: url,
    RECEIVER: stage.receiver.origin,
  })

  const quiet = Effect.void
  const hanging = queue.fill(makeJobs(waiting).map((job) => ({ ...job, receiver: 0 })))
  const retrying = Effect.andThen(
    queue.fill(makeJobs(retries)),
    execute(url, "update webhook_delivery set attempts = 1, due_at = now() + interval '1 second'"),
  )
  const cases = [
    { name: "nothing else to do", prepare: quiet, hangs: "" },
    { name: `${digits(waiting)} wait for an endpoint that hangs`, prepare: hanging, hangs: "/0" },
    { name: `${digits(retries)} retries fall due at once`, prepare: retrying, hangs: "" },
  ]

  const round = Effect.forEach(cases, ({ hangs, name, prepare }) =>
    Effect.gen(function* () {
      yield* execute(url, "truncate webhook_event, webhook_delivery cascade")
      yield* prepare
      yield* execute(url, "vacuum analyze webhook_delivery")
      const { p50, p99 } = yield* measureLatency(publisher, worker, stage.receiver, settings.isolation, hangs)
      yield* Console.error(`${name}: p50 ${digits(p50)} ms, p99 ${digits(p99)} ms`)
      return { p50, p99 }
    }),
  )
  yield* round
  const measured = yield* Effect.forEach(Array.from({ length: rounds }), () => round)
  const figures = cases.map(({ name }, c) => {
    const of = measured.flatMap((one) => one.slice(c, c + 1))
    return { name, p50: median(of.map(({ p50 }) => p50)), p99: median(of.map(({ p99 }) => p99)) }
  })

  yield* Console.error("measuring an idle pod ...")
  yield* execute(url, "truncate webhook_event, webhook_delivery cascade")
  yield* sendCommand(worker, Protocol.start, { posts: 0 })
  yield* Effect.sleep(`${idleSeconds} seconds`)
  const { cpuMillis } = yield* sendCommand(worker, Protocol.stop, {})
  const idlePercent = cpuMillis / idleSeconds / 10

  const [alone, besideHanging, besideRetries] = figures.map(({ p99 }) => p99)
  const targets = [
    atMost("p99 beside an endpoint that hangs at most 2 × the p99 without", (besideHanging ?? NaN) / (alone ?? NaN), 2),
    atMost("p99 while retries fall due at most 20 ms", besideRetries ?? NaN, 20),
    atMost("an idle pod at most 1 % of a core", idlePercent, 1),
  ]
  const text = [
    lineOf(columns, "commit to receipt, 200 events/s to 100 endpoints", columns),
    ...figures.map(({ name, p50, p99 }) => lineOf(columns, `  ${name}`, [digits(p50), digits(p99)])),
    "",
    `workers of an idle pod: ${idlePercent.toFixed(2)} % of a core`,
    ...conclusion(machine, targets),
  ].join("\n")
  return { json: { machine, figures, idlePercent, targets }, text }
}).pipe(Effect.scoped)
