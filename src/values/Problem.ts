/** Errors of requests, independent of HTTP. */
import { Predicate, Schema } from "effect"

/** Codes of validation errors in API responses; /openapi.json and the guide list them. */
export const fieldErrorCodes = [
  "required",
  "wrong_type",
  "not_one_of",
  "out_of_range",
  "too_long",
  "too_short",
  "too_few",
  "too_many",
  "blank",
  "duplicate",
  "not_found",
  "fixed",
  "refused_url",
  "unknown_event",
  "wrong_project",
  "invalid_email",
  "invalid_uuid",
  "invalid_date",
  "invalid_cursor",
  "invalid_key",
  "invalid",
  "unknown_parameter",
  "unknown_token",
  "unstorable_text",
  "unsafe_number",
  "too_large",
] as const

/** Codes of validation errors on pages and in commands only. */
const formErrorCodes = [
  "already_made",
  "guessable",
  "invalid_contact",
  "past",
  "taken",
  "wrong_code",
  "wrong_password",
] as const

export type FieldErrorCode = (typeof fieldErrorCodes)[number] | (typeof formErrorCodes)[number]

export const FieldError = Schema.Struct({
  pointer: Schema.String,
  code: Schema.Literals([...fieldErrorCodes, ...formErrorCodes]),
  message: Schema.String,
})
export type FieldError = typeof FieldError.Type

export const fieldError = (pointer: string, code: FieldErrorCode, message: string): FieldError => ({
  pointer,
  code,
  message,
})

export class Invalid extends Schema.TaggedError<Invalid>()("Invalid", { errors: Schema.Array(FieldError) }) {}

export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { record: Schema.String }) {}

export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", { record: Schema.String }) {}

/** `reason` names the record's state and what to do. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { reason: Schema.String }) {}

/** Seconds: Retry-After of requests that fail because of the database, another dependency, or a move of the organization. */
export const outageRetryAfter = 5

/**
 * A limit of the process is reached; the request succeeds later. HTTP answers 503 with `retryAfter` (seconds), also to
 * defects.
 */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  reason: Schema.String,
  retryAfter: Schema.Int,
}) {}

export const invalid = (pointer: string, code: FieldErrorCode, message: string) =>
  new Invalid({ errors: [fieldError(pointer, code, message)] })

/** Marks errors of an unavailable dependency, such as the blob store. */
export const dependency: unique symbol = Symbol.for("interview-invitations/values/Problem/dependency")

/** HTTP answers 503; a worker does not count the attempt. */
export const isOfDependency = (error: unknown): boolean => Predicate.hasProperty(error, dependency)
