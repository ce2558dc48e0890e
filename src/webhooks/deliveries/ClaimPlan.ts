/**
 * Which due deliveries a pod sends next: what it remembers between claims. DeliveryClaimRepository.ts has the statements.
 *
 * - First attempts and retries are two lanes. A claim takes as many of one as of the other, of all and of each endpoint,
 *   so that many retries do not delay first attempts.
 * - While few deliveries are due, a claim takes the oldest of both lanes.
 * - When the oldest are more than a claim reads, they could all belong to a few endpoints. Claims are then by endpoint:
 *   each endpoint of the backlog, which are those with due deliveries, gets a quota.
 * - Endpoints with the fewest deliveries in flight in this pod get the most, and none more than it has room for, so that
 *   an endpoint with many deliveries, or a slow one, cannot take every slot.
 * - A scan finds the endpoints of the backlog. An endpoint that has fewer due deliveries than its quota leaves it.
 * - A claim by endpoint also takes the newest first attempts of other endpoints, so that these do not wait for the scan.
 * - Of an endpoint with max_per_minute, Postgres gives as many as its rate admits; the pod then pauses the endpoint.
 * - Claims read from the watermark while reading past settled rows is slow.
 */
import { Context, type Effect, identity } from "effect"
import type { PartitionLoad } from "../../platform/queue/WorkQueue.ts"
import type { EndpointId } from "../../values/Ids.ts"

/** In flight in this pod. */
export type InFlight = ReadonlyMap<EndpointId, PartitionLoad>

export interface ClaimLimits {
  readonly inFlight: InFlight
  readonly limit: number
  readonly maxPerEndpoint: number
}

export interface Quota {
  readonly endpoint_id: EndpointId
  readonly quota: number
}

export interface Choice {
  /** False: the oldest deliveries. */
  readonly isByEndpoint: boolean
  readonly quotas: ReadonlyArray<Quota>
  /** Endpoints of which the claim takes no more than their quota. */
  readonly known: ReadonlyArray<EndpointId>
  /** Alternates which lane gets the odd delivery of a quota. */
  readonly odd: 0 | 1
}

export interface Taken {
  readonly jobs: ReadonlyArray<{ readonly endpoint_id: EndpointId }>
  /** A claim of the oldest read as many of a lane as it may. */
  readonly isCrowded: boolean
  /** As many as the limit: endpoints may have got less than their quota. */
  readonly isFull: boolean
  /** Nanoseconds until the rate of an endpoint admits the next attempt. */
  readonly pauses: ReadonlyMap<EndpointId, bigint>
}

/** The endpoints with the fewest deliveries in flight get the most, and none more than its room. */
export const quotasOf = (
  endpoints: Iterable<EndpointId>,
  { inFlight, limit, maxPerEndpoint }: ClaimLimits,
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

/** Nanoseconds for which claims use the endpoints that a scan found, while one of them has room. */
const scanAge = 200_000_000n
/** Pause after a scan that found no endpoint with room, in multiples of its duration. */
const scanPause = 9n
/** Nanoseconds. Postgres is asked again after this time, because `max_per_minute` may have changed. */
const maxPause = 5_000_000_000n

/** Times are monotonic nanoseconds. */
export class ClaimPlan {
  #isByEndpoint = false
  /** Those without a quota for the longest time come first. */
  readonly #backlog = new Set<EndpointId>()
  readonly #pausedUntil = new Map<EndpointId, bigint>()
  #scannedAt: bigint | undefined
  #scanPausedUntil = 0n
  #odd: 0 | 1 = 0

  get isByEndpoint(): boolean {
    return this.#isByEndpoint
  }

  /** The limits with paused endpoints as full ones. */
  limits(limits: ClaimLimits, time: bigint): ClaimLimits {
    const inFlight = new Map(limits.inFlight)
    for (const [id, until] of this.#pausedUntil) {
      const count = inFlight.get(id)?.count ?? 0
      if (until > time) inFlight.set(id, { count, max: count })
      else this.#pausedUntil.delete(id)
    }
    return { ...limits, inFlight }
  }

  /** The end of the first pause. */
  get resumesAt(): bigint | undefined {
    const ends = [...this.#pausedUntil.values()]
    return ends.length === 0 ? undefined : ends.reduce((first, end) => (end < first ? end : first))
  }

  needsScan(time: bigint, { inFlight }: ClaimLimits): boolean {
    if (!this.#isByEndpoint || time < this.#scanPausedUntil) return false
    if (this.#scannedAt === undefined || time - this.#scannedAt > scanAge) return true
    for (const endpoint of this.#backlog) if (hasRoom(inFlight, endpoint)) return false
    return true
  }

  /** A scan may visit a part of the endpoints only: the others stay as they were. */
  scanned(
    visited: ReadonlyArray<{ readonly endpoint_id: EndpointId; readonly is_due: boolean }>,
    { inFlight }: ClaimLimits,
    began: bigint,
    ended: bigint,
  ): void {
    for (const { endpoint_id, is_due } of visited) {
      if (is_due) this.#backlog.add(endpoint_id)
      else this.#backlog.delete(endpoint_id)
    }
    this.#scannedAt = began
    const isUseful = visited.some(({ endpoint_id, is_due }) => is_due && hasRoom(inFlight, endpoint_id))
    this.#scanPausedUntil = isUseful ? began : ended + (ended - began) * scanPause
  }

  choose(limits: ClaimLimits): Choice {
    const { inFlight, limit } = limits
    const next: Array<EndpointId> = []
    for (const endpoint of this.#isByEndpoint ? this.#backlog : []) {
      if (next.length >= limit) break
      if (hasRoom(inFlight, endpoint)) next.push(endpoint)
    }
    const quotas = quotasOf(next, limits)
    for (const { endpoint_id } of quotas) {
      this.#backlog.delete(endpoint_id)
      this.#backlog.add(endpoint_id)
    }
    const full = [...inFlight.keys()].filter((endpoint) => !hasRoom(inFlight, endpoint))
    return { isByEndpoint: this.#isByEndpoint, quotas, known: [...new Set([...next, ...full])], odd: this.#odd }
  }

  #putFirst(endpoints: ReadonlyArray<EndpointId>): void {
    const others = [...this.#backlog]
    this.#backlog.clear()
    for (const endpoint of [...endpoints, ...others]) this.#backlog.add(endpoint)
  }

  /** After a claim that failed: the next one reads the oldest, because an endpoint of the backlog may be the cause. */
  reset(): void {
    this.#isByEndpoint = false
    this.#scannedAt = undefined
    this.#backlog.clear()
  }

  /** True: the claim took nothing, and the next one chooses in the other way. */
  claimed({ isByEndpoint, quotas }: Choice, { isCrowded, isFull, jobs, pauses }: Taken, time: bigint): boolean {
    // not after an empty claim: of an endpoint with a rate, each second claim may be empty
    if (jobs.length > 0) this.#odd = this.#odd === 0 ? 1 : 0
    for (const [id, pause] of pauses) this.#pausedUntil.set(id, time + (pause < maxPause ? pause : maxPause))
    if (isByEndpoint) {
      const taken = Map.groupBy(jobs, ({ endpoint_id }) => endpoint_id)
      const short = quotas.filter(
        ({ endpoint_id, quota }) => !pauses.has(endpoint_id) && (taken.get(endpoint_id)?.length ?? 0) < quota,
      )
      for (const { endpoint_id } of short) this.#backlog.delete(endpoint_id)
      if (isFull) this.#putFirst(short.map(({ endpoint_id }) => endpoint_id))
      this.#isByEndpoint = this.#backlog.size > 0
    } else {
      this.reset()
      this.#isByEndpoint = isCrowded
    }
    return jobs.length === 0 && this.#isByEndpoint !== isByEndpoint
  }
}

const hasRoom = (inFlight: InFlight, endpoint: EndpointId): boolean => {
  const load = inFlight.get(endpoint)
  return load === undefined || load.count < load.max
}

export type Lane = "first" | "retry"

/** The lower bound of `due_at` in each lane. */
export type Watermark = Readonly<Record<Lane, Date>>

/** Nanoseconds. Claims read from a watermark after a full look that took longer. */
export const QuickLook = Context.Reference<bigint>("interview-invitations/webhooks/ClaimPlan/QuickLook", {
  defaultValue: () => 2_000_000n,
})

/** Runs each look. A simulation counts looks as work that ends before its clock moves on. */
export const RunLook = Context.Reference<(look: Effect.Effect<void>) => Effect.Effect<void>>(
  "interview-invitations/webhooks/ClaimPlan/RunLook",
  { defaultValue: () => identity },
)

/** Nanoseconds: the shortest pause after a full look, and after another look. */
const fullInterval = 1_000_000_000n
const interval = 100_000_000n
/** The same in multiples of the look's duration; the longer pause applies. */
const fullPause = 20n
const pause = 10n

/**
 * The lowest `due_at` that claims read.
 *
 * While another transaction holds an old snapshot, Postgres keeps the index entries of all rows that were settled since
 * (docs/operate.md). A claim that reads from the beginning passes all of them: with 300,000, this takes 100 ms. So the
 * pod searches for the oldest free row in parallel with its claims: a look. When a full look, which reads from the
 * beginning, takes longer than `QuickLook`, claims read only from the row that it found; looks from there move the
 * watermark on.
 *
 * A row can become free below the watermark: its lease or process ends, its transaction commits late, or the database's
 * clock is set back. The next full look lowers the watermark to it. Full looks take at most a twentieth of the time.
 */
export class ClaimWatermark {
  readonly #quick: bigint
  #current: Watermark | undefined
  #isLooking = false
  #nextAt = 0n
  #nextFullAt = 0n
  #ended: ReadonlyArray<number> = []

  constructor(quick: bigint) {
    this.#quick = quick
  }

  /** Undefined: claims read from the beginning. */
  get current(): Watermark | undefined {
    return this.#current
  }

  /**
   * Returns the look to start now: `from` is the watermark, undefined for a full look. Undefined: none is due. `ended`:
   * ended processes; a new one makes a full look due.
   */
  begin(time: bigint, ended: ReadonlyArray<number>): { readonly from: Watermark | undefined } | undefined {
    if (this.#isLooking) return undefined
    if (ended.some((id) => !this.#ended.includes(id))) this.#nextFullAt = time
    const isFull = time >= this.#nextFullAt
    if (!isFull && (this.#current === undefined || time < this.#nextAt)) return undefined
    this.#ended = ended
    this.#isLooking = true
    return { from: isFull ? undefined : this.#current }
  }

  /**
   * Records the end of a look. `found`: undefined when it failed. Returns true when claims can read rows that they could
   * not read before.
   */
  end(from: Watermark | undefined, found: Watermark | undefined, began: bigint, ended: bigint): boolean {
    this.#isLooking = false
    const took = ended - began
    const isFull = from === undefined
    // soon after a full look: when it lowered the watermark, the next claims take those rows, and read slowly until a look
    this.#nextAt = ended + (isFull ? interval : later(interval, took * pause))
    if (isFull) this.#nextFullAt = ended + later(fullInterval, took * fullPause)
    if (found === undefined) return false
    const before = this.#current
    this.#current = isFull && took <= this.#quick ? undefined : found
    return before !== undefined && (found.first < before.first || found.retry < before.retry)
  }
}

const later = (a: bigint, b: bigint) => (a > b ? a : b)
