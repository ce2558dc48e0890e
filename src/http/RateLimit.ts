/** Counts requests by key: a fixed number in each minute that begins with the key's first request. */
import { Clock, Effect } from "effect"

/** Milliseconds. */
const window = 60_000

/** Most keys that are counted at once, some 10 MB; beyond them the oldest count is dropped. */
const maxKeys = 50_000

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
 * Counts `cost` requests of a key; 0 asks without counting. Each process counts for itself, in memory. (effect's RateLimiter ends
 * windows early while a key sends few requests, so that a minute can hold twice the number.)
 */
export const make = (limit: number) => {
  // in the order in which the windows end: a new window goes to the end
  const counts = new Map<string, Count>()
  const current = (key: string, now: number): Count => {
    const known = counts.get(key)
    if (known !== undefined && known.until > now) return known
    counts.delete(key)
    return { used: 0, until: now + window }
  }
  const keep = (key: string, count: Count, now: number) => {
    if (counts.has(key)) return
    for (const [oldest, { until }] of counts) {
      if (until > now && counts.size < maxKeys) break
      counts.delete(oldest)
    }
    counts.set(key, count)
  }
  return (key: string, cost = 1): Effect.Effect<Allowance> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const count = current(key, now)
      count.used += cost
      if (cost > 0) keep(key, count, now)
      return {
        isAllowed: count.used <= limit,
        remaining: Math.max(0, limit - count.used),
        resetAfter: Math.ceil((count.until - now) / 1000),
      }
    })
}
