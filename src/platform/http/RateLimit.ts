/** A rate limit by key, in windows of one minute from the key's first request. */
import { Effect } from "effect"
import { monotonicMillis } from "../Monotonic.ts"

/** Milliseconds. */
const window = 60_000

/** About 10 MB; then the oldest count is dropped. */
const maxKeys = 50_000

interface Count {
  used: number
  readonly until: number
}

export interface Allowance {
  readonly isAllowed: boolean
  readonly remaining: number
  readonly resetAfter: number
}

/**
 * Each process counts for itself; a `cost` of 0 only reads. effect's RateLimiter ends windows early after few requests,
 * so a minute can have twice the limit.
 */
export const make = (limit: number) => {
  // ordered by `until`
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
    Effect.map(monotonicMillis, (now) => {
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
