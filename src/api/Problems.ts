/**
 * The one error shape of the API (RFC 9457, application/problem+json): type, title, status, detail, code, and for
 * validation every fault with its JSON pointer.
 */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { Fault } from "../domain/Problem.ts"

const type = "about:blank"

/** The body is not JSON. */
export class BadRequest extends HttpApiError.Problem<BadRequest>()(
  "BadRequest",
  { type, status: 400, title: "Bad Request" },
  { code: Schema.Literal("bad_request") },
) {}

/** The key is missing, malformed, unknown, deleted, inactive or expired. */
export class Unauthorized extends HttpApiError.Problem<Unauthorized>()(
  "Unauthorized",
  { type, status: 401, title: "Unauthorized" },
  { code: Schema.Literal("unauthorized") },
) {}

/** The key lacks the scope. */
export class Forbidden extends HttpApiError.Problem<Forbidden>()(
  "Forbidden",
  { type, status: 403, title: "Forbidden" },
  { code: Schema.Literal("missing_scope") },
) {}

/** No such path, or no live record of this organization with that id. */
export class NotFound extends HttpApiError.Problem<NotFound>()(
  "NotFound",
  { type, status: 404, title: "Not Found" },
  { code: Schema.Literal("not_found") },
) {}

/** The request is JSON and breaks a rule; `errors` lists every fault. */
export class Unprocessable extends HttpApiError.Problem<Unprocessable>()(
  "Unprocessable",
  { type, status: 422, title: "Unprocessable Content" },
  { code: Schema.Literal("validation_failed"), errors: Schema.Array(Fault) },
) {}

/** The rest of the statuses, which the server answers before or beside the contract. */
const others: Record<number, { readonly title: string; readonly code: string; readonly detail: string }> = {
  400: { title: "Bad Request", code: "bad_request", detail: "the request can not be read; the body must be JSON" },
  404: { title: "Not Found", code: "not_found", detail: "there is nothing at this path" },
  405: { title: "Method Not Allowed", code: "method_not_allowed", detail: "this path does not take this method" },
  408: { title: "Request Timeout", code: "request_timeout", detail: "the request did not arrive in time" },
  413: { title: "Content Too Large", code: "body_too_large", detail: "the body is larger than this server takes" },
  415: {
    title: "Unsupported Media Type",
    code: "unsupported_media_type",
    detail: "the body must be sent as Content-Type: application/json",
  },
  500: { title: "Internal Server Error", code: "internal_error", detail: "this is our fault, and it was recorded" },
  503: { title: "Service Unavailable", code: "unavailable", detail: "try again in a moment" },
}

/** The problem of a status that no endpoint declares. */
export const problemOf = (status: number) => {
  const { code, detail, title } = others[status] ?? { title: "Error", code: "error", detail: `status ${status}` }
  return { type, title, status, detail, code }
}
