/** Puts the content of a person's files into what is handed out of them. */
import { Effect, Schema, Stream } from "effect"
import { type BlobStore, type BlobStoreUnavailable, limited } from "../files/BlobStore.ts"
import { joined } from "../values/Bytes.ts"
import { BlobId, type OrganizationId } from "../values/Ids.ts"

/** Bytes of all files together: a text of them has to fit into memory. What is beyond is named, and read in the workspace. */
const room = 100 * 1024 * 1024

type Json = Schema.Json

const readId = Schema.decodeUnknownOption(BlobId)

/**
 * The same value, in which every `blob_id` is replaced by `content_base64`: null where the store has it no more, or there is
 * no room. Fails where the store does not answer: what is handed out must not lack what is kept.
 */
export const withFiles = Effect.fnUntraced(function* (
  store: BlobStore["Service"],
  organization: OrganizationId,
  value: Json,
) {
  let left = room
  const read = Effect.fnUntraced(function* (text: Json) {
    const id = readId(text)
    if (id._tag === "None") return null
    const content = yield* limited(store.get({ organization, id: id.value }), left).pipe(
      Stream.runCollect,
      Effect.catchTag(["BlobMissing", "BlobTooLarge"], () => Effect.undefined),
    )
    if (content === undefined) return null
    const bytes = joined(content)
    left -= bytes.length
    return Buffer.from(bytes).toString("base64")
  })
  const fill = (part: Json): Effect.Effect<Json, BlobStoreUnavailable> => {
    if (typeof part !== "object" || part === null) return Effect.succeed(part)
    if (Array.isArray(part)) return Effect.forEach(part, (one: Json) => fill(one))
    return Effect.map(
      Effect.forEach(Object.entries(part), ([name, one]) =>
        name === "blob_id"
          ? Effect.map(read(one), (content) => ["content_base64", content] as const)
          : Effect.map(fill(one), (filled) => [name, filled] as const),
      ),
      (entries) => Object.fromEntries(entries),
    )
  }
  return yield* fill(value)
})
