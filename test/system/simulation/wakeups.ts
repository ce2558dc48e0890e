/**
 * QueueNotifier of a simulation. A waiting worker polls at the service's intervals, but polls that would find nothing due
 * are skipped, so idle hours cost no work.
 */
import { Duration, Effect, Layer } from "effect"
import { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import type { Pod, Simulation } from "./simulation.ts"

/** The longest poll interval of an idle worker; milliseconds. */
export const poll = 2000

/** Wakes every process, except where the wake-up is lost. */
export const ring = (simulation: Simulation) =>
  Effect.sync(() => {
    for (const pod of simulation.pods) {
      if (!simulation.strikes("hint")) pod.hinted = true
    }
    recheck(simulation)
  })

/** Makes waiting processes read the next due time again. */
export const recheck = (simulation: Simulation) => {
  simulation.isDirty = true
  for (const { bell } of simulation.pods) bell.openUnsafe()
}

/** A notifier without processes, for code that only wakes. */
export const layer = (simulation: Simulation) =>
  Layer.succeed(QueueNotifier, { wake: () => ring(simulation), wait: () => Effect.die("only a process waits") })

/** The first poll at or after `due` of a worker waiting since `begun`: after `longest`, then every 2 s. */
const pollAt = (due: number, begun: number, longest: number) => {
  const first = begun + longest
  return due <= first ? first : first + Math.ceil((due - first) / poll) * poll
}

/** The notifier of a process. */
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
      const next = due === undefined ? Number.POSITIVE_INFINITY : pollAt(due, begun, Duration.toMillis(longest))
      if (next <= simulation.now()) break
      const asleep = due === undefined ? Effect.never : Effect.sleep(next - simulation.now())
      yield* Effect.raceFirst(pod.bell.await, asleep)
      if (pod.frozenUntil > simulation.now()) yield* Effect.sleep(pod.frozenUntil - simulation.now())
    }
    pod.hinted = false
  }),
})
