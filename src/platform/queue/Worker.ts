/**
 * Runs a queue.
 *
 * 1. Claim: `claimRound` claims a job for each free slot (WorkerSlots.ts). `performAlone` performs third to fifth
 *    attempts one at a time (QueueSql.ts).
 * 2. Settle: `settleRound` settles the outcomes of 20 ms in one statement, after their slots are free.
 * 3. Drain: when the scope closes, `drain` waits for open jobs, then interrupts the rest.
 *
 * Functions that run for each job have no generators, for speed.
 */
import { Cause, Clock, Deferred, Duration, Effect, Exit, FiberSet, Latch, type Scope } from "effect"
import { IsRepeatedWrite } from "../database/RefusedWrites.ts"
import { millisOf } from "../Monotonic.ts"
import * as FailureLog from "./FailureLog.ts"
import { QueueNotifier } from "./QueueNotifier.ts"
import type { ReleaseAs } from "./QueueRepository.ts"
import { type Claimed, CurrentClaimer, type QueueTable } from "./QueueSql.ts"
import * as Traces from "./Traces.ts"
import { WorkerSlots } from "./WorkerSlots.ts"
import { abandonedReason, type Ended, isOfJob, treatmentOf, type WorkQueue } from "./WorkQueue.ts"

/** Idle workers poll at intervals that double between these. */
const minPoll = Duration.millis(200)
const maxPoll = Duration.seconds(2)
/** While more jobs are due, a claim waits so long for others to end, so that one claim replaces all … */
const gatherTime = Duration.millis(3)
/** … if it could take less than this share of the queue's concurrency. */
const leastShare = 0.5
/** An empty claim may have read only rows of a full partition. */
const fullPartitionPoll = Duration.millis(100)
/** Bounds memory when jobs end faster than they are settled. */
const maxOpenPerSlot = 20
/** In batches of 100, settling costs a tenth per row. */
const settleInterval = Duration.millis(20)
const maxSettleBatch = 500
const failurePause = Duration.seconds(1)
/** Prevents a busy loop. */
const diedDelay = Duration.seconds(10)
const defaultGrace = Duration.seconds(20)

export interface WorkerMetrics {
  readonly beat: (queue: QueueTable) => void
  readonly end: (queue: QueueTable) => void
  readonly attempt: (queue: QueueTable, outcome: string, seconds: number) => void
}

const noMetrics: WorkerMetrics = { beat: () => {}, end: () => {}, attempt: () => {} }

interface Worker<Job extends Claimed, Outcome extends Ended> {
  readonly queue: Omit<WorkQueue<Job, Outcome>, "claim" | "partition">
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<Job>>
  readonly metrics: WorkerMetrics
  readonly inTrace: Traces.InTrace | undefined
  readonly clock: Clock.Clock
  readonly notifier: QueueNotifier["Service"]
  readonly slots: WorkerSlots<Job, string>
  /** Jobs neither settled nor released. A row claimed again after its lease is in it twice. */
  readonly open: Set<Job>
  readonly performers: FiberSet.FiberSet<Outcome>
  readonly fork: (effect: Effect.Effect<Outcome>) => void
  readonly starting: Array<Job>
  isStarting: boolean
  poll: Duration.Duration
  /** More jobs may be due. */
  isSaturated: boolean
  /** Jobs of which two attempts did not end; performed one at a time. */
  readonly suspects: Array<Job>
  suspect: { readonly job: Job; readonly closed: Deferred.Deferred<void> } | undefined
  readonly outcomes: Array<{ readonly job: Job; readonly outcome: Outcome }>
  /** Jobs that `settleRound` releases: after a defect of the process, after a defect of the job, and never started. */
  readonly diedOfProcess: Array<Job>
  readonly diedOfJob: Array<Job>
  readonly unstarted: Array<Job>
  readonly hasFreeSlot: Latch.Latch
  readonly hasSuspects: Latch.Latch
  readonly hasEnded: Latch.Latch
  readonly hasMoved: Latch.Latch
  drained: Deferred.Deferred<void> | undefined
  /** The id under which the last round claimed (ProcessHeartbeats.ts). */
  claimerId: number | null
  readonly claimFailures: FailureLog.FailureLog
  readonly startFailures: FailureLog.FailureLog
  /** Of the process, such as an outage of the database; each job that dies of its own defect is logged. */
  readonly jobFailures: FailureLog.FailureLog
  readonly settleFailures: FailureLog.FailureLog
  readonly releaseFailures: FailureLog.FailureLog
}

/** Runs a queue until the scope closes; drains before the database closes. */
export const run = <Job extends Claimed, Outcome extends Ended, Key extends string>(
  queue: WorkQueue<Job, Outcome, Key>,
  metrics: WorkerMetrics = noMetrics,
) =>
  Effect.flatMap(Traces.make, (inTrace) =>
    Effect.gen(function* () {
      const worker = yield* make(queue, metrics, inTrace)
      // finalizers run in reverse: claims stop first, outcomes are settled during the drain
      yield* Effect.forkScoped(Effect.forever(settleRound(worker)))
      yield* Effect.addFinalizer(() => drain(worker))
      yield* Effect.forkScoped(Effect.forever(performAlone(worker)))
      yield* Effect.forkScoped(Effect.forever(claimRound(worker)))
      // attempts continue the traces of their jobs
    }).pipe(Effect.withTracerEnabled(false)),
  )

const make = Effect.fnUntraced(function* <Job extends Claimed, Outcome extends Ended, Key extends string>(
  queue: WorkQueue<Job, Outcome, Key>,
  metrics: WorkerMetrics,
  inTrace: Traces.InTrace | undefined,
): Effect.fn.Return<Worker<Job, Outcome>, never, QueueNotifier | Scope.Scope> {
  const slots = new WorkerSlots(queue.concurrency, queue.prefetch ?? 0, queue.partition)
  const performers = yield* FiberSet.make<Outcome>()
  return {
    queue,
    claim: (limit) => Effect.provideService(queue.claim(limit, slots.inFlight), IsRepeatedWrite, true),
    metrics,
    inTrace,
    clock: yield* Clock.Clock,
    notifier: yield* QueueNotifier,
    slots,
    open: new Set(),
    performers,
    fork: yield* FiberSet.runtime(performers)(),
    starting: [],
    isStarting: false,
    poll: minPoll,
    isSaturated: false,
    suspects: [],
    suspect: undefined,
    outcomes: [],
    diedOfProcess: [],
    diedOfJob: [],
    unstarted: [],
    hasFreeSlot: Latch.makeUnsafe(true),
    hasSuspects: Latch.makeUnsafe(false),
    hasEnded: Latch.makeUnsafe(false),
    hasMoved: Latch.makeUnsafe(false),
    drained: undefined,
    claimerId: null,
    claimFailures: FailureLog.make(`${queue.table}: claiming`),
    startFailures: FailureLog.make(`${queue.table}: starting a job`),
    jobFailures: FailureLog.make(`${queue.table}: performing jobs, which are released,`),
    settleFailures: FailureLog.make(`${queue.table}: settling`),
    releaseFailures: FailureLog.make(`${queue.table}: releasing jobs`),
  }
})

// Claim

const claimRound = <J extends Claimed, O extends Ended>(worker: Worker<J, O>) => {
  const { claimFailures, hasFreeSlot, hasMoved, metrics, notifier, queue, slots } = worker
  return Effect.gen(function* () {
    yield* hasFreeSlot.await
    metrics.beat(queue.table)
    yield* releaseTakenOver(worker)
    const { paused = [] } = (yield* CurrentClaimer)()
    if (paused.includes(queue.table)) return yield* notifier.wait(queue.table, maxPoll)
    if (claimable(worker) <= 0) {
      hasFreeSlot.closeUnsafe()
      return
    }
    if (worker.isSaturated) {
      if (slots.runnable > (queue.prefetch ?? 0) * leastShare) return yield* Effect.sleep(gatherTime)
      if (claimable(worker) < queue.concurrency * leastShare) yield* Effect.sleep(gatherTime)
    }
    const limit = claimable(worker)
    hasMoved.closeUnsafe()
    // before the claim: jobs of a full partition may end meanwhile
    const hadFullPartition = slots.hasFullPartition
    // a shutdown loses no job between claim and start
    const claimed = yield* Effect.uninterruptible(
      Effect.gen(function* () {
        const jobs = yield* worker.claim(limit)
        yield* claimFailures.worked
        yield* enter(worker, jobs)
        return jobs.length
      }),
    )
    worker.isSaturated = claimed === limit
    if (claimed > 0) {
      worker.poll = minPoll
      // several ended jobs of a full partition share one claim
      if (hadFullPartition && !worker.isSaturated) yield* Effect.sleep(gatherTime)
      return
    }
    if (hadFullPartition) {
      const moved = Effect.andThen(hasMoved.await, Effect.sleep(gatherTime))
      return yield* Effect.raceFirst(moved, notifier.wait(queue.table, fullPartitionPoll))
    }
    yield* notifier.wait(queue.table, worker.poll)
    worker.poll = Duration.min(Duration.times(worker.poll, 2), maxPoll)
  }).pipe(Effect.catchCause((cause) => Effect.andThen(claimFailures.report(cause), Effect.sleep(failurePause))))
}

/** While this process was paused, others took what it had claimed: it starts none of that, and releases the rest. */
const releaseTakenOver = <J extends Claimed, O extends Ended>(worker: Worker<J, O>) =>
  Effect.flatMap(CurrentClaimer, (claimer) => {
    const { id } = claimer()
    const isSame = worker.claimerId === null || worker.claimerId === id
    worker.claimerId = id
    if (!isSame) releaseSoon(worker, worker.unstarted, [...worker.slots.clear(), ...worker.suspects.splice(0)])
    return Effect.void
  })

const claimable = <J extends Claimed, O extends Ended>({ open, queue, slots }: Worker<J, O>): number =>
  Math.min(slots.free, queue.concurrency * maxOpenPerSlot - open.size)

const enter = Effect.fnUntraced(function* <J extends Claimed, O extends Ended>(
  worker: Worker<J, O>,
  jobs: ReadonlyArray<J>,
) {
  const { fork, hasSuspects, open, queue, slots, suspects } = worker
  for (const job of jobs) open.add(job)
  const { abandon = [], perform = [], performAlone = [] } = Object.groupBy(jobs, treatmentOf)
  startAll(worker, slots.enter(perform))
  suspects.push(...performAlone)
  if (performAlone.length > 0) hasSuspects.openUnsafe()
  for (const job of abandon) {
    yield* Effect.logError(`${queue.table}: a job is abandoned. ${abandonedReason(job)}`, job.id)
    fork(Effect.onExit(queue.abandon(job), (exit) => end(worker, job, exit, 0)))
  }
})

/** One suspect at a time: if the pod dies, the attempt counts for this job only. */
const performAlone = <J extends Claimed, O extends Ended>(worker: Worker<J, O>) => {
  const { hasSuspects, queue, slots, suspects } = worker
  return Effect.gen(function* () {
    yield* hasSuspects.await
    const job = suspects.shift()
    if (job === undefined) {
      hasSuspects.closeUnsafe()
      return
    }
    const closed = yield* Deferred.make<void>()
    worker.suspect = { job, closed }
    yield* queue.startAlone(job).pipe(
      Effect.flatMap((isStarted) => {
        // another worker claimed the row after its lease ended
        if (!isStarted) return close(worker, [job])
        startAll(worker, slots.enter([job]))
        return Effect.void
      }),
      Effect.catchCause((cause) =>
        Effect.andThen(
          worker.startFailures.report(cause),
          Effect.sync(() => releaseSoon(worker, worker.diedOfProcess, [job])),
        ),
      ),
      Effect.uninterruptible,
    )
    yield* Deferred.await(closed)
  })
}

/** A loop, because a job may end, and free its slot, while it is started. */
const startAll = <J extends Claimed, O extends Ended>(worker: Worker<J, O>, jobs: ReadonlyArray<J>): void => {
  const { fork, starting } = worker
  starting.push(...jobs)
  if (worker.isStarting) return
  worker.isStarting = true
  for (let job = starting.shift(); job !== undefined; job = starting.shift()) fork(perform(worker, job))
  worker.isStarting = false
}

const perform = <J extends Claimed, O extends Ended>(worker: Worker<J, O>, job: J): Effect.Effect<O> => {
  const { clock, inTrace, queue } = worker
  const startedAt = millisOf(clock)
  const performed =
    inTrace === undefined ? queue.perform(job) : inTrace(queue.table, "attempt", job)(queue.perform(job))
  return Effect.onExit(performed, (exit) => {
    const took = millisOf(clock) - startedAt
    // a job that died says nothing about its partition's speed
    const { release, start } = worker.slots.leave(job, Exit.isSuccess(exit) ? took : Number.POSITIVE_INFINITY)
    startAll(worker, start)
    releaseSoon(worker, worker.unstarted, release)
    worker.hasFreeSlot.openUnsafe()
    worker.hasMoved.openUnsafe()
    return end(worker, job, exit, took)
  })
}

// Settle

/** `took` is in milliseconds. */
const end = <J extends Claimed, O extends Ended>(
  worker: Worker<J, O>,
  job: J,
  exit: Exit.Exit<O>,
  took: number,
): Effect.Effect<void> => {
  const { diedOfJob, diedOfProcess, hasEnded, metrics, outcomes, queue } = worker
  metrics.beat(queue.table)
  metrics.attempt(queue.table, outcomeOf(exit), took / 1000)
  if (Exit.isSuccess(exit)) {
    outcomes.push({ job, outcome: exit.value })
    hasEnded.openUnsafe()
    return worker.jobFailures.worked
  }
  // interrupted by `drain`, which releases it
  if (!Cause.hasDies(exit.cause)) return Effect.void
  const isItsOwn = isOfJob(exit.cause)
  releaseSoon(worker, isItsOwn ? diedOfJob : diedOfProcess, [job])
  if (!isItsOwn) return worker.jobFailures.report(exit.cause)
  return Effect.logError(`${queue.table}: a job died, released`, exit.cause)
}

/** Adds jobs to one of the lists that `settleRound` releases. */
const releaseSoon = <J extends Claimed, O extends Ended>(
  { hasEnded }: Worker<J, O>,
  list: Array<J>,
  jobs: ReadonlyArray<J>,
): void => {
  if (jobs.length === 0) return
  list.push(...jobs)
  hasEnded.openUnsafe()
}

const outcomeOf = (exit: Exit.Exit<Ended>): string => {
  if (Exit.isFailure(exit)) return Cause.hasDies(exit.cause) ? "died" : "interrupted"
  return exit.value.state === "queued" ? "retried" : exit.value.state
}

const settleRound = <J extends Claimed, O extends Ended>(worker: Worker<J, O>) => {
  const { diedOfJob, diedOfProcess, hasEnded, outcomes, unstarted } = worker
  return Effect.gen(function* () {
    yield* hasEnded.await
    yield* Effect.sleep(settleInterval)
    hasEnded.closeUnsafe()
    while (outcomes.length > 0) {
      const batch = outcomes.splice(0, maxSettleBatch)
      yield* settleInTraces(worker, batch)
      yield* close(
        worker,
        batch.map(({ job }) => job),
      )
    }
    yield* releasePersistently(worker, diedOfProcess.splice(0), diedDelay, "unclaimed")
    yield* releasePersistently(worker, diedOfJob.splice(0), diedDelay, "started")
    yield* releasePersistently(worker, unstarted.splice(0), Duration.zero, "unclaimed")
  })
}

const settleInTraces = <J extends Claimed, O extends Ended>(
  worker: Worker<J, O>,
  batch: Worker<J, O>["outcomes"],
): Effect.Effect<void> => {
  const { inTrace, queue } = worker
  if (inTrace === undefined || !queue.settlesByTrace) return settleBatch(worker, batch)
  return Effect.forEach(
    Traces.byTrace(batch),
    (group) =>
      group[0] === undefined ? Effect.void : inTrace(queue.table, "settle", group[0].job)(settleBatch(worker, group)),
    { discard: true },
  )
}

/** Retries until it succeeds, so that a database outage loses no outcome. */
const settleBatch = <J extends Claimed, O extends Ended>(
  worker: Worker<J, O>,
  batch: Worker<J, O>["outcomes"],
): Effect.Effect<void> => persistently(worker.settleFailures, worker.queue.settle(batch.map(({ outcome }) => outcome)))

const persistently = (failures: FailureLog.FailureLog, effect: Effect.Effect<void>): Effect.Effect<void> =>
  effect.pipe(
    Effect.tap(failures.worked),
    Effect.tapCause(failures.report),
    Effect.catchCause(() => Effect.andThen(Effect.sleep(failurePause), Effect.fail("again" as const))),
    Effect.eventually,
  )

/** Retries until it succeeds: a job that died of a database outage would otherwise wait for the end of its lease. */
const releasePersistently = <J extends Claimed, O extends Ended>(
  worker: Worker<J, O>,
  jobs: ReadonlyArray<J>,
  after: Duration.Duration,
  as: ReleaseAs,
): Effect.Effect<void> =>
  jobs.length === 0
    ? Effect.void
    : Effect.andThen(persistently(worker.releaseFailures, worker.queue.release(jobs, after, as)), close(worker, jobs))

/** Releases jobs that were not started, once. If that fails, their leases end: a drain must not wait for the database. */
const releaseOnce = <J extends Claimed, O extends Ended>(
  worker: Worker<J, O>,
  jobs: ReadonlyArray<J>,
): Effect.Effect<void> =>
  jobs.length === 0
    ? Effect.void
    : worker.queue.release(jobs, Duration.zero, "unclaimed").pipe(
        Effect.catchCause((cause) =>
          Effect.logError(`${worker.queue.table}: releasing jobs failed, their leases will end`, cause),
        ),
        Effect.andThen(close(worker, jobs)),
      )

const close = <J extends Claimed, O extends Ended>(worker: Worker<J, O>, jobs: Iterable<J>): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { drained, hasFreeSlot, open, suspect } = worker
    for (const job of jobs) {
      open.delete(job)
      if (job === suspect?.job) Deferred.doneUnsafe(suspect.closed, Exit.void)
    }
    hasFreeSlot.openUnsafe()
    return open.size === 0 && drained !== undefined ? Effect.asVoid(Deferred.succeed(drained, undefined)) : Effect.void
  })

// Drain

const drain = <J extends Claimed, O extends Ended>(worker: Worker<J, O>) => {
  const { metrics, open, performers, queue, slots, suspects } = worker
  return Effect.gen(function* () {
    metrics.end(queue.table)
    yield* releaseOnce(worker, [...slots.clear(), ...suspects.splice(0)])
    const drained = yield* Deferred.make<void>()
    worker.drained = drained
    if (open.size === 0) return
    yield* Effect.logInfo(`${queue.table}: finishing ${open.size} open jobs`)
    yield* Effect.timeoutOption(Deferred.await(drained), queue.grace ?? defaultGrace)
    yield* FiberSet.clear(performers)
    if (open.size === 0) return
    yield* Effect.logWarning(`${queue.table}: released ${open.size} jobs that did not end in time`)
    yield* queue.release([...open], queue.releaseAfter ?? Duration.zero, "unclaimed")
  }).pipe(Effect.catchCause((cause) => Effect.logError(`${queue.table}: draining failed, leases will end`, cause)))
}
