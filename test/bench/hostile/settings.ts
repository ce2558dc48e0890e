/** Counts and limits of the bench. */
import { secretKey } from "../../support/Processes.ts"

/** The APP_URL of the pods; they listen on other ports. */
export const appUrl = "http://localhost:8080"

export const metricsToken = "a-token-of-the-bench"

/** Settings of both pods. They trust X-Forwarded-For, so that each request can have another client address. */
export const pod = {
  APP_URL: appUrl,
  METRICS_TOKEN: metricsToken,
  TRUSTED_PROXIES: "127.0.0.1/32",
  RATE_LIMIT: "0",
}

/** Settings of the process that fills the database. */
export const seed = { ...pod, SECRET_KEY: secretKey, EMAIL: "mailbox", PORT: "0" }

/** Maximum milliseconds that a request may block the event loop. */
export const limits = { stranger: 50, member: 200 } as const

/** The number of simultaneous sign-ins, and the milliseconds that each may add to the block. */
export const crowd = { size: 800, each: 0.5 } as const

/** How often each case is sent. A block longer than `slowMillis` ends the measurement of its shape. */
export const rounds = 3
export const slowMillis = 1_000

/** Restricts the bench to shapes whose name contains this, or to `work`, `pool` or `memory`. */
export const filter: string | undefined = process.env["BENCH_SHAPES"]

/** Timeout of one response in milliseconds. */
export const timeoutMillis = 60_000

/** The default of MAX_BODY in bytes. */
export const largestBody = 2 * 1024 * 1024

export const memory = {
  connections: 600,
  /** Bytes that each connection sends of a body of `largestBody`. */
  part: 512 * 1024,
  stalledSeconds: 15,
  afterSeconds: 30,
  /** Maximum ratio to the memory before. */
  allowed: 1.3,
}

export const pool = { lists: 30, lockedSeconds: 12, allowedMillis: 6_000 }

/** Maximum seconds to evaluate the largest interview, and to read a CV. */
export const workSeconds = 90
