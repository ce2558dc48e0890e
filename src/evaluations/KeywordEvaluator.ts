/** The default evaluator (keyword/RateByKeywords.ts). It uses the network only if embeddings are on. */
import { Cache, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Computation } from "./computation/Computation.ts"
import { Embedder, EmbedderUnavailable, type TextEmbedder, type Vector } from "./Embedder.ts"
import type { EvaluationInput } from "./Evaluation.ts"
import { Evaluator, EvaluatorUnavailable } from "./Evaluator.ts"
import { monthOf } from "./keyword/facts/Years.ts"
import { versionWith } from "./keyword/KeywordVersion.ts"
import { readLanguages } from "./keyword/Language.ts"
import type { ComparedTexts, Embeddings } from "./keyword/Similarity.ts"

/** Maximum number of vectors; one takes up to 12 KB with common models. */
const maxCached = 1_000
/** Limits how long vectors are used after a model was replaced under the same name. */
const cachedFor = Duration.hours(1)

/** Filled by `set` only: each evaluation embeds the texts it lacks, so that none fails because of another's text. */
const requirementCache = Cache.make<string, Vector>({
  capacity: maxCached,
  timeToLive: cachedFor,
  lookup: () => Effect.never,
})

interface CachingEmbedder extends TextEmbedder {
  readonly cache: Cache.Cache<string, Vector>
}

/** Caches requirements only, so that no sentence of an erased candidate stays in memory. */
const embedTexts = Effect.fnUntraced(function* (
  { cache, embed, model }: CachingEmbedder,
  { requirements, sentences }: ComparedTexts,
) {
  const vectors = new Map<string, Vector>()
  for (const text of requirements) {
    const known = yield* Cache.getOption(cache, text)
    if (Option.isSome(known)) vectors.set(text, known.value)
  }
  const missing = requirements.filter((text) => !vectors.has(text))
  const found = yield* Effect.all([missing.length === 0 ? Effect.succeed([]) : embed(missing), embed(sentences)], {
    concurrency: 2,
  })
  const texts = [...missing, ...sentences]
  for (const [at, vector] of found.flat().entries()) vectors.set(texts[at] ?? "", vector)
  if (new Set([...vectors.values()].map(({ length }) => length)).size > 1) {
    yield* Cache.invalidateAll(cache)
    return yield* new EmbedderUnavailable({
      reason: "The embeddings of requirements and sentences differ in dimension",
      retryable: true,
    })
  }
  for (const text of missing) {
    const vector = vectors.get(text)
    if (vector !== undefined) yield* Cache.set(cache, text, vector)
  }
  const embeddings: Embeddings = { model, vectors }
  return embeddings
})

/** Fails if the embedder is unavailable, because scores must not depend on an outage. */
const evaluate = Effect.fn("KeywordEvaluator.evaluate")(function* (
  { run }: Computation["Service"],
  embedder: CachingEmbedder | null,
  input: EvaluationInput,
) {
  const now = yield* DateTime.nowAsDate
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
    const caching = embedder === null ? null : { ...embedder, cache: yield* requirementCache }
    return Evaluator.of({
      evaluate: (input) => evaluate(computation, caching, input),
      languages: readLanguages,
      // of the requirements, which are cached, and of the sentences
      ...(caching === null ? {} : { requests: 1 }),
      description: { evaluator: versionWith(embedder?.model), model: embedder?.model ?? null, host: null },
    })
  }),
)
