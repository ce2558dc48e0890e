/** Counts requests and attempts for Prometheus. Labels contain no input, which bounds the number of series. */
import { Context, Effect, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import type { QueueTable } from "../queue/QueueSql.ts"

/** Seconds. Requests that wait for a database take up to 15 s. */
const requestBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
/** Seconds; a model takes minutes. */
const attemptBounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export interface Reading {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge"
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

type Labels = Readonly<Record<string, string>>

/** A lookup by labels costs more than counting. */
const cached = <A>(make: (labels: Labels) => A) => {
  const byKey = new Map<string, A>()
  return (key: string, labels: () => Labels): A => {
    const known = byKey.get(key)
    if (known !== undefined) return known
    const one = make(labels())
    byKey.set(key, one)
    return one
  }
}

export class Metrics extends Context.Service<Metrics>()("interview-invitations/platform/telemetry/Metrics", {
  make: Effect.sync(() => {
    const context = Context.make(Metric.MetricRegistry, new Map())
    const requests = cached((attributes) =>
      Metric.counter("interview_http_requests_total", {
        description: "Requests answered, by method, route and status.",
        incremental: true,
        attributes,
      }),
    )
    const latencies = cached((attributes) =>
      Metric.histogram("interview_http_request_duration_seconds", {
        description: "Time from the request's head to the answer's head, by method and route.",
        boundaries: requestBounds,
        attributes,
      }),
    )
    const attempts = cached((attributes) =>
      Metric.counter("interview_queue_attempts_total", {
        description: "Attempts of jobs that ended, by queue and outcome.",
        incremental: true,
        attributes,
      }),
    )
    const durations = cached((attributes) =>
      Metric.histogram("interview_queue_attempt_duration_seconds", {
        description: "Time that attempts of jobs took, by queue.",
        boundaries: attemptBounds,
        attributes,
      }),
    )
    return {
      /** `route` is undefined when no route matched. */
      request: (method: string, route: string | undefined = "none", status: number, seconds: number) => {
        const key = `${method} ${route}`
        requests(`${key} ${status}`, () => ({ method, route, status: String(status) })).updateUnsafe(1, context)
        latencies(key, () => ({ method, route })).updateUnsafe(seconds, context)
      },
      attempt: (queue: QueueTable, outcome: string, seconds: number) => {
        attempts(`${queue} ${outcome}`, () => ({ queue, outcome })).updateUnsafe(1, context)
        durations(queue, () => ({ queue })).updateUnsafe(seconds, context)
      },
      text: (readings: ReadonlyArray<Reading>) => {
        // a new registry: a failed reading is absent, not old
        const now = Context.make(Metric.MetricRegistry, new Map())
        for (const { help: description, labels: attributes = {}, name, type, value } of readings) {
          const metric =
            type === "gauge"
              ? Metric.gauge(name, { description, attributes })
              : Metric.counter(name, { description, attributes, incremental: true })
          metric.updateUnsafe(value, now)
        }
        return PrometheusMetrics.formatUnsafe(context) + PrometheusMetrics.formatUnsafe(now)
      },
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
