/**
 * The clock of a process: the monotonic clock plus an offset measured against the database (docs/operate.md). All processes
 * of an installation agree within milliseconds, also when the clock of a machine is wrong or is set while they run.
 */
import { Clock, Effect, Latch } from "effect"
import { millisOf } from "../Monotonic.ts"

/** The server read its clock between two monotonic times; milliseconds. */
export interface ClockReading {
  readonly began: number
  readonly ended: number
  /** Since 1970. */
  readonly time: number
}

/** Within these limits lies the database's time minus the monotonic time, at monotonic time `at`; milliseconds. */
interface Offset {
  readonly least: number
  readonly most: number
  readonly at: number
}

/** Of two clocks; NTP slews by at most 500 ppm. */
const maxDrift = 1e-3

/** A larger difference between the machine's clock and the monotonic clock is a set clock or a suspended machine; ms. */
const maxGapChange = 1_000

/** Measures `read`, which returns the server's time in milliseconds since 1970. */
export const timed = <E, R>(read: Effect.Effect<number, E, R>): Effect.Effect<ClockReading, E, R> =>
  Effect.clockWith((clock) =>
    Effect.suspend(() => {
      const began = millisOf(clock)
      return Effect.map(read, (time) => ({ began, ended: millisOf(clock), time }))
    }),
  )

/** Until the first reading, it is the machine's clock. */
export class DatabaseClock implements Clock.Clock {
  readonly #machine: Clock.Clock
  readonly #jumped = Latch.makeUnsafe(false)
  #offset: Offset | undefined
  #gap = 0

  constructor(machine: Clock.Clock = Clock.Clock.defaultValue()) {
    this.#machine = machine
  }

  /**
   * Readings narrow the limits of the offset, so a slow one does no harm. One that contradicts them replaces them: the
   * database's clock was set, or another server took over.
   */
  readonly correct = ({ began, ended, time }: ClockReading): Effect.Effect<void> =>
    Effect.sync(() => {
      const read = { least: time - ended, most: time - began, at: ended }
      const known = this.#offset ?? read
      const drift = Math.max(0, ended - known.at) * maxDrift
      const least = Math.max(read.least, known.least - drift)
      const most = Math.min(read.most, known.most + drift)
      if (this.#offset === undefined) this.#gap = this.#machine.currentTimeMillisUnsafe() - ended
      this.#offset = least <= most ? { least, most, at: ended } : read
    })

  /** Waits until the machine's clock has been set or the machine was suspended, which a reading of the time notices. */
  readonly untilJump: Effect.Effect<void> = Effect.suspend(() =>
    Effect.andThen(
      this.#jumped.await,
      Effect.sync(() => this.#jumped.closeUnsafe()),
    ),
  )

  /** The database's time minus the machine's, in milliseconds. */
  get difference(): number {
    return this.#now() - this.#machine.currentTimeMillisUnsafe()
  }

  #now(): number {
    const machine = this.#machine.currentTimeMillisUnsafe()
    if (this.#offset === undefined) return machine
    const now = millisOf(this.#machine)
    if (Math.abs(machine - now - this.#gap) > maxGapChange) {
      this.#gap = machine - now
      this.#jumped.openUnsafe()
    }
    return now + (this.#offset.least + this.#offset.most) / 2
  }

  currentTimeMillisUnsafe(): number {
    return Math.floor(this.#now())
  }
  readonly currentTimeMillis: Effect.Effect<number> = Effect.sync(() => this.currentTimeMillisUnsafe())

  currentTimeNanosUnsafe(): bigint {
    return BigInt(Math.floor(this.#now() * 1e6))
  }
  readonly currentTimeNanos: Effect.Effect<bigint> = Effect.sync(() => this.currentTimeNanosUnsafe())

  monotonicTimeNanosUnsafe(): bigint {
    return this.#machine.monotonicTimeNanosUnsafe()
  }
  readonly monotonicTimeNanos: Effect.Effect<bigint> = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  sleep(duration: Parameters<Clock.Clock["sleep"]>[0]): Effect.Effect<void> {
    return this.#machine.sleep(duration)
  }
}
