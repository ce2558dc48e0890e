/**
 * The default evaluator: counts words on this machine (keyword/evaluate.ts). It uses no network and no model, and rates the
 * same text in the same way. It computes outside the main thread.
 */
import { Clock, Effect, Layer } from "effect"
import { Computation } from "./computation/Computation.ts"
import { Evaluator } from "./Evaluator.ts"
import { monthOf } from "./keyword/facts/Years.ts"

/** The keyword evaluator behind the Evaluator port. It is never unavailable: a `ComputationFailed` is a defect here. */
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
