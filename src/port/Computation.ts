/**
 * The port behind which candidates' texts are computed on outside of the main thread. A long text or a long list of
 * requirements takes seconds of CPU time and hundreds of megabytes there, and ends at limits of both.
 */
import { Context, type Effect, Schema } from "effect"
import type { EvaluationInput, EvaluationResult, EvaluatorOutput } from "../domain/Evaluation.ts"
import type { Person } from "../domain/Redaction.ts"

/** What can be computed: the input and the output of each function. */
export interface Computations {
  /** Covers the person's name and contacts in the sources. `isReadable`: there is something left to evaluate. */
  readonly redact: {
    readonly input: { readonly input: EvaluationInput; readonly person: Person }
    readonly output: { readonly input: EvaluationInput; readonly isReadable: boolean }
  }
  /** Rates by keywords; `today` is the current month as `monthOf` counts (adapter/keyword/facts/years.ts). */
  readonly rateByKeywords: {
    readonly input: { readonly input: EvaluationInput; readonly today: number }
    readonly output: EvaluatorOutput
  }
  /** Checks an evaluator's output on the redacted input, and puts its quotes back into the candidate's own words. */
  readonly conclude: {
    readonly input: {
      readonly input: EvaluationInput
      readonly redacted: EvaluationInput
      readonly output: EvaluatorOutput
    }
    readonly output: { readonly result: EvaluationResult } & Pick<EvaluatorOutput, "evaluator" | "model" | "raw">
  }
}

/** The computation met a limit of time or memory, or failed on this input. `reason` is a sentence for people. */
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
    /** Interrupting it ends the computation. A defect `Overloaded` says that no process could be started for it. */
    readonly run: <Name extends keyof Computations>(
      name: Name,
      input: Computations[Name]["input"],
    ) => Effect.Effect<Computations[Name]["output"], ComputationFailed>
  }
>()("interview-invitations/port/Computation") {}
