/**
 * The loop behind every queue: claims as many jobs as there are free places, performs each in a fiber of its own,
 * settles what has ended in batches, and drains when the process is asked to stop.
 *
 * One slow job never holds up the others: a place is free again as soon as its job has ended, settled or not.
 */
import { Deferred, Duration, Effect, FiberSet, Latch, Queue } from "effect"
import type { Claimed } from "../repository/Queue.ts"
import { Wakeups } from "../repository/Wakeups.ts"
import type { WorkQueue } from "../service/WorkQueue.ts"

/** How long a draining worker waits for open jobs; what takes longer is given back and done again. */
const grace = Duration.seconds(20)
/** Outcomes of this long are settled together: 100 rows a statement cost a tenth of one row a statement. */
const settleEvery = Duration.millis(20)
const settleMost = 500
/** An idle worker looks at the table this often, doubling from the first to the second; NOTIFY wakes it earlier. */
const pollFirst = Duration.millis(200)
const pollLongest = Duration.seconds(2)
/** What ends within this time of a job that ended is looked for in one claim. */
const gather = Duration.millis(3)
/** Jobs that have ended may wait for their settlement, so many times the places: then the database is what is slow. */
const unsettledMost = 20
/** After a fault on our side. */
const pause = Duration.seconds(1)
/** A job that died by our fault comes back after this: it may die again, and must not do so all the time. */
const comeback = Duration.seconds(10)

/** A row and the claim that holds it. */
type Held = Pick<Claimed, "id" | "claim_id">

const keyOf = ({ claim_id, id }: Held): string => `${id} ${claim_id}`

/**
 * Runs a queue for as long as the scope is open. Closing the scope stops claiming, waits for the open jobs, settles
 * them, gives back what did not end in time, and only then goes on to close what was opened before it.
 */
export const run = Effect.fn("Worker.run")(function* <Job extends Claimed, Outcome extends Held>(
  queue: WorkQueue<Job, Outcome>,
) {
  const { wait } = yield* Wakeups
  /** Claimed and not settled yet, by claim: a job whose lease has ended can be here twice. */
  const open = new Map<string, Job>()
  /** Of those, the ones that have not ended. */
  let performing = 0
  const ended = yield* Queue.unbounded<Outcome>()
  const free = Latch.makeUnsafe(true)
  const moved = Latch.makeUnsafe(false)
  let drained: Deferred.Deferred<void> | undefined

  const close = (ended: ReadonlyArray<Held>) =>
    Effect.suspend(() => {
      for (const one of ended) open.delete(keyOf(one))
      free.openUnsafe()
      return open.size === 0 && drained !== undefined ? Deferred.succeed(drained, undefined) : Effect.void
    })

  // A settlement that fails is tried again until it succeeds: the outcome of a request that was made must not get lost
  // while the database is away. Should the lease run out meanwhile, the claim's fence ignores it.
  yield* Effect.gen(function* () {
    const first = yield* Queue.take(ended)
    yield* Effect.sleep(settleEvery)
    const rest = yield* Queue.clear(ended)
    const outcomes = [first, ...rest]
    for (let i = 0; i < outcomes.length; i += settleMost) {
      const batch = outcomes.slice(i, i + settleMost)
      yield* queue.settle(batch).pipe(
        Effect.tapCause((cause) => Effect.logError(`${queue.table}: settling failed, trying again`, cause)),
        Effect.catchCause(() => Effect.andThen(Effect.sleep(pause), Effect.fail("again" as const))),
        Effect.eventually,
      )
      yield* close(batch)
    }
  }).pipe(Effect.forever, Effect.forkScoped)

  const performers = yield* FiberSet.make<void>()
  const leave = Effect.sync(() => {
    performing--
    free.openUnsafe()
    moved.openUnsafe()
  })
  const perform = (job: Job) =>
    queue.perform(job).pipe(
      Effect.flatMap((outcome) => Queue.offer(ended, outcome)),
      Effect.catchDefect((defect) =>
        Effect.logError(`${queue.table}: a job died, released`, defect).pipe(
          Effect.andThen(queue.release([job], comeback)),
          Effect.catchDefect((again) => Effect.logError(`${queue.table}: not released, its lease will end`, again)),
          Effect.andThen(close([job])),
        ),
      ),
      Effect.ensuring(leave),
    )

  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      if (open.size === 0) return
      yield* Effect.logInfo(`${queue.table}: finishing ${open.size} open jobs`)
      const done = yield* Deferred.make<void>()
      drained = done
      yield* Effect.timeoutOption(Deferred.await(done), grace)
      yield* FiberSet.clear(performers)
      if (open.size === 0) return
      yield* Effect.logWarning(`${queue.table}: gave back ${open.size} jobs that did not end in time`)
      const jobs = [...open.values()].map(({ attempts, claim_id, id }) => ({ attempts, claim_id, id }))
      yield* queue.release(jobs, Duration.zero)
    }).pipe(Effect.catchCause((cause) => Effect.logError(`${queue.table}: draining failed, leases will end`, cause))),
  )

  let idle = pollFirst
  let crowded = false
  yield* Effect.gen(function* () {
    yield* free.await
    const places = Math.min(queue.concurrency - performing, queue.concurrency * unsettledMost - open.size)
    if (places <= 0) {
      free.closeUnsafe()
      return
    }
    // more was due than had a place, and few places are free: a moment later one claim fills more of them
    if (crowded && places < queue.concurrency / 2) yield* Effect.sleep(gather)
    const wanted = Math.min(queue.concurrency - performing, queue.concurrency * unsettledMost - open.size)
    moved.closeUnsafe()
    // asked before the claim, whose answer it explains: what is open now may have ended by the time nothing came back
    const heldBack = queue.holdsBack?.() === true
    // a claim and the start of its jobs belong together: a shutdown must not lose what lies between the two
    const claimed = yield* Effect.uninterruptible(
      Effect.gen(function* () {
        const jobs = yield* queue.claim(wanted)
        for (const job of jobs) open.set(keyOf(job), job)
        performing += jobs.length
        yield* Effect.forEach(jobs, (job) => FiberSet.run(performers, Effect.interruptible(perform(job))), {
          discard: true,
        })
        return jobs.length
      }),
    )
    crowded = claimed === wanted
    if (claimed > 0) {
      idle = pollFirst
      // of what is held back, some may go on with each job that ends: not a claim for each
      if (heldBack && !crowded) yield* Effect.sleep(gather)
      return
    }
    if (heldBack) {
      yield* Effect.raceFirst(Effect.andThen(moved.await, Effect.sleep(gather)), wait(queue.table, pollLongest))
      return
    }
    yield* wait(queue.table, idle)
    idle = Duration.min(Duration.times(idle, 2), pollLongest)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logError(`${queue.table}: claiming failed`, cause), Effect.sleep(pause)),
    ),
    Effect.forever,
    Effect.forkScoped,
  )
})
