/**
 * Whether the workers of this pod are alive. They also beat during a database outage and without due jobs, so a silent
 * worker is stuck and needs a restart.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { QueueTable } from "./QueueSql.ts"

/** Longer than any job: a webhook attempt takes at most 10 minutes. */
export const silence = Duration.minutes(20)

export class WorkerLiveness extends Context.Service<WorkerLiveness>()(
  "interview-invitations/platform/queue/WorkerLiveness",
  {
    make: Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const last = new Map<QueueTable, bigint>()
      const ages = Effect.map(Clock.monotonicTimeNanos, (now) =>
        [...last].map(([queue, at]) => ({ queue, seconds: Number(now - at) / 1e9 })),
      )
      return {
        beat: (queue: QueueTable) => void last.set(queue, clock.monotonicTimeNanosUnsafe()),
        end: (queue: QueueTable) => void last.delete(queue),
        ages,
        silent: Effect.map(ages, (all) =>
          all.filter(({ seconds }) => seconds > Duration.toSeconds(silence)).map(({ queue }) => queue),
        ),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
