/** Port: stores the content of files. */
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { type ByteRange, joined, sliced } from "../values/Bytes.ts"
import type { BlobId, OrganizationId } from "../values/Ids.ts"
import { dependency } from "../values/Problem.ts"

export interface BlobKey {
  readonly organization: OrganizationId
  readonly id: BlobId
}

/** The content is missing or incomplete. */
export class BlobMissing extends Schema.TaggedError<BlobMissing>()("BlobMissing", {}) {}

/** Nothing of the content is stored. */
export class BlobTooLarge extends Schema.TaggedError<BlobTooLarge>()("BlobTooLarge", { limit: Schema.Int }) {}

export class BlobStoreUnavailable extends Schema.TaggedError<BlobStoreUnavailable>()("BlobStoreUnavailable", {
  reason: Schema.String,
}) {
  readonly [dependency] = true

  override get message() {
    return this.reason
  }
}

export const limited = <E, R>(
  content: Stream.Stream<Uint8Array, E | BlobTooLarge, R>,
  limit: number,
): Stream.Stream<Uint8Array, E | BlobTooLarge, R> =>
  Stream.limitBytes(content, limit, () => Stream.fail(new BlobTooLarge({ limit })))

export class BlobStore extends Context.Service<
  BlobStore,
  {
    /**
     * Stores at most `limit` bytes under an unused key, with backpressure. Readers see all of the content or none. A
     * failed or interrupted stream leaves nothing.
     */
    readonly put: <E, R>(
      key: BlobKey,
      content: Stream.Stream<Uint8Array, E, R>,
      limit: number,
    ) => Effect.Effect<void, E | BlobTooLarge | BlobStoreUnavailable, R>
    /** With a range, only its bytes; fewer if the content ends before. */
    readonly get: (key: BlobKey, range?: ByteRange) => Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable>
    /** Also removes incomplete uploads. Missing keys are no error. */
    readonly remove: (keys: ReadonlyArray<BlobKey>) => Effect.Effect<void, BlobStoreUnavailable>
  }
>()("interview-invitations/files/BlobStore") {
  static readonly layerTest = Layer.sync(BlobStore, () => {
    const stored = new Map<string, Uint8Array>()
    const nameOf = ({ id, organization }: BlobKey) => `${organization}/${id}`
    return BlobStore.of({
      put: (key, content, limit) =>
        limited(content, limit).pipe(
          Stream.runCollect,
          Effect.tap((parts) => Effect.sync(() => stored.set(nameOf(key), joined(parts)))),
          Effect.asVoid,
        ),
      get: (key, range) =>
        Stream.suspend(() => {
          const bytes = stored.get(nameOf(key))
          if (bytes === undefined) return Stream.fail(new BlobMissing({}))
          return range === undefined ? Stream.succeed(bytes) : sliced(range)(Stream.succeed(bytes))
        }),
      remove: (keys) =>
        Effect.sync(() => {
          for (const key of keys) stored.delete(nameOf(key))
        }),
    })
  })
}
