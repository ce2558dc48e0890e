/** The measured evaluator: the one that EVALUATOR, MODEL_… and EMBEDDINGS_… choose, by keywords by default. */
import { Clock, Effect, Layer } from "effect"
import { embeddings, evaluator } from "../../../src/config/AdapterSettings.ts"
import { Embedder } from "../../../src/evaluations/Embedder.ts"
import { type EvaluationInput, evaluationResult } from "../../../src/evaluations/Evaluation.ts"
import { Evaluator } from "../../../src/evaluations/Evaluator.ts"
import * as KeywordEvaluator from "../../../src/evaluations/KeywordEvaluator.ts"
import * as ModelEvaluator from "../../../src/evaluations/ModelEvaluator.ts"
import * as OpenAiEmbedder from "../../../src/evaluations/OpenAiEmbedder.ts"
import { inProcess } from "../../support/Computation.ts"

const embedder = Layer.unwrap(
  Effect.map(embeddings, (settings) => (settings === undefined ? Embedder.off : OpenAiEmbedder.layer(settings))),
)

export const configuredEvaluator = Layer.unwrap(
  Effect.map(evaluator, (settings) =>
    settings._tag === "keyword"
      ? KeywordEvaluator.layer.pipe(Layer.provide([inProcess, embedder]))
      : ModelEvaluator.layer(settings),
  ),
)

export const byKeywords = "by keywords"

/** Also the head of its column. */
export const configuredName = Effect.gen(function* () {
  const settings = yield* evaluator
  if (settings._tag === "model") return settings.name
  const embedding = yield* embeddings
  return embedding === undefined ? byKeywords : `${byKeywords} with ${embedding.name}`
})

const today = Date.UTC(2026, 10, 21)
const nanos = BigInt(today) * 1_000_000n

/** A clock with a fixed date, so that "since 2018" is the same number of years in every run. Delays last as usual. */
export const fixedDate = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (clock) => ({
    currentTimeMillisUnsafe: () => today,
    currentTimeMillis: Effect.succeed(today),
    currentTimeNanosUnsafe: () => nanos,
    currentTimeNanos: Effect.succeed(nanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration),
  })),
)

/** A request to a model lasts seconds; requests beyond this number wait. */
export const concurrency = 4

export const outputOf = Effect.fnUntraced(function* (input: EvaluationInput) {
  return yield* (yield* Evaluator).evaluate(input)
})

export const resultOf = (input: EvaluationInput) =>
  Effect.map(outputOf(input), (output) => evaluationResult(input, output))
