/** What a pod knows of itself, for whoever watches over it. */
import { Layer } from "effect"
import { QueueStatistics } from "../repository/QueueStatistics.ts"
import { Heartbeats } from "./Heartbeats.ts"
import { Metrics } from "./Metrics.ts"
import { Readiness } from "./Readiness.ts"

export const layer = Readiness.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Heartbeats.layer, Metrics.layer, QueueStatistics.layer)),
)
