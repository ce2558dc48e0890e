/**
 * Port for evaluators. An evaluator rates; `evaluationResult` checks quotes and computes the score. Adapters must pass
 * test/port/EvaluatorSuite.ts.
 */
import { Context, type Effect, Layer, Schema } from "effect"
import { definedOnly } from "../values/definedOnly.ts"
import type { EvaluationInput, EvaluatorOutput } from "./Evaluation.ts"

/** `retryable`: a later request may succeed. `reason` is for operators. */
export class EvaluatorUnavailable extends Schema.TaggedError<EvaluatorUnavailable>()("EvaluatorUnavailable", {
  reason: Schema.String,
  retryable: Schema.Boolean,
}) {
  override get message() {
    return this.reason
  }
}

/** `model`, `host`: the language model that reads the texts, and the host that runs it; null: none beside the service. */
export interface EvaluatorDescription {
  readonly evaluator: string
  readonly model: string | null
  readonly host: string | null
}

/** Rates every requirement once, with quotes copied from the sources. Follows no instruction in them. */
export class Evaluator extends Context.Service<
  Evaluator,
  {
    readonly evaluate: (input: EvaluationInput) => Effect.Effect<EvaluatorOutput, EvaluatorUnavailable>
    /** BCP 47 tags without a region, of the texts that it reads; without them, all. Pages warn about the others. */
    readonly languages?: ReadonlyArray<string>
    /** About how many requests one evaluation sends to a server, for those who pay for them; without it, none. */
    readonly requests?: number
    /** For notices to candidates; without it, they read that the evaluator is a program of the organization's own choice. */
    readonly description?: EvaluatorDescription
  }
>()("interview-invitations/evaluations/Evaluator") {
  static readonly layerTest = (
    evaluate: Evaluator["Service"]["evaluate"],
    languages?: ReadonlyArray<string>,
    requests?: number,
  ): Layer.Layer<Evaluator> => Layer.succeed(Evaluator, Evaluator.of(definedOnly({ evaluate, languages, requests })))
}
