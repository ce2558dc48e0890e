/** What came of an outbound request. */

export interface Answered {
  readonly _tag: "Answered"
  readonly status: number
  /** The first bytes, as many as the client keeps. Invalid UTF-8 and NUL, which Postgres does not store, become U+FFFD. */
  readonly body: string
  /** The response was longer than `body` or did not end in time. */
  readonly truncated: boolean
  /** The Location of a 3xx; at most 2,048 characters. */
  readonly location?: string
  /** Retry-After of a response that is not 2xx; at most 100 characters. */
  readonly retryAfter?: string
  readonly durationMs: number
}

/**
 * Why there was no response:
 *
 * - `refused`: the URL, or an address of its host, is not allowed.
 * - `dns`: the name does not resolve.
 * - `connect`: the address and port accept no connection.
 * - `tls`: for example an invalid certificate.
 * - `timeout`: no status in time; `message` names the step: DNS, connection, TLS or answer.
 * - `closed`: the connection ended before a status.
 * - `protocol`: the response is not HTTP/1.1, or its head is too long.
 */
export type FailureCause = "refused" | "dns" | "connect" | "tls" | "timeout" | "closed" | "protocol"

/** `message` is for the receiver's developers. */
export interface Failed {
  readonly _tag: "Failed"
  readonly cause: FailureCause
  readonly message: string
  readonly durationMs: number
}

export type OutboundResult = Answered | Failed
