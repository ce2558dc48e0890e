/** What a worker needs to know of a queue, whatever waits in it. */
import { type Duration, Effect } from "effect"
import type { Claimed, QueueTable } from "../repository/Queue.ts"

/**
 * A queue of jobs: claimed with a lease, performed one by one, settled in batches. `perform` has no error of its own:
 * a job that fails has an outcome that says so. What dies is our own fault, and its job is released.
 */
export interface WorkQueue<Job extends Claimed, Outcome> {
  readonly table: QueueTable
  /** Most jobs of this pod that are open at once. */
  readonly concurrency: number
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<Job>>
  /** True while jobs may be due that a claim leaves out until one that is open ends. */
  readonly holdsBack?: () => boolean
  readonly perform: (job: Job) => Effect.Effect<Outcome>
  readonly settle: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<void>
  /** Gives jobs back uncharged, due `after` that. */
  readonly release: (jobs: ReadonlyArray<Claimed>, after: Duration.Duration) => Effect.Effect<void>
}

/**
 * One round without waiting: claims what is due, performs it, settles it. Returns how many jobs there were. Tests move
 * the clock between rounds.
 */
export const runOnce = Effect.fn("WorkQueue.runOnce")(function* <Job extends Claimed, Outcome>(
  queue: WorkQueue<Job, Outcome>,
) {
  const jobs = yield* queue.claim(queue.concurrency)
  if (jobs.length === 0) return 0
  const outcomes = yield* Effect.forEach(jobs, queue.perform, { concurrency: "unbounded" })
  yield* queue.settle(outcomes)
  return jobs.length
})
