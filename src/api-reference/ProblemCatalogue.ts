/** Every error and warning of the API, for the guide of /docs and for docs/errors.md. */
import type { fieldErrorCodes } from "../values/Problem.ts"
import type { warningCodes } from "../values/Warning.ts"

export interface ProblemRow {
  readonly status: number
  readonly code: string
  readonly when: string
  readonly remedy: string
  /** Whether a program should send the same request again. */
  readonly retry: string
}

const row = (status: number, code: string, when: string, remedy: string, retry = "no"): ProblemRow => ({
  status,
  code,
  when,
  remedy,
  retry,
})

export const problemCatalogue: ReadonlyArray<ProblemRow> = [
  row(400, "bad_request", "The body is not JSON in UTF-8, or is incomplete", "Correct the request"),
  row(
    401,
    "unauthorized",
    "The API key is missing, malformed, unknown, deleted, inactive or expired",
    "Check the API key",
  ),
  row(403, "missing_scope", "The API key lacks the scope", "Use a key with the scope"),
  row(
    404,
    "not_found",
    "Your organization has no such record, it was deleted, or the path is unknown",
    "Check the id; for an unknown path, `detail` may suggest an operation",
  ),
  row(405, "method_not_allowed", "The path does not support this method; `Allow` lists the methods", "Follow `detail`"),
  row(408, "request_timeout", "The body did not arrive within 30 seconds", "Retry", "yes"),
  row(
    409,
    "conflict",
    "The record's state does not allow it; `detail` names the next step",
    "Follow `detail`",
    "no; the same Idempotency-Key returns the same response",
  ),
  row(
    409,
    "request_in_progress",
    "The first request with this Idempotency-Key is still running",
    "Retry in a moment",
    "yes, after a second",
  ),
  row(413, "body_too_large", "The body is larger than {max_body}", "Split the request"),
  row(415, "unsupported_media_type", "The body is not sent as plain `application/json`", "Correct the request"),
  row(422, "validation_failed", "Validation errors, listed in `errors`", "Correct the fields in `errors`"),
  row(422, "idempotency_key_reused", "The Idempotency-Key was used with another request", "Use a new key"),
  row(429, "rate_limited", "Too many requests", "Wait for the seconds in `Retry-After`", "yes, after `Retry-After`"),
  row(431, "headers_too_large", "The headers exceed the server's limit", "Correct the request"),
  row(
    500,
    "internal_error",
    "An error of this service; nothing was stored",
    "Retry with the same Idempotency-Key",
    "yes, with backoff",
  ),
  row(
    503,
    "unavailable",
    "The service is temporarily unavailable",
    "Wait for the seconds in `Retry-After`, then retry",
    "yes, after `Retry-After`",
  ),
]

/** What each code of a validation error means. */
export const fieldCodes: Readonly<Record<(typeof fieldErrorCodes)[number], string>> = {
  required: "missing, or `null`",
  wrong_type: "not of the expected JSON type, or `null` as a text of `metadata`",
  not_one_of: "not one of the allowed values, which `message` lists",
  out_of_range: "a number below the minimum or above the maximum",
  too_long: "a text that is too long",
  too_short: "a text that is too short",
  too_few: "a list with too few items",
  too_many: "a list or an object with too many items",
  blank: "a text without a visible character",
  duplicate: "not unique within the request",
  not_found: "not the id of a record of your organization",
  refused_url: "a URL that is not allowed for webhooks",
  unknown_event: "not an event or sub-event",
  wrong_project: "an interview set of another project",
  invalid_email: "not an email address",
  invalid_uuid: "not a UUID",
  invalid_date: "not an ISO 8601 date",
  invalid_cursor: "not a cursor of this list",
  invalid_key: "a name in `metadata` that is not allowed",
  invalid: "wrong in another way, which `message` explains",
  unknown_parameter: "a query parameter that the operation does not have; `message` lists its parameters",
  unknown_token: "an unknown name in double braces in `invitation_message`",
  unstorable_text: "U+0000 or an unpaired surrogate",
  unsafe_number: "a number that a double cannot represent exactly",
  too_large: "a body with too many values or levels",
}

/** What each code of a warning means; the warnings are beside the results of a request that was performed. */
export const warningMeanings: Readonly<Record<(typeof warningCodes)[number], string>> = {
  unknown_field:
    "The operation has no such field, so it was ignored. Objects with any keys (`attributes`, `metadata`) have no unknown fields. If several items of a list have the field, one warning counts them",
  unknown_parameter:
    "The operation takes no query parameters, so this one was ignored. Lists refuse unknown ones with 422",
  duplicate_person:
    "The candidate is the same person as an earlier one of the request, so both have the same result. Names, `external_id`, `metadata` and `cv_link` of the later one count where it has them, as in separate requests; `email` and `ats_candidate_id` are those of the first one that has them",
}
