/** New identifiers: UUID version 7 (RFC 9562), whose order is that of their making, so that indexes grow at one end. */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** Random bytes are taken from the system some hundred ids at a time: one by one they cost 5 µs an id, so 1.5. */
const poolSize = 4096

/** More than one id needs. */
const most = 64

/** Gives what makes UUIDs: `const uuid = yield* uuids`, then `yield* uuid`. */
export const uuids = Effect.map(SecureRandom.SecureRandom, (random): Effect.Effect<string> => {
  let pool = new Uint8Array()
  let used = 0
  const { uuidV7 } = SecureRandom.make((size) => {
    used += size
    return pool.subarray(used - size, used)
  })
  const fill = Effect.map(random.randomBytes(poolSize), (bytes) => {
    pool = new Uint8Array(bytes)
    used = 0
  })
  return Effect.suspend(() => (used + most > pool.length ? Effect.andThen(fill, uuidV7()) : uuidV7()))
})

/** Gives a maker of ids: `const newId = yield* ids`, then `yield* newId(CandidateId)`. */
export const ids = Effect.map(
  uuids,
  (uuid) =>
    <A>(schema: { readonly make: (input: string) => A }): Effect.Effect<A> =>
      Effect.map(uuid, (id) => schema.make(id)),
)

/** Makes ids; the random bytes of a process come from one pool. */
export class Ids extends Context.Service<
  Ids,
  { readonly make: <A>(schema: { readonly make: (input: string) => A }) => Effect.Effect<A> }
>()("interview-invitations/platform/Ids") {
  static readonly layer = Layer.effect(
    Ids,
    Effect.map(ids, (make) => Ids.of({ make })),
  )
}

/** A new id: `yield* newId(CandidateId)`. */
export const newId = <A>(schema: { readonly make: (input: string) => A }): Effect.Effect<A, never, Ids> =>
  Effect.flatMap(Ids, ({ make }) => make(schema))
