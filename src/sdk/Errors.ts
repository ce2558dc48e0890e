/** Errors of the client's methods. When the caller's signal aborts, a method throws the signal's reason instead. */
import type { FieldError, Problem } from "./Contract.ts"

export interface ApiErrorFields {
  readonly status: number
  readonly code: ApiError["code"]
  readonly detail: string
  readonly type?: string | undefined
  readonly errors: ReadonlyArray<FieldError>
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
}

/** The response is not a success. Handle an unknown `code` by `status`: codes may be added (docs/api.md). */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly status: number
  /** `invalid_response`: the response is not from the API, for example a proxy's error page. */
  readonly code: Problem["code"] | "invalid_response"
  /** The reason, for people. */
  readonly detail: string
  /** The address of the error's documentation, relative to the API's. Undefined: `code` is `invalid_response`. */
  readonly type: string | undefined
  /** All validation errors of a request with status 422; otherwise empty. */
  readonly errors: ReadonlyArray<FieldError>
  /** X-Request-Id; quote it when you ask about a request. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next request, from Retry-After. */
  readonly retryAfter: number | undefined

  constructor({ code, detail, errors, requestId, retryAfter, status, type }: ApiErrorFields) {
    super([`${status} ${code}: ${detail}`, ...errors.map(({ message, pointer }) => `${pointer} ${message}`)].join("; "))
    this.status = status
    this.code = code
    this.detail = detail
    this.type = type
    this.errors = errors
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** The connection failed before the response was complete. The service may have performed the request. `cause`: fetch's error. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError"
}

/** No complete response within `timeout`. The service may have performed the request. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError"
}
