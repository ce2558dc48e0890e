/** BlobStore over Postgres and a bucket. A file's row names its store, so BLOB_STORE may change. */
import { createHash } from "node:crypto"
import { Context, Effect, Layer, Stream } from "effect"
import type { ByteRange } from "../values/Bytes.ts"
import { type BlobLocation, BlobRepository } from "./BlobRepository.ts"
import { type BlobKey, BlobMissing, BlobStore, BlobStoreUnavailable } from "./BlobStore.ts"
import * as PostgresBlobStore from "./PostgresBlobStore.ts"

/** Without S3_BUCKET: not BlobMissing, because the file exists. */
const unknownBucket = (() => {
  const error = new BlobStoreUnavailable({ reason: "the file is in a bucket, and S3_BUCKET is not set" })
  return BlobStore.of({
    put: () => Effect.fail(error),
    get: () => Stream.fail(error),
    remove: (keys) => (keys.length === 0 ? Effect.void : Effect.fail(error)),
  })
})()

/** Checks the SHA-256 before the last bytes, so that damaged content arrives incomplete. */
const verified = (content: Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable>, sha256: Uint8Array) =>
  Stream.suspend(() => {
    const hash = createHash("sha256")
    let last: Uint8Array = new Uint8Array()
    const allButLast = Stream.map(content, (bytes) => {
      hash.update(bytes)
      const before = last
      last = bytes
      return before
    })
    const end = Stream.suspend(() =>
      hash.digest().equals(sha256)
        ? Stream.succeed(last)
        : Stream.fail(new BlobStoreUnavailable({ reason: "the content does not match its SHA-256" })),
    )
    return Stream.filter(Stream.concat(allButLast, end), ({ length }) => length > 0)
  })

const build = <E, R>(store: Layer.Layer<BlobStore, E, R>) => Effect.map(Layer.build(store), Context.get(BlobStore))

/** A key needs a row (BlobRepository.begin) before `put`. */
export const layer = <E, R>(chosen: BlobLocation, bucket?: Layer.Layer<BlobStore, E, R>) =>
  Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const repository = yield* BlobRepository
      const stores: Record<BlobLocation, BlobStore["Service"]> = {
        postgres: yield* build(PostgresBlobStore.layer),
        s3: bucket === undefined ? unknownBucket : yield* build(bucket),
      }
      const get = Effect.fnUntraced(function* (key: BlobKey, range?: ByteRange) {
        const [row] = yield* repository.find([key])
        if (row === undefined) return Stream.fail(new BlobMissing({}))
        const content = stores[row.store].get(key, range)
        return row.sha256 === null || range !== undefined ? content : verified(content, row.sha256)
      })
      return BlobStore.of({
        // location first, so a crash leaves no orphan
        put: (key, content, limit) =>
          Effect.andThen(
            chosen === "postgres" ? Effect.void : repository.setLocation(key, chosen),
            stores[chosen].put(key, content, limit),
          ),
        get: (key, range) => Stream.unwrap(get(key, range)),
        remove: Effect.fn("RoutingBlobStore.remove")(function* (keys) {
          if (keys.length === 0) return
          const rows = yield* repository.find(keys)
          // Postgres first: the bucket may be unavailable
          for (const location of ["postgres", "s3"] as const)
            yield* stores[location].remove(rows.filter(({ store }) => store === location))
        }),
      })
    }),
  )
