/** Forgets what is older than WEBHOOK_RETENTION: events and finished deliveries; and what was deleted by hand. */
import { Context, Duration, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { Database } from "../platform/database/Database.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { RetentionRepository } from "./RetentionRepository.ts"

/** Days for which the history has partitions ahead: pods may all be down for some of them. */
const ahead = 4

/** One piece of the work; returns how many rows and partitions went, 0 when nothing is left to do. */
const step = Effect.gen(function* () {
  const repository = yield* RetentionRepository
  const { time } = yield* Database
  const { webhookRetention } = yield* Config
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
}).pipe(Effect.withSpan("Retention.step"))

const useCases = { step }

export class Retention extends Context.Service<Retention, Methods<typeof useCases>>()(
  "interview-invitations/privacy/Retention",
) {
  static readonly layer = Layer.effect(Retention, methods([Config, Database, RetentionRepository], useCases))
}
