/**
 * BlobStore over this database and a bucket: new content goes where an operator chose, and each blob's row says where it
 * lies, so that what is kept stays readable when the choice changes. What is read is compared with the digest of what came.
 */
import { createHash } from "node:crypto"
import { Context, Effect, Layer, Stream } from "effect"
import { type BlobPlace, BlobRepository } from "./BlobRepository.ts"
import { type BlobKey, BlobMissing, BlobStore, BlobStoreUnavailable } from "./BlobStore.ts"
import * as PostgresBlobStore from "./PostgresBlobStore.ts"

/** A bucket that this process knows nothing of: it fails rather than say that nothing is there. */
const unknownBucket = (() => {
  const fault = new BlobStoreUnavailable({ reason: "the file lies in a bucket, and S3_BUCKET is not set" })
  return BlobStore.of({
    put: () => Effect.fail(fault),
    get: () => Stream.fail(fault),
    remove: (keys) => (keys.length === 0 ? Effect.void : Effect.fail(fault)),
  })
})()

/** The same bytes, but for the last of them if they are not those that were kept: whoever counts them misses some. */
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
        : Stream.fail(new BlobStoreUnavailable({ reason: "the content is not what was kept" })),
    )
    return Stream.filter(Stream.concat(allButLast, end), ({ length }) => length > 0)
  })

/** Keys need a row (BlobRepository.begin) before content is put under them. Without `bucket`, all content lies in the database. */
export const layer = <E, R>(chosen: BlobPlace, bucket?: Layer.Layer<BlobStore, E, R>) =>
  Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const blobs = yield* BlobRepository
      const build = <E, R>(store: Layer.Layer<BlobStore, E, R>) =>
        Effect.map(Layer.build(store), (built) => Context.get(built, BlobStore))
      const stores: Record<BlobPlace, BlobStore["Service"]> = {
        postgres: yield* build(PostgresBlobStore.layer),
        s3: bucket === undefined ? unknownBucket : yield* build(bucket),
      }
      const get = Effect.fnUntraced(function* (key: BlobKey) {
        const [row] = yield* blobs.find([key])
        if (row === undefined) return Stream.fail(new BlobMissing({}))
        const content = stores[row.store].get(key)
        return row.sha256 === null ? content : verified(content, row.sha256)
      })
      return BlobStore.of({
        // the place is noted first: a process that dies while it writes leaves nothing that is not found
        put: (key, content, limit) =>
          Effect.andThen(
            chosen === "postgres" ? Effect.void : blobs.place(key, chosen),
            stores[chosen].put(key, content, limit),
          ),
        get: (key) => Stream.unwrap(get(key)),
        remove: Effect.fn("BlobPlaces.remove")(function* (keys) {
          if (keys.length === 0) return
          const rows = yield* blobs.find(keys)
          // this database first: it is removed from also while the bucket is away
          for (const place of ["postgres", "s3"] as const)
            yield* stores[place].remove(rows.filter(({ store }) => store === place))
        }),
      })
    }),
  )
