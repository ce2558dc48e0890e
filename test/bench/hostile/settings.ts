/** Counts and limits of the bench. */
import { secretKey } from "../../support/Processes.ts"

/** The form that pages come from; pods listen elsewhere. */
export const appUrl = "http://localhost:8080"

export const metricsToken = "a-token-of-the-bench"

/** Of both pods. The bench sends each request as if from another address: an attacker has many. */
export const pod = {
  APP_URL: appUrl,
  METRICS_TOKEN: metricsToken,
  TRUSTED_PROXIES: "127.0.0.1/32",
  RATE_LIMIT: "0",
}

/** Of what fills the database. */
export const seed = { ...pod, SECRET_KEY: secretKey, EMAIL: "mailbox", PORT: "0" }

/** Milliseconds that the event loop may be blocked. */
export const limits = { stranger: 50, member: 200 } as const

/** How often each case is sent. One that blocks for longer than `slowMillis` ends its shape, which has missed its limit. */
export const rounds = 3
export const slowMillis = 1_000

/** Only shapes whose name holds this; without it all of them, the work, the pool and the memory. */
export const only: string | undefined = process.env["BENCH_SHAPES"]

/** Milliseconds for one answer. */
export const patience = 60_000

/** The largest body that the service takes unless told otherwise. */
export const largestBody = 2 * 1024 * 1024

export const memory = {
  connections: 600,
  /** Bytes that each connection sends of a body of `largestBody`. */
  part: 512 * 1024,
  stalledSeconds: 15,
  afterSeconds: 30,
  /** Of the memory before. */
  allowed: 1.3,
}

export const pool = { lists: 30, lockedSeconds: 12, allowedMillis: 6_000 }

/** Seconds for the evaluation of the largest interview, and for reading a CV. */
export const workSeconds = 90
