/**
 * BlobStore in a bucket of Amazon S3, or of a server that speaks its protocol. Keys are `<prefix><organization>/<id>`, and
 * objects carry nothing but their bytes: names and types of files stand in the database.
 *
 * Content up to `partSize` is one request; longer content goes up in parts (multipart upload), and is to be seen when the
 * last request of it succeeds. Every request of bytes carries their MD5 (RFC 1864), which the server compares.
 */
import { createHash } from "node:crypto"
import { hostname } from "node:os"
import type { Readable } from "node:stream"
import type { CompletedPart, S3Client } from "@aws-sdk/client-s3"
import { NodeStream } from "@effect/platform-node"
import { Duration, Effect, Exit, Layer, Semaphore, Stream } from "effect"
import { joined, pieces } from "../values/Bytes.ts"
import { type BlobKey, BlobMissing, BlobStore, BlobStoreUnavailable, limited } from "./BlobStore.ts"

export interface S3Options {
  readonly bucket: string
  readonly region: string
  /** What keys begin with. */
  readonly prefix: string
  /** A compatible server, whose buckets are addressed by path; undefined: Amazon's. */
  readonly endpoint: string | undefined
  /** Until an answer begins, and between two pieces of it; 20 seconds unless told. What may pass is asked three times. */
  readonly timeout?: Duration.Duration
}

/** Bytes of a part: the least that S3 takes, but for the last one. */
const partSize = 5 * 1024 * 1024
/** Content that is taken in at once: each holds a part, for a moment twice; all of them 200 MiB. The others wait. */
const mostWrites = 20
/** Keys that are removed at once. */
const removals = 8
/** More are open at once only where many read slowly. */
const mostConnections = 256
/** What is left of a write that failed is taken away for so long; then it is left to whoever removes the key. */
const cleanup = Duration.seconds(10)

/** Error codes of S3 that mean: it is not there. */
const isGone = (error: unknown, ...codes: ReadonlyArray<string>) => error instanceof Error && codes.includes(error.name)

/** One line of what went wrong. */
const unavailable = (error: unknown) => {
  const { message, name } = error instanceof Error ? error : new Error(String(error))
  const line = message.split("\n")[0]?.trim() ?? ""
  const words = name === "Error" || line.includes(name) ? line : line === "" ? name : `${name}: ${line}`
  return new BlobStoreUnavailable({ reason: words.slice(0, 500) })
}

/** A request, which an interruption ends. */
const ask = <A>(request: (options: { readonly abortSignal: AbortSignal }) => Promise<A>) =>
  Effect.tryPromise({ try: (abortSignal) => request({ abortSignal }), catch: (error) => error })

/**
 * A request that changes something is waited for, also by who is interrupted: one that is cut off may be carried out later
 * than the removal that follows it.
 */
const tell = <A>(request: () => Promise<A>) =>
  Effect.uninterruptible(Effect.tryPromise({ try: request, catch: (error) => error }))

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("base64")

const make = Effect.fnUntraced(function* ({ bucket, endpoint, region, timeout }: S3Options) {
  const millis = Duration.toMillis(timeout ?? Duration.seconds(20))
  // only here: who keeps files elsewhere does not pay for it
  const sdk = yield* Effect.promise(() => import("@aws-sdk/client-s3"))
  const agent = { keepAlive: true, maxSockets: mostConnections }
  const client: S3Client = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new sdk.S3Client({
          region,
          ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
          maxAttempts: 3,
          // the digests of newer SDKs are not known to every compatible server
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
          requestHandler: {
            connectionTimeout: Math.min(5_000, millis),
            requestTimeout: millis,
            throwOnRequestTimeout: true,
            httpAgent: agent,
            httpsAgent: agent,
          },
        }),
    ),
    (open) => Effect.sync(() => open.destroy()),
  )
  const writes = yield* Semaphore.make(mostWrites)
  const of = (key: string) => ({ Bucket: bucket, Key: key })

  const abort = (key: string, upload: string) =>
    ask((options) => client.send(new sdk.AbortMultipartUploadCommand({ ...of(key), UploadId: upload }), options)).pipe(
      Effect.catchIf(
        (error) => isGone(error, "NoSuchUpload"),
        () => Effect.void,
      ),
    )

  /** Uploads of the key that were never completed. */
  const begun = (key: string) =>
    ask((options) => client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key }), options)).pipe(
      Effect.map(({ Uploads = [] }) =>
        Uploads.flatMap(({ Key, UploadId }) => (Key === key && UploadId !== undefined ? [UploadId] : [])),
      ),
      // a server without this list has nothing to show
      Effect.catchIf(
        (error) => isGone(error, "NotImplemented"),
        () => Effect.succeed([]),
      ),
    )

  /** True where the bucket keeps what is removed as an old version. */
  const remove = Effect.fnUntraced(function* (key: string) {
    yield* Effect.forEach(yield* begun(key), (upload) => abort(key, upload), { discard: true })
    const { DeleteMarker } = yield* ask((options) => client.send(new sdk.DeleteObjectCommand(of(key)), options)).pipe(
      Effect.catchIf(
        (error) => isGone(error, "NoSuchKey"),
        () => Effect.succeed({ DeleteMarker: false }),
      ),
    )
    return DeleteMarker === true
  }, Effect.mapError(unavailable))

  const put = <E, R>(key: string, content: Stream.Stream<Uint8Array, E, R>, limit: number) =>
    Effect.suspend(() => {
      let upload: string | undefined
      const parts: Array<CompletedPart> = []
      const whole = (bytes: Uint8Array) =>
        tell(() => client.send(new sdk.PutObjectCommand({ ...of(key), Body: bytes, ContentMD5: md5(bytes) })))
      const part = Effect.fnUntraced(function* (bytes: Uint8Array) {
        const begin = new sdk.CreateMultipartUploadCommand(of(key))
        upload ??= (yield* tell(() => client.send(begin))).UploadId
        const PartNumber = parts.length + 1
        const command = new sdk.UploadPartCommand({
          ...of(key),
          UploadId: upload,
          PartNumber,
          Body: bytes,
          ContentMD5: md5(bytes),
        })
        const { ETag } = yield* tell(() => client.send(command))
        parts.push({ ETag, PartNumber })
      })
      const complete = tell(() =>
        client.send(
          new sdk.CompleteMultipartUploadCommand({ ...of(key), UploadId: upload, MultipartUpload: { Parts: parts } }),
        ),
      )
      const undo = Effect.suspend(() =>
        Effect.andThen(upload === undefined ? Effect.void : Effect.ignore(abort(key, upload)), remove(key)),
      )
      return limited(content, limit).pipe(
        pieces(partSize),
        // only the last piece is short: it is the whole, or ends an upload
        Stream.runFoldEffect(
          () => 0,
          (count, bytes) =>
            Effect.as(
              Effect.mapError(
                upload === undefined && bytes.length < partSize ? whole(bytes) : part(bytes),
                unavailable,
              ),
              count + 1,
            ),
        ),
        Effect.flatMap((count) => {
          if (upload !== undefined) return Effect.mapError(complete, unavailable)
          return count === 0 ? Effect.mapError(whole(new Uint8Array()), unavailable) : Effect.void
        }),
        Effect.onError(() => Effect.ignore(Effect.timeout(Effect.interruptible(undo), cleanup))),
        Effect.asVoid,
        writes.withPermit,
      )
    })

  const get = (key: string): Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable> =>
    ask((options) => client.send(new sdk.GetObjectCommand(of(key)), options)).pipe(
      Effect.mapError((error) => (isGone(error, "NoSuchKey") ? new BlobMissing({}) : unavailable(error))),
      // in Node the SDK gives the answer of node:http
      Effect.map(({ Body }) => Body as Readable),
      (open) => Effect.acquireRelease(open, (body) => Effect.sync(() => body.destroy()), { interruptible: true }),
      Effect.map((body) =>
        NodeStream.fromReadable({ evaluate: () => body, onError: unavailable }).pipe(
          // a reader that is slow does not count: only waiting for the server does
          Stream.timeoutOrElse({
            duration: millis,
            orElse: () => Stream.fail(unavailable("the content stopped coming")),
          }),
        ),
      ),
      Stream.unwrap,
    )

  return { get, put, remove }
})

const probe = new TextEncoder().encode("May be removed.")

/**
 * Does with an object of its own all that will be done with files: what is wrong with the bucket, its name, its place or our
 * rights is told now, and not to the first candidate.
 */
const check = Effect.fnUntraced(function* (
  { bucket, endpoint, prefix }: S3Options,
  { get, put, remove }: Effect.Success<ReturnType<typeof make>>,
) {
  // no two processes have it at once, and one that starts again and again does not leave more and more of them
  const key = `${prefix}start/${hostname()}-${process.pid}`
  const failed = (what: string) => (error: { readonly _tag: string; readonly reason?: string }) =>
    new BlobStoreUnavailable({
      reason: `S3_BUCKET (${bucket}${endpoint === undefined ? "" : ` at ${endpoint}`}): ${what}: ${error.reason ?? "what was kept is not there"}`,
    })
  const read = Effect.map(Stream.runCollect(get(key)), joined)
  yield* Effect.mapError(put(key, Stream.succeed(probe), probe.length), failed("can not keep an object"))
  const found = yield* Effect.mapError(read, failed("can not read an object"))
  if (!Buffer.from(found).equals(probe)) return yield* failed("can not read an object")({ _tag: "" })
  const isVersioned = yield* Effect.mapError(remove(key), failed("can not remove an object"))
  // without the right to list, S3 says of what is not there that it is forbidden
  const after = yield* Effect.flip(read).pipe(
    Effect.orElseSucceed(() => new BlobStoreUnavailable({ reason: "it is still there" })),
  )
  if (after._tag !== "BlobMissing")
    return yield* failed("can not tell that an object is removed (s3:ListBucket?)")(after)
  if (isVersioned)
    yield* Effect.logWarning(
      `S3_BUCKET (${bucket}) keeps old versions: what is erased stays among them until a lifecycle rule of the bucket removes it`,
    )
})

/** Fails when the bucket does not take, give and remove an object; its error names the setting. */
export const layer = (options: S3Options): Layer.Layer<BlobStore, BlobStoreUnavailable> =>
  Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const bucket = yield* make(options)
      yield* check(options, bucket)
      const keyOf = ({ id, organization }: BlobKey) => `${options.prefix}${organization}/${id}`
      return BlobStore.of({
        put: (key, content, limit) => Effect.withSpan(bucket.put(keyOf(key), content, limit), "S3BlobStore.put"),
        get: (key) => bucket.get(keyOf(key)),
        // one that can not be removed does not keep the others
        remove: Effect.fn("S3BlobStore.remove")(function* (keys) {
          const exits = yield* Effect.forEach(keys, (key) => Effect.exit(bucket.remove(keyOf(key))), {
            concurrency: removals,
          })
          const failed = exits.find(Exit.isFailure)
          if (failed !== undefined) return yield* failed
        }),
      })
    }),
  )
