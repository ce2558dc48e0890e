/**
 * Port for text embeddings, which let the keyword evaluator find sentences that share no words with a requirement
 * (docs/evaluation.md). Adapters must pass test/port/EmbedderSuite.ts.
 */
import { Context, type Effect, Layer, Schema } from "effect"

/** An embedding. Vectors are compared by cosine, so adapters need not normalize them. */
export type Vector = Float32Array

/** `retryable`: a later request may succeed. `reason` is for operators. */
export class EmbedderUnavailable extends Schema.TaggedError<EmbedderUnavailable>()("EmbedderUnavailable", {
  reason: Schema.String,
  retryable: Schema.Boolean,
}) {
  override get message() {
    return this.reason
  }
}

export interface TextEmbedder {
  /** Stored with each evaluation. */
  readonly model: string
  /** Returns one vector per text, in the same order and of one dimension. Texts are requirements and redacted sentences. */
  readonly embed: (texts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Vector>, EmbedderUnavailable>
}

/** Null: evaluations use no embeddings. */
export class Embedder extends Context.Service<Embedder, TextEmbedder | null>()(
  "interview-invitations/evaluations/Embedder",
) {
  /** The default. */
  static readonly off: Layer.Layer<Embedder> = Layer.succeed(Embedder, null)

  static readonly layerTest = (embed: TextEmbedder["embed"], model = "test"): Layer.Layer<Embedder> =>
    Layer.succeed(Embedder, { model, embed })
}
