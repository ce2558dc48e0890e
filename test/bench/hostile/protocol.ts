/** Commands of the probe process, which sends small requests to servers continuously. */
import { Schema } from "effect"
import type { Command } from "../support/control.ts"

const command = <In, Out>(
  name: string,
  input: Schema.Codec<In, unknown>,
  output: Schema.Codec<Out, unknown>,
): Command<In, Out> => ({ name, input, output })

/** Starts to send requests to each address, one at a time. */
export const watch = command("watch", Schema.Struct({ addresses: Schema.Array(Schema.String) }), Schema.Struct({}))

/** Ends the watch. Returns for each address its longest answer in milliseconds and its number of answers. */
export const seen = command(
  "seen",
  Schema.Struct({}),
  Schema.Array(Schema.Struct({ longest: Schema.Finite, answers: Schema.Int, failed: Schema.Int })),
)
