/** Tests that every implementation of the BlobStore port must pass. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, Exit, Fiber, type Layer, Stream } from "effect"
import { type BlobKey, BlobMissing, BlobStore, BlobTooLarge } from "../../src/files/BlobStore.ts"
import { joined } from "../../src/values/Bytes.ts"
import { BlobId, OrganizationId } from "../../src/values/Ids.ts"

const MiB = 1024 * 1024

let keys = 0
const newKey = (organization = 1): BlobKey => ({
  organization: OrganizationId.make(organization),
  id: BlobId.make(`00000000-0000-7000-8000-${String(++keys).padStart(12, "0")}`),
})

/** Values depend on the position, so that a wrong order is found. */
const bytesOf = (length: number, seed = 0) => Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8) + seed) & 255)

const parts = (bytes: Uint8Array, size: number) =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
  )

/**
 * Defines the tests of a BlobStore layer. `name` is part of their title. The layer is built once for all tests; the tests
 * put new keys of organizations 1 and 2 into the store and leave some of them there.
 */
export const blobStoreSuite = <E>(name: string, layer: Layer.Layer<BlobStore, E>): void => {
  withLayer(layer)(`BlobStore: ${name}`, (it) => {
    const read = Effect.fnUntraced(function* (key: BlobKey) {
      return joined(yield* Stream.runCollect((yield* BlobStore).get(key)))
    })
    const readRange = Effect.fnUntraced(function* (key: BlobKey, start: number, end: number) {
      return joined(yield* Stream.runCollect((yield* BlobStore).get(key, { start, end })))
    })
    const isMissing = Effect.fnUntraced(function* (key: BlobKey) {
      assert.instanceOf(yield* Effect.flip(read(key)), BlobMissing)
    })

    for (const [what, length, size] of [
      ["nothing", 0, 1],
      ["one byte", 1, 1],
      ["small parts", 70_000, 7],
      ["one part of several MiB", 3 * MiB + 5, 4 * MiB],
      ["network parts", 3 * MiB, 65_536],
      // more than a message of Postgres may have (16 MiB)
      ["one part of 17 MiB", 17 * MiB, 17 * MiB],
    ] as const) {
      it.effect(`returns ${what} unchanged`, () =>
        Effect.gen(function* () {
          const store = yield* BlobStore
          const key = newKey()
          const bytes = bytesOf(length)
          yield* store.put(key, parts(bytes, size), 20 * MiB)
          assert.isTrue(Buffer.from(yield* read(key)).equals(bytes))
        }),
      )
    }

    it.effect("returns the bytes of a range, and fewer beyond the end", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const key = newKey()
        const bytes = bytesOf(MiB + 5)
        yield* store.put(key, parts(bytes, 100_000), 10 * MiB)
        for (const [start, end] of [
          [0, 2],
          [0, MiB + 5],
          [262_143, 262_145],
          [300_000, 900_001],
          [MiB + 4, MiB + 5],
          [MiB, 2 * MiB],
          [MiB + 5, 2 * MiB],
        ] as const)
          assert.isTrue(Buffer.from(yield* readRange(key, start, end)).equals(bytes.subarray(start, end)), `${start}`)
        assert.instanceOf(yield* Effect.flip(readRange(newKey(), 0, 2)), BlobMissing)
      }),
    )

    it.effect("stores content of exactly the limit, and nothing of larger content", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const [exact, over] = [newKey(), newKey()]
        yield* store.put(exact, parts(bytesOf(MiB), 1000), MiB)
        assert.lengthOf(yield* read(exact), MiB)
        const refused = yield* Effect.flip(store.put(over, parts(bytesOf(MiB + 1), 1000), MiB))
        assert.deepStrictEqual(refused, new BlobTooLarge({ limit: MiB }))
        yield* isMissing(over)
      }),
    )

    it.effect("fails with the error of a failing stream, and stores nothing", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const key = newKey()
        const content = Stream.concat(parts(bytesOf(MiB), 65_536), Stream.fail("the line is cut"))
        assert.strictEqual(yield* Effect.flip(store.put(key, content, 10 * MiB)), "the line is cut")
        yield* isMissing(key)
      }),
    )

    it.effect("has nothing to read before the upload is complete, nor after an interrupted upload", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const key = newKey()
        const content = Stream.concat(parts(bytesOf(MiB), 65_536), Stream.never)
        const writing = yield* Effect.forkChild(store.put(key, content, 10 * MiB), { startImmediately: true })
        yield* isMissing(key)
        yield* Fiber.interrupt(writing)
        assert.isTrue(Exit.isFailure(yield* Fiber.await(writing)))
        yield* isMissing(key)
      }),
    )

    it.effect("keeps the content of organizations apart", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const key = newKey(1)
        yield* store.put(key, parts(bytesOf(10), 10), MiB)
        const foreign = { ...key, organization: OrganizationId.make(2) }
        yield* isMissing(foreign)
        yield* store.remove([foreign])
        assert.lengthOf(yield* read(key), 10)
      }),
    )

    it.effect("removes the given keys only, and accepts keys that are already removed", () =>
      Effect.gen(function* () {
        const store = yield* BlobStore
        const keys = [newKey(), newKey(), newKey()] as const
        for (const key of keys) yield* store.put(key, parts(bytesOf(10), 10), MiB)
        yield* store.remove([])
        yield* store.remove([keys[0], keys[1]])
        yield* store.remove([keys[0]])
        yield* isMissing(keys[0])
        yield* isMissing(keys[1])
        assert.lengthOf(yield* read(keys[2]), 10)
      }),
    )
  })
}
