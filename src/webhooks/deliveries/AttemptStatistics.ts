/** Counts attempts by endpoint and hour in this process, and writes them every few seconds. */
import { Clock, Effect, type Scope } from "effect"
import * as FailureLog from "../../platform/queue/FailureLog.ts"
import type { EndpointId } from "../../values/Ids.ts"
import { DeliverySettlementRepository, type HourCount } from "./DeliverySettlementRepository.ts"

/** Nanoseconds. */
const interval = 5_000_000_000n
const hour = 3_600_000

interface CountedAttempt {
  readonly endpoint_id: EndpointId
  readonly attempt: { readonly at: string; readonly error: string | null }
}

export interface AttemptStatistics {
  readonly count: (attempts: ReadonlyArray<CountedAttempt>) => void
  /** Starts to write the counts if the last write started some seconds ago; does not wait for the write. */
  readonly writeSometimes: Effect.Effect<void>
}

/** The counts of a process that is killed before it writes them are lost. */
export const make: Effect.Effect<AttemptStatistics, never, DeliverySettlementRepository | Scope.Scope> = Effect.gen(
  function* () {
    const { countAttempts } = yield* DeliverySettlementRepository
    const scope = yield* Effect.scope
    const counts = new Map<string, HourCount>()
    const failures = FailureLog.make("webhook_delivery: counting attempts")
    let writtenAt = 0n

    const add = ({ attempt, endpoint_id }: CountedAttempt) => {
      const start = Math.floor(Date.parse(attempt.at) / hour) * hour
      const key = `${endpoint_id} ${start}`
      const before = counts.get(key) ?? { endpoint_id, hour: new Date(start), delivered: 0, failed: 0 }
      const [delivered, failed] = attempt.error === null ? [1, 0] : [0, 1]
      counts.set(key, { ...before, delivered: before.delivered + delivered, failed: before.failed + failed })
    }
    const write = Effect.suspend(() => {
      const rows = [...counts.values()]
      counts.clear()
      if (rows.length === 0) return Effect.void
      return Effect.catchCause(Effect.andThen(countAttempts(rows), failures.worked), failures.report)
    })
    yield* Effect.addFinalizer(() => write)
    return {
      count: (attempts) => {
        for (const attempt of attempts) add(attempt)
      },
      writeSometimes: Effect.suspend(() => {
        if (counts.size === 0) return Effect.void
        return Effect.flatMap(Clock.monotonicTimeNanos, (time) => {
          const passed = time - writtenAt
          if (passed >= 0n && passed < interval) return Effect.void
          writtenAt = time
          return Effect.asVoid(Effect.forkIn(write, scope))
        })
      }),
    }
  },
)
