/** The interface between a worker and a queue. */
import { Cause, type Duration, Effect } from "effect"
import { isOfDependency, Overloaded } from "../../values/Problem.ts"
import { isOutage } from "../database/Database.ts"
import { Ids } from "../NewIds.ts"
import { QueueRepository, type ReleaseAs } from "./QueueRepository.ts"
import { type Claim, type Claimed, cancelledAttempts, maxUnended, newClaim, type QueueTable } from "./QueueSql.ts"

/** Groups jobs that share a limit, such as those of one endpoint. */
export interface Partition<Job, Key extends string> {
  readonly of: (job: Job) => Key
  /** Per pod. */
  readonly max: number
}

/** Claimed jobs of a partition on this pod, and their maximum. */
export interface PartitionLoad {
  readonly count: number
  readonly max: number
}

export interface Ended {
  readonly state: string
}

/**
 * Jobs are claimed with a lease, performed one by one, settled in batches. A failure is an outcome too. A job whose
 * `perform` dies has at most three attempts; a job whose process ends has at most five (QueueSql.ts). Defects of the
 * process do not count.
 */
export interface WorkQueue<Job extends Claimed, Outcome extends Ended, Key extends string = string> {
  readonly table: QueueTable
  readonly concurrency: number
  /** Jobs claimed beyond `concurrency`; 0 by default. */
  readonly prefetch?: number
  readonly partition?: Partition<Job, Key>
  readonly claim: (limit: number, inFlight?: ReadonlyMap<Key, PartitionLoad>) => Effect.Effect<ReadonlyArray<Job>>
  readonly perform: (job: Job) => Effect.Effect<Outcome>
  readonly settle: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<void>
  readonly release: (
    jobs: ReadonlyArray<Pick<Claimed, "id" | "claim_id">>,
    after: Duration.Duration,
    as: ReleaseAs,
  ) => Effect.Effect<void>
  /** Returns false when another claim holds the job. */
  readonly startAlone: (job: Claimed) => Effect.Effect<boolean>
  /** Returns the outcome of a job that ends without another attempt (`maxUnended`). */
  readonly abandon: (job: Job) => Effect.Effect<Outcome>
  /** How long a drain waits for open jobs; 20 s by default. */
  readonly grace?: Duration.Duration
  /** How long jobs open after the grace are not claimed, because an interrupted effect may go on; 0 by default. */
  readonly releaseAfter?: Duration.Duration
  /** True: a settlement writes events, in the trace of its job. */
  readonly settlesByTrace?: boolean
}

/** What a subject says of its queue. */
export interface Definition<Job extends Claimed, Outcome extends Ended, Key extends string>
  extends Omit<WorkQueue<Job, Outcome, Key>, "claim" | "release" | "startAlone"> {
  /** At least three times the job's timeout. */
  readonly lease: Duration.Duration
  readonly claim: (claim: Claim, inFlight: ReadonlyMap<Key, PartitionLoad>) => Effect.Effect<ReadonlyArray<Job>>
}

/** Adds the protocol of the rows: new claims with the lease, releases, starts alone. */
export const make = Effect.fnUntraced(function* <Job extends Claimed, Outcome extends Ended, Key extends string>({
  claim,
  lease,
  ...queue
}: Definition<Job, Outcome, Key>) {
  const { table } = queue
  const ids = yield* Ids
  const { release, startAlone } = yield* QueueRepository
  return {
    ...queue,
    claim: (limit, inFlight = new Map()) =>
      Effect.flatMap(newClaim(ids, limit, lease), (next) => claim(next, inFlight)),
    release: (jobs, after, as) => release(table, jobs, after, as),
    startAlone: (job) => startAlone(table, job, lease),
  } satisfies WorkQueue<Job, Outcome, Key>
})

/** Why a job ends without another attempt. */
export const abandonedReason = ({ unended_attempts }: Pick<Claimed, "unended_attempts">): string =>
  unended_attempts >= cancelledAttempts
    ? "It was cancelled."
    : "Each attempt to perform this failed unexpectedly or ended its process."

export const treatmentOf = ({ alone, unended_attempts }: Claimed): "perform" | "performAlone" | "abandon" => {
  if (unended_attempts >= maxUnended) return "abandon"
  return alone === null ? "perform" : "performAlone"
}

const isOfProcess = (defect: unknown): boolean =>
  isOutage(defect) || defect instanceof Overloaded || isOfDependency(defect)

export const isOfJob = (cause: Cause.Cause<never>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && !isOfProcess(reason.defect))

/** Runs one round, for tests; returns the number of jobs. */
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
