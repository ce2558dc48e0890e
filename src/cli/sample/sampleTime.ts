/** The moments of the sample's past, and effects that run in it. */
import { Clock, Effect } from "effect"
import { Now } from "../../platform/database/Database.ts"

const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** Runs the effect as if it were `moment`, for the process and for the statements. It waits as long as otherwise. */
export const at =
  (moment: Date) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) => {
      const millis = moment.getTime()
      const nanos = BigInt(millis) * 1_000_000n
      const past: Clock.Clock = {
        currentTimeMillisUnsafe: () => millis,
        currentTimeMillis: Effect.succeed(millis),
        currentTimeNanosUnsafe: () => nanos,
        currentTimeNanos: Effect.succeed(nanos),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration),
      }
      return effect.pipe(Effect.provideService(Now, Effect.succeed(moment)), Effect.provideService(Clock.Clock, past))
    })

export const later = (moment: Date, millis: number): Date => new Date(moment.getTime() + millis)

/** From 0 to under 1, the same for the same numbers. */
export const spread = (index: number, step: number): number => ((index * 37 + step * 53 + index * step * 7) % 61) / 61

/** Hours of the day; work that is due in the night is done until `caughtUp`. */
const work = { begins: 8, caughtUp: 10, ends: 17 } as const

/**
 * Members work from 8:00 to 17:00 UTC: the moments of a night are moved to the first two hours of the next working time, those
 * of a working time to its other hours. Keeps the order of moments, because a later action may need an earlier one.
 */
export const atWork = (moment: Date): Date => {
  const begin = new Date(moment)
  begin.setUTCHours(work.begins, 0, 0, 0)
  const sinceBegin = (moment.getTime() - begin.getTime()) / hour
  const [length, rest] = [work.ends - work.begins, work.ends - work.caughtUp]
  if (sinceBegin >= 0 && sinceBegin < length)
    return later(begin, (work.caughtUp - work.begins + (sinceBegin * rest) / length) * hour)
  const next = sinceBegin < 0 ? begin : later(begin, day)
  const night = (24 - length) * hour
  return later(next, (1 - (next.getTime() - moment.getTime()) / night) * (work.caughtUp - work.begins) * hour)
}

/** When a candidate was invited: at a working time, unless it was in the last two days. */
export const invitedAt = (now: Date, index: number, daysAgo: number): Date => {
  const moment = later(now, -daysAgo * day)
  return daysAgo < 2 ? moment : atWork(later(moment, -spread(index, 0) * 8 * hour))
}

/**
 * What a candidate and the members do after the invitation, in milliseconds after it. `expires`: how long candidates can
 * start; everything before the start fits into half of it.
 */
export const pace = (index: number, expires: number) => {
  const hours = (step: number, least: number, range: number) => (least + range * spread(index, step)) * hour
  const factor = Math.min(1, expires / (4 * day))
  const opened = hours(1, 1, 5) * factor
  const initiated = opened + 3 * minute * factor
  const started = initiated + hours(2, 1, 17) * factor
  const finished = started + (13 + Math.round(15 * spread(index, 3))) * minute
  const reviewed = (review: number) => finished + (18 + review * 7) * hour + hours(4 + review, 0, 4)
  return {
    opened,
    clicked: opened + 2 * minute * factor,
    initiated,
    declined: opened + 5 * minute * factor,
    started,
    finished,
    reviewed,
    overridden: reviewed(2),
    decided: reviewed(3) + hours(7, 0, 5),
    moved: reviewed(3) + hours(7, 6, 20),
    withdrawn: hours(8, 26, 6),
  }
}
