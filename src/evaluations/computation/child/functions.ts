/** The functions behind the Computation port. They run in the child process (evaluations/computation/ChildComputation.ts). Pure. */
import { evaluationResult, isReadable, storable, storableJson } from "../../Evaluation.ts"
import { rateByKeywords } from "../../keyword/evaluate.ts"
import { inOwnWords, redacted } from "../../Redaction.ts"
import type { Computations } from "../Computation.ts"

export type Functions = {
  readonly [Name in keyof Computations]: (input: Computations[Name]["input"]) => Computations[Name]["output"]
}

export const functions: Functions = {
  redact: ({ input, person }) => {
    const covered = redacted(input, person)
    return { input: covered, isReadable: isReadable(covered.sources) }
  },
  rateByKeywords: ({ input, today }) => rateByKeywords(input, today),
  conclude: ({ input, output, redacted }) => ({
    result: inOwnWords(evaluationResult(redacted, output), input, redacted),
    evaluator: storable(output.evaluator),
    model: output.model === null ? null : storable(output.model),
    raw: storableJson(output.raw),
  }),
}
