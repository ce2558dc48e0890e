/** What is measured: how much of it, and with which settings of the service. */
import { settings as api } from "../api/settings.ts"

/** Settings of the service: its defaults, and leave to send to this machine. */
export const settings = { ...api, OUTBOUND_ALLOW: "127.0.0.0/8" }

/** POSTs of one round, each with a body of that many bytes. */
export const posts = 30_000
export const bodyBytes = 1024
/** Rounds, and POSTs of the one before them that is not counted: the compiler has done its work in a process that runs for days. */
export const rounds = 3
export const warmUpPosts = 10_000

/** Receivers that take turns; each is an organization of its own with one endpoint. */
export const receivers = 50
/** Of the round with slow answers: every hundredth comes after a second. */
export const slowEvery = 100

/** Events to ten endpoints each, published without a pause by ten organizations at once for that long, in each round. */
export const fanOut = { endpoints: 10, organizations: 10, millis: 1500, rounds: 5 }

/** Events to one endpoint each, published at a low rate at random times. */
export const trickle = { events: 500, perSecond: 50 }
