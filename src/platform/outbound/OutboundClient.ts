/**
 * Sends requests to addresses that users enter, through `guardedDispatcher`, over undici's `dispatch`: 37 µs of CPU per POST; `request` takes 46–52, node:http 120 (keep-alive, 1
 * KB, Node 24).
 */
import { StringDecoder } from "node:string_decoder"
import { Duration, Effect, Result, type Scope } from "effect"
import type { Dispatcher } from "undici"
import { definedOnly } from "../../values/definedOnly.ts"
import { type AllowedNetworks, checkUrl, type UrlRefused } from "../../values/OutboundAddress.ts"
import type { OutboundProxy } from "../../values/OutboundProxy.ts"
import { answerError, ConnectFailed, isOurs, type OutboundError, processDefect, within } from "./OutboundErrors.ts"
import { guardedDispatcher } from "./OutboundGuard.ts"
import type { Resolve } from "./OutboundNames.ts"
import type { FailureCause, OutboundResult } from "./OutboundResult.ts"

export interface OutboundOptions {
  readonly allowed: AllowedNetworks
  /** From DNS to body. */
  readonly timeout: Duration.Duration
  /**
   * At least the number of concurrent requests: endpoints may share an origin, and the timeout includes waiting for a
   * connection.
   */
  readonly connectionsPerOrigin: number
  /** Bytes of a response's body. */
  readonly maxKept: number
  /** For public addresses. */
  readonly proxy?: OutboundProxy | undefined
}

/** `body` is sent unchanged; `headers` must be valid (RFC 9110). */
export interface OutboundRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

/**
 * Sends one request within the time limit, never twice, and follows no redirect. Failures of the receiver are values.
 * Failures of this machine (no file descriptors, unreachable name servers) are defects. Interruption closes the
 * connection.
 */
export type Send = (request: OutboundRequest) => Effect.Effect<OutboundResult>

/** More is read than is kept, so that the connection can be reused. */
const minRead = 16 * 1024
/** 16 KiB of headers, and framing. */
const maxHead = 48 * 1024
const maxBodyWait = 1_000
const maxTargets = 10_000
const maxLocation = 2_048
const maxRetryAfter = 100

const textOf = (chunks: ReadonlyArray<Buffer>, truncated: boolean): string => {
  const [only] = chunks
  if (only === undefined) return ""
  const bytes = chunks.length === 1 ? only : Buffer.concat(chunks)
  // a decoder leaves out the character that was cut
  const text = truncated ? new StringDecoder("utf8").write(bytes) : bytes.toString("utf8")
  return text.replaceAll("\0", "\uFFFD")
}

/** Reports once, by the deadline at the latest. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #begun = performance.now()
  readonly #timeout: number
  readonly #maxKept: number
  readonly #dispatch: (handler: Dispatcher.DispatchHandler) => void
  readonly #report: (result: Effect.Effect<OutboundResult>) => void
  readonly #chunks: Array<Buffer> = []
  #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #location: string | undefined
  #retryAfter: string | undefined
  #kept = 0
  #read = 0
  #ended = false

  constructor(
    timeout: number,
    maxKept: number,
    dispatch: (handler: Dispatcher.DispatchHandler) => void,
    report: (result: Effect.Effect<OutboundResult>) => void,
  ) {
    this.#timeout = timeout
    this.#maxKept = maxKept
    this.#dispatch = dispatch
    this.#report = report
    this.#timer = setTimeout(onDeadline, timeout, this)
  }

  send(): void {
    if (!this.#ended) this.#dispatch(this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // ended before it got a connection: throwing drops the request and keeps the connection
    if (this.#ended) throw new Error("The request was abandoned")
    this.#controller = controller
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 || this.#ended) return
    this.#status = status
    if (status >= 300 && status < 400) this.#location = [headers.location].flat()[0]?.slice(0, maxLocation)
    if (status >= 300) this.#retryAfter = [headers["retry-after"]].flat()[0]?.slice(0, maxRetryAfter)
    // most bodies have ended by then and need no second timer
    queueMicrotask(() => this.#awaitBody())
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return
    this.#read += chunk.length
    if (this.#kept < this.#maxKept) {
      const kept = chunk.subarray(0, this.#maxKept - this.#kept)
      this.#kept += kept.length
      this.#chunks.push(kept)
    }
    if (this.#read > Math.max(minRead, this.#maxKept)) {
      this.#answered(true)
      this.#disconnect()
    }
  }

  onResponseEnd(): void {
    this.#answered(this.#read > this.#kept)
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#status > 0) this.#answered(true)
    else if (isOurs(error)) this.#settle(Effect.die(processDefect(error)))
    else if (error instanceof ConnectFailed) this.#failed(error)
    // an idle connection broke before a byte was written: dispatch again, after undici handled other broken ones
    else if (this.#controller === undefined) setImmediate(() => this.send())
    else this.#failed(answerError(error))
  }

  #awaitBody(): void {
    if (this.#ended || this.#begun + this.#timeout - performance.now() < maxBodyWait) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(onDeadline, maxBodyWait, this)
  }

  deadline(): void {
    if (this.#status > 0) this.#answered(true)
    else {
      const what = this.#controller === undefined ? "No connection could be made" : "The receiver did not answer"
      this.#failed({ cause: "timeout", message: `${what} ${within(this.#timeout)}` })
    }
    this.#disconnect()
  }

  abandon(): void {
    this.#finish()
    this.#disconnect()
  }

  #answered(truncated: boolean): void {
    this.#settle(
      Effect.succeed({
        _tag: "Answered",
        status: this.#status,
        body: textOf(this.#chunks, truncated),
        truncated,
        ...definedOnly({ location: this.#location, retryAfter: this.#retryAfter }),
        durationMs: this.#duration(),
      }),
    )
  }

  #failed({ cause, message }: OutboundError<FailureCause>): void {
    this.#settle(Effect.succeed({ _tag: "Failed", cause, message, durationMs: this.#duration() }))
  }

  #duration(): number {
    return Math.round(performance.now() - this.#begun)
  }

  #settle(result: Effect.Effect<OutboundResult>): void {
    if (this.#ended) return
    this.#finish()
    // the resumed fiber may post again; in its callback, a failed undici client asserts that nothing was queued
    queueMicrotask(() => this.#report(result))
  }

  #finish(): void {
    this.#ended = true
    clearTimeout(this.#timer)
  }

  #disconnect(): void {
    this.#controller?.abort(new Error("The request was abandoned"))
  }
}

const onDeadline = (attempt: Attempt) => attempt.deadline()

/** Caching saves 1.8 µs of CPU per POST (Node 24). */
const targets = (allowed: AllowedNetworks) => {
  const known = new Map<string, Result.Result<{ readonly origin: string; readonly path: string }, UrlRefused>>()
  return (text: string) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const target = Result.map(checkUrl(text, allowed), ({ origin, pathname, search }) => ({
      origin,
      path: pathname + search,
    }))
    if (known.size >= maxTargets) known.clear()
    known.set(text, target)
    return target
  }
}

export const outboundClient = (options: OutboundOptions, resolve?: Resolve): Effect.Effect<Send, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { allowed, maxKept } = options
    const timeout = Duration.toMillis(options.timeout)
    const maxAnswer = maxHead + Math.max(minRead, maxKept)
    const dispatcher = yield* guardedDispatcher({ ...options, maxAnswer, resolve })
    const targetOf = targets(allowed)
    // a span would cost as much as the request
    return ({ body, headers, method, url }) =>
      Effect.callback<OutboundResult>((resume) => {
        const target = targetOf(url)
        if (Result.isFailure(target)) {
          const { reason } = target.failure
          return resume(Effect.succeed({ _tag: "Failed", cause: "refused", message: reason, durationMs: 0 }))
        }
        const request = {
          ...target.success,
          method,
          headers: { ...headers, "accept-encoding": "identity" },
          body: body ?? null,
        }
        const attempt = new Attempt(timeout, maxKept, (handler) => dispatcher.dispatch(request, handler), resume)
        attempt.send()
        return Effect.sync(() => attempt.abandon())
      })
  })
