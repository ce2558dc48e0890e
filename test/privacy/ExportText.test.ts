/** Tests the JSON of exported rows with the content of their files, for contents of many sizes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { BlobMissing, BlobStore, BlobStoreUnavailable } from "../../src/files/BlobStore.ts"
import { exportText } from "../../src/privacy/ExportText.ts"
import { BlobId, OrganizationId } from "../../src/values/Ids.ts"

const organization = OrganizationId.make(1)
const idOf = (number: number) => BlobId.make(`0190b5a2-7c1e-7def-8abc-${String(number).padStart(12, "0")}`)

/** A store that has these contents, in parts. */
const storeOf = (get: BlobStore["Service"]["get"]) =>
  BlobStore.of({ get, put: () => Effect.void, remove: () => Effect.void })

const textOf = (get: BlobStore["Service"]["get"], value: { readonly [part: string]: Schema.Json }) =>
  Stream.mkString(exportText(storeOf(get), organization, value, { before: "[", after: "]" }))

const Sizes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200_000 }))).check(
  Schema.isMaxLength(6),
)

describe("exported rows", () => {
  it.effect.prop(
    "have each file whole, with parts of any size",
    [Schema.Array(Sizes).check(Schema.isMaxLength(4))],
    ([files]) =>
      Effect.gen(function* () {
        const contents = files.map((sizes, file) => sizes.map((size, part) => Buffer.alloc(size, 7 * file + part)))
        const parts = (id: string) => contents[Number(id.slice(-12))] ?? []
        const value = { files: contents.map((_, at) => ({ name: `${at}`, blob_id: idOf(at) })), end: "é" }
        const text = yield* textOf(({ id }) => Stream.fromIterable(parts(id)), value)
        assert.deepStrictEqual(JSON.parse(text), [
          {
            files: contents.map((of, at) => ({ name: `${at}`, content_base64: Buffer.concat(of).toString("base64") })),
            end: "é",
          },
        ])
      }),
    { arbitrary: { runs: 30 } },
  )

  it.effect("have null for a missing file and for what is not an id, and keep texts that look like a file", () =>
    Effect.gen(function* () {
      const value = {
        missing: { blob_id: idOf(1) },
        none: { blob_id: null },
        other: { blob_id: "../1" },
        texts: ['"\\u0000x"', `\\u0000${idOf(1)}`, 'content_base64": "x'],
      }
      const text = yield* textOf(() => Stream.fail(new BlobMissing({})), value)
      const none = { content_base64: null }
      assert.deepStrictEqual(JSON.parse(text), [{ missing: none, none, other: none, texts: value.texts }])
    }),
  )

  it.effect("do not begin before the first file can be read, and do not end when a file breaks off", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const run = (content: Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable>) => {
        sent.length = 0
        const text = exportText(
          storeOf(() => content),
          organization,
          { a: "a", blob_id: idOf(1) },
          { before: "", after: "" },
        )
        return Effect.flip(Stream.runForEach(text, (part) => Effect.sync(() => sent.push(part))))
      }
      const down = new BlobStoreUnavailable({ reason: "down" })
      assert.strictEqual(yield* run(Stream.fail(down)), down)
      assert.isEmpty(sent)
      const begun = Stream.make(Buffer.alloc(300_000))
      for (const failure of [down, new BlobMissing({})]) {
        assert.strictEqual((yield* run(Stream.concat(begun, Stream.fail(failure))))._tag, "BlobStoreUnavailable")
        assert.notMatch(sent.join(""), /"\s*}$/)
        assert.include(sent.join(""), "AAAA")
      }
    }),
  )
})
