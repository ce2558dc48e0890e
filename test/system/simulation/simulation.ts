/** The state of one simulation: its clock and chance, its processes, and what was seen of them. */
import { Clock, Duration, Effect, type Latch, Random, type Scope } from "effect"
import type { Fault, Plan } from "./plan.ts"
import * as Trace from "./trace.ts"

/** A process of the service. */
export interface Pod {
  readonly number: number
  readonly clock: Clock.Clock
  readonly scope: Scope.Closeable
  readonly startedAt: number
  /** Requests of this process that are open, by URL. */
  readonly open: Map<string, number>
  /** Opens when something came into the queue, or may be due earlier than was thought. */
  readonly bell: Latch.Latch
  /** Whether a wake-up arrived since the worker last looked. */
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
  /** The time of the world, and of its database. */
  readonly now: () => number
  /** The next number of an order over all that happens. */
  readonly next: () => number
  /** The clock of a process, so many minutes off; what sleeps on it is seen by `nextWake`. */
  readonly clockOf: (pod: number, minutes: number) => Clock.Clock
  /** When the first of those that sleep wakes. */
  readonly nextWake: () => number | undefined
  /** One source for each purpose, so that another draw of one does not change all others. */
  readonly chance: Readonly<Record<"network" | "fault" | "delay" | "bytes" | "script", Chance>>
  /** True when a step is to fail by this fault. */
  readonly strikes: (fault: Fault) => boolean
  /** From now on nothing fails by the plan's rates. */
  isOver: boolean
  /** The database is away until then. */
  outageUntil: number
  /** Events, and deliveries that people had sent again. */
  published: number
  resent: number
  /** Steps under way that end without the clock. */
  busy: number
  /** Whether the tables may have changed since they were looked at. */
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
            // whoever stands still wakes late
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

/** A whole number from `least` to `most`. */
export const between = (chance: Chance, least: number, most: number) =>
  least + Math.floor(chance.nextDoubleUnsafe() * (most - least + 1))

/** Whether a process still takes up work. */
export const isAble = (pod: Pod) => pod.killedAt === undefined && pod.drainingSince === undefined
