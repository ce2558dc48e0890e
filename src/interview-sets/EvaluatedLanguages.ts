/** The languages whose texts the configured evaluator reads, for warnings on pages. App.ts asks the evaluator. */
import { Context } from "effect"

/** BCP 47 tags without a region; null: all. */
export const EvaluatedLanguages = Context.Reference<ReadonlyArray<string> | null>(
  "interview-invitations/interview-sets/EvaluatedLanguages",
  { defaultValue: () => null },
)
