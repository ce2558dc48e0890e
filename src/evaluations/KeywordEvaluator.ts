/** The default evaluator (keyword/RateByKeywords.ts). It uses the network only if embeddings are on. */
import { Cache, Clock, Duration, Effect, Exit, Layer, Request, RequestResolver } from "effect"
import { Computation } from "./computation/Computation.ts"
import { Embedder, EmbedderUnavailable, type TextEmbedder, type Vector } from "./Embedder.ts"
import type { EvaluationInput } from "./Evaluation.ts"
import { Evaluator, EvaluatorUnavailable } from "./Evaluator.ts"
import { monthOf } from "./keyword/facts/Years.ts"
import type { ComparedTexts, Embeddings } from "./keyword/Similarity.ts"

class EmbedRequirement extends Request.TaggedClass("EmbedRequirement")<
  { readonly text: string },
  Vector,
  EmbedderUnavailable
> {}

/** Vectors; one takes up to 12 KB with common models. */
const maxCached = 1_000
/** Limits how long vectors are used after a model was replaced under the same name. */
const cachedFor = Duration.hours(1)

/** Concurrent cache misses share one call of `embed`. */
const requirementCache = ({ embed }: TextEmbedder) =>
  RequestResolver.asCache(
    RequestResolver.make<EmbedRequirement>((entries) =>
      Effect.map(embed(entries.map(({ request }) => request.text)), (vectors) => {
        for (const [at, entry] of entries.entries()) {
          const vector = vectors[at]
          entry.completeUnsafe(vector === undefined ? Exit.die("an embedding is missing") : Exit.succeed(vector))
        }
      }),
    ),
    { capacity: maxCached, timeToLive: (exit) => (Exit.isSuccess(exit) ? cachedFor : Duration.zero) },
  )

interface CachingEmbedder extends TextEmbedder {
  readonly cache: Effect.Success<ReturnType<typeof requirementCache>>
}

/** Caches requirements only, so that no sentence of an erased candidate stays in memory. */
const embedTexts = Effect.fnUntraced(function* (
  { cache, embed, model }: CachingEmbedder,
  { requirements, sentences }: ComparedTexts,
) {
  const cached = (text: string) => Cache.get(cache, new EmbedRequirement({ text }))
  const found = yield* Effect.all(
    [Effect.forEach(requirements, cached, { concurrency: "unbounded" }), embed(sentences)],
    { concurrency: 2 },
  )
  const vectors = found.flat()
  if (new Set(vectors.map(({ length }) => length)).size > 1) {
    yield* Cache.invalidateAll(cache)
    return yield* new EmbedderUnavailable({
      reason: "The embeddings of requirements and sentences differ in dimension",
      retryable: true,
    })
  }
  const texts = [...requirements, ...sentences]
  const byText = new Map<string, Vector>()
  for (const [at, vector] of vectors.entries()) byText.set(texts[at] ?? "", vector)
  const embeddings: Embeddings = { model, vectors: byText }
  return embeddings
})

/** Fails when the embedder is unavailable: scores must not depend on an outage. */
const evaluate = Effect.fn("KeywordEvaluator.evaluate")(function* (
  { run }: Computation["Service"],
  embedder: CachingEmbedder | null,
  input: EvaluationInput,
) {
  const now = new Date(yield* Clock.currentTimeMillis)
  const today = monthOf(now.getUTCFullYear(), now.getUTCMonth() + 1)
  const texts = embedder === null ? null : yield* Effect.orDie(run("textsToCompare", { input, today }))
  const embeddings =
    embedder === null || texts === null || texts.sentences.length === 0
      ? null
      : yield* Effect.mapError(
          embedTexts(embedder, texts),
          ({ reason, retryable }) => new EvaluatorUnavailable({ reason, retryable }),
        )
  return yield* Effect.orDie(run("rateByKeywords", { input, today, embeddings }))
})

/** Dies with `ComputationFailed`. */
export const layer: Layer.Layer<Evaluator, never, Computation | Embedder> = Layer.effect(
  Evaluator,
  Effect.gen(function* () {
    const computation = yield* Computation
    const embedder = yield* Embedder
    const caching = embedder === null ? null : { ...embedder, cache: yield* requirementCache(embedder) }
    return Evaluator.of({ evaluate: (input) => evaluate(computation, caching, input) })
  }),
)
