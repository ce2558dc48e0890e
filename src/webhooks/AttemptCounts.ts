/** Counts attempts by endpoint and hour in this process, and writes them every few seconds. */
import { Duration, Effect, type Scope } from "effect"
import type { EndpointId } from "../values/Ids.ts"
import { DeliveryRepository, type HourCount } from "./DeliveryRepository.ts"

const interval = Duration.seconds(5)
const hour = 3_600_000

export interface CountedAttempt {
  readonly endpoint_id: EndpointId
  readonly attempt: { readonly at: string; readonly error: string | null }
}

/** The counts of a process that is killed before it writes them are lost. */
export const make: Effect.Effect<
  (attempts: ReadonlyArray<CountedAttempt>) => Effect.Effect<void>,
  never,
  DeliveryRepository | Scope.Scope
> = Effect.gen(function* () {
  const { countAttempts } = yield* DeliveryRepository
  const scope = yield* Effect.scope
  const counts = new Map<string, HourCount>()
  let isScheduled = false

  const add = ({ attempt, endpoint_id }: CountedAttempt) => {
    const start = Math.floor(Date.parse(attempt.at) / hour) * hour
    const key = `${endpoint_id} ${start}`
    const before = counts.get(key) ?? { endpoint_id, hour: new Date(start), delivered: 0, failed: 0 }
    const [delivered, failed] = attempt.error === null ? [1, 0] : [0, 1]
    counts.set(key, { ...before, delivered: before.delivered + delivered, failed: before.failed + failed })
  }
  const flush = Effect.suspend(() => {
    const rows = [...counts.values()]
    counts.clear()
    isScheduled = false
    if (rows.length === 0) return Effect.void
    return Effect.catchCause(countAttempts(rows), (cause) => Effect.logWarning("counting attempts failed", cause))
  })
  yield* Effect.addFinalizer(() => flush)
  return (attempts) =>
    Effect.suspend(() => {
      for (const attempt of attempts) add(attempt)
      if (isScheduled) return Effect.void
      isScheduled = true
      return Effect.asVoid(Effect.forkIn(Effect.andThen(Effect.sleep(interval), flush), scope))
    })
})
