/**
 * Wake-ups in a simulation. Whoever waits looks at the tables as often as told, and is spared the looks that would find
 * nothing due: hours pass without work for idle processes.
 */
import { Duration, Effect, Layer } from "effect"
import { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import type { Pod, Simulation } from "./simulation.ts"

/** An idle worker looks this often, after a while; milliseconds. */
export const poll = 2000

/** Something came into the queue: every process is told, unless the message is lost, or has to find out by itself. */
export const ring = (simulation: Simulation) =>
  Effect.sync(() => {
    for (const pod of simulation.pods) {
      if (!simulation.strikes("hint")) pod.hinted = true
    }
    reckon(simulation)
  })

/** Something may be due earlier than those who wait have reckoned. */
export const reckon = (simulation: Simulation) => {
  simulation.isDirty = true
  for (const { bell } of simulation.pods) bell.openUnsafe()
}

/** Wake-ups of those who only tell. */
export const layer = (simulation: Simulation) =>
  Layer.succeed(QueueNotifier, { wake: () => ring(simulation), wait: () => Effect.die("who waits is a process") })

/** When whoever waits since `begun` looks at or after `due`: after `longest`, then every two seconds. */
const lookFor = (due: number, begun: number, longest: number) => {
  const first = begun + longest
  return due <= first ? first : first + Math.ceil((due - first) / poll) * poll
}

/** Wake-ups of a process. `nextDue` is when a delivery is due next. */
export const forPod = (
  simulation: Simulation,
  pod: Pod,
  nextDue: Effect.Effect<number | undefined>,
): QueueNotifier["Service"] => ({
  wake: () => ring(simulation),
  wait: Effect.fnUntraced(function* (_, longest) {
    const begun = simulation.now()
    while (!pod.hinted) {
      pod.bell.closeUnsafe()
      const due = yield* nextDue
      const look = due === undefined ? Number.POSITIVE_INFINITY : lookFor(due, begun, Duration.toMillis(longest))
      if (look <= simulation.now()) break
      const asleep = due === undefined ? Effect.never : Effect.sleep(look - simulation.now())
      yield* Effect.raceFirst(pod.bell.await, asleep)
      if (pod.frozenUntil > simulation.now()) yield* Effect.sleep(pod.frozenUntil - simulation.now())
    }
    pod.hinted = false
  }),
})
