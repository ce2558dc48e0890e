/** BlobStore in Postgres. */
import { Effect, Layer, Option, Stream } from "effect"
import { type ByteRange, pieces, sliced } from "../values/Bytes.ts"
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
      get: (key, range) => {
        const readAfter = (first: number) =>
          Stream.paginate(first, (ordinal) =>
            Effect.map(repository.after(key, ordinal, readAhead), (found) => {
              const last = found.at(-1)
              const next = last === undefined || found.length < readAhead ? Option.none() : Option.some(last.ordinal)
              return [found.map(({ bytes }) => bytes).filter(({ length }) => length > 0), next] as const
            }),
          )
        const readRange = ({ end, start }: ByteRange) =>
          Effect.map(repository.chunkWith(key, start), (chunk) =>
            chunk === undefined
              ? Stream.empty
              : sliced({ start: start - chunk.start, end: end - chunk.start })(readAfter(chunk.ordinal - 1)),
          )
        return Stream.unwrap(
          Effect.gen(function* () {
            if (!(yield* repository.isWhole(key))) return Stream.fail(new BlobMissing({}))
            return range === undefined ? readAfter(-1) : yield* readRange(range)
          }),
        )
      },
      remove: (keys) => (keys.length === 0 ? Effect.void : repository.remove(keys)),
    })
  }),
)
