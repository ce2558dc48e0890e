/** Transcripts of `npm start`. */
import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { sampleText, sampleTranscriber } from "../../src/dev/SampleTranscriber.ts"
import { textOf } from "../../src/recordings/Transcript.ts"
import { sampleSound } from "../../src/test-mode/SampleSound.ts"
import { sample } from "../recordings/recording.ts"

const transcribe = (file: Uint8Array) =>
  sampleTranscriber.transcribe({
    content: Stream.fromIterable([file.subarray(0, 50), file.subarray(50)]),
    size: file.length,
    contentType: "audio/wav",
    language: "en",
  })

it.effect("a recording of the sample has its own words, at the seconds of its tones", () =>
  Effect.gen(function* () {
    const file = sampleSound("Ich verkaufe seit Jahren. Für Ø und 你 auch.")
    const { segments } = yield* transcribe(file)
    assert.deepStrictEqual(segments, [
      { start: 0, end: 1.54, text: "Ich verkaufe seit Jahren." },
      { start: 2.04, end: 3.96, text: "Für Ø und 你 auch." },
    ])
  }),
)

it.effect("another recording has a text that says that it is a sample", () =>
  Effect.gen(function* () {
    const own = Buffer.from(sampleSound("Words."))
    const foreign = Buffer.from(own)
    foreign.write("not JSON", own.indexOf("[{"))
    const cut = own.subarray(0, own.indexOf("ICMT") + 6)
    for (const file of [sample("audio.webm"), foreign, cut, new Uint8Array()])
      assert.strictEqual(textOf((yield* transcribe(file)).segments), sampleText)
  }),
)
