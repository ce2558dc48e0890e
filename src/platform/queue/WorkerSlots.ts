/**
 * Decides which claimed jobs run: at most `concurrency` of a worker, `max` of a partition. Others wait here, so that a
 * free slot needs no claim.
 */
import type { Partition, PartitionLoad } from "./WorkQueue.ts"

/** Milliseconds. After a job this quick, its partition may have twice `max` jobs here, half of them waiting. */
const maxQuick = 100

interface Entry<Job> extends PartitionLoad {
  count: number
  max: number
  performing: number
  /** Oldest first. */
  readonly waiting: Array<Job>
}

export class WorkerSlots<Job, Key extends string> {
  readonly #concurrency: number
  readonly #prefetch: number
  readonly #partition: Partition<Job, Key> | undefined
  readonly #entries = new Map<Key, Entry<Job>>()
  readonly #runnable: Array<Job> = []
  #performing = 0
  #notStarted = 0

  constructor(concurrency: number, prefetch: number, partition: Partition<Job, Key> | undefined) {
    this.#concurrency = concurrency
    this.#prefetch = prefetch
    this.#partition = partition
  }

  get inFlight(): ReadonlyMap<Key, PartitionLoad> {
    return this.#entries
  }

  get free(): number {
    return this.#concurrency + this.#prefetch - this.#performing - this.#notStarted
  }

  get runnable(): number {
    return this.#runnable.length
  }

  get hasFullPartition(): boolean {
    for (const { count, max } of this.#entries.values()) if (count >= max) return true
    return false
  }

  enter(jobs: ReadonlyArray<Job>): ReadonlyArray<Job> {
    for (const job of jobs) {
      this.#runnable.push(job)
      if (this.#partition === undefined) continue
      const key = this.#partition.of(job)
      const entry = this.#entries.get(key)
      if (entry !== undefined) entry.count++
      else this.#entries.set(key, { count: 1, max: this.#partition.max, performing: 0, waiting: [] })
    }
    this.#notStarted += jobs.length
    return this.#next()
  }

  /** `took`: milliseconds. Jobs behind a slow job are released to other pods. */
  leave(job: Job, took: number): { readonly start: ReadonlyArray<Job>; readonly release: ReadonlyArray<Job> } {
    this.#performing--
    let release: ReadonlyArray<Job> = []
    if (this.#partition !== undefined) {
      const entry = this.#drop(this.#partition, job)
      if (entry !== undefined) {
        entry.performing--
        const isQuick = took <= maxQuick
        entry.max = this.#partition.max * (isQuick ? 2 : 1)
        // first, or the wait of the partition's oldest job would grow
        const oldest = entry.waiting.shift()
        if (oldest !== undefined) this.#runnable.unshift(oldest)
        if (!isQuick && entry.waiting.length > 0) release = this.#remove(entry.waiting)
      }
    }
    return { start: this.#next(), release }
  }

  clear(): ReadonlyArray<Job> {
    const waiting = [this.#runnable, ...[...this.#entries.values()].map((entry) => entry.waiting)]
    return waiting.flatMap((jobs) => this.#remove(jobs))
  }

  #remove(waiting: Array<Job>): ReadonlyArray<Job> {
    const jobs = waiting.splice(0)
    this.#notStarted -= jobs.length
    if (this.#partition !== undefined) for (const job of jobs) this.#drop(this.#partition, job)
    return jobs
  }

  #drop(partition: Partition<Job, Key>, job: Job): Entry<Job> | undefined {
    const key = partition.of(job)
    const entry = this.#entries.get(key)
    if (entry !== undefined && --entry.count === 0) this.#entries.delete(key)
    return entry
  }

  #next(): ReadonlyArray<Job> {
    const started: Array<Job> = []
    while (this.#performing < this.#concurrency) {
      const job = this.#runnable.shift()
      if (job === undefined) break
      const entry = this.#partition && this.#entries.get(this.#partition.of(job))
      if (this.#partition !== undefined && entry !== undefined) {
        if (entry.performing >= this.#partition.max) {
          entry.waiting.push(job)
          continue
        }
        entry.performing++
      }
      this.#performing++
      this.#notStarted--
      started.push(job)
    }
    return started
  }
}
