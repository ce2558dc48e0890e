import { Schema } from "effect"

/** The measurement is invalid: a server did not do the expected work. */
export class BenchFailed extends Schema.TaggedError<BenchFailed>()("BenchFailed", { message: Schema.String }) {}
