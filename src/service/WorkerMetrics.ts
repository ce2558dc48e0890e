/** What a pod knows of itself, for whoever watches over it. */
import { Layer } from "effect"
import { QueueStatistics } from "../repository/QueueStatistics.ts"
import { Metrics } from "./Metrics.ts"
import { Readiness } from "./Readiness.ts"
import { WorkerLiveness } from "./WorkerLiveness.ts"

export const layer = Readiness.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(WorkerLiveness.layer, Metrics.layer, QueueStatistics.layer)),
)
