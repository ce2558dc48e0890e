/**
 * Port for transcribers, which write down what a recording says. Adapters must pass test/port/TranscriberSuite.ts.
 */
import { Context, type Effect, Layer, Schema, type Stream } from "effect"
import type { Segment } from "./Transcript.ts"

/** `retryable`: a later request may succeed. `reason` is for operators. */
export class TranscriberUnavailable extends Schema.TaggedError<TranscriberUnavailable>()("TranscriberUnavailable", {
  reason: Schema.String,
  retryable: Schema.Boolean,
}) {
  override get message() {
    return this.reason
  }
}

export interface Speech {
  readonly content: Stream.Stream<Uint8Array>
  /** Bytes. */
  readonly size: number
  /** Media type, such as audio/webm. */
  readonly contentType: string
  /** BCP 47, of the interview; null: unknown. */
  readonly language: string | null
}

export interface Transcription {
  /** BCP 47; null: unknown. */
  readonly language: string | null
  /** Ascending. Empty: nothing was said. */
  readonly segments: ReadonlyArray<Segment>
}

export interface SpeechTranscriber {
  /** Stored with each transcript. */
  readonly model: string
  readonly transcribe: (speech: Speech) => Effect.Effect<Transcription, TranscriberUnavailable>
}

/** Null: recordings are played by people, and are not evaluated. */
export class Transcriber extends Context.Service<Transcriber, SpeechTranscriber | null>()(
  "interview-invitations/recordings/Transcriber",
) {
  /** The default. */
  static readonly off: Layer.Layer<Transcriber> = Layer.succeed(Transcriber, null)

  static readonly layerTest = (transcribe: SpeechTranscriber["transcribe"], model = "test"): Layer.Layer<Transcriber> =>
    Layer.succeed(Transcriber, { model, transcribe })
}
