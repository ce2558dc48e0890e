/** BlobStore in Postgres. */
import { Effect, Layer, Option, Stream } from "effect"
import { pieces } from "../values/Bytes.ts"
import { BlobChunkRepository } from "./BlobChunkRepository.ts"
import { BlobMissing, BlobStore, limited } from "./BlobStore.ts"

/** Bytes. */
const chunkSize = 256 * 1024
/** Chunks per statement. */
const readAhead = 4

export const layer = Layer.effect(
  BlobStore,
  Effect.gen(function* () {
    const repository = yield* BlobChunkRepository
    return BlobStore.of({
      // a transaction per chunk, because a long one would hold back vacuum; the empty last chunk makes the content
      // readable
      put: (key, content, limit) =>
        limited(content, limit).pipe(
          pieces(chunkSize),
          Stream.runFoldEffect(
            () => 0,
            (ordinal, bytes) => Effect.as(repository.append(key, { ordinal, bytes }, false), ordinal + 1),
          ),
          Effect.flatMap((ordinal) => repository.append(key, { ordinal, bytes: new Uint8Array() }, true)),
          Effect.onError(() => repository.remove([key])),
          Effect.withSpan("PostgresBlobStore.put"),
        ),
      get: (key) => {
        const read = Stream.paginate(-1, (ordinal) =>
          Effect.map(repository.after(key, ordinal, readAhead), (found) => {
            const last = found.at(-1)
            const next = last === undefined || found.length < readAhead ? Option.none() : Option.some(last.ordinal)
            return [found.map(({ bytes }) => bytes).filter(({ length }) => length > 0), next] as const
          }),
        )
        return Stream.unwrap(
          Effect.map(repository.isWhole(key), (whole) => (whole ? read : Stream.fail(new BlobMissing({})))),
        )
      },
      remove: (keys) => (keys.length === 0 ? Effect.void : repository.remove(keys)),
    })
  }),
)
