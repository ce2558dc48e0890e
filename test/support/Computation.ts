/** Layers that compute in the test process, without a child process. */
import { Effect, Layer } from "effect"
import { Computation } from "../../src/evaluations/computation/Computation.ts"
import { functions } from "../../src/evaluations/computation/child/functions.ts"
import { Embedder } from "../../src/evaluations/Embedder.ts"
import * as KeywordEvaluator from "../../src/evaluations/KeywordEvaluator.ts"

export const inProcess = Layer.succeed(
  Computation,
  Computation.of({ run: (name, input) => Effect.sync(() => functions[name](input)) }),
)

export const keywordEvaluator = KeywordEvaluator.layer.pipe(Layer.provide([inProcess, Embedder.off]))
