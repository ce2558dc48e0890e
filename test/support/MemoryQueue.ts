/** A queue in memory, for tests of the worker loop. */
import { Duration, Effect, Latch, Layer } from "effect"
import { QueueNotifier } from "../../src/platform/queue/QueueNotifier.ts"
import type { Claimed } from "../../src/platform/queue/QueueSql.ts"
import type { Partition, WorkQueue } from "../../src/platform/queue/WorkQueue.ts"
import { ClaimId } from "../../src/values/Ids.ts"

const claim_id = ClaimId.make("00000000-0000-4000-8000-000000000001")

interface Outcome {
  readonly id: string
  readonly claim_id: ClaimId
  readonly state: string
}

/** Ids of jobs by step, in order. */
interface Log {
  readonly claimed: Array<string>
  readonly performed: Array<string>
  readonly settled: Array<string>
  readonly released: Array<string>
}

export const make = (options: {
  readonly perform: (id: string) => Effect.Effect<void>
  readonly concurrency?: number
  readonly prefetch?: number
  readonly partition?: Partition<Claimed, string>
  /** `unended_attempts` of all jobs; 1 by default. */
  readonly unended?: number
  readonly alone?: (id: string) => Claimed["alone"]
  /** May fail or delay a step of the queue. */
  readonly before?: (step: "claim" | "startAlone" | "settle" | "release") => Effect.Effect<void>
}) => {
  const before = options.before ?? (() => Effect.void)
  const due: Array<string> = []
  const alone: Array<string> = []
  const charged: Array<string> = []
  const resting: Array<string> = []
  const log: Log = { claimed: [], performed: [], settled: [], released: [] }
  const queue: WorkQueue<Claimed, Outcome> = {
    table: "webhook_delivery",
    concurrency: options.concurrency ?? 10,
    prefetch: options.prefetch ?? 0,
    ...(options.partition === undefined ? {} : { partition: options.partition }),
    claim: Effect.fnUntraced(function* (limit) {
      yield* before("claim")
      const ids = due.splice(0, limit)
      log.claimed.push(...ids)
      const unended_attempts = options.unended ?? 1
      return ids.map((id) => ({ id, claim_id, attempts: 0, unended_attempts, alone: options.alone?.(id) ?? null }))
    }),
    perform: Effect.fnUntraced(function* ({ id }) {
      log.performed.push(id)
      yield* options.perform(id)
      return { id, claim_id, state: "done" }
    }),
    settle: Effect.fnUntraced(function* (outcomes) {
      yield* before("settle")
      log.settled.push(...outcomes.map(({ id }) => id))
    }),
    release: Effect.fnUntraced(function* (jobs, after, as) {
      yield* before("release")
      const ids = jobs.map(({ id }) => id)
      log.released.push(...ids)
      if (as === "started") charged.push(...ids)
      ;(Duration.isZero(after) ? due : resting).push(...ids)
    }),
    startAlone: ({ id }) =>
      Effect.andThen(
        before("startAlone"),
        Effect.sync(() => alone.push(id) > 0),
      ),
    abandon: ({ id }) => Effect.succeed({ id, claim_id, state: "failed" }),
  }
  return {
    queue,
    log,
    /** Ids of jobs that were started alone. */
    alone,
    /** Jobs released as started attempts that did not end. */
    charged,
    add: (...ids: ReadonlyArray<string>) => Effect.sync(() => void due.push(...ids)),
    /** Makes delayed jobs due again. */
    rested: Effect.sync(() => void due.push(...resting.splice(0))),
  }
}

/** Has no timeout: only `wake` wakes idle workers. */
export const wakeups = Layer.sync(QueueNotifier, () => {
  const latch = Latch.makeUnsafe(false)
  return QueueNotifier.of({
    wake: () => Effect.asVoid(latch.open),
    wait: () => Effect.andThen(latch.await, Effect.asVoid(latch.close)),
  })
})
