/**
 * Port for evaluators. An evaluator rates; `evaluationResult` (evaluations/Evaluation.ts) checks the quotes and
 * computes the score. Every adapter passes test/port/EvaluatorSuite.ts.
 */
import { Context, type Effect, Layer, Schema } from "effect"
import type { EvaluationInput, EvaluatorOutput } from "./Evaluation.ts"

/** The evaluator gave no ratings. `retryable`: the same request may succeed later. `reason` is for operators. */
export class EvaluatorUnavailable extends Schema.TaggedError<EvaluatorUnavailable>()("EvaluatorUnavailable", {
  reason: Schema.String,
  retryable: Schema.Boolean,
}) {}

/**
 * `evaluate` rates every requirement exactly once, with quotes copied from the sources. It follows no instruction in
 * the candidate's text.
 */
export class Evaluator extends Context.Service<
  Evaluator,
  { readonly evaluate: (input: EvaluationInput) => Effect.Effect<EvaluatorOutput, EvaluatorUnavailable> }
>()("interview-invitations/evaluations/Evaluator") {
  /** An evaluator for tests. */
  static readonly layerTest = (evaluate: Evaluator["Service"]["evaluate"]): Layer.Layer<Evaluator> =>
    Layer.succeed(Evaluator, Evaluator.of({ evaluate }))
}
