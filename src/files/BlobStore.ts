/** Keeps the content of files: a database, a bucket. What a file is called and belongs to stands elsewhere. */
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { joined } from "../values/Bytes.ts"
import type { BlobId, OrganizationId } from "../values/Ids.ts"
import { dependency } from "../values/Problem.ts"

export interface BlobKey {
  readonly organization: OrganizationId
  readonly id: BlobId
}

/** There is no whole content under the key. */
export class BlobMissing extends Schema.TaggedError<BlobMissing>()("BlobMissing", {}) {}

/** The content is longer than allowed; nothing is kept of it. */
export class BlobTooLarge extends Schema.TaggedError<BlobTooLarge>()("BlobTooLarge", { limit: Schema.Int }) {}

/** The store does not answer, or refuses. */
export class BlobStoreUnavailable extends Schema.TaggedError<BlobStoreUnavailable>()("BlobStoreUnavailable", {
  reason: Schema.String,
}) {
  readonly [dependency] = true

  override get message() {
    return this.reason
  }
}

/** The stream, which fails where it becomes longer than allowed. */
export const limited = <E, R>(
  content: Stream.Stream<Uint8Array, E | BlobTooLarge, R>,
  limit: number,
): Stream.Stream<Uint8Array, E | BlobTooLarge, R> =>
  Stream.limitBytes(content, limit, () => Stream.fail(new BlobTooLarge({ limit })))

export class BlobStore extends Context.Service<
  BlobStore,
  {
    /**
     * Keeps the stream's bytes under a key that was not used before, reading no more than it can hold: at most `limit`
     * bytes. Whoever reads the key finds all of it or nothing. A stream that fails, or ends by interruption, leaves nothing.
     */
    readonly put: <E, R>(
      key: BlobKey,
      content: Stream.Stream<Uint8Array, E, R>,
      limit: number,
    ) => Effect.Effect<void, E | BlobTooLarge | BlobStoreUnavailable, R>
    readonly get: (key: BlobKey) => Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable>
    /** Afterwards there is nothing under the keys, whatever there was: also what a process left that died while it wrote. */
    readonly remove: (keys: ReadonlyArray<BlobKey>) => Effect.Effect<void, BlobStoreUnavailable>
  }
>()("interview-invitations/files/BlobStore") {
  /** Keeps content in memory. */
  static readonly layerTest = Layer.sync(BlobStore, () => {
    const kept = new Map<string, Uint8Array>()
    const nameOf = ({ id, organization }: BlobKey) => `${organization}/${id}`
    return BlobStore.of({
      put: (key, content, limit) =>
        limited(content, limit).pipe(
          Stream.runCollect,
          Effect.tap((parts) => Effect.sync(() => kept.set(nameOf(key), joined(parts)))),
          Effect.asVoid,
        ),
      get: (key) =>
        Stream.suspend(() => {
          const bytes = kept.get(nameOf(key))
          return bytes === undefined ? Stream.fail(new BlobMissing({})) : Stream.succeed(bytes)
        }),
      remove: (keys) =>
        Effect.sync(() => {
          for (const key of keys) kept.delete(nameOf(key))
        }),
    })
  })
}
