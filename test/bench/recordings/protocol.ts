/** The command of the candidates' process (servers/candidates.ts). */
import { Schema } from "effect"
import type { Command } from "../support/control.ts"

const Film = Schema.Struct({
  /** Of the recording. */
  seconds: Schema.Int,
  /** As a browser, a piece in `pieceSeconds`; else as fast as the pod takes them. */
  isPaced: Schema.Boolean,
  candidates: Schema.Array(Schema.Struct({ origin: Schema.String, token: Schema.String, question: Schema.String })),
})

const Sent = Schema.Struct({
  bytes: Schema.Int,
  /** Milliseconds of each piece, from its first byte sent to the response. */
  latencies: Schema.Array(Schema.Finite),
})

/** All candidates record the same film at once. Fails when a pod refuses something. */
export const record: Command<typeof Film.Type, typeof Sent.Type> = { name: "record", input: Film, output: Sent }
