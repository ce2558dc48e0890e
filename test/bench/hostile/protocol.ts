/** Commands of the probe process (servers/probe.ts). */
import { Schema } from "effect"
import type { Command } from "../support/control.ts"

const command = <In, Out>(
  name: string,
  input: Schema.Codec<In, unknown>,
  output: Schema.Codec<Out, unknown>,
): Command<In, Out> => ({ name, input, output })

/** Starts sending requests to each address, one at a time. */
export const watch = command("watch", Schema.Struct({ addresses: Schema.Array(Schema.String) }), Schema.Struct({}))

/** Stops sending. Returns the longest response time in milliseconds and the number of responses of each address. */
export const stop = command(
  "stop",
  Schema.Struct({}),
  Schema.Array(Schema.Struct({ longest: Schema.Finite, answers: Schema.Int, failed: Schema.Int })),
)
