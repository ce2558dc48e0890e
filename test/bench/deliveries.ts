/**
 * Compares the webhook workers of one pod with graphile-worker, pg-boss, and an HTTP client without a queue. Each is a
 * process with its own database. All send the same signed POSTs to one receiver on the same machine, one at a time.
 */
import { Console, Effect, type Scope } from "effect"
import { execute } from "../support/databases.ts"
import { type Contestant, measure } from "./deliveries/measure.ts"
import { measureFanOut, measureLatency } from "./deliveries/publishing.ts"
import * as Queues from "./deliveries/queues.ts"
import { names, toJson, toText } from "./deliveries/report.ts"
import { amount, settings, slowEvery, trickle } from "./deliveries/settings.ts"
import * as Stage from "./deliveries/stage.ts"
import { start } from "./support/child.ts"
import * as Postgres from "./support/postgres.ts"
import { machineOf } from "./support/report.ts"

const programs = {
  graphileWorker: new URL("./peers/graphileWorker.ts", import.meta.url),
  pgBoss: new URL("./peers/pgBoss.ts", import.meta.url),
  dispatch: new URL("./peers/dispatch.ts", import.meta.url),
  publisher: new URL("./servers/publisher.ts", import.meta.url),
}

export const description =
  "webhook deliveries compared with graphile-worker, pg-boss and an HTTP client without a queue"

/** Takes about three minutes. */
export const run = Effect.gen(function* () {
  const stage = yield* Stage.open
  const { postgres, receiver } = stage
  const machine = yield* machineOf(postgres)
  const publisherOf = (url: string) =>
    start(programs.publisher, { ...settings, DATABASE_URL: url, RECEIVER: receiver.origin })
  // runs first, while Postgres has nothing to vacuum or flush
  const fanOut = yield* Effect.scoped(
    Effect.gen(function* () {
      const url = yield* Postgres.database(postgres, "fan_out", stage.template)
      return yield* measureFanOut(yield* publisherOf(url), url)
    }),
  )
  const service = yield* Stage.service(stage, names.service, "service", () => Effect.void)
  const slow = { ...service, name: names.slow, slowEvery }

  // NO_LOG_SUCCESS: by default graphile-worker logs each successful job; the others do not
  const environment = { RECEIVER: receiver.origin, SECRETS: receiver.secrets.join(","), NO_LOG_SUCCESS: "1" }
  const peer = Effect.fnUntraced(function* (
    name: "graphileWorker" | "pgBoss",
    open: (url: string) => Effect.Effect<Queues.Queue, never, Scope.Scope>,
  ) {
    const url = yield* Postgres.database(postgres, name.toLowerCase())
    const queue = yield* open(url)
    const worker = yield* start(programs[name], { ...environment, DATABASE_URL: url })
    return { name: names[name], worker, queue, url, slowEvery: 0 } satisfies Contestant
  })
  const dispatch: Contestant = {
    name: names.dispatch,
    worker: yield* start(programs.dispatch, environment),
    queue: Queues.inMemory,
    url: undefined,
    slowEvery: 0,
  }
  const peers = [yield* peer("graphileWorker", Queues.graphileWorker), yield* peer("pgBoss", Queues.pgBoss)]
  const figures = yield* measure([service, slow, ...peers, dispatch], receiver, amount)

  const { url, worker } = service
  const publisher = yield* publisherOf(url)
  yield* Effect.forEach(["vacuum analyze", "checkpoint"], (statement) => execute(url, statement))
  yield* Console.error("measuring latency ...")
  const latency = yield* measureLatency(publisher, worker, receiver, trickle)
  const measurements = { machine, figures, fanOut, latency }
  return { json: toJson(measurements), text: toText(measurements) }
}).pipe(Effect.scoped)
