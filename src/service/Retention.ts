/** Forgets what is older than WEBHOOK_RETENTION: events and finished deliveries; and what was deleted by hand. */
import { Context, Duration, Effect, Layer } from "effect"
import { Config } from "../Config.ts"
import { Database } from "../repository/Database.ts"
import { RetentionRepository } from "../repository/RetentionRepository.ts"

/** Days for which the history has partitions ahead: pods may all be down for some of them. */
const ahead = 4

export class Retention extends Context.Service<
  Retention,
  {
    /** One piece of the work; returns how many rows and partitions went, 0 when nothing is left to do. */
    readonly step: Effect.Effect<number>
  }
>()("interview-invitations/service/Retention") {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const { webhookRetention } = yield* Config
      const repository = yield* RetentionRepository
      const { time } = yield* Database
      return Retention.of({
        step: Effect.gen(function* () {
          // a pod whose clock is days ahead must not forget what is young
          const now = yield* time
          const before = new Date(now.getTime() - Duration.toMillis(webhookRetention))
          yield* repository.makePartitions(now, ahead)
          const done = yield* Effect.all([
            repository.deleteEndpoints,
            repository.dropPartitions(before),
            repository.deleteHistory(before),
            repository.deleteEvents(before),
          ])
          return done.reduce((sum, rows) => sum + rows, 0)
        }).pipe(Effect.withSpan("Retention.step")),
      })
    }),
  )
}
