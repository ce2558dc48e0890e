/**
 * GET /metrics in Prometheus text format 0.0.4. Needs METRICS_TOKEN, because the numbers reveal the volume of business.
 */
import { Clock, Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Config } from "../../config/Config.ts"
import { isSameSecret } from "../crypto/SecretComparison.ts"
import { Database } from "../database/Database.ts"
import { QueueStatistics } from "../queue/QueueStatistics.ts"
import { WorkerLiveness } from "../queue/WorkerLiveness.ts"
import { Metrics, type Reading } from "./Metrics.ts"
import * as ProcessReadings from "./ProcessReadings.ts"

/** Ends a scrape during a database outage. */
const patience = "5 seconds"

const gauge =
  (name: string, help: string) =>
  (value: number, labels: Readonly<Record<string, string>> = {}): Reading => ({
    name,
    help,
    type: "gauge",
    labels,
    value,
  })

const up = gauge("interview_database_up", "1: the database answered this scrape.")
const answered = gauge(
  "interview_database_answer_seconds",
  "How long the database took to answer this scrape, including the wait for a connection.",
)
const poolSize = gauge("interview_database_pool_size", "Maximum connections of this process to the database.")
const connections = gauge("interview_database_connections", "Connections of all pods to the database, by state.")
const replicaStatements = (outcomes: Readonly<Record<string, number>> = {}): ReadonlyArray<Reading> =>
  Object.entries(outcomes).map(([outcome, value]) => ({
    name: "interview_database_replica_statements_total",
    help: "Statements that may read a replica, by outcome: replica, or the reason why the primary answered.",
    type: "counter",
    labels: { outcome },
    value,
  }))
const due = gauge("interview_queue_due", "Due jobs that no worker has claimed, by queue; at most 100000.")
const oldest = gauge("interview_queue_oldest_due_seconds", "Seconds since the oldest due job was due, by queue.")
const endpoints = gauge("interview_webhook_endpoints", "Webhook endpoints by status.")
const openMoves = gauge(
  "interview_organization_moves_open",
  "Moves of an organization from or to this cell that have not ended; its jobs may be held.",
)
const silence = gauge(
  "interview_worker_silent_seconds",
  "Seconds since the last sign of life of each worker of this process.",
)

const isBearer = (header: string | undefined, token: Redacted.Redacted): boolean => {
  const [, given] = /^bearer +([\x21-\x7e]+)$/i.exec(header ?? "") ?? []
  return given !== undefined && isSameSecret(given, Redacted.value(token))
}

const refusal = HttpServerResponse.text("send METRICS_TOKEN as a bearer token", {
  status: 401,
  headers: { "www-authenticate": "Bearer" },
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { databasePool, metricsToken } = yield* Config
    if (metricsToken === undefined) return
    const { ages } = yield* WorkerLiveness
    const { text } = yield* Metrics
    const { read } = yield* QueueStatistics
    const { replicaOutcomes } = yield* Database
    const readings = yield* ProcessReadings.make

    const database = Effect.gen(function* () {
      const began = yield* Clock.monotonicTimeNanos
      const found = yield* read.pipe(
        Effect.timeout(patience),
        Effect.catchCause(() => Effect.undefined),
      )
      if (found === undefined) return [up(0)]
      const took = Number((yield* Clock.monotonicTimeNanos) - began) / 1e9
      return [
        up(1),
        answered(took),
        ...Object.entries(found.connections).map(([state, count]) => connections(count, { state })),
        ...found.queues.map((one) => due(one.due, { queue: one.queue })),
        ...found.queues.map((one) => oldest(one.oldest_due, { queue: one.queue })),
        openMoves(found.open_moves),
        ...Object.entries(found.endpoints).map(([status, count]) => endpoints(count, { status })),
      ]
    })

    yield* router.add(
      "GET",
      "/metrics",
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        if (!isBearer(headers["authorization"], metricsToken)) return refusal
        const workers = (yield* ages).map(({ queue, seconds }) => silence(seconds, { queue }))
        const replica = replicaStatements(yield* replicaOutcomes)
        const all = [poolSize(databasePool), ...replica, ...workers, ...(yield* database), ...(yield* readings)]
        return HttpServerResponse.text(text(all), {
          contentType: "text/plain; version=0.0.4; charset=utf-8",
        })
      }),
    )
  }),
)
