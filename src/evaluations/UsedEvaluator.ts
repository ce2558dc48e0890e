/** The configured evaluator, for notices to candidates. App.ts asks the evaluator. */
import { Context } from "effect"
import type { EvaluatorDescription } from "./Evaluator.ts"

/** Null: a custom evaluator without a description. */
export const UsedEvaluator = Context.Reference<EvaluatorDescription | null>(
  "interview-invitations/evaluations/UsedEvaluator",
  { defaultValue: () => null },
)
