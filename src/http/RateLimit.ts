/** How often a key may ask: a fixed number of requests in each minute that begins with its first one. */
import { Clock, Effect } from "effect"

/** Milliseconds. */
const window = 60_000

interface Count {
  used: number
  readonly until: number
}

export interface Allowance {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Whole seconds until the number begins anew. */
  readonly resetAfter: number
}

/**
 * Counts in memory, each process for itself: it keeps one integration from taking all of it, and costs no statement.
 * (effect's RateLimiter ends its windows early while a key asks seldom, so that a minute can hold twice the number.)
 */
export const make = (limit: number) => {
  const counts = new Map<string, Count>()
  return (key: string): Effect.Effect<Allowance> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const known = counts.get(key)
      const count = known === undefined || known.until <= now ? { used: 0, until: now + window } : known
      count.used++
      // a deleted key is never asked again: what has run out goes when a new one comes
      if (known === undefined) for (const [each, { until }] of counts) if (until <= now) counts.delete(each)
      counts.set(key, count)
      return {
        isAllowed: count.used <= limit,
        remaining: Math.max(0, limit - count.used),
        resetAfter: Math.ceil((count.until - now) / 1000),
      }
    })
}
