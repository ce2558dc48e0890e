/**
 * Which due deliveries a pod claims: the oldest while few are due; while many are due, or an endpoint has no room, a
 * quota of each endpoint that has due deliveries. So an endpoint with many deliveries, or a slow one, cannot take every
 * slot.
 */
import type { PartitionLoad } from "../../platform/queue/WorkQueue.ts"
import type { EndpointId } from "../../values/Ids.ts"

/** In flight in this pod. */
export type InFlight = ReadonlyMap<EndpointId, PartitionLoad>

export interface Quota {
  readonly endpoint_id: EndpointId
  readonly quota: number
}

export interface Limits {
  readonly inFlight: InFlight
  readonly limit: number
  readonly maxPerEndpoint: number
  readonly isThrottled?: boolean
}

/** Nanoseconds for which claims use the endpoints that a scan found. */
const scanAge = 200_000_000n

/** The endpoints with the fewest deliveries in flight get the most, and none more than its room. */
export const quotasOf = (
  endpoints: Iterable<EndpointId>,
  { inFlight, limit, maxPerEndpoint }: Limits,
): ReadonlyArray<Quota> => {
  const loads = Array.from(endpoints, (endpoint_id) => {
    const { count, max } = inFlight.get(endpoint_id) ?? { count: 0, max: maxPerEndpoint }
    return { endpoint_id, count, max, quota: 0 }
  })
  let left = limit
  while (left > 0) {
    const open = loads.filter(({ count, max, quota }) => count + quota < max)
    if (open.length === 0) break
    const lowest = open.reduce((least, { count, quota }) => Math.min(least, count + quota), Number.POSITIVE_INFINITY)
    for (const load of open) {
      if (left === 0 || load.count + load.quota > lowest) continue
      load.quota++
      left--
    }
  }
  return loads.flatMap(({ endpoint_id, quota }) => (quota > 0 ? [{ endpoint_id, quota }] : []))
}

/** What a pod remembers between claims. */
export class ClaimPlan {
  /** The last claim reached its limit, or a quota was used up. */
  #isSaturated = false
  /** Endpoints that had due deliveries when they were scanned; those without a quota for the longest time come first. */
  readonly #backlog = new Set<EndpointId>()
  #scannedAt: bigint | undefined
  #odd: 0 | 1 = 0

  /** Whether the next claim takes quotas. */
  usesQuotas({ inFlight, isThrottled = false }: Limits): boolean {
    // the oldest deliveries may all be of a throttled endpoint, which gets a few with each claim
    return this.#isSaturated || isThrottled || fullOf(inFlight).length > 0
  }

  /** `time`: monotonic nanoseconds. */
  needsScan(time: bigint, { inFlight }: Limits): boolean {
    if (this.#scannedAt === undefined || time - this.#scannedAt > scanAge) return true
    for (const endpoint of this.#backlog) if (hasRoom(inFlight, endpoint)) return false
    return true
  }

  /** A scan may visit a part of the endpoints only: the others stay as they were. */
  scanned(visited: ReadonlyArray<{ readonly endpoint_id: EndpointId; readonly is_due: boolean }>, time: bigint): void {
    for (const { endpoint_id, is_due } of visited) {
      if (is_due) this.#backlog.add(endpoint_id)
      else this.#backlog.delete(endpoint_id)
    }
    this.#scannedAt = time
    this.#odd = this.#odd === 0 ? 1 : 0
  }

  /** `known`: endpoints from which the claim takes no more than their quota. `odd`: which lane gets the odd delivery. */
  quotas(limits: Limits) {
    const { inFlight, limit } = limits
    const next: Array<EndpointId> = []
    for (const endpoint of this.#backlog) {
      if (next.length >= limit) break
      if (hasRoom(inFlight, endpoint)) next.push(endpoint)
    }
    const quotas = quotasOf(next, limits)
    for (const { endpoint_id } of quotas) {
      this.#backlog.delete(endpoint_id)
      this.#backlog.add(endpoint_id)
    }
    return { quotas, known: [...new Set([...next, ...fullOf(inFlight)])], odd: this.#odd }
  }

  claimedOldest(count: number, { limit }: Limits): void {
    this.#isSaturated = count >= limit
    this.#scannedAt = undefined
    if (!this.#isSaturated) this.#backlog.clear()
  }

  /** Returns the limits of a second statement when an endpoint had fewer due deliveries than its quota. */
  claimed(
    jobs: ReadonlyArray<{ readonly endpoint_id: EndpointId }>,
    quotas: ReadonlyArray<Quota>,
    { inFlight, limit, maxPerEndpoint }: Limits,
  ): Limits | undefined {
    this.#isSaturated = true
    // other endpoints may have cut the quotas
    if (jobs.length >= limit) return undefined
    const loads = new Map(inFlight)
    const given = new Map<EndpointId, number>()
    for (const { endpoint_id } of jobs) {
      const { count, max } = loads.get(endpoint_id) ?? { count: 0, max: maxPerEndpoint }
      loads.set(endpoint_id, { count: count + 1, max })
      given.set(endpoint_id, (given.get(endpoint_id) ?? 0) + 1)
    }
    const short = quotas.filter(({ endpoint_id, quota }) => (given.get(endpoint_id) ?? 0) < quota)
    for (const { endpoint_id } of short) this.#backlog.delete(endpoint_id)
    this.#isSaturated = this.#backlog.size > 0
    if (short.length === 0 || this.#backlog.size === 0) return undefined
    return { inFlight: loads, limit: limit - jobs.length, maxPerEndpoint }
  }
}

export const hasRoom = (inFlight: InFlight, endpoint: EndpointId): boolean => {
  const load = inFlight.get(endpoint)
  return load === undefined || load.count < load.max
}

const fullOf = (inFlight: InFlight): ReadonlyArray<EndpointId> =>
  [...inFlight.keys()].filter((endpoint) => !hasRoom(inFlight, endpoint))
