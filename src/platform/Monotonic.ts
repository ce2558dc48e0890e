/**
 * The monotonic time, for intervals within a process: neither a clock that is set nor another database server changes it.
 */
import { Clock, Effect } from "effect"

/** Milliseconds, from an arbitrary start. */
export const millisOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanos) => Number(nanos) / 1e6,
)
