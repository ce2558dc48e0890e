/** Health checks for whoever restarts pods and routes traffic; a short JSON object with each check. Open to anybody. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { WorkerLiveness } from "../queue/WorkerLiveness.ts"
import * as Metrics from "../telemetry/MetricsRoutes.ts"
import { Drain } from "./Drain.ts"
import { Readiness } from "./Readiness.ts"

const answer = (status: number, body: object) => HttpServerResponse.jsonUnsafe(body, { status })

/**
 * The process answers, and its workers turn. What fails here is mended by a restart and by nothing else: neither the
 * database nor how long a queue is has a say.
 */
const live = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { silent } = yield* WorkerLiveness
    yield* router.add(
      "GET",
      "/health/live",
      Effect.map(silent, (queues) =>
        queues.length === 0
          ? answer(200, { status: "live", checks: { workers: { status: "ok" } } })
          : answer(503, { status: "stuck", checks: { workers: { status: "silent", silent: queues } } }),
      ),
    )
  }),
)

/** Requests can be served (platform/http/Readiness.ts), and the process was not asked to stop. */
const ready = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { report } = yield* Readiness
    const drain = yield* Drain
    yield* router.add(
      "GET",
      "/health/ready",
      Effect.suspend(() =>
        drain.hasBegun()
          ? Effect.succeed(answer(503, { status: "not ready", checks: { process: { status: "stopping" } } }))
          : Effect.map(report, (found) => answer(found.status === "not ready" ? 503 : 200, found)),
      ),
    )
  }),
)

/** Probes, and what Prometheus reads. */
export const layer = Layer.mergeAll(live, ready, Metrics.layer)
