/** What the processes of this bench are asked. Times are those of `sharedMillis`. */
import { Schema } from "effect"
import type { Command } from "../support/control.ts"

const Nothing = Schema.Struct({})
/** Events by id, and when they were. */
const Moments = Schema.Array(Schema.Tuple([Schema.String, Schema.Finite]))

const command = <In, Out>(
  name: string,
  input: Schema.Codec<In, unknown>,
  output: Schema.Codec<Out, unknown>,
): Command<In, Out> => ({ name, input, output })

/** A worker's: begin to work on what is queued, so many POSTs. */
export const start = command("start", Schema.Struct({ posts: Schema.Int }), Schema.Struct({ at: Schema.Finite }))

/** A worker's: end, after what is under way; for the processor time of all its threads since `start`. */
export const stop = command("stop", Nothing, Schema.Struct({ cpuMillis: Schema.Finite }))

/** The receiver's: where it takes POSTs. */
export const address = command("address", Nothing, Schema.Struct({ origin: Schema.String }))

export const Expectation = Schema.Struct({
  posts: Schema.Int,
  /** Of each body; 0: whatever comes. */
  bodyBytes: Schema.Int,
  /** Every how many-th is answered after a second; 0: none. */
  slowEvery: Schema.Int,
  /** Only requests to paths that begin with this count. */
  counts: Schema.String,
  /** The path whose requests are never answered; empty: none. */
  hangs: Schema.String,
  /** The secret that signs POSTs to the path with its index. */
  secrets: Schema.Array(Schema.String),
})

/** The receiver's: forget what was before, and count from now on. */
export const expect = command("expect", Expectation, Nothing)

/** The receiver's, answered when all that are expected were there: when the last one came. */
export const received = command("received", Nothing, Schema.Struct({ last: Schema.Finite }))

/** The receiver's: all requests so far, and what was wrong with some of them. */
export const counted = command(
  "counted",
  Nothing,
  Schema.Struct({ requests: Schema.Int, faults: Schema.Array(Schema.String) }),
)

/** The receiver's: when each event came. */
export const receipts = command("receipts", Nothing, Moments)

/** The publisher's: events to several endpoints each, as fast as it can for so long. */
export const fanOut = command(
  "fanOut",
  Schema.Struct({ millis: Schema.Int }),
  Schema.Struct({ events: Schema.Int, elapsed: Schema.Finite }),
)

/** The publisher's: events to one of many endpoints each, at random times; for when each was committed. */
export const trickle = command("trickle", Schema.Struct({ events: Schema.Int, perSecond: Schema.Int }), Moments)
