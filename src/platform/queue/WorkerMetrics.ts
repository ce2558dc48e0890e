/** What a pod knows of itself, for whoever watches over it. */
import { Layer } from "effect"
import { Readiness } from "../http/Readiness.ts"
import { Metrics } from "../telemetry/Metrics.ts"
import { QueueStatistics } from "./QueueStatistics.ts"
import { WorkerLiveness } from "./WorkerLiveness.ts"

export const layer = Readiness.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(WorkerLiveness.layer, Metrics.layer, QueueStatistics.layer)),
)
