import { Schema } from "effect"

/** What was measured is worth nothing: a server did not do the work; the message says what was wrong. */
export class BenchFailed extends Schema.TaggedError<BenchFailed>()("BenchFailed", { message: Schema.String }) {}
