/** What is measured: how much of it, and with which settings of the service. */
import { settings as api } from "../api/settings.ts"

/** Settings of the service: its defaults, and leave to send to this machine. */
export const settings = { ...api, OUTBOUND_ALLOW: "127.0.0.0/8" }

/** Bytes of each body. */
export const bodyBytes = 1024

/** How much is sent. */
export interface Amount {
  readonly rounds: number
  /** Of one round. */
  readonly posts: number
  /** Of the round before them, which is not counted: in a process that runs for days the compiler has done its work. */
  readonly warmUp: number
}

export const amount: Amount = { rounds: 3, posts: 30_000, warmUp: 10_000 }

/** Receivers that take turns; each is an organization of its own with one endpoint. */
export const receivers = 50
/** Of the round with slow answers: every hundredth comes after a second. */
export const slowEvery = 100

/** Events to ten endpoints each, published without a pause by ten organizations at once for that long, in each round. */
export const fanOut = { endpoints: 10, organizations: 10, millis: 1500, rounds: 5 }

/** Events to one endpoint each, taking turns, published at a low rate at random times. */
export const trickle = { endpoints: 100, events: 500, perSecond: 50 }

/** What happens beside events that are published like that; each with and without it, in turn. */
export const isolation = { events: 2000, perSecond: 200, rounds: 3, waiting: 10_000, retries: 50_000, idleSeconds: 20 }

/** Deliveries that others wait or went before, and how many go through a queue whose size is watched. */
export const growth = {
  finished: 1_000_000,
  future: 1_000_000,
  amount: { rounds: 5, posts: 20_000, warmUp: 10_000 } satisfies Amount,
  bloat: { deliveries: 500_000, step: 50_000 },
}
