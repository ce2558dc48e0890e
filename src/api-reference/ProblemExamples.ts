/** Examples of problems by the name of the response. Each `detail` is a message of the service. */
import { Schema } from "effect"
import * as Problems from "../platform/http/ProblemApi.ts"
import type { FieldError } from "../values/Problem.ts"
import type { Example, ExampleMap } from "./OpenApiDocument.ts"

const encode = Schema.encodeSync(
  Schema.Union([
    ...Problems.bodyProblems,
    Problems.Unauthorized,
    Problems.Forbidden,
    Problems.NotFound,
    Problems.Conflict,
    Problems.RangeNotSatisfiable,
    Problems.RequestInProgress,
    Problems.IdempotencyKeyReused,
    Problems.TooManyRequests,
    Problems.InternalError,
    Problems.Unavailable,
  ]),
)

const exampleOf = (summary: string, problem: Parameters<typeof encode>[0]): Example => ({
  summary,
  value: encode(problem),
})

/** By its code. */
const example = (summary: string, problem: Parameters<typeof encode>[0]): ExampleMap => ({
  [problem.code]: exampleOf(summary, problem),
})

const invalid = (errors: ReadonlyArray<FieldError>) =>
  new Problems.Unprocessable({ detail: "the request has validation errors", errors })

export const problems: Readonly<Record<string, ExampleMap>> = {
  BadRequest: example(
    "The body is not JSON",
    new Problems.BadRequest({
      detail: "the body is not JSON: Unterminated string in JSON at position 10 (line 1 column 11)",
    }),
  ),
  Unauthorized: example("No key", new Problems.Unauthorized({ detail: "send the API key in the X-API-Key header" })),
  Forbidden: example(
    "The key lacks the scope",
    new Problems.Forbidden({ detail: "the API key lacks the scope create_set" }),
  ),
  NotFound: example("No such record", new Problems.NotFound({ detail: "no such interview set in this organization" })),
  RequestTimeout: example(
    "The body arrived too late",
    new Problems.RequestTimeout({ detail: "the body did not arrive within 30 seconds" }),
  ),
  Conflict: {
    ...example(
      "The record's state does not allow it",
      new Problems.Conflict({ detail: "the invitation was cancelled: invite the candidate again" }),
    ),
    ...example(
      "The first request is still running",
      new Problems.RequestInProgress({
        detail: "the first request with this Idempotency-Key is still running: repeat it in a moment",
      }),
    ),
  },
  ContentTooLarge: example("The body is too large", new Problems.ContentTooLarge({ detail: "the body is too large" })),
  UnsupportedMediaType: example(
    "The body is not sent as JSON",
    new Problems.UnsupportedMediaType({
      detail: "the body must be JSON in UTF-8, sent with Content-Type: application/json",
    }),
  ),
  RangeNotSatisfiable: example(
    "The range begins behind the end",
    new Problems.RangeNotSatisfiable({ detail: "the recording has 48213 bytes, and none of the range" }),
  ),
  Unprocessable: {
    create_set: exampleOf(
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
    invite: exampleOf(
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
    ...example(
      "The Idempotency-Key belongs to another request",
      new Problems.IdempotencyKeyReused({
        detail: "this Idempotency-Key was used for another request: send a new key with each new request",
        errors: [],
      }),
    ),
  },
  InvalidQuery: {
    query: exampleOf(
      "Validation error of a query",
      invalid([{ pointer: "#/limit", code: "out_of_range", message: "must be from 1 to 100" }]),
    ),
  },
  TooManyRequests: example(
    "Too many requests",
    new Problems.TooManyRequests({ detail: "more than 600 requests in a minute: wait 17 seconds" }),
  ),
  InternalError: example(
    "Internal error",
    new Problems.InternalError({ detail: "this is our fault, and it was recorded" }),
  ),
  Unavailable: example("Temporarily unavailable", new Problems.Unavailable({ detail: "try again in a moment" })),
}
