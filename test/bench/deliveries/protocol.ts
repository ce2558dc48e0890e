/** Commands to the processes of this bench. Times are those of `sharedMillis`. */
import { Schema } from "effect"
import type { Command } from "../support/control.ts"

const Nothing = Schema.Struct({})
const Moments = Schema.Array(Schema.Tuple([Schema.String, Schema.Finite]))

const command = <In, Out>(
  name: string,
  input: Schema.Codec<In, unknown>,
  output: Schema.Codec<Out, unknown>,
): Command<In, Out> => ({ name, input, output })

/** Worker: starts sending the `posts` queued POSTs; returns the start time. */
export const start = command("start", Schema.Struct({ posts: Schema.Int }), Schema.Struct({ at: Schema.Finite }))

/** Worker: stops after the POSTs in flight; returns the CPU time of all its threads since `start`. */
export const stop = command("stop", Nothing, Schema.Struct({ cpuMillis: Schema.Finite }))

/** Receiver: returns the origin for POSTs. */
export const address = command("address", Nothing, Schema.Struct({ origin: Schema.String }))

export const Expectation = Schema.Struct({
  posts: Schema.Int,
  /** Expected size of each body; 0 accepts any. */
  bodyBytes: Schema.Int,
  /** Every n-th response is delayed by a second; 0 delays none. */
  slowEvery: Schema.Int,
  /** Counts only requests whose path begins with this. */
  counts: Schema.String,
  /** The path that never gets a response, or empty. */
  hangs: Schema.String,
  /** Signing secrets; the path `/i` uses the secret with index `i`. */
  secrets: Schema.Array(Schema.String),
})

/** Receiver: sets what it expects and resets its counters. */
export const expect = command("expect", Expectation, Nothing)

/** Receiver: waits for all expected POSTs; returns the time of the last. */
export const received = command("received", Nothing, Schema.Struct({ last: Schema.Finite }))

/** Receiver: returns the number of requests and up to five errors in them. */
export const counted = command(
  "counted",
  Nothing,
  Schema.Struct({ requests: Schema.Int, errors: Schema.Array(Schema.String) }),
)

/** Receiver: returns when it received each event. */
export const receipts = command("receipts", Nothing, Moments)

/** Publisher: publishes events to several endpoints each for `millis`, without pauses. */
export const fanOut = command(
  "fanOut",
  Schema.Struct({ millis: Schema.Int }),
  Schema.Struct({ events: Schema.Int, elapsed: Schema.Finite }),
)

/** Publisher: publishes events to one endpoint each at random times; returns when each was committed. */
export const trickle = command("trickle", Schema.Struct({ events: Schema.Int, perSecond: Schema.Int }), Moments)
