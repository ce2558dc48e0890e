/** What can be wrong with a request, apart from how HTTP says it. */
import { Predicate, Schema } from "effect"

/** One fault of a request: where (JSON pointer as a URI fragment, RFC 6901), what for programs, what for people. */
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

/** The request is well-formed and asks for something that can not be. Lists every fault, not the first one. */
export class Invalid extends Schema.TaggedError<Invalid>()("Invalid", { errors: Schema.Array(FieldError) }) {}

/** No live record of the caller's organization has this id. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { record: Schema.String }) {}

/** The record is there, and the member may not see it. */
export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", { record: Schema.String }) {}

/** The record is in a state that does not allow it; `reason` says which, and what to do instead. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { reason: Schema.String }) {}

/**
 * The process has reached one of its own limits (memory for bodies, password hashing, database connections). The same request
 * succeeds later. HTTP answers 503 with `Retry-After: retryAfter` (seconds), for the failure and for the defect.
 */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  reason: Schema.String,
  retryAfter: Schema.Int,
}) {}

/** An Invalid with a single fault. */
export const invalid = (pointer: string, code: string, message: string) =>
  new Invalid({ errors: [{ pointer, code, message }] })

/** Marks errors of a dependency that does not answer, such as the blob store. */
export const dependency: unique symbol = Symbol.for("interview-invitations/values/Problem/dependency")

/** True for errors of a dependency that does not answer. HTTP answers 503; a worker does not count the attempt. */
export const isOfDependency = (error: unknown): boolean => Predicate.hasProperty(error, dependency)
