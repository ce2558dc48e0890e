/** The JSON of exported rows with the content of their files, sent as it is read: files may be larger than the memory. */
import { Effect, Pull, type Schema, Stream } from "effect"
import { type BlobMissing, type BlobStore, BlobStoreUnavailable } from "../files/BlobStore.ts"
import { pieces } from "../values/Bytes.ts"
import { BlobId, type OrganizationId, parseId } from "../values/Ids.ts"

/** Bytes of a file that are encoded at a time: a multiple of 3, so that base64 pads only the last of them. */
const pieceSize = 3 * 64 * 1024

/** Marks the place of a file in the JSON. No text of Postgres begins like this, because none has a NUL. */
const mark = "\0"
const marked = /"\\u0000([^"]+)"/

/** Replaces each `blob_id` by `content_base64`, which is the mark of the file; null: no file. */
const withMarks = (part: Schema.Json): Schema.Json => {
  if (typeof part !== "object" || part === null) return part
  if (Array.isArray(part)) return part.map(withMarks)
  return Object.fromEntries(
    Object.entries(part).map(([name, one]) => {
      if (name !== "blob_id") return [name, withMarks(one)]
      return ["content_base64", parseId(BlobId, one) === undefined ? null : `${mark}${one}`]
    }),
  )
}

/** A file may be removed while it is read. The text has begun, so the reader of the stream must see that it does not end. */
const removed = () => new BlobStoreUnavailable({ reason: "a file was removed while it was read" })

/**
 * The file as a JSON string of base64 after the text `before`, which waits for the first bytes: until then a failure can still
 * be answered. null: the content is missing.
 */
const fileText = (content: Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable>, before: string) => {
  const base64 = Stream.map(pieces(pieceSize)(content), (piece) => Buffer.from(piece).toString("base64"))
  return Effect.gen(function* () {
    const pull = yield* Stream.toPull(base64)
    const first = yield* Pull.catchDone(pull, () => Effect.undefined)
    if (first === undefined) return Stream.succeed(`${before}""`)
    const rest = Stream.catchTag(Stream.fromPull(Effect.succeed(pull)), "BlobMissing", () => Stream.fail(removed()))
    return Stream.fromArray([`${before}"`, ...first]).pipe(Stream.concat(rest), Stream.concat(Stream.succeed('"')))
  }).pipe(
    Effect.catchTag("BlobMissing", () => Effect.succeed(Stream.succeed(`${before}null`))),
    Stream.unwrap,
  )
}

/**
 * The JSON of `value` between the texts `before` and `after`, with `content_base64` in place of each `blob_id`; null: the
 * content is missing. Fails in the middle if a file cannot be read to its end.
 */
export const exportText = (
  blobStore: BlobStore["Service"],
  organization: OrganizationId,
  value: { readonly [part: string]: Schema.Json },
  { after, before }: { readonly before: string; readonly after: string },
): Stream.Stream<string, BlobStoreUnavailable> => {
  // text, id, text, id, text
  const parts = `${before}${JSON.stringify(withMarks(value), null, 2)}${after}`.split(marked)
  const files = parts.flatMap((id, at) => (at % 2 === 1 ? [{ before: parts[at - 1] ?? "", id: BlobId.make(id) }] : []))
  return Stream.fromIterable(files).pipe(
    Stream.flatMap((file) => fileText(blobStore.get({ organization, id: file.id }), file.before)),
    Stream.concat(Stream.succeed(parts.at(-1) ?? "")),
  )
}
