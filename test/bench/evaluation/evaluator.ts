/** The measured evaluator: by keywords, with embeddings if EMBEDDINGS_… are set. */
import { Duration, Effect, Layer } from "effect"
import { embeddings } from "../../../src/config/AdapterSettings.ts"
import { Embedder } from "../../../src/evaluations/Embedder.ts"
import * as KeywordEvaluator from "../../../src/evaluations/KeywordEvaluator.ts"
import * as OpenAiEmbedder from "../../../src/evaluations/OpenAiEmbedder.ts"
import { inProcess } from "../../support/Computation.ts"

const embedder = Layer.unwrap(
  Effect.map(embeddings, (settings) =>
    // the bench's clock stands still, so a delay would never end
    settings === undefined ? Embedder.off : OpenAiEmbedder.layer({ ...settings, firstRetry: Duration.zero }),
  ),
)

export const measuredEvaluator = KeywordEvaluator.layer.pipe(Layer.provide([inProcess, embedder]))
