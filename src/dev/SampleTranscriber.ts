/**
 * The transcriber of `npm start` and of the sample organization, which recognizes no speech: a recording of the sample has the
 * words of its comment (SampleSound.ts), any other one the same sentence. Pages say that such a transcript is a sample.
 */
import { Effect, Layer, Stream } from "effect"
import { type SpeechTranscriber, Transcriber } from "../recordings/Transcriber.ts"
import { sampleModel } from "../recordings/Transcript.ts"
import { spokenSegments, wordsOf } from "../test-mode/SampleSound.ts"

export const sampleText =
  "This is a sample transcript. No speech was recognized. With a transcription server, the words of the recording stand here."

export const sampleTranscriber: SpeechTranscriber = {
  model: sampleModel,
  transcribe: ({ content }) =>
    Effect.map(Stream.runCollect(content), (pieces) => ({
      language: "en",
      segments: wordsOf(Buffer.concat([...pieces])) ?? spokenSegments(sampleText),
    })),
}

export const layer = Layer.succeed(Transcriber, sampleTranscriber)
