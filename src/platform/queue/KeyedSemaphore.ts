/**
 * A semaphore for each key: `permits` effects of a key run at once, others wait in order. Unused keys take no memory.
 * An RcMap of semaphores would take 40 of the 630 run-loop steps of inviting one candidate.
 */
import { Effect, Semaphore } from "effect"

export const make = (permits: number) => {
  const entries = new Map<number | string, { readonly semaphore: Semaphore.Semaphore; users: number }>()
  return (key: number | string) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const entry = entries.get(key) ?? { semaphore: Semaphore.makeUnsafe(permits), users: 0 }
        entry.users++
        entries.set(key, entry)
        const leave = Effect.sync(() => {
          entry.users--
          if (entry.users === 0) entries.delete(key)
        })
        return Effect.ensuring(entry.semaphore.withPermit(effect), leave)
      })
}
