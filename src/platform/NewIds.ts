/** Makes ids: UUID version 7 (RFC 9562). They increase with time, so indexes grow at one end. */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** For some hundred ids: 1.5 µs per id instead of 5 µs. */
const poolSize = 4096

const maxIdBytes = 64

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
  return Effect.suspend(() => (used + maxIdBytes > pool.length ? Effect.andThen(fill, uuidV7()) : uuidV7()))
})

export const ids = Effect.map(
  uuids,
  (uuid) =>
    <A>(schema: { readonly make: (input: string) => A }): Effect.Effect<A> =>
      Effect.map(uuid, (id) => schema.make(id)),
)

/** The smallest id of a time. */
export const minIdOf = (at: Date): string =>
  Math.max(0, at.getTime())
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})(.{4})$/, "$1-$2-7000-8000-000000000000")

export class Ids extends Context.Service<
  Ids,
  { readonly make: <A>(schema: { readonly make: (input: string) => A }) => Effect.Effect<A> }
>()("interview-invitations/platform/Ids") {
  static readonly layer = Layer.effect(
    Ids,
    Effect.map(ids, (make) => Ids.of({ make })),
  )
}
