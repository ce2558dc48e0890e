/**
 * Webhook deliveries: one pod's workers against queues that people use for the same (graphile-worker, pg-boss), and
 * against the HTTP client alone. Each is a process of its own with a database of its own; all send the same signed POSTs to
 * one receiver, a process on the same machine. One is at work at a time.
 */
import { availableParallelism, loadavg } from "node:os"
import { Effect, Redacted, type Scope } from "effect"
import { migrate } from "../../src/repository/Database.ts"
import { seed } from "./deliveries/accounts.ts"
import { type Contestant, measure } from "./deliveries/measure.ts"
import * as Protocol from "./deliveries/protocol.ts"
import { measureFanOut, measureLatency } from "./deliveries/publishing.ts"
import * as Queues from "./deliveries/queues.ts"
import { names, toJson, toText } from "./deliveries/report.ts"
import { receivers, settings, slowEvery } from "./deliveries/settings.ts"
import { start } from "./support/child.ts"
import { ask } from "./support/control.ts"
import * as Postgres from "./support/postgres.ts"

const programs = {
  receiver: new URL("./servers/receiver.ts", import.meta.url),
  worker: new URL("./servers/worker.ts", import.meta.url),
  publisher: new URL("./servers/publisher.ts", import.meta.url),
  graphileWorker: new URL("./peers/graphileWorker.ts", import.meta.url),
  pgBoss: new URL("./peers/pgBoss.ts", import.meta.url),
  dispatch: new URL("./peers/dispatch.ts", import.meta.url),
}

export const description = "webhook deliveries beside graphile-worker, pg-boss and a bare HTTP client"

/** About three minutes. */
export const run = Effect.gen(function* () {
  const [load = 0] = loadavg()
  const postgres = yield* Postgres.server
  const control = yield* start(programs.receiver, {})
  const { origin } = yield* ask(control, Protocol.address, {})

  const url = yield* Postgres.database(postgres, "service")
  yield* migrate({ url: Redacted.make(url) })
  const accounts = yield* seed(url, origin, receivers)
  const receiver = { control, secrets: accounts.map(({ secret }) => secret) }
  const worker = yield* start(programs.worker, { ...settings, DATABASE_URL: url })
  const queue = yield* Queues.service(url, accounts)
  const service = { name: names.service, worker, queue, url, slowEvery: 0 } satisfies Contestant

  // graphile-worker writes a line for each job that succeeds unless it is told not to; nobody else does
  const environment = { RECEIVER: origin, SECRETS: receiver.secrets.join(","), NO_LOG_SUCCESS: "1" }
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
    queue: Queues.none,
    url: undefined,
    slowEvery: 0,
  }

  const slow = { ...service, name: names.slow, slowEvery }
  const peers = [yield* peer("graphileWorker", Queues.graphileWorker), yield* peer("pgBoss", Queues.pgBoss)]
  const figures = yield* measure([service, slow, ...peers, dispatch], receiver)

  const publisher = yield* start(programs.publisher, { ...settings, DATABASE_URL: url, RECEIVER: origin })
  const fanOut = yield* measureFanOut(publisher, url)
  const latency = yield* measureLatency(publisher, worker, receiver)
  const machine = {
    cores: availableParallelism(),
    node: process.versions.node,
    postgres: yield* Postgres.version(postgres),
    load,
  }
  const measurements = { machine, figures, fanOut, latency }
  return { json: toJson(measurements), text: toText(measurements) }
}).pipe(Effect.scoped)
