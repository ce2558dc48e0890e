/** A pod whose evaluator kills the process when an answer contains "kill the process". */
import { Effect } from "effect"
import { Evaluator } from "../../../src/evaluations/Evaluator.ts"
import { run } from "../../../src/main.ts"
import { strong } from "../../support/Pod.ts"

run({
  evaluator: Evaluator.layerTest((input) =>
    input.sources.some(({ text }) => text.includes("kill the process"))
      ? Effect.andThen(
          Effect.sync(() => process.kill(process.pid, "SIGKILL")),
          Effect.never,
        )
      : strong(input),
  ),
})
