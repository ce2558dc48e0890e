/** The interface between a worker and a queue. */
import { Cause, type Duration, Effect } from "effect"
import { isOfDependency, Overloaded } from "../../values/Problem.ts"
import { isOutage } from "../database/Database.ts"
import { abandoned, type Claimed, performedAlone, type QueueTable, type Release } from "./Queue.ts"

/** Jobs that share something with a limit of its own, for example an endpoint. */
export interface Partition<Job, Key extends string> {
  readonly of: (job: Job) => Key
  /** The maximum number of jobs of one partition that this pod performs at once. */
  readonly max: number
}

/** The number of jobs of a partition that this pod has claimed and that have not ended, and its maximum. */
export interface PartitionLoad {
  readonly count: number
  readonly max: number
}

export interface Ended {
  readonly state: string
}

/**
 * A queue of jobs: claimed with a lease, performed one by one, settled in batches. `perform` has no typed error: a failed job
 * has an outcome that says so. When `perform` dies, the job is released and performed again, three times at most
 * (platform/queue/Queue.ts). Defects of the process (`isOfProcess`) do not count.
 */
export interface WorkQueue<Job extends Claimed, Outcome extends Ended, Key extends string = string> {
  readonly table: QueueTable
  readonly concurrency: number
  /** The number of jobs claimed beyond that, which wait in the pod within their lease; 0 by default. */
  readonly prefetch?: number
  readonly partition?: Partition<Job, Key>
  /** Claims at most `limit` due jobs. `inFlight` has the partitions with jobs in this pod; none by default. */
  readonly claim: (limit: number, inFlight?: ReadonlyMap<Key, PartitionLoad>) => Effect.Effect<ReadonlyArray<Job>>
  readonly perform: (job: Job) => Effect.Effect<Outcome>
  readonly settle: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<void>
  readonly release: Release
  /** Counts the third attempt of a job that is performed alone. Returns false when another claim holds the job. */
  readonly startAlone: (job: Claimed) => Effect.Effect<boolean>
  /** The outcome of a job that is not performed again, because it started three attempts and none ended. */
  readonly abandon: (job: Job) => Effect.Effect<Outcome>
  /** How long a draining worker waits for open jobs, 20 s by default. Jobs that take longer are released and performed again. */
  readonly grace?: Duration.Duration
  /**
   * True: jobs that are open at the end of the grace are not released but left to their leases. For jobs whose effect may go on
   * after an interruption, so that another pod would repeat it at the same time.
   */
  readonly leavesToLease?: boolean
  /** True: each outcome is settled in the trace of its job, so that events written by the settlement belong to that trace. */
  readonly settlesByTrace?: boolean
}

/** The reason of an abandoned job, shown on pages. */
export const abandonedReason = "The process ended three times while this was performed."

/** How to treat a claimed job, by its attempts that were started and did not end. */
export const treatmentOf = ({ started_attempts }: Claimed): "perform" | "performAlone" | "abandon" => {
  if (started_attempts >= abandoned) return "abandon"
  return started_attempts >= performedAlone ? "performAlone" : "perform"
}

/** True for a defect that the job did not cause: the database or blob store is unavailable, or a process limit is reached. */
const isOfProcess = (defect: unknown): boolean =>
  isOutage(defect) || defect instanceof Overloaded || isOfDependency(defect)

/** True when a cause counts as a started attempt of the job: it has a defect that is not one of the process. */
export const isOfJob = (cause: Cause.Cause<never>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && !isOfProcess(reason.defect))

/** Claims, performs and settles the due jobs once, without waiting; returns their number. Tests move the clock between rounds. */
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
