/** Readings of this process, named as dashboards for Node expect. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect } from "effect"
import { version } from "../../config/Config.ts"
import type { Reading } from "./Metrics.ts"

/** NaN before the first measurement. */
const seconds = (nanos: number): number => (Number.isNaN(nanos) ? 0 : nanos / 1e9)

export const make = Effect.gen(function* () {
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: 20 })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable()),
  )
  const gauge = (name: string, help: string, value: number): Reading => ({ name, help, type: "gauge", value })
  return Effect.sync((): ReadonlyArray<Reading> => {
    const { system, user } = process.cpuUsage()
    const { external, heapTotal, heapUsed, rss } = process.memoryUsage()
    const lag = [
      gauge("nodejs_eventloop_lag_p50_seconds", "Median delay since the last scrape.", seconds(delay.percentile(50))),
      gauge(
        "nodejs_eventloop_lag_p99_seconds",
        "99th percentile of delays since the last scrape.",
        seconds(delay.percentile(99)),
      ),
      gauge("nodejs_eventloop_lag_max_seconds", "The longest delay since the last scrape.", seconds(delay.max)),
    ]
    delay.reset()
    return [
      {
        ...gauge("interview_build_info", "1; labels have the versions.", 1),
        labels: { version, node: process.versions.node },
      },
      {
        name: "process_cpu_seconds_total",
        help: "Processor time of this process.",
        type: "counter",
        value: (user + system) / 1e6,
      },
      gauge("process_resident_memory_bytes", "Resident memory of this process.", rss),
      gauge("process_start_time_seconds", "When this process began, since 1970.", performance.timeOrigin / 1000),
      gauge("nodejs_heap_size_used_bytes", "Heap in use.", heapUsed),
      gauge("nodejs_heap_size_total_bytes", "Heap that is reserved.", heapTotal),
      gauge("nodejs_external_memory_bytes", "Memory outside the heap, mostly buffers.", external),
      ...lag,
    ]
  })
})
