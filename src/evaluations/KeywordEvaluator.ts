/** The default evaluator, without network or model (keyword/RateByKeywords.ts). */
import { Clock, Effect, Layer } from "effect"
import { Computation } from "./computation/Computation.ts"
import { Evaluator } from "./Evaluator.ts"
import { monthOf } from "./keyword/facts/Years.ts"

/** Dies with `ComputationFailed`. */
export const layer: Layer.Layer<Evaluator, never, Computation> = Layer.effect(
  Evaluator,
  Effect.gen(function* () {
    const { run } = yield* Computation
    return Evaluator.of({
      evaluate: Effect.fn("KeywordEvaluator.evaluate")(function* (input) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const today = monthOf(now.getUTCFullYear(), now.getUTCMonth() + 1)
        return yield* Effect.orDie(run("rateByKeywords", { input, today }))
      }),
    })
  }),
)
