/** Which errors are retried, and after which delay. */
import { ApiError, ConnectionError, TimeoutError } from "./Errors.ts"

/** Milliseconds. With a longer Retry-After, the error is thrown at once. */
export const maxRetryAfter = 60_000

const firstDelay = 250
const maxDelay = 30_000

/**
 * True for a failed connection, a timeout, 408, 425, 429, 5xx, and 409 with Retry-After, which means that the first
 * request with this Idempotency-Key is still running.
 */
export const isTransient = (error: unknown): boolean => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  if (!(error instanceof ApiError)) return false
  const { retryAfter, status } = error
  return status >= 500 || [408, 425, 429].includes(status) || (status === 409 && retryAfter !== undefined)
}

/**
 * Milliseconds before retry number `retry`, from 0: 250, 500, 1000 … up to 30 s, each 20 % more or less, and at least
 * Retry-After. Undefined when Retry-After exceeds `maxRetryAfter`. `random` is from 0 to 1.
 */
export const delayOf = (retry: number, error: unknown, random: number): number | undefined => {
  const asked = (error instanceof ApiError ? (error.retryAfter ?? 0) : 0) * 1000
  const backoff = Math.round(Math.min(firstDelay * 2 ** retry, maxDelay) * (0.8 + 0.4 * random))
  return asked > maxRetryAfter ? undefined : Math.max(asked, backoff)
}

/** Seconds of a Retry-After header, which has seconds or a date (RFC 9110, 10.2.3); undefined without one. */
export const parseRetryAfter = (header: string | null, now: number): number | undefined => {
  if (header === null || header === "") return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

/** Longer timers end after 1 ms. Milliseconds. */
export const maxTimer = 2 ** 31 - 1

/** Waits at most `maxTimer`; rejects with the signal's reason when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal | undefined) => Promise<void>

export const abortableSleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop)
        resolve()
      },
      Math.min(ms, maxTimer),
    )
    if (signal?.aborted) stop()
    else signal?.addEventListener("abort", stop, { once: true })
  })

export interface RetryOptions {
  /** The maximum number of retries after the first attempt. */
  readonly retries: number
  readonly signal: AbortSignal | undefined
  readonly sleep: Sleep
  /** From 0 to 1. */
  readonly random: () => number
}

/** Retries the attempt after transient errors. Throws the last error. */
export const retrying = async <A>(
  attempt: () => Promise<A>,
  { random, retries, signal, sleep }: RetryOptions,
): Promise<A> => {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt()
    } catch (error) {
      const delay = retry < retries && isTransient(error) ? delayOf(retry, error, random()) : undefined
      if (delay === undefined) throw error
      await sleep(delay, signal)
    }
  }
}
