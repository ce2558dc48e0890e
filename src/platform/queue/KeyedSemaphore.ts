/** Takes turns: for each key so many at once, the rest waits in order. */
import { Effect, Semaphore } from "effect"

/**
 * Makes what runs an effect when its key has a turn. A key that nobody uses or waits for is forgotten. (An RcMap of
 * semaphores does the same in 40 steps of the run loop, of the 630 that an invite of one candidate took.)
 */
export const make = (atOnce: number) => {
  const turns = new Map<number | string, { readonly semaphore: Semaphore.Semaphore; users: number }>()
  return (key: number | string) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const turn = turns.get(key) ?? { semaphore: Semaphore.makeUnsafe(atOnce), users: 0 }
        turn.users++
        turns.set(key, turn)
        const leave = Effect.sync(() => {
          turn.users--
          if (turn.users === 0) turns.delete(key)
        })
        return Effect.ensuring(turn.semaphore.withPermit(effect), leave)
      })
}
