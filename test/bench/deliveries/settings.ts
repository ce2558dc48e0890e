/** Amounts that the benches of deliveries use, and settings of the service. */
import { settings as api } from "../api/settings.ts"

/** Default settings of the service, with deliveries to this machine allowed. */
export const settings = { ...api, OUTBOUND_ALLOW: "127.0.0.0/8" }

export const bodyBytes = 1024

export interface Amount {
  readonly rounds: number
  readonly posts: number
  /** POSTs of an uncounted first round, so that V8 has compiled the code, as in a process that runs for days. */
  readonly warmUp: number
}

export const amount: Amount = { rounds: 3, posts: 30_000, warmUp: 10_000 }

/** Jobs cycle through this many organizations with one endpoint each. */
export const receivers = 50
/** In rounds with slow responses, every hundredth comes after a second. */
export const slowEvery = 100

/** Each round, ten organizations publish events to ten endpoints each, without pauses, for `millis`. */
export const fanOut = { endpoints: 10, organizations: 10, millis: 1500, rounds: 5 }

/** Events to one endpoint each, which cycle through the endpoints, published at random times. */
export const trickle = { endpoints: 100, events: 500, perSecond: 50 }

/** Events published in the same way, and the load beside them: deliveries to a hanging endpoint, and retries. */
export const isolation = { events: 2000, perSecond: 200, rounds: 3, waiting: 10_000, retries: 50_000, idleSeconds: 20 }

/** Stored deliveries, and the deliveries that pass through a queue while its size is measured. */
export const growth = {
  finished: 1_000_000,
  future: 1_000_000,
  amount: { rounds: 5, posts: 20_000, warmUp: 10_000 } satisfies Amount,
  bloat: { deliveries: 500_000, step: 50_000 },
}

/** A window measures a backlog of `posts`, then events published at random times. */
export const horizon = { windows: 8, posts: 20_000, latency: { events: 500, perSecond: 200 } }
