/** New identifiers: UUID version 7 (RFC 9562), whose order is that of their making, so that indexes grow at one end. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"

/** Gives a maker of ids: `const newId = yield* ids`, then `yield* newId(CandidateId)`. */
export const ids = Effect.map(
  SecureRandom.SecureRandom,
  (random) =>
    <A>(schema: { readonly make: (input: string) => A }): Effect.Effect<A> =>
      Effect.map(random.uuidV7(), (id) => schema.make(id)),
)
