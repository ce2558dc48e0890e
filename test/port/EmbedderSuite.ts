/** Tests that every implementation of the Embedder port must pass. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Embedder, type Vector } from "../../src/evaluations/Embedder.ts"

const close = "I designed the database schemas of a billing system."
const closer = "I designed the database schemas of the billing system with care."
const far = "On Sundays my neighbours bake bread."

const cosine = (one: Vector, other: Vector): number => {
  let [product, ones, others] = [0, 0, 0]
  for (const [at, number] of one.entries()) {
    const second = other[at] ?? Number.NaN
    product += number * second
    ones += number ** 2
    others += second ** 2
  }
  return product / Math.sqrt(ones * others)
}

/** Defines the tests of an Embedder layer that is not off. `name` is part of their titles. */
export const embedderSuite = <E>(name: string, layer: Layer.Layer<Embedder, E>): void => {
  const embed = Effect.fnUntraced(function* (...texts: ReadonlyArray<string>) {
    const embedder = yield* Embedder
    if (embedder === null) return yield* Effect.die("the embedder is off")
    return yield* embedder.embed(texts)
  })

  withLayer(layer)(`Embedder: ${name}`, (it) => {
    it.effect("names its model", () =>
      Effect.map(Embedder, (embedder) => {
        assert.isNotEmpty(embedder?.model)
      }),
    )

    it.effect.each([0, 1, 2, 100])("returns a vector of one dimension for each of %d texts", (count) =>
      Effect.gen(function* () {
        const vectors = yield* embed(...Array.from({ length: count }, (_, at) => `I ran ${at} servers.`))
        assert.lengthOf(vectors, count)
        const [dimension = 1] = vectors.map(({ length }) => length)
        assert.isAtLeast(dimension, 1)
        for (const vector of vectors) {
          assert.instanceOf(vector, Float32Array)
          assert.lengthOf(vector, dimension)
          assert.isTrue(vector.every(Number.isFinite))
        }
      }),
    )

    it.effect("returns the vectors in the order of the texts", () =>
      Effect.gen(function* () {
        const texts = Array.from({ length: 70 }, (_, at) => `Text ${at} of ${at * 7} letters about topic${at * 13}.`)
        const forward = yield* embed(...texts)
        const backward = (yield* embed(...texts.toReversed())).toReversed()
        for (const [at, vector] of forward.entries()) {
          assert.isAtLeast(cosine(vector, backward[at] ?? new Float32Array()), 0.999, texts[at])
        }
      }),
    )

    it.effect("finds two wordings of one statement closer than two topics", () =>
      Effect.gen(function* () {
        const [one, two, three] = yield* embed(close, closer, far)
        assert.isDefined(one)
        assert.isDefined(two)
        assert.isDefined(three)
        assert.isAbove(cosine(one, two), cosine(one, three))
      }),
    )

    it.effect.each(["x".repeat(50_000), "word ".repeat(20_000), "\0a\ud800", "👩‍👩‍👧‍👦", "…"])(
      "embeds unusual text: %.10j",
      (text) =>
        Effect.gen(function* () {
          assert.lengthOf(yield* embed(text, close), 2)
        }),
    )
  })
}
