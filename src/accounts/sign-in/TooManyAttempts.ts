/** The refusal of an attempt to sign in, and the period of its limit. */
import { Duration, Schema } from "effect"

export class TooManyAttempts extends Schema.TaggedError<TooManyAttempts>()("TooManyAttempts", {
  seconds: Schema.Int,
}) {
  static readonly of = (millis: number) => new TooManyAttempts({ seconds: Math.max(1, Math.ceil(millis / 1000)) })
}

/** In which failed attempts are counted, also at providers and of a member's own password. */
export const period = Duration.minutes(15)
