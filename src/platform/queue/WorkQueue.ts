/** The interface between a worker and a queue. */
import { Cause, type Duration, Effect } from "effect"
import { isOfDependency, Overloaded } from "../../values/Problem.ts"
import { isOutage } from "../database/Database.ts"
import { abandoned, type Claimed, performedAlone, type QueueTable, type Release } from "./Queue.ts"

/** Groups jobs that share a limit, for example those of one endpoint. */
export interface Partition<Job, Key extends string> {
  readonly of: (job: Job) => Key
  /** The maximum number of a partition's jobs that this pod performs at once. */
  readonly max: number
}

/** Jobs of a partition that this pod has claimed and not ended, and their maximum. */
export interface PartitionLoad {
  readonly count: number
  readonly max: number
}

export interface Ended {
  readonly state: string
}

/**
 * A queue of jobs: claimed with a lease, performed one by one, settled in batches. A failed job has an outcome that
 * says so. When `perform` dies, the job is released and performed again, three times at most (Queue.ts); defects of the
 * process (`isOfProcess`) do not count.
 */
export interface WorkQueue<Job extends Claimed, Outcome extends Ended, Key extends string = string> {
  readonly table: QueueTable
  readonly concurrency: number
  /** Jobs claimed beyond `concurrency`, which wait in the pod within their lease; 0 by default. */
  readonly prefetch?: number
  readonly partition?: Partition<Job, Key>
  /** `inFlight` has the partitions with jobs in this pod. */
  readonly claim: (limit: number, inFlight?: ReadonlyMap<Key, PartitionLoad>) => Effect.Effect<ReadonlyArray<Job>>
  readonly perform: (job: Job) => Effect.Effect<Outcome>
  readonly settle: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<void>
  readonly release: Release
  /** Counts the attempt of a job that is performed alone. Returns false when another claim holds the job. */
  readonly startAlone: (job: Claimed) => Effect.Effect<boolean>
  /** The outcome of a job that is not performed again, because three attempts started and did not end. */
  readonly abandon: (job: Job) => Effect.Effect<Outcome>
  /** How long a draining worker waits for open jobs; 20 s by default. */
  readonly grace?: Duration.Duration
  /**
   * True: jobs open after the grace are not released but left to their leases. For jobs whose effect may go on after an
   * interruption: another pod would repeat it at the same time.
   */
  readonly leavesToLease?: boolean
  /** True: a job is settled in its trace, so that events written by the settlement belong to it. */
  readonly settlesByTrace?: boolean
}

/** Shown on pages. */
export const abandonedReason = "The process ended three times while this was performed."

export const treatmentOf = ({ started_attempts }: Claimed): "perform" | "performAlone" | "abandon" => {
  if (started_attempts >= abandoned) return "abandon"
  return started_attempts >= performedAlone ? "performAlone" : "perform"
}

/** True for a defect that the job did not cause. */
const isOfProcess = (defect: unknown): boolean =>
  isOutage(defect) || defect instanceof Overloaded || isOfDependency(defect)

/** True when a cause counts as a started attempt of the job. */
export const isOfJob = (cause: Cause.Cause<never>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && !isOfProcess(reason.defect))

/** Claims, performs and settles the due jobs once; returns their number. For tests. */
export const runOnce = Effect.fn("WorkQueue.runOnce")(function* <
  Job extends Claimed,
  Outcome extends Ended,
  Key extends string,
>(queue: WorkQueue<Job, Outcome, Key>) {
  const jobs = yield* queue.claim(queue.concurrency)
  if (jobs.length === 0) return 0
  const outcomes = yield* Effect.forEach(
    jobs,
    Effect.fnUntraced(function* (job) {
      const treatment = treatmentOf(job)
      if (treatment === "abandon") return yield* queue.abandon(job)
      if (treatment === "performAlone") yield* queue.startAlone(job)
      return yield* queue.perform(job)
    }),
    { concurrency: "unbounded" },
  )
  yield* queue.settle(outcomes)
  return jobs.length
})
