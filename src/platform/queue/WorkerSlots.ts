/**
 * Who may start: of claimed jobs no more than a worker has places, and of each partition no more than its own. The others
 * wait here, so that a place that is free again need not wait for a claim. Plain functions: this runs for each job.
 */
import type { Held, Partition } from "./WorkQueue.ts"

/** A partition whose last job took no longer than this may have jobs that wait here; milliseconds. */
const quick = 100

/** A partition that has jobs in this worker. */
interface Entry<Job> extends Held {
  count: number
  most: number
  performing: number
  /** Wait for a place of the partition, in the order in which they came. */
  readonly behind: Array<Job>
}

export class WorkerSlots<Job, Key extends string> {
  readonly #concurrency: number
  readonly #ahead: number
  readonly #partition: Partition<Job, Key> | undefined
  readonly #entries = new Map<Key, Entry<Job>>()
  #performing = 0
  #waiting = 0
  /** Wait for a place of the worker. */
  readonly #ready: Array<Job> = []

  constructor(concurrency: number, ahead: number, partition: Partition<Job, Key> | undefined) {
    this.#concurrency = concurrency
    this.#ahead = ahead
    this.#partition = partition
  }

  /** The partitions that have jobs here. */
  get held(): ReadonlyMap<Key, Held> {
    return this.#entries
  }

  /** How many jobs may be claimed. */
  get free(): number {
    return this.#concurrency + this.#ahead - this.#performing - this.#waiting
  }

  /** Jobs that start as soon as a place of the worker is free. */
  get ready(): number {
    return this.#ready.length
  }

  /** True while a partition has as many as may be claimed of it: more of it may be due. */
  get holdsBack(): boolean {
    for (const { count, most } of this.#entries.values()) if (count >= most) return true
    return false
  }

  /** Takes claimed jobs in; returns those that start now. */
  enter(jobs: ReadonlyArray<Job>): ReadonlyArray<Job> {
    for (const job of jobs) {
      this.#ready.push(job)
      if (this.#partition === undefined) continue
      const key = this.#partition.of(job)
      const entry = this.#entries.get(key)
      if (entry !== undefined) entry.count++
      else this.#entries.set(key, { count: 1, most: this.#partition.most, performing: 0, behind: [] })
    }
    this.#waiting += jobs.length
    return this.#next()
  }

  /**
   * One that was started has ended, after so many milliseconds. Returns those that start in its place, and those that are
   * to be given back: what waits behind a slow one would wait long, and is better left to other pods.
   */
  leave(job: Job, took: number): { readonly start: ReadonlyArray<Job>; readonly back: ReadonlyArray<Job> } {
    this.#performing--
    let back: ReadonlyArray<Job> = []
    if (this.#partition !== undefined) {
      const entry = this.#drop(this.#partition, job)
      if (entry !== undefined) {
        entry.performing--
        const isQuick = took <= quick
        entry.most = this.#partition.most * (isQuick ? 2 : 1)
        // the place is its partition's and the worker's at once: none that came later may take it, or waits add up
        const first = entry.behind.shift()
        if (first !== undefined) this.#ready.unshift(first)
        if (!isQuick && entry.behind.length > 0) back = this.#forget(this.#partition, entry.behind)
      }
    }
    return { start: this.#next(), back }
  }

  /** Forgets those that wait, and returns them. */
  clear(): ReadonlyArray<Job> {
    const waiting = [this.#ready, ...[...this.#entries.values()].map(({ behind }) => behind)]
    return waiting.flatMap((jobs) => this.#forget(this.#partition, jobs))
  }

  #forget(partition: Partition<Job, Key> | undefined, waiting: Array<Job>): ReadonlyArray<Job> {
    const jobs = waiting.splice(0)
    this.#waiting -= jobs.length
    if (partition !== undefined) for (const job of jobs) this.#drop(partition, job)
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
      const job = this.#ready.shift()
      if (job === undefined) break
      const entry = this.#partition && this.#entries.get(this.#partition.of(job))
      if (this.#partition !== undefined && entry !== undefined) {
        if (entry.performing >= this.#partition.most) {
          entry.behind.push(job)
          continue
        }
        entry.performing++
      }
      this.#performing++
      this.#waiting--
      started.push(job)
    }
    return started
  }
}
