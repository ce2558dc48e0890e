/** Tests that every implementation of the Transcriber port must pass. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Stream } from "effect"
import { Transcriber } from "../../src/recordings/Transcriber.ts"

/** A page of an Ogg without sound: a suite does not check what is heard. */
export const spoken: Uint8Array = new TextEncoder().encode(`OggS${"\0".repeat(60)}`)

/** Defines the tests of a Transcriber layer that is not off. `name` is part of their titles. */
export const transcriberSuite = <E>(name: string, layer: Layer.Layer<Transcriber, E>): void => {
  const transcribe = Effect.fnUntraced(function* (language: string | null, pieces = 1) {
    const transcriber = yield* Transcriber
    if (transcriber === null) return yield* Effect.die("the transcriber is off")
    const length = Math.ceil(spoken.length / pieces)
    const content = Stream.fromIterable(
      Array.from({ length: pieces }, (_, at) => spoken.subarray(at * length, (at + 1) * length)),
    )
    return yield* transcriber.transcribe({ content, size: spoken.length, contentType: "audio/ogg", language })
  })

  withLayer(layer)(`Transcriber: ${name}`, (it) => {
    it.effect("names its model", () =>
      Effect.map(Transcriber, (transcriber) => {
        assert.isNotEmpty(transcriber?.model)
      }),
    )

    it.effect.each(["en", "de-AT", null])("returns segments in their order, of a recording in %s", (language) =>
      Effect.gen(function* () {
        const { segments } = yield* transcribe(language)
        let last = 0
        for (const { end, start, text } of segments) {
          assert.isAtLeast(start, last)
          assert.isAtLeast(end, start)
          assert.isString(text)
          last = start
        }
      }),
    )

    it.effect("reads content that comes in parts", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* transcribe("en", 7), yield* transcribe("en"))
      }),
    )

    it.effect("transcribes several recordings at once", () =>
      Effect.gen(function* () {
        const all = yield* Effect.forEach(["en", "de", "fr", "es"], (language) => transcribe(language), {
          concurrency: "unbounded",
        })
        assert.lengthOf(all, 4)
      }),
    )
  })
}
