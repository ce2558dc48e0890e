/**
 * From which `due_at` on a pod's claims read the queue.
 *
 * While another transaction holds an old snapshot, Postgres keeps the index entries of all rows that were settled since
 * (docs/operate.md). A claim that reads from the beginning passes all of them: with 300,000, this takes 100 ms. So the
 * pod looks for the oldest free row beside its claims, and once that takes long, claims read only from there on.
 *
 * A row can become free below the watermark: its lease or process ends, its transaction commits late, the database's
 * clock is set back. A full look, from the beginning, finds these stragglers, and claims take them by their ids. Full
 * looks take at most a twentieth of the time.
 */
import { Context } from "effect"
import type { DeliveryId } from "../values/Ids.ts"

export type Lane = "first" | "retry"

/** The lower bound of `due_at` in each lane. */
export type Watermark = Readonly<Record<Lane, Date>>

/** A full look reads from the beginning, another from the watermark on. */
export interface Look {
  readonly isFull: boolean
  readonly watermark: Watermark | undefined
}

export interface Straggler {
  readonly id: DeliveryId
  readonly lane: Lane
  readonly due_at: Date
}

/** What a look found. */
export interface Looked {
  /** The watermark up to which no row is free. */
  readonly next: Watermark
  /** Free rows below the watermark, of each lane the oldest, at most `maxStragglers`. */
  readonly stragglers: ReadonlyArray<Straggler>
}

/** Milliseconds that a transaction may take after its rows fall due, without making them stragglers. */
export const slack = 1000
/** As many in a lane lower its watermark. */
export const maxStragglers = 100

/** Nanoseconds. Claims read from the beginning unless the last full look took longer. */
export const QuickLook = Context.Reference<bigint>("interview-invitations/webhooks/ClaimWatermark/QuickLook", {
  defaultValue: () => 2_000_000n,
})

/** Nanoseconds. */
const fullInterval = 1_000_000_000n
const interval = 100_000_000n
/** Pauses after looks, in multiples of their duration. */
const fullPause = 20n
const pause = 10n

export class ClaimWatermark {
  readonly #quick: bigint
  #watermark: Watermark | undefined
  #stragglers: ReadonlyArray<DeliveryId> = []
  #isLooking = false
  #nextAt = 0n
  #nextFullAt = 0n
  #ended: ReadonlyArray<number> = []

  constructor(quick: bigint) {
    this.#quick = quick
  }

  /** Undefined: claims read from the beginning. */
  get watermark(): Watermark | undefined {
    return this.#watermark
  }

  get stragglers(): ReadonlyArray<DeliveryId> {
    return this.#stragglers
  }

  /** The look that is due now. `time`: monotonic nanoseconds. A process in `ended` for the first time calls for a full look. */
  begin(time: bigint, ended: ReadonlyArray<number>): Look | undefined {
    if (this.#isLooking) return undefined
    if (ended.some((id) => !this.#ended.includes(id))) this.#nextFullAt = time
    const isFull = time >= this.#nextFullAt
    if (!isFull && (this.#watermark === undefined || time < this.#nextAt)) return undefined
    this.#ended = ended
    this.#isLooking = true
    return { isFull, watermark: this.#watermark }
  }

  /** `looked`: undefined when the look failed. `began`, `ended`: monotonic nanoseconds. */
  end({ isFull, watermark }: Look, looked: Looked | undefined, began: bigint, ended: bigint): void {
    this.#isLooking = false
    const took = ended - began
    this.#nextAt = ended + later(interval, took * pause)
    if (isFull) this.#nextFullAt = ended + later(fullInterval, took * fullPause)
    if (looked === undefined) return
    if (!isFull) {
      this.#watermark = looked.next
      return
    }
    this.#stragglers = looked.stragglers.map(({ id }) => id)
    this.#watermark =
      took > this.#quick ? lowered(watermark === undefined ? looked.next : watermark, looked.stragglers) : undefined
  }

  claimed(jobs: ReadonlyArray<{ readonly id: string }>): void {
    if (this.#stragglers.length === 0) return
    this.#stragglers = this.#stragglers.filter((id) => !jobs.some((job) => job.id === id))
  }
}

const later = (a: bigint, b: bigint) => (a > b ? a : b)

/** Many stragglers of a lane are claimed in order, like other rows. */
const lowered = (watermark: Watermark, stragglers: ReadonlyArray<Straggler>): Watermark => {
  const of = (lane: Lane) => {
    const own = stragglers.filter((straggler) => straggler.lane === lane)
    const oldest = own[0]
    return oldest === undefined || own.length < maxStragglers ? watermark[lane] : oldest.due_at
  }
  return { first: of("first"), retry: of("retry") }
}
