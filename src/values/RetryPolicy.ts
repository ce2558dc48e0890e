/**
 * Retries as one typed Schedule value: how long until the next attempt, and when to give up.
 *
 * The wait itself is a row's `due_at`, so the Schedule is never slept on: its delays are read once, with
 * `Schedule.toStep`, and looked up by attempt.
 */
import { Context, Duration, Effect, Pull, Random, Schedule } from "effect"

export interface RetryOptions {
  readonly first: Duration.Duration
  readonly cap: Duration.Duration
  readonly times: number
}

/** `first`, doubling, never above `cap`, `times` retries. With spec.md's figures: 2, 4, 8, 16, 32 minutes. */
export const schedule = ({ first, cap, times }: RetryOptions) =>
  Schedule.min([Schedule.exponential(first, 2), Schedule.spaced(cap)]).pipe(Schedule.upTo({ times }))

/** Mails: providers are back within hours; a candidate waits, so the first retry comes soon. */
export const email: RetryOptions = { first: Duration.seconds(30), cap: Duration.hours(1), times: 8 }

/** CVs: a server that stays away this long (about 40 minutes) is not waited for; a signed link may have an hour to live. */
export const cv: RetryOptions = { first: Duration.seconds(10), cap: Duration.hours(1), times: 8 }

/** Evaluations: an evaluator that stays away this long (about two hours) leaves the submission not_scored. */
export const evaluation: RetryOptions = { first: Duration.seconds(15), cap: Duration.minutes(30), times: 10 }

/** Schedules of a team's own, each in the place of ours; see `delays` for which ones fit. */
export interface Policies {
  readonly webhook?: Schedule.Schedule<unknown>
  readonly email?: Schedule.Schedule<unknown>
  readonly cv?: Schedule.Schedule<unknown>
  readonly evaluation?: Schedule.Schedule<unknown>
}

export const Policies = Context.Reference<Policies>("interview-invitations/values/RetryPolicy/Policies", {
  defaultValue: () => ({}),
})

/** The team's schedule for this work, or else ours. */
export const policy = (work: keyof Policies, ours: RetryOptions): Effect.Effect<Schedule.Schedule<unknown>> =>
  Effect.map(Policies, (theirs) => theirs[work] ?? schedule(ours))

/**
 * Every delay of a schedule in order, read without sleeping. `most` bounds a schedule that never stops.
 * A schedule that needs its input or the wall clock does not fit here; one made of delays and counts does.
 */
export const delays = Effect.fnUntraced(function* <O>(
  policy: Schedule.Schedule<O>,
  most = 100,
): Effect.fn.Return<ReadonlyArray<Duration.Duration>> {
  const step = yield* Schedule.toStep(policy)
  const found: Array<Duration.Duration> = []
  let now = 0
  while (found.length < most) {
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
 * The delay after failed attempt `attempt` (1 is the first), or undefined when the policy is exhausted: the one
 * function workers ask. Up to 10 % is added at random so that what failed together does not return together.
 */
export type NextDelay = (attempt: number) => Effect.Effect<Duration.Duration | undefined>

/** Reads the schedule once and answers from the list. */
export const nextDelay = (policy: Schedule.Schedule<unknown>): Effect.Effect<NextDelay> =>
  Effect.map(delays(policy), (known) => (attempt: number) => {
    const delay = known[attempt - 1]
    return delay === undefined
      ? Effect.undefined
      : Effect.map(Random.nextBetween(1, 1.1), (factor) =>
          Duration.millis(Math.round(Duration.toMillis(delay) * factor)),
        )
  })
