/**
 * The watermark: the lowest `due_at` that a pod's claims read.
 *
 * While another transaction holds an old snapshot, Postgres keeps the index entries of all rows that were settled since
 * (docs/operate.md). A claim that reads from the beginning passes all of them: with 300,000, this takes 100 ms. So the
 * pod searches for the oldest free row in parallel with its claims: a look. When a full look, which reads from the
 * beginning, takes longer than `QuickLook`, claims read only from the row that it found.
 *
 * A row can become free below the watermark: its lease or process ends, its transaction commits late, or the database's
 * clock is set back. Full looks find these stragglers, and claims take them by id. Full looks take at most a twentieth of
 * the time.
 */
import { Context, type Effect, identity } from "effect"
import type { DeliveryId } from "../../values/Ids.ts"

export type Lane = "first" | "retry"

/** The lower bound of `due_at` in each lane. */
export type Watermark = Readonly<Record<Lane, Date>>

/** A search for the oldest free rows: a full look reads from the beginning, others from the watermark. */
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
  /** The next watermark: below it the look found no free row except `stragglers`. */
  readonly next: Watermark
  /** The oldest free rows below the watermark, at most `maxStragglers` of each lane. */
  readonly stragglers: ReadonlyArray<Straggler>
}

/** Milliseconds after `due_at` within which a row may be committed without becoming a straggler. */
export const slack = 1000
/** Stragglers that a full look reads of each lane. When it finds as many, it lowers the lane's watermark. */
export const maxStragglers = 100

/** Nanoseconds. Claims read from a watermark after a full look that took longer. */
export const QuickLook = Context.Reference<bigint>("interview-invitations/webhooks/ClaimWatermark/QuickLook", {
  defaultValue: () => 2_000_000n,
})

/** Runs each look. A simulation counts looks as work that ends before its clock moves on. */
export const RunLook = Context.Reference<(look: Effect.Effect<void>) => Effect.Effect<void>>(
  "interview-invitations/webhooks/ClaimWatermark/RunLook",
  { defaultValue: () => identity },
)

/** Nanoseconds: the shortest pause after a full look, and after any look. */
const fullInterval = 1_000_000_000n
const interval = 100_000_000n
/** The same in multiples of the look's duration; the longer pause applies. */
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

  /**
   * Returns the look to start now, or undefined when none is due. `time`: monotonic nanoseconds. `ended`: ended processes;
   * a new one makes a full look due.
   */
  begin(time: bigint, ended: ReadonlyArray<number>): Look | undefined {
    if (this.#isLooking) return undefined
    if (ended.some((id) => !this.#ended.includes(id))) this.#nextFullAt = time
    const isFull = time >= this.#nextFullAt
    if (!isFull && (this.#watermark === undefined || time < this.#nextAt)) return undefined
    this.#ended = ended
    this.#isLooking = true
    return { isFull, watermark: this.#watermark }
  }

  /** Records the end of a look. `looked`: undefined when it failed. `began`, `ended`: monotonic nanoseconds. */
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

/** A lane with `maxStragglers` is lowered to the oldest, so claims read them in order, like other rows. */
const lowered = (watermark: Watermark, stragglers: ReadonlyArray<Straggler>): Watermark => {
  const of = (lane: Lane) => {
    const own = stragglers.filter((straggler) => straggler.lane === lane)
    const oldest = own[0]
    return oldest === undefined || own.length < maxStragglers ? watermark[lane] : oldest.due_at
  }
  return { first: of("first"), retry: of("retry") }
}
