/** Errors of requests, independent of HTTP. */
import { Predicate, Schema } from "effect"

export const FieldError = Schema.Struct({
  pointer: Schema.String.annotate({
    description: "Where: a JSON pointer as a URI fragment (RFC 6901); of a query parameter or a header its name",
  }),
  code: Schema.String.annotate({ description: "What is wrong, for programs" }),
  message: Schema.String.annotate({ description: "What is wrong, for people" }),
}).annotate({
  identifier: "Fault",
})
export type FieldError = typeof FieldError.Type

export class Invalid extends Schema.TaggedError<Invalid>()("Invalid", { errors: Schema.Array(FieldError) }) {}

export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { record: Schema.String }) {}

export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", { record: Schema.String }) {}

/** `reason` names the record's state and what to do. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { reason: Schema.String }) {}

/**
 * A limit of the process is reached; the request succeeds later. HTTP answers 503 with `retryAfter` (seconds), also to
 * defects.
 */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  reason: Schema.String,
  retryAfter: Schema.Int,
}) {}

export const invalid = (pointer: string, code: string, message: string) =>
  new Invalid({ errors: [{ pointer, code, message }] })

/** Marks errors of an unavailable dependency, such as the blob store. */
export const dependency: unique symbol = Symbol.for("interview-invitations/values/Problem/dependency")

/** HTTP answers 503; a worker does not count the attempt. */
export const isOfDependency = (error: unknown): boolean => Predicate.hasProperty(error, dependency)
