/** Sends signed POSTs with undici's lowest-level call, `dispatch`, without a queue. */
import { type Dispatcher, Pool } from "undici"
import { type Job, makeJobs } from "../deliveries/jobs.ts"
import { measured } from "../deliveries/measured.ts"
import { origin, signed } from "./post.ts"

/** Chosen after trying fewer and more. */
const connections = 100

/** Counts a response's bytes and calls `onEnd`. */
class Reader implements Dispatcher.DispatchHandler {
  #bytes = 0
  readonly #onEnd: (error?: Error) => void

  constructor(onEnd: (error?: Error) => void) {
    this.#onEnd = onEnd
  }

  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    if (status !== 200) throw new Error(`the receiver returned ${status}`)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
  }

  onResponseEnd(): void {
    this.#onEnd(this.#bytes > 0 ? undefined : new Error("the response has no body"))
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#onEnd(error)
  }
}

const pool = new Pool(origin, { connections })

const send = (job: Job) =>
  new Promise<void>((resolve, reject) => {
    pool.dispatch(signed(job), new Reader((error) => (error === undefined ? resolve() : reject(error))))
  })

let jobs: ReadonlyArray<Job> = []

const loop = async (pending: Iterator<Job>) => {
  for (let next = pending.next(); next.done !== true; next = pending.next()) await send(next.value)
}

measured(async (posts) => {
  jobs = makeJobs(posts)
  const pending = jobs.values()
  const finished = Promise.all(Array.from({ length: connections }, () => loop(pending)))
  return () => finished
})
