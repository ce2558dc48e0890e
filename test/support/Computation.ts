/** Computes in the test process, without a child process. */
import { Effect, Layer } from "effect"
import { functions } from "../../src/adapter/computation/functions.ts"
import * as KeywordEvaluator from "../../src/adapter/KeywordEvaluator.ts"
import { Computation } from "../../src/port/Computation.ts"

export const inProcess = Layer.succeed(
  Computation,
  Computation.of({ run: (name, input) => Effect.sync(() => functions[name](input)) }),
)

/** The keyword evaluator, computing in the process of the test. */
export const keywordEvaluator = KeywordEvaluator.layer.pipe(Layer.provide(inProcess))
