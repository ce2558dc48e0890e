/**
 * Whether the workers of this pod are alive. They also beat during a database outage and without due jobs, so a silent
 * worker is stuck and needs a restart.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { QueueTable } from "./QueueSql.ts"

/** Longer than any job: a webhook attempt takes at most 10 minutes. */
export const silence = Duration.minutes(20)

export class WorkerLiveness extends Context.Service<
  WorkerLiveness,
  {
    readonly beat: (queue: QueueTable) => void
    readonly end: (queue: QueueTable) => void
    readonly ages: Effect.Effect<ReadonlyArray<{ readonly queue: QueueTable; readonly seconds: number }>>
    readonly silent: Effect.Effect<ReadonlyArray<QueueTable>>
  }
>()("interview-invitations/platform/queue/WorkerLiveness") {
  static readonly layer = Layer.effect(
    WorkerLiveness,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const last = new Map<QueueTable, bigint>()
      const ages = Effect.map(Clock.monotonicTimeNanos, (now) =>
        [...last].map(([queue, at]) => ({ queue, seconds: Number(now - at) / 1e9 })),
      )
      return WorkerLiveness.of({
        beat: (queue) => void last.set(queue, clock.monotonicTimeNanosUnsafe()),
        end: (queue) => void last.delete(queue),
        ages,
        silent: Effect.map(ages, (all) =>
          all.filter(({ seconds }) => seconds > Duration.toSeconds(silence)).map(({ queue }) => queue),
        ),
      })
    }),
  )
}
