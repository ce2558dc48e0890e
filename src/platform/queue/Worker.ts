/**
 * The loop behind every queue: claims as many jobs as there are free places, and some ahead of them where the queue
 * allows it (worker/Places.ts), performs each in a fiber of its own, settles what has ended in batches, and drains when
 * the process is asked to stop.
 *
 * One slow job never holds up the others: a place is free again as soon as its job has ended, settled or not.
 */
import { Cause, Clock, Deferred, Duration, Effect, Exit, FiberSet, Latch } from "effect"
import * as Failures from "./Failures.ts"
import type { Claimed, QueueTable, ReleaseAs } from "./Queue.ts"
import { QueueNotifier } from "./QueueNotifier.ts"
import * as Traces from "./Traces.ts"
import { WorkerSlots } from "./WorkerSlots.ts"
import { type Ended, isOfJob, treatmentOf, type WorkQueue } from "./WorkQueue.ts"

const grace = Duration.seconds(20)
/** Outcomes of this long are settled together: 100 rows a statement cost a tenth of one row a statement. */
const settleEvery = Duration.millis(20)
const settleMost = 500
/** An idle worker looks at the table this often, doubling from the first to the second; NOTIFY wakes it earlier. */
const pollFirst = Duration.millis(200)
const pollLongest = Duration.seconds(2)
/** What ends within this time of a job that ended is looked for in one claim. */
const gather = Duration.millis(3)
/** While partitions are full, a claim may not see all that is due in others: the next one looks further. */
const lookAgain = Duration.millis(100)
/** Jobs that have ended may wait for their settlement, so many times the places: then the database is what is slow. */
const unsettledMost = 20
/** After a fault on our side. */
const pause = Duration.seconds(1)
/** A job that died is due again after this time, so that it does not die in a busy loop. */
const comeback = Duration.seconds(10)

/** Who wants to know how the worker does: whether it is alive (service/Heartbeats.ts), and how attempts end. */
export interface Watch {
  readonly beat: (queue: QueueTable) => void
  readonly end: (queue: QueueTable) => void
  readonly attempt: (queue: QueueTable, outcome: string, seconds: number) => void
}

const nobody: Watch = { beat: () => {}, end: () => {}, attempt: () => {} }

/** A job that stays queued is tried again; one that died or was cut short has no state. */
const outcomeOf = (exit: Exit.Exit<Ended>): string => {
  if (Exit.isFailure(exit)) return Cause.hasDies(exit.cause) ? "died" : "interrupted"
  return exit.value.state === "queued" ? "retried" : exit.value.state
}

/**
 * Runs a queue for as long as the scope is open. Closing the scope stops claiming, waits for the open jobs, settles
 * them, gives back what did not end in time or leaves it to its lease, and only then goes on to close what was opened before it.
 */
export const run = <Job extends Claimed, Outcome extends Ended, Key extends string>(
  queue: WorkQueue<Job, Outcome, Key>,
  watch: Watch = nobody,
) => Effect.flatMap(Traces.make, (inTrace) => Effect.withTracerEnabled(rounds(queue, watch, inTrace), false))

const rounds = Effect.fnUntraced(function* <Job extends Claimed, Outcome extends Ended, Key extends string>(
  queue: WorkQueue<Job, Outcome, Key>,
  watch: Watch,
  inTrace: Traces.InTrace | undefined,
) {
  const { wait } = yield* QueueNotifier
  /** Claimed and not settled yet. A row whose lease has ended can be here twice, by two claims. */
  const open = new Set<Job>()
  const ahead = queue.ahead ?? 0
  const places = new WorkerSlots(queue.concurrency, ahead, queue.partition)
  const ended: Array<{ readonly job: Job; readonly outcome: Outcome }> = []
  /** Jobs to release: died by a fault of the process, died by a fault of the job, or waiting behind a slow partition. */
  const cutShort: Array<Job> = []
  const died: Array<Job> = []
  const behind: Array<Job> = []
  /** Jobs that wait to be performed alone (platform/queue/Queue.ts). */
  const suspects: Array<Job> = []
  const someSuspects = Latch.makeUnsafe(false)
  let suspect: { readonly job: Job; readonly closed: Deferred.Deferred<void> } | undefined
  const some = Latch.makeUnsafe(false)
  const free = Latch.makeUnsafe(true)
  const moved = Latch.makeUnsafe(false)
  let drained: Deferred.Deferred<void> | undefined
  const settling = Failures.make()
  const claiming = Failures.make()

  const close = (jobs: Iterable<Job>) =>
    Effect.suspend(() => {
      for (const job of jobs) {
        open.delete(job)
        if (job === suspect?.job) Deferred.doneUnsafe(suspect.closed, Exit.void)
      }
      free.openUnsafe()
      return open.size === 0 && drained !== undefined ? Deferred.succeed(drained, undefined) : Effect.void
    })

  /** A fault here must not end those that are under way. */
  const giveBack = (jobs: ReadonlyArray<Job>, after: Duration.Duration, as: ReleaseAs = "unclaimed") =>
    jobs.length === 0
      ? Effect.void
      : queue.release(jobs, after, as).pipe(
          Effect.catchCause((cause) => Effect.logError(`${queue.table}: not given back, leases will end`, cause)),
          Effect.andThen(close(jobs)),
        )

  const settle = (batch: typeof ended) =>
    queue.settle(batch.map(({ outcome }) => outcome)).pipe(
      Effect.tap(() => Effect.sync(settling.worked)),
      Effect.tapCause((cause) => settling.report(`${queue.table}: settling failed, trying again`, cause)),
      Effect.catchCause(() => Effect.andThen(Effect.sleep(pause), Effect.fail("again" as const))),
      Effect.eventually,
    )

  /** What comes of it belongs to the job's trace, and a statement is in one: a settlement for each, of those that are followed. */
  const settleInTraces = (batch: typeof ended) =>
    inTrace === undefined || !queue.settlesByTrace
      ? settle(batch)
      : Effect.forEach(
          Traces.byTrace(batch),
          (group) =>
            group[0] === undefined ? Effect.void : inTrace(queue.table, "settle", group[0].job)(settle(group)),
          { discard: true },
        )

  // A settlement that fails is tried again until it succeeds: the outcome of a request that was made must not get lost
  // while the database is away. Should the lease run out meanwhile, the claim's fence ignores it.
  yield* Effect.gen(function* () {
    yield* some.await
    yield* Effect.sleep(settleEvery)
    some.closeUnsafe()
    while (ended.length > 0) {
      const batch = ended.splice(0, settleMost)
      yield* settleInTraces(batch)
      yield* close(batch.map(({ job }) => job))
    }
    yield* giveBack(cutShort.splice(0), comeback)
    yield* giveBack(died.splice(0), comeback, "started")
    yield* giveBack(behind.splice(0), Duration.zero)
  }).pipe(Effect.forever, Effect.forkScoped)

  const performers = yield* FiberSet.make<Outcome>()
  const start = yield* FiberSet.runtime(performers)()
  // few steps and no generator: this runs for each job
  const clock = yield* Clock.Clock
  /** Passes the exit of a job to the settlement; `took` is in milliseconds. */
  const end = (job: Job, exit: Exit.Exit<Outcome>, took: number) => {
    watch.beat(queue.table)
    watch.attempt(queue.table, outcomeOf(exit), took / 1000)
    if (Exit.isSuccess(exit)) {
      ended.push({ job, outcome: exit.value })
      some.openUnsafe()
      return Effect.void
    }
    // interrupted: the worker ends and releases its open jobs
    if (!Cause.hasDies(exit.cause)) return Effect.void
    const isCharged = isOfJob(exit.cause)
    ;(isCharged ? died : cutShort).push(job)
    some.openUnsafe()
    return Effect.logError(`${queue.table}: a job died, released`, exit.cause)
  }

  const perform = (job: Job) => {
    const begun = clock.currentTimeMillisUnsafe()
    const performed =
      inTrace === undefined ? queue.perform(job) : inTrace(queue.table, "attempt", job)(queue.perform(job))
    return Effect.onExit(performed, (exit) => {
      const took = clock.currentTimeMillisUnsafe() - begun
      // one that died says nothing of how quick its partition is
      const { back, start } = places.leave(job, Exit.isSuccess(exit) ? took : Number.POSITIVE_INFINITY)
      startAll(start)
      if (back.length > 0) {
        behind.push(...back)
        some.openUnsafe()
      }
      free.openUnsafe()
      moved.openUnsafe()
      return end(job, exit, took)
    })
  }

  // one after the other and not one within the other: jobs may end before the call that starts them does
  const starting: Array<Job> = []
  let isStarting = false
  const startAll = (jobs: ReadonlyArray<Job>) => {
    starting.push(...jobs)
    if (isStarting) return
    isStarting = true
    for (let job = starting.shift(); job !== undefined; job = starting.shift()) start(perform(job))
    isStarting = false
  }

  /** Starts the jobs of a claim, and ends those that are abandoned. */
  const enter = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>) {
    for (const job of jobs) open.add(job)
    const { abandon = [], perform = [], performAlone = [] } = Object.groupBy(jobs, treatmentOf)
    startAll(places.enter(perform))
    suspects.push(...performAlone)
    if (performAlone.length > 0) someSuspects.openUnsafe()
    for (const job of abandon) {
      yield* Effect.logError(`${queue.table}: a job is abandoned: three attempts were started and none ended`, job.id)
      start(Effect.onExit(queue.abandon(job), (exit) => end(job, exit, 0)))
    }
  })

  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      watch.end(queue.table)
      // what has not begun is for other workers at once
      yield* giveBack([...places.clear(), ...suspects.splice(0)], Duration.zero)
      const done = yield* Deferred.make<void>()
      drained = done
      if (open.size === 0) return
      yield* Effect.logInfo(`${queue.table}: finishing ${open.size} open jobs`)
      yield* Effect.timeoutOption(Deferred.await(done), queue.grace ?? grace)
      yield* FiberSet.clear(performers)
      if (open.size === 0) return
      if (queue.leavesToLease) {
        yield* Effect.logWarning(`${queue.table}: left ${open.size} jobs that did not end in time to their leases`)
        return
      }
      yield* Effect.logWarning(`${queue.table}: gave back ${open.size} jobs that did not end in time`)
      yield* queue.release([...open], Duration.zero, "unclaimed")
    }).pipe(Effect.catchCause((cause) => Effect.logError(`${queue.table}: draining failed, leases will end`, cause))),
  )

  // Performs one suspect at a time, until it is settled: if the pod dies, only that one is charged.
  yield* Effect.gen(function* () {
    yield* someSuspects.await
    const job = suspects.shift()
    if (job === undefined) {
      someSuspects.closeUnsafe()
      return
    }
    const closed = yield* Deferred.make<void>()
    suspect = { job, closed }
    yield* queue.startAlone(job).pipe(
      Effect.flatMap((isStarted) => {
        // its lease has ended and another worker holds it
        if (!isStarted) return close([job])
        startAll(places.enter([job]))
        return Effect.void
      }),
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logError(`${queue.table}: starting a job failed`, cause), giveBack([job], comeback)),
      ),
      Effect.uninterruptible,
    )
    yield* Deferred.await(closed)
  }).pipe(Effect.forever, Effect.forkScoped)

  const wanted = () => Math.min(places.free, queue.concurrency * unsettledMost - open.size)
  let idle = pollFirst
  let crowded = false
  yield* Effect.gen(function* () {
    yield* free.await
    watch.beat(queue.table)
    if (wanted() <= 0) {
      free.closeUnsafe()
      return
    }
    // more was due than could be claimed, and there is enough to do: a moment later one claim brings more
    if (crowded && places.ready > ahead / 2) {
      yield* Effect.sleep(gather)
      return
    }
    if (crowded && wanted() < queue.concurrency / 2) yield* Effect.sleep(gather)
    const limit = wanted()
    moved.closeUnsafe()
    // asked before the claim, whose answer it explains: what is open now may have ended by the time nothing came back
    const heldBack = places.holdsBack
    // a claim and the start of its jobs belong together: a shutdown must not lose what lies between the two
    const claimed = yield* Effect.uninterruptible(
      Effect.gen(function* () {
        const jobs = yield* queue.claim(limit, places.held)
        claiming.worked()
        yield* enter(jobs)
        return jobs.length
      }),
    )
    crowded = claimed === limit
    if (claimed > 0) {
      idle = pollFirst
      // of what is held back, some may go on with each job that ends: not a claim for each
      if (heldBack && !crowded) yield* Effect.sleep(gather)
      return
    }
    if (heldBack) {
      yield* Effect.raceFirst(Effect.andThen(moved.await, Effect.sleep(gather)), wait(queue.table, lookAgain))
      return
    }
    yield* wait(queue.table, idle)
    idle = Duration.min(Duration.times(idle, 2), pollLongest)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(claiming.report(`${queue.table}: claiming failed`, cause), Effect.sleep(pause)),
    ),
    Effect.forever,
    Effect.forkScoped,
  )
})
