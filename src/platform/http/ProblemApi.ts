/** The errors of the API: RFC 9457 problems with a code. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { extensibleEnum } from "../../values/ExtensibleEnum.ts"
import { fieldErrorCodes } from "../../values/Problem.ts"

/**
 * The URI reference of a problem's documentation: the row of its code in the guide, at the host of the API. Relative with its
 * full path, as RFC 9457 (3.1.1) advises: it is the same in every installation.
 */
export const typeOf = <const Code extends string>(code: Code) => `/docs/errors#${code}` as const

const detail = Schema.String.annotate({ description: "What is wrong, for people" })

const FieldError = Schema.Struct({
  pointer: Schema.String.annotate({
    description: "Where: a JSON pointer as a URI fragment (RFC 6901); of a query parameter or a header its name",
  }),
  code: extensibleEnum(fieldErrorCodes).annotate({
    description: "What is wrong, for programs. More codes may be added: treat an unknown one as `invalid`",
  }),
  message: Schema.String.annotate({ description: "What is wrong, for people" }),
}).annotate({ identifier: "FieldError" })

export class BadRequest extends HttpApiError.Problem<BadRequest>()(
  "BadRequest",
  { type: typeOf("bad_request"), status: 400, title: "Bad Request" },
  { detail, code: Schema.tag("bad_request") },
  { description: "The body is not JSON in UTF-8, or it did not arrive whole" },
) {}

export class Unauthorized extends HttpApiError.Problem<Unauthorized>()(
  "Unauthorized",
  { type: typeOf("unauthorized"), status: 401, title: "Unauthorized" },
  { detail, code: Schema.tag("unauthorized") },
  { description: "The API key is missing, malformed, unknown, deleted, inactive or expired" },
) {}

export class Forbidden extends HttpApiError.Problem<Forbidden>()(
  "Forbidden",
  { type: typeOf("missing_scope"), status: 403, title: "Forbidden" },
  { detail, code: Schema.tag("missing_scope") },
  { description: "The API key lacks the scope that the operation needs" },
) {}

export class NotFound extends HttpApiError.Problem<NotFound>()(
  "NotFound",
  { type: typeOf("not_found"), status: 404, title: "Not Found" },
  { detail, code: Schema.tag("not_found") },
  { description: "Your organization has no such record, or it was deleted" },
) {}

export class RequestTimeout extends HttpApiError.Problem<RequestTimeout>()(
  "RequestTimeout",
  { type: typeOf("request_timeout"), status: 408, title: "Request Timeout" },
  { detail, code: Schema.tag("request_timeout") },
  { description: "The body did not arrive in time" },
) {}

export class Conflict extends HttpApiError.Problem<Conflict>()(
  "Conflict",
  { type: typeOf("conflict"), status: 409, title: "Conflict" },
  { detail, code: Schema.tag("conflict") },
  { description: "The record's state does not allow it, or a request with this Idempotency-Key is still running" },
) {}

export class RequestInProgress extends HttpApiError.Problem<RequestInProgress>()(
  "RequestInProgress",
  { type: typeOf("request_in_progress"), status: 409, title: "Conflict" },
  { detail, code: Schema.tag("request_in_progress") },
  { description: "A request with this Idempotency-Key is still running" },
) {}

export class ContentTooLarge extends HttpApiError.Problem<ContentTooLarge>()(
  "ContentTooLarge",
  { type: typeOf("body_too_large"), status: 413, title: "Content Too Large" },
  { detail, code: Schema.tag("body_too_large") },
  { description: "The body is larger than 2 MiB, or what the operator has set" },
) {}

export class UnsupportedMediaType extends HttpApiError.Problem<UnsupportedMediaType>()(
  "UnsupportedMediaType",
  { type: typeOf("unsupported_media_type"), status: 415, title: "Unsupported Media Type" },
  { detail, code: Schema.tag("unsupported_media_type") },
  { description: "The body is not sent as application/json in UTF-8 without a content coding" },
) {}

export class RangeNotSatisfiable extends HttpApiError.Problem<RangeNotSatisfiable>()(
  "RangeNotSatisfiable",
  { type: typeOf("range_not_satisfiable"), status: 416, title: "Range Not Satisfiable" },
  { detail, code: Schema.tag("range_not_satisfiable") },
  { description: "The file has no byte of the range; Content-Range gives its length" },
) {}

export class Unprocessable extends HttpApiError.Problem<Unprocessable>()(
  "Unprocessable",
  { type: typeOf("validation_failed"), status: 422, title: "Unprocessable Content" },
  {
    detail,
    code: Schema.tag("validation_failed"),
    errors: Schema.Array(FieldError).annotate({ description: "All validation errors, at most 100" }),
  },
  { description: "The request has validation errors; errors lists all of them, each with its place" },
) {}

export class IdempotencyKeyReused extends HttpApiError.Problem<IdempotencyKeyReused>()(
  "IdempotencyKeyReused",
  { type: typeOf("idempotency_key_reused"), status: 422, title: "Unprocessable Content" },
  { detail, code: Schema.tag("idempotency_key_reused"), errors: Schema.Array(FieldError) },
  { description: "The Idempotency-Key was used with another request" },
) {}

export class TooManyRequests extends HttpApiError.Problem<TooManyRequests>()(
  "TooManyRequests",
  { type: typeOf("rate_limited"), status: 429, title: "Too Many Requests" },
  { detail, code: Schema.tag("rate_limited") },
  {
    description:
      "The API key has made too many requests, or its address too many with a wrong key; Retry-After gives the seconds to wait",
  },
) {}

export class InternalError extends HttpApiError.Problem<InternalError>()(
  "InternalError",
  { type: typeOf("internal_error"), status: 500, title: "Internal Server Error" },
  { detail, code: Schema.tag("internal_error") },
  { description: "An error of this service. Nothing was stored; repeat the request with the same Idempotency-Key" },
) {}

export class Unavailable extends HttpApiError.Problem<Unavailable>()(
  "Unavailable",
  { type: typeOf("unavailable"), status: 503, title: "Service Unavailable" },
  { detail, code: Schema.tag("unavailable") },
  { description: "Temporarily unavailable; Retry-After gives the seconds to wait" },
) {}

export const bodyProblems = [BadRequest, RequestTimeout, ContentTooLarge, UnsupportedMediaType, Unprocessable] as const

/** Outside of operations. */
const others: Record<number, { readonly title: string; readonly code: string; readonly detail: string }> = {
  400: { title: "Bad Request", code: "bad_request", detail: "the request cannot be read" },
  403: { title: "Forbidden", code: "bad_request", detail: "the form does not come from a page of this service" },
  404: { title: "Not Found", code: "not_found", detail: "no such path" },
  405: { title: "Method Not Allowed", code: "method_not_allowed", detail: "this path does not have this method" },
  408: { title: "Request Timeout", code: "request_timeout", detail: "the request did not arrive in time" },
  413: { title: "Content Too Large", code: "body_too_large", detail: "the body is too large" },
  431: {
    title: "Request Header Fields Too Large",
    code: "headers_too_large",
    detail: "the request's headers are too large",
  },
  500: { title: "Internal Server Error", code: "internal_error", detail: "an internal error, which was logged" },
  503: { title: "Service Unavailable", code: "unavailable", detail: "try again in a moment" },
}

export const otherCodes: ReadonlyArray<string> = Object.values(others).map(({ code }) => code)

export const problemOf = (status: number) => {
  const unnamed = { title: "Error", code: status < 500 ? "bad_request" : "internal_error", detail: `status ${status}` }
  const problem = others[status] ?? unnamed
  return { type: typeOf(problem.code), title: problem.title, status, detail: problem.detail, code: problem.code }
}
