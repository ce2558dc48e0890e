/** What a worker needs to know of a queue, whatever waits in it. */
import { Cause, type Duration, Effect } from "effect"
import { isOfDependency, Overloaded } from "../../values/Problem.ts"
import { isOutage } from "../database/Database.ts"
import { abandoned, type Claimed, performedAlone, type QueueTable, type Release } from "./Queue.ts"

/** Jobs that share something that must not be overrun, for example an endpoint. */
export interface Partition<Job, Key extends string> {
  readonly of: (job: Job) => Key
  /** Most of one partition that are performed at once in this pod. */
  readonly most: number
}

/** The jobs of a partition that were claimed and have not ended, and the most that this may be. */
export interface Held {
  readonly count: number
  readonly most: number
}

/** How a job ended: the next state of its row. */
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
  /** Most jobs of this pod that are performed at once. */
  readonly concurrency: number
  /** Jobs that may be claimed beyond that and wait in the pod, within their lease; as a rule none. */
  readonly ahead?: number
  readonly partition?: Partition<Job, Key>
  /** `held`: the partitions that have jobs in this pod; left out: none has. */
  readonly claim: (limit: number, held?: ReadonlyMap<Key, Held>) => Effect.Effect<ReadonlyArray<Job>>
  readonly perform: (job: Job) => Effect.Effect<Outcome>
  readonly settle: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<void>
  readonly release: Release
  /** Counts the third attempt of a job that is performed alone. Returns false when another claim holds the job. */
  readonly startAlone: (job: Claimed) => Effect.Effect<boolean>
  /** The outcome of a job that is not performed again, because it started three attempts and none ended. */
  readonly abandon: (job: Job) => Effect.Effect<Outcome>
  /** How long a draining worker waits for open jobs, 20 s unless told; what takes longer is given back and done again. */
  readonly grace?: Duration.Duration
  /**
   * What is open at the end of the grace is not given back: it comes up again when its lease ends. For jobs whose effect
   * may go on after they were interrupted, and which at once elsewhere would be done twice.
   */
  readonly leavesToLease?: boolean
  /** What settling leads to, events for example, goes on in the trace of the job. */
  readonly settlesByTrace?: boolean
}

/** The reason of an abandoned job, shown to people. */
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

/**
 * One round without waiting: claims what is due, performs it, settles it. Returns how many jobs there were. Tests move
 * the clock between rounds.
 */
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
