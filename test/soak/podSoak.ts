/**
 * Runs four pods under load while it kills, stops and starts pods, cuts connections and restarts Postgres, sometimes several of
 * these at once. Fails with fewer kills than `killsPerMinute`.
 */
import { randomInt } from "node:crypto"
import { Clock, Effect, Fiber, Schedule } from "effect"
import * as OwnPostgres from "../support/OwnPostgres.ts"
import * as Account from "./account.ts"
import * as Load from "./load.ts"
import * as Pods from "./pods.ts"
import * as Receivers from "./receivers.ts"
import { checkOf, fatalCheck, nth, print, say, stopCheck } from "./report.ts"
import * as Stage from "./stage.ts"

const podCount = 4
/** The fewest pods killed per minute, on average. */
const killsPerMinute = 10
/** Memory of the pod that is not killed: the last third of the time relative to the middle third. */
const growthAllowed = 1.15

const persistently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.sandbox, Effect.retry(Schedule.spaced("500 millis")), Effect.orDie)

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

export const podSoak = Effect.fnUntraced(function* (minutes: number) {
  yield* say("starting Postgres, receivers and four pods ...")
  const postgres = yield* OwnPostgres.start
  const receivers = yield* Receivers.start
  const { apiKey } = yield* Stage.organization(
    postgres.url,
    Receivers.tempers.map(({ path }) => receivers.url + path),
  )
  const pods = yield* Pods.start(
    postgres.url,
    Array.from({ length: podCount - 1 }, () => postgres.url),
  )
  const interviewSet = yield* Stage.interviewSet(pods.survivor.url, apiKey)

  const began = yield* Clock.currentTimeMillis
  const elapsed = Effect.map(Clock.currentTimeMillis, (now) => (now - began) / 60_000)
  let isOver = false
  const load = yield* Effect.forkScoped(
    Load.run({ apiKey, interviewSet, cvLink: `${receivers.url}/cv`, pods: pods.urls, isOver: () => isOver }),
  )
  const memory: Array<number> = []
  yield* Effect.forkScoped(
    Effect.repeat(
      Effect.sync(() => memory.push(Pods.residentMegabytes(pods.survivor.pid))),
      Schedule.spaced("2 seconds"),
    ),
  )

  const ofPods = [
    { name: "a pod killed", run: pods.kill },
    { name: "a pod killed", run: pods.kill },
    { name: "a pod killed", run: pods.kill },
    { name: "a pod killed", run: pods.kill },
    { name: "a pod stopped", run: pods.retire },
  ]
  const ofPostgres = [
    { name: "connections cut", run: persistently(postgres.cutConnections) },
    { name: "Postgres restarted", run: postgres.restart("fast") },
    { name: "Postgres crashed and restarted", run: postgres.restart("immediate") },
  ]
  const counts = new Map<string, number>()
  /** Runs the faults in turn, after pauses of `least` to `most` milliseconds. */
  const inTurn = Effect.fnUntraced(function* <E, R>(
    faults: ReadonlyArray<{ readonly name: string; readonly run: Effect.Effect<unknown, E, R> }>,
    least: number,
    most: number,
  ) {
    for (let i = 0; (yield* elapsed) < minutes; i++) {
      yield* Effect.sleep(randomInt(least, most))
      const { name, run } = nth(faults, i)
      if ((yield* run) === false) continue
      counts.set(name, (counts.get(name) ?? 0) + 1)
      yield* say(`${(yield* elapsed).toFixed(1)} minutes: ${name}; ${receivers.requests()} webhooks so far`)
    }
  })
  yield* Effect.all([inTurn(ofPods, 1500, 5000), inTurn(ofPostgres, 10_000, 24_000)], { concurrency: "unbounded" })
  const killed = pods.killed()
  isOver = true
  const done = yield* Fiber.join(load)
  yield* Account.settled(postgres.url, done)
  const { events, failed, findings, twice } = yield* Account.account(
    postgres.url,
    pods.survivor.url,
    apiKey,
    done,
    receivers,
  )
  const logged = pods.logged("FATAL")
  const codes = yield* pods.stop
  const third = Math.floor(memory.length / 3)
  const [middle, last] = [median(memory.slice(third, 2 * third)), median(memory.slice(2 * third))]

  const checks = [
    ...findings.map(checkOf),
    {
      what: `pods killed: ${killed} of at least ${Math.floor(killsPerMinute * minutes)}`,
      holds: killed >= Math.floor(killsPerMinute * minutes),
    },
    stopCheck(codes),
    fatalCheck(logged),
    {
      what: `memory of the pod that is never killed: ${middle.toFixed(0)} MB in the middle third, then ${last.toFixed(0)} MB`,
      holds: last <= middle * growthAllowed,
    },
  ]
  yield* print(
    [
      `${minutes} minutes, ${podCount} pods: ${[...counts].map(([name, times]) => `${times} × ${name}`).join(", ")}`,
      `${pods.neverListened()} pods ended before they listened, for example because Postgres was down`,
      `${done.submissions.length} candidates invited (${Load.outcomesOf(done)})`,
      `${events.length} events, ${receivers.requests()} webhook requests; ${failed} deliveries failed; ${twice} events received twice`,
    ],
    checks,
  )
})
