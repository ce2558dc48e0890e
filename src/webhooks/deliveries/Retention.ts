/** Deletes events and deliveries older than WEBHOOK_RETENTION, and deleted endpoints. */
import { Context, Duration, Effect, Layer } from "effect"
import { Config } from "../../config/Config.ts"
import { Database } from "../../platform/database/Database.ts"
import { chartedHours } from "./Delivery.ts"
import { RetentionRepository } from "./RetentionRepository.ts"

/** The history has partitions even after days without a pod. */
const daysAhead = 4
/** Longer than the charts, so that a late step leaves no gap in them. */
const countedTime = Duration.hours(2 * chartedHours)

export class Retention extends Context.Service<Retention>()("interview-invitations/webhooks/deliveries/Retention", {
  make: Effect.gen(function* () {
    const { webhookRetention } = yield* Config
    const { time } = yield* Database
    const repository = yield* RetentionRepository

    /** 0: nothing is left. */
    const step = Effect.gen(function* () {
      // the database's clock: a pod's may be days ahead
      const now = yield* time
      const before = new Date(now.getTime() - Duration.toMillis(webhookRetention))
      yield* repository.makePartitions(now, daysAhead)
      const done = yield* Effect.all([
        repository.deleteEndpoints,
        repository.dropPartitions(before),
        repository.deleteHistory(before),
        repository.deleteEvents(before),
        repository.deleteCounts(new Date(now.getTime() - Duration.toMillis(countedTime))),
      ])
      return done.reduce((sum, rows) => sum + rows, 0)
    }).pipe(Effect.withSpan("Retention.step"))

    return { step }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
