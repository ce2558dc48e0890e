/**
 * Runs pods on Postgres under Patroni while the primary is killed, switched over, cut off and frozen. Half of the pods connect
 * through HAProxy; the others have several servers in DATABASE_URL. The pods are never restarted.
 */
import { Clock, Duration, Effect, Fiber } from "effect"
import * as Account from "./account.ts"
import * as Events from "./events.ts"
import { longestRefusal, refusedIn, type Window } from "./failover/availability.ts"
import * as Cluster from "./failover/cluster.ts"
import { type Fault, faultsOf } from "./failover/faults.ts"
import * as Load from "./load.ts"
import * as Pods from "./pods.ts"
import * as Receivers from "./receivers.ts"
import { type Check, checkOf, fatalCheck, nth, print, say, stopCheck } from "./report.ts"
import * as Stage from "./stage.ts"

/** Between two invitations to each half of the pods. Times without accepted writes are measured with this precision. */
const interval = "500 millis"
/** The longest time without an accepted write, in seconds. */
const maxRefusal = 30
/** Between a recovery and the next fault. */
const calm = "10 seconds"

const refusalCheck = (way: string, answers: ReadonlyArray<Load.Answer>, window: Window): Check => {
  const seconds = longestRefusal(answers, window)
  return {
    what: `pods with ${way}: no write accepted for ${seconds.toFixed(1)} s, ${refusedIn(answers, window)} requests refused`,
    holds: seconds <= maxRefusal,
  }
}

export const failoverSoak = Effect.fnUntraced(function* (minutes: number) {
  yield* say("starting etcd, Patroni, HAProxy, receivers and four pods ...")
  const cluster = yield* Cluster.start
  const receivers = yield* Receivers.start
  const { apiKey } = yield* Stage.organization(
    cluster.serversUrl,
    Receivers.tempers.map(({ path }) => receivers.url + path),
  )
  const { proxyUrl, serversUrl } = cluster
  const pods = yield* Pods.start(proxyUrl, [proxyUrl, serversUrl, serversUrl])
  const interviewSet = yield* Stage.interviewSet(pods.survivor.url, apiKey)
  const urls = pods.urls()
  const ways = [
    { name: "HAProxy", urls: urls.slice(0, 2) },
    { name: "several servers", urls: urls.slice(2) },
  ]

  let isOver = false
  const loads = yield* Effect.forEach(
    ways,
    Effect.fnUntraced(function* ({ name, urls }) {
      const load = { apiKey, interviewSet, cvLink: `${receivers.url}/cv`, pods: () => urls, isOver: () => isOver }
      return { name, ...(yield* Load.startSteadily(load, interval)) }
    }),
  )
  let isSettled = false
  const following = yield* Effect.forkScoped(
    Events.follow(
      () => urls,
      apiKey,
      () => isSettled,
    ),
  )

  const began = yield* Clock.currentTimeMillis
  const elapsed = Effect.map(Clock.currentTimeMillis, (now) => (now - began) / 60_000)
  const faults = faultsOf(cluster)
  const ofFaults: Array<Check> = []
  yield* Effect.sleep(calm)
  const endure = Effect.fnUntraced(function* ({ movesPrimary, name, run }: Fault) {
    const primary = yield* cluster.primary
    yield* say(`${(yield* elapsed).toFixed(1)} minutes: ${name} (${primary.machine.name} is the primary)`)
    const from = yield* Clock.currentTimeMillis
    yield* run
    yield* cluster.whole
    yield* Effect.sleep(calm)
    const to = yield* Clock.currentTimeMillis
    const hasMoved = (yield* cluster.primary) !== primary
    const checks = [
      ...loads.map((load) => refusalCheck(load.name, load.done.answers, { from, to })),
      ...(movesPrimary ? [{ what: "another node became the primary", holds: hasMoved }] : []),
    ].map(({ holds, what }) => ({ holds, what: `${name}: ${what}` }))
    yield* Effect.forEach(checks, ({ what }) => say(`  ${what}`))
    ofFaults.push(...checks)
  })
  let count = 0
  while ((yield* elapsed) < minutes) {
    yield* endure(nth(faults, count++))
  }
  isOver = true
  yield* say("waiting until the last invitations are answered ...")
  yield* Effect.forEach(loads, ({ ended }) => Fiber.join(ended))
  const done = {
    submissions: loads.flatMap(({ done: { submissions } }) => submissions),
    answers: loads.flatMap(({ done: { answers } }) => answers),
  }
  const [settling] = yield* Effect.timed(Account.settled(cluster.proxyUrl, done))
  isSettled = true
  const followed = yield* Fiber.join(following).pipe(Effect.timeout("1 minute"), Effect.orDie)
  const { events, failed, findings, twice } = yield* Account.account(
    cluster.proxyUrl,
    pods.survivor.url,
    apiKey,
    done,
    receivers,
  )
  const running = pods.running()
  const logged = pods.logged("FATAL")
  const codes = yield* pods.stop

  const checks = [
    ...ofFaults,
    ...findings.map(checkOf),
    ...Events.compare(followed, events).map(checkOf),
    { what: `pods that never ended: ${running} of ${urls.length}`, holds: running === urls.length },
    stopCheck(codes),
    fatalCheck(logged),
  ]
  yield* print(
    [
      `${minutes} minutes, ${urls.length} pods, ${count} faults; ${cluster.reinitialized()} nodes reinitialized by patronictl`,
      `${done.submissions.length} candidates invited (${Load.outcomesOf(done)})`,
      `${events.length} events, ${receivers.requests()} webhook requests; ${failed} deliveries failed; ${twice} events received twice`,
      `the remaining jobs ended ${Duration.toSeconds(settling).toFixed(0)} s after the last invitation`,
    ],
    checks,
  )
})
