/**
 * Limits the attempts at an endpoint: at most `max_per_minute` start in any 60 seconds, evenly spread, across all pods.
 *
 * Postgres decides. A claim admits attempts with a token bucket (GCRA): each admission moves the endpoint's `busy_until`
 * (sql/09_webhooks.sql) on by `spacing`, and may lead it by at most `burst` spacings. With the numbers below, at most
 * `burst - 1 + 61 s / spacing`, which is `max_per_minute`, are admitted in any 61 seconds. An admitted attempt starts
 * within `freshness`, or is admitted again (ThrottledClaims.ts). So those that start in 60 seconds were admitted in 61.
 *
 * A crash after an admission wastes the token. No token admits two attempts.
 */
import type { EndpointId } from "../../values/Ids.ts"
import type { InFlight } from "./ClaimPlan.ts"

export interface Rate {
  /** Attempts that may start at once after a pause: one second's share, at least 1. */
  readonly burst: number
  /** Microseconds between attempts, as Postgres stores times. */
  readonly spacing: number
}

/** Nanoseconds within which an admitted attempt starts. */
export const freshness = 1_000_000_000n

const window = 61_000_000

export const rateOf = (maxPerMinute: number): Rate => {
  const burst = 1 + Math.floor(maxPerMinute / 60)
  return { burst, spacing: Math.ceil(window / (maxPerMinute - burst + 1)) }
}

/** Postgres's response for one endpoint. */
export interface Admission {
  readonly endpoint_id: EndpointId
  /** How many of the requested attempts are admitted. */
  readonly admitted: number
  /** Microseconds from now to `busy_until`. */
  readonly busy: number
}

interface Entry extends Rate {
  /** Monotonic nanoseconds when the bucket is full. */
  readonly fullAt: bigint
  readonly askedAt: bigint
}

/** Nanoseconds. Asks Postgres after this time even if no attempt is expected, because `max_per_minute` may have changed. */
const maxWait = 5_000_000_000n

/**
 * What a pod knows of the buckets of endpoints that have more due deliveries than they may get, so that claims take about
 * as many as Postgres will admit. A wrong guess costs an extra claim; it never admits an attempt.
 */
export class ThrottlePlan {
  readonly #entries = new Map<EndpointId, Entry>()

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** Attempts that Postgres will admit now, at most. */
  #room({ askedAt, burst, fullAt, spacing }: Entry, time: bigint): number {
    const missing = fullAt <= time ? 0 : Math.ceil(Number(fullAt - time) / (spacing * 1000))
    const room = burst - missing
    return room < 1 && time - askedAt >= maxWait ? 1 : Math.max(0, room)
  }

  /** `inFlight` with the room that the rates leave, at most `max` deliveries in flight of an endpoint. */
  limit(inFlight: InFlight, maxPerEndpoint: number, time: bigint, most = Number.POSITIVE_INFINITY): InFlight {
    if (this.isEmpty) return inFlight
    const limited = new Map(inFlight)
    for (const [id, entry] of this.#entries) {
      const { count, max } = inFlight.get(id) ?? { count: 0, max: maxPerEndpoint }
      limited.set(id, { count, max: Math.max(count, Math.min(max, count + this.#room(entry, time), most)) })
    }
    return limited
  }

  /** Nanoseconds until the next endpoint without room has room; undefined: no endpoint waits. */
  nextIn(time: bigint): bigint | undefined {
    let next: bigint | undefined
    for (const entry of this.#entries.values()) {
      if (this.#room(entry, time) > 0) continue
      const at = entry.fullAt - BigInt((entry.burst - 1) * entry.spacing) * 1000n
      const wait = at - time > maxWait ? maxWait : at - time
      if (next === undefined || wait < next) next = wait
    }
    return next
  }

  /** `asked`: attempts of the endpoint that a claim took, `expected`: as many as it could. */
  admitted(
    { admitted, busy, endpoint_id }: Admission,
    { burst, spacing }: Rate,
    asked: number,
    expected: number | undefined,
    time: bigint,
  ): void {
    if (admitted === asked && (expected === undefined || asked < expected)) this.#entries.delete(endpoint_id)
    else
      this.#entries.set(endpoint_id, { burst, spacing, fullAt: time + BigInt(Math.ceil(busy)) * 1000n, askedAt: time })
  }

  /** Forgets endpoints of which a claim took fewer deliveries than it could. */
  forget(isExhausted: (endpoint: EndpointId) => boolean): void {
    for (const id of this.#entries.keys()) if (isExhausted(id)) this.#entries.delete(id)
  }
}
