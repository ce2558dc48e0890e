/** Commands of the process that asks servers again and again for a small answer. */
import { Schema } from "effect"
import type { Command } from "../support/control.ts"

const command = <In, Out>(
  name: string,
  input: Schema.Codec<In, unknown>,
  output: Schema.Codec<Out, unknown>,
): Command<In, Out> => ({ name, input, output })

/** Begins to ask each of these addresses, one request after the other. */
export const watch = command("watch", Schema.Struct({ addresses: Schema.Array(Schema.String) }), Schema.Struct({}))

/** Milliseconds of the longest answer of each address since then, and how many answers it gave; ends the watch. */
export const seen = command(
  "seen",
  Schema.Struct({}),
  Schema.Array(Schema.Struct({ longest: Schema.Finite, answers: Schema.Int, failed: Schema.Int })),
)
