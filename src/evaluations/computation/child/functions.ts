/** The functions of the Computation port; messages between parent and child. */
import { evaluationResult, isReadable, storable, storableJson } from "../../Evaluation.ts"
import { rateByKeywords, textsToCompare } from "../../keyword/RateByKeywords.ts"
import { inOwnWords, redact } from "../../Redaction.ts"
import type { Computations } from "../Computation.ts"

export interface Request<Name extends keyof Computations> {
  readonly name: Name
  readonly input: Computations[Name]["input"]
}

export type Answer<Name extends keyof Computations> =
  | { readonly _tag: "Computed"; readonly output: Computations[Name]["output"] }
  | { readonly _tag: "Failed"; readonly message: string }

export type Functions = {
  readonly [Name in keyof Computations]: (input: Computations[Name]["input"]) => Computations[Name]["output"]
}

export const functions: Functions = {
  redact: ({ input, person }) => {
    const covered = redact(input, person)
    return { input: covered, isReadable: isReadable(covered.sources) }
  },
  textsToCompare: ({ input, today }) => textsToCompare(input, today),
  rateByKeywords: ({ embeddings, input, today }) => rateByKeywords(input, today, embeddings),
  conclude: ({ input, output, redacted }) => ({
    result: inOwnWords(evaluationResult(redacted, output), input, redacted),
    evaluator: storable(output.evaluator),
    model: output.model === null ? null : storable(output.model),
    raw: storableJson(output.raw),
  }),
}
