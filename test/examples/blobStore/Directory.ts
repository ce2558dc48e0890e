/** Stores files in a directory that all instances share. */
import { createReadStream } from "node:fs"
import { mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Layer, Stream } from "effect"
import {
  type BlobKey,
  BlobMissing,
  BlobStore,
  BlobStoreUnavailable,
  limited,
} from "interview-invitations/port/BlobStore"

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (error) => new BlobStoreUnavailable({ reason: String(error) }) })

export const layer = (directory: string): Layer.Layer<BlobStore> => {
  const pathOf = ({ id, organization }: BlobKey) => join(directory, String(organization), id)
  const partialOf = (key: BlobKey) => `${pathOf(key)}.partial`
  return Layer.succeed(
    BlobStore,
    BlobStore.of({
      put: (key, content, limit) =>
        Effect.gen(function* () {
          yield* attempt(() => mkdir(join(directory, String(key.organization)), { recursive: true }))
          const file = yield* Effect.acquireRelease(
            attempt(() => open(partialOf(key), "w", 0o600)),
            (file) => Effect.promise(() => file.close()),
          )
          yield* Stream.runForEach(limited(content, limit), (part) => attempt(() => file.writeFile(part)))
          yield* attempt(() => file.sync())
          yield* attempt(() => rename(partialOf(key), pathOf(key)))
        }).pipe(
          Effect.scoped,
          Effect.onError(() => Effect.promise(() => rm(partialOf(key), { force: true }))),
        ),
      get: (key, range) =>
        NodeStream.fromReadable<Uint8Array, BlobMissing | BlobStoreUnavailable>({
          evaluate: () => createReadStream(pathOf(key), range && { start: range.start, end: range.end - 1 }),
          onError: (error) =>
            error instanceof Error && "code" in error && error.code === "ENOENT"
              ? new BlobMissing({})
              : new BlobStoreUnavailable({ reason: String(error) }),
        }),
      remove: (keys) =>
        Effect.forEach(
          keys.flatMap((key) => [pathOf(key), partialOf(key)]),
          (path) => attempt(() => rm(path, { force: true })),
          { discard: true },
        ),
    }),
  )
}
