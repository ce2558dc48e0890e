/** A run that lasts longer than a job: a process works on it for some seconds at a time, under a claim that it renews. */
import { Duration, Effect, Schedule } from "effect"

/** A run of a process that ended is taken over after this time. */
export const lease = Duration.seconds(60)
const renewal = Duration.seconds(15)

export interface LongRun<E> {
  /** Works for some time. */
  readonly slice: Effect.Effect<void, E>
  /** False: it was cancelled or deleted, or another process claimed it. */
  readonly renew: Effect.Effect<boolean>
}

/** Works until the slice ends or the claim is lost. */
export const whileClaimed = <E>({ renew, slice }: LongRun<E>): Effect.Effect<void, E> =>
  Effect.raceFirst(
    slice,
    renew.pipe(Effect.repeat({ while: (isOwn) => isOwn, schedule: Schedule.spaced(renewal) }), Effect.asVoid),
  )
