/** Port for computations on candidates' texts, with limits of time and memory. */
import { Context, type Effect, Schema } from "effect"
import type { EvaluationInput, EvaluationResult, EvaluatorOutput } from "../Evaluation.ts"
import type { ComparedTexts, Embeddings } from "../keyword/Similarity.ts"
import type { Person } from "../Redaction.ts"

export interface Computations {
  /** `isReadable`: a letter or digit is left. */
  readonly redact: {
    readonly input: { readonly input: EvaluationInput; readonly person: Person }
    readonly output: { readonly input: EvaluationInput; readonly isReadable: boolean }
  }
  /** The texts whose embeddings `rateByKeywords` needs. */
  readonly textsToCompare: {
    readonly input: { readonly input: EvaluationInput; readonly today: number }
    readonly output: ComparedTexts
  }
  /** `today`: see `monthOf` (keyword/facts/Years.ts). Without `embeddings`, it rates by words alone. */
  readonly rateByKeywords: {
    readonly input: {
      readonly input: EvaluationInput
      readonly today: number
      readonly embeddings: Embeddings | null
    }
    readonly output: EvaluatorOutput
  }
  /** Checks the quotes, computes the score and restores redacted quotes. */
  readonly conclude: {
    readonly input: {
      readonly input: EvaluationInput
      readonly redacted: EvaluationInput
      readonly output: EvaluatorOutput
    }
    readonly output: { readonly result: EvaluationResult } & Pick<EvaluatorOutput, "evaluator" | "model" | "raw">
  }
}

/** `reason` is a sentence that recruiters read. */
export class ComputationFailed extends Schema.TaggedError<ComputationFailed>()("ComputationFailed", {
  reason: Schema.String,
}) {
  override get message() {
    return this.reason
  }
}

export class Computation extends Context.Service<
  Computation,
  {
    /** Interruption ends the computation. Dies with Overloaded when no process could be started. */
    readonly run: <Name extends keyof Computations>(
      name: Name,
      input: Computations[Name]["input"],
    ) => Effect.Effect<Computations[Name]["output"], ComputationFailed>
  }
>()("interview-invitations/evaluations/computation/Computation") {}
