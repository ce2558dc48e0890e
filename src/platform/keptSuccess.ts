import { Duration, Effect, Exit } from "effect"

/** As Effect.cached, but a failure, such as that of a file that could not be opened, is not kept: the next reader tries again. */
export const keptSuccess = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E, R>> =>
  Effect.cachedWithTTL(effect, (exit: Exit.Exit<A, E>) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero))
