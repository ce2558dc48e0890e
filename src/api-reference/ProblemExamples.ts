/** Examples of problems by the name of the response. Each `detail` is a message of the service. */
import type { Example, ExampleMap } from "./OpenApiDocument.ts"

const problem = (status: number, title: string, code: string, detail: string, more: object = {}) => ({
  type: `/docs/errors#${code}`,
  title,
  status,
  detail,
  code,
  ...more,
})

const example = (summary: string, value: unknown): Example => ({ summary, value })

const invalid = (errors: ReadonlyArray<Record<"pointer" | "code" | "message", string>>) =>
  problem(422, "Unprocessable Content", "validation_failed", "the request has validation errors", { errors })

const reused = "this Idempotency-Key was used for another request: send a new key with each new request"
const running = "the first request with this Idempotency-Key is still running: repeat it in a moment"

export const problems: Readonly<Record<string, ExampleMap>> = {
  BadRequest: {
    bad_request: example(
      "The body is not JSON",
      problem(
        400,
        "Bad Request",
        "bad_request",
        "the body is not JSON: Unterminated string in JSON at position 10 (line 1 column 11)",
      ),
    ),
  },
  Unauthorized: {
    unauthorized: example(
      "No key",
      problem(401, "Unauthorized", "unauthorized", "send the API key in the X-API-Key header"),
    ),
  },
  Forbidden: {
    missing_scope: example(
      "The key lacks the scope",
      problem(403, "Forbidden", "missing_scope", "the API key lacks the scope create_set"),
    ),
  },
  NotFound: {
    not_found: example(
      "No such record",
      problem(404, "Not Found", "not_found", "no such interview set in this organization"),
    ),
  },
  RequestTimeout: {
    request_timeout: example(
      "The body arrived too late",
      problem(408, "Request Timeout", "request_timeout", "the body did not arrive within 30 seconds"),
    ),
  },
  Conflict: {
    conflict: example(
      "The record's state does not allow it",
      problem(409, "Conflict", "conflict", "the invitation was cancelled: invite the candidate again"),
    ),
    request_in_progress: example(
      "The first request is still running",
      problem(409, "Conflict", "request_in_progress", running),
    ),
  },
  ContentTooLarge: {
    body_too_large: example(
      "The body is too large",
      problem(413, "Content Too Large", "body_too_large", "the body is too large"),
    ),
  },
  UnsupportedMediaType: {
    unsupported_media_type: example(
      "The body is not sent as JSON",
      problem(
        415,
        "Unsupported Media Type",
        "unsupported_media_type",
        "the body must be JSON in UTF-8, sent with Content-Type: application/json",
      ),
    ),
  },
  Unprocessable: {
    create_set: example(
      "Validation errors of an interview set",
      invalid([
        { pointer: "#/title", code: "required", message: "is required" },
        {
          pointer: "#/iai_questions/0/question_type",
          code: "not_one_of",
          message: "must be text or checkbox or radio or file",
        },
      ]),
    ),
    invite: example(
      "Validation errors of an invite",
      invalid([
        {
          pointer: "#/candidates/1/ats_candidate_id",
          code: "duplicate",
          message: "must be unique within the request",
        },
        { pointer: "#/candidates/2/email", code: "required", message: "email or cv_link is required" },
      ]),
    ),
    idempotency_key_reused: example(
      "The Idempotency-Key belongs to another request",
      problem(422, "Unprocessable Content", "idempotency_key_reused", reused, { errors: [] }),
    ),
  },
  InvalidQuery: {
    query: example(
      "Validation error of a query",
      invalid([{ pointer: "#/limit", code: "out_of_range", message: "must be from 1 to 100" }]),
    ),
  },
  TooManyRequests: {
    rate_limited: example(
      "Too many requests",
      problem(429, "Too Many Requests", "rate_limited", "more than 600 requests in a minute: wait 17 seconds"),
    ),
  },
  InternalError: {
    internal_error: example(
      "Internal error",
      problem(500, "Internal Server Error", "internal_error", "this is our fault, and it was recorded"),
    ),
  },
  Unavailable: {
    unavailable: example(
      "Temporarily unavailable",
      problem(503, "Service Unavailable", "unavailable", "try again in a moment"),
    ),
  },
}
