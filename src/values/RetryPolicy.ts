/** Retry policies as Schedules. Their delays are read once, looked up by attempt and added to a row's `due_at`. */
import { Context, Duration, Effect, Pull, Random, Schedule } from "effect"

export interface RetryOptions {
  readonly first: Duration.Duration
  readonly cap: Duration.Duration
  readonly times: number
}

/** Doubling delays, at most `cap`. */
export const schedule = ({ first, cap, times }: RetryOptions) =>
  Schedule.min([Schedule.exponential(first, 2), Schedule.spaced(cap)]).pipe(Schedule.upTo({ times }))

export interface Policies {
  readonly webhook?: Schedule.Schedule<unknown>
  readonly email?: Schedule.Schedule<unknown>
  readonly cv?: Schedule.Schedule<unknown>
  readonly evaluation?: Schedule.Schedule<unknown>
  readonly transcription?: Schedule.Schedule<unknown>
  readonly report?: Schedule.Schedule<unknown>
}

export const Policies = Context.Reference<Policies>("interview-invitations/values/RetryPolicy/Policies", {
  defaultValue: () => ({}),
})

export const policy = (work: keyof Policies, defaults: RetryOptions): Effect.Effect<Schedule.Schedule<unknown>> =>
  Effect.map(Policies, (custom) => custom[work] ?? schedule(defaults))

/** At most `max` delays, without sleeping. The schedule must not depend on its input or the clock. */
export const delays = Effect.fnUntraced(function* <O>(
  retries: Schedule.Schedule<O>,
  max = 100,
): Effect.fn.Return<ReadonlyArray<Duration.Duration>> {
  const step = yield* Schedule.toStep(retries)
  const found: Array<Duration.Duration> = []
  let now = 0
  while (found.length < max) {
    const delay = yield* step(now, undefined).pipe(
      Effect.map(([, next]): Duration.Duration | undefined => next),
      Pull.catchDone(() => Effect.undefined),
    )
    if (delay === undefined) break
    found.push(delay)
    now += Duration.toMillis(delay)
  }
  return found
})

/**
 * The delay after failed attempt `attempt` (from 1), plus up to 10 % at random, to spread jobs that failed together.
 * Undefined: no further attempt.
 */
export type NextDelay = (attempt: number) => Effect.Effect<Duration.Duration | undefined>

export const nextDelay = (retries: Schedule.Schedule<unknown>): Effect.Effect<NextDelay> =>
  Effect.map(delays(retries), (known) => (attempt: number) => {
    const delay = known[attempt - 1]
    return delay === undefined
      ? Effect.undefined
      : Effect.map(Random.nextBetween(1, 1.1), (factor) =>
          Duration.millis(Math.round(Duration.toMillis(delay) * factor)),
        )
  })
