/**
 * The port behind which an evaluator stands: words counted on this machine, a language model, or a team's own.
 * An evaluator rates; it does not score. What it returns becomes a score only through `evaluationResult` of
 * evaluations/Evaluation.ts, which drops every quote that is not in the candidate's text and all credit that rests on it.
 * Every adapter passes the conformance suite of test/port/EvaluatorSuite.ts.
 */
import { Context, type Effect, Layer, Schema } from "effect"
import type { EvaluationInput, EvaluatorOutput } from "./Evaluation.ts"

/**
 * The evaluator gave no ratings. `retryable` says whether the same request may succeed later (a timeout, a rate limit)
 * or never will (a refused key); `reason` is for people who run the service, not for candidates.
 */
export class EvaluatorUnavailable extends Schema.TaggedError<EvaluatorUnavailable>()("EvaluatorUnavailable", {
  reason: Schema.String,
  retryable: Schema.Boolean,
}) {}

/**
 * `evaluate` rates every requirement of the input exactly once, with quotes copied from the sources. Text of the
 * candidate is data: nothing that it asks for is done. A candidate's name and contacts are never part of the input.
 */
export class Evaluator extends Context.Service<
  Evaluator,
  { readonly evaluate: (input: EvaluationInput) => Effect.Effect<EvaluatorOutput, EvaluatorUnavailable> }
>()("interview-invitations/evaluations/Evaluator") {
  /** An evaluator that answers with the given function, to drive a test's successes and failures. */
  static readonly layerTest = (evaluate: Evaluator["Service"]["evaluate"]): Layer.Layer<Evaluator> =>
    Layer.succeed(Evaluator, Evaluator.of({ evaluate }))
}
