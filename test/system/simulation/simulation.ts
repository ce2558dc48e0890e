/** The state of one simulation: clock, random sources, processes, trace. */
import { Clock, Duration, Effect, type Latch, Random, type Scope } from "effect"
import type { Fault, Plan } from "./plan.ts"
import * as Trace from "./trace.ts"

export interface Pod {
  readonly number: number
  readonly clock: Clock.Clock
  readonly scope: Scope.Closeable
  readonly startedAt: number
  /** Open requests by URL. */
  readonly open: Map<string, number>
  /** Opens when a job was queued or the next due time may be earlier. */
  readonly bell: Latch.Latch
  /** Whether a wake-up arrived since the worker's last poll. */
  hinted: boolean
  killedAt: number | undefined
  drainingSince: number | undefined
  endedAt: number | undefined
  frozenUntil: number
}

type Chance = Random.Random

export interface Simulation {
  readonly plan: Plan
  readonly trace: Trace.Trace
  readonly pods: Array<Pod>
  /** The simulated time, which is the database's. */
  readonly now: () => number
  /** The next number in the order of all records. */
  readonly next: () => number
  /** The clock of a process, `minutes` off. `nextWake` includes its sleepers. */
  readonly clockOf: (pod: number, minutes: number) => Clock.Clock
  readonly nextWake: () => number | undefined
  /** One source for each purpose, so that a draw from one does not change the others. */
  readonly chance: Readonly<Record<"network" | "fault" | "delay" | "bytes" | "script", Chance>>
  /** Draws whether a step fails by this fault. */
  readonly strikes: (fault: Fault) => boolean
  /** Turns fault rates off. */
  isOver: boolean
  /** The database is unavailable until then. */
  outageUntil: number
  /** Numbers of published events and of deliveries sent again. */
  published: number
  resent: number
  /** Running steps that do not wait for the clock. */
  busy: number
  /** Whether the tables may have changed since the last check. */
  isDirty: boolean
}

/** Needs a TestClock. */
export const make = Effect.fnUntraced(function* (plan: Plan): Effect.fn.Return<Simulation> {
  const base = yield* Clock.clockWith(Effect.succeed)
  const source = (purpose: string) =>
    Random.withSeed(Effect.flatMap(Random.Random, Effect.succeed), `${plan.noise} ${purpose}`)
  const chance = yield* Effect.all({
    network: source("network"),
    fault: source("fault"),
    delay: source("delay"),
    bytes: source("bytes"),
    script: source("script"),
  })
  const now = () => base.currentTimeMillisUnsafe()
  const wakes = new Set<{ readonly at: number }>()
  const sleep = (millis: number) =>
    Effect.suspend(() => {
      const wake = { at: now() + millis }
      wakes.add(wake)
      return Effect.ensuring(
        base.sleep(Duration.millis(millis)),
        Effect.sync(() => wakes.delete(wake)),
      )
    })
  let order = 0
  const simulation: Simulation = {
    plan,
    trace: Trace.empty(),
    pods: [],
    now,
    next: () => ++order,
    clockOf: (pod, minutes) => {
      const skewed = () => now() + minutes * 60_000
      const frozen = () => Math.max(0, (simulation.pods[pod]?.frozenUntil ?? 0) - now())
      return {
        ...base,
        currentTimeMillisUnsafe: skewed,
        currentTimeMillis: Effect.sync(skewed),
        currentTimeNanosUnsafe: () => BigInt(skewed()) * 1_000_000n,
        currentTimeNanos: Effect.sync(() => BigInt(skewed()) * 1_000_000n),
        sleep: (duration) =>
          Effect.andThen(
            sleep(Duration.toMillis(duration)),
            // a frozen process wakes late
            Effect.suspend(() => (frozen() > 0 ? sleep(frozen()) : Effect.void)),
          ),
      }
    },
    nextWake: () => (wakes.size === 0 ? undefined : Math.min(...[...wakes].map(({ at }) => at))),
    chance,
    strikes: (fault) => plan.isFaulty && !simulation.isOver && chance.fault.nextDoubleUnsafe() < plan.rates[fault],
    isOver: false,
    outageUntil: 0,
    published: 0,
    resent: 0,
    busy: 0,
    isDirty: true,
  }
  return simulation
})

/** A random integer from `min` to `max`, both included. */
export const between = (chance: Chance, min: number, max: number) =>
  min + Math.floor(chance.nextDoubleUnsafe() * (max - min + 1))

export const isWorking = (pod: Pod) => pod.killedAt === undefined && pod.drainingSince === undefined
