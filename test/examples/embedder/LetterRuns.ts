/** Embeds a text by its runs of three letters, hashed. An example of the interface: it knows spelling, not meaning. */
import { Effect, Layer } from "effect"
import { Embedder, type Vector } from "interview-invitations/port/Embedder"

const dimension = 512

const hashOf = (run: string): number =>
  [...run].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % dimension, 7)

const vectorOf = (text: string): Vector => {
  const vector = new Float32Array(dimension).fill(0.01)
  for (const word of text.toLowerCase().match(/\p{L}{3,}/gu) ?? []) {
    for (let at = 0; at + 3 <= word.length; at += 1) {
      const place = hashOf(word.slice(at, at + 3))
      vector[place] = (vector[place] ?? 0) + 1
    }
  }
  return vector
}

export const layer = Layer.succeed(Embedder, {
  model: "letter runs 1",
  embed: (texts: ReadonlyArray<string>) => Effect.sync(() => texts.map(vectorOf)),
})
