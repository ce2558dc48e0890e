/**
 * Whether this pod's workers turn. Each notes when its loop goes round and when a job of its own ends; one that has done
 * neither for long is stuck, and only a restart helps it. A loop goes round also while the database is away or nothing is
 * due, so silence is never a matter of load.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { QueueTable } from "./Queue.ts"

/** No job takes as long: an attempt of a webhook ends within 10 minutes, and the others sooner. */
export const silence = Duration.minutes(20)

export class WorkerLiveness extends Context.Service<
  WorkerLiveness,
  {
    /** The worker of a queue is alive; the first beat says that there is one. Plain: this runs for each job. */
    readonly beat: (queue: QueueTable) => void
    /** The worker ends, and is missed no more. */
    readonly end: (queue: QueueTable) => void
    /** For each worker of this pod, the seconds since it was last heard of. */
    readonly ages: Effect.Effect<ReadonlyArray<{ readonly queue: QueueTable; readonly seconds: number }>>
    /** The queues whose workers were not heard of for `silence`. */
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
