/**
 * BlobStore in a bucket of Amazon S3 or a compatible server. Keys are `<prefix><organization>/<id>`.
 *
 * The server verifies the MD5 of each request (RFC 1864). Not Upload of @aws-sdk/lib-storage: its parts have no MD5,
 * and one in flight may arrive after an abort.
 */
import { createHash } from "node:crypto"
import { hostname } from "node:os"
import { Readable } from "node:stream"
import type { CompletedPart, S3Client } from "@aws-sdk/client-s3"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Duration, Effect, Exit, Layer, Semaphore, Stream } from "effect"
import { operatorAgents } from "../platform/outbound/ProxyTunnel.ts"
import { type ByteRange, joined, pieces } from "../values/Bytes.ts"
import type { OutboundProxy } from "../values/OutboundProxy.ts"
import { type BlobKey, BlobMissing, BlobStore, BlobStoreUnavailable, limited } from "./BlobStore.ts"

export interface S3Options {
  readonly bucket: string
  readonly region: string
  readonly prefix: string
  /** Undefined: Amazon S3. Other servers are addressed by path. */
  readonly endpoint: string | undefined
  /** For servers with public addresses. */
  readonly proxy?: OutboundProxy | undefined
  /** Until a response starts, and between chunks; 20 seconds by default. */
  readonly timeout?: Duration.Duration
}

/** Bytes; S3's minimum for all parts but the last. */
const partSize = 5 * 1024 * 1024
/** 200 MiB: each upload has a part in memory, for a moment twice. */
const maxUploads = 20
const maxRemovals = 8
const maxConnections = 256
const cleanupTimeout = Duration.seconds(10)

const hasCode = (error: unknown, ...codes: ReadonlyArray<string>) =>
  error instanceof Error && codes.includes(error.name)

const unavailable = (error: unknown) => {
  const { message, name } = error instanceof Error ? error : new Error(String(error))
  const line = message.split("\n")[0]?.trim() ?? ""
  const words = name === "Error" || line.includes(name) ? line : line === "" ? name : `${name}: ${line}`
  return new BlobStoreUnavailable({ reason: words.slice(0, 500) })
}

const interruptible = <A>(request: (options: { readonly abortSignal: AbortSignal }) => Promise<A>) =>
  Effect.tryPromise({ try: (abortSignal) => request({ abortSignal }), catch: (error) => error })

/** An aborted write may take effect after its removal, so an interruption waits. */
const uninterruptible = <A>(request: () => Promise<A>) =>
  Effect.uninterruptible(Effect.tryPromise({ try: request, catch: (error) => error }))

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("base64")

const make = Effect.fnUntraced(function* ({ bucket, endpoint, proxy, region, timeout }: S3Options) {
  const millis = Duration.toMillis(timeout ?? Duration.seconds(20))
  // without a bucket, the SDK is not loaded
  const sdk = yield* Effect.promise(() => import("@aws-sdk/client-s3"))
  const client: S3Client = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new sdk.S3Client({
          region,
          ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
          maxAttempts: 3,
          // compatible servers may lack the SDK's default checksums
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
          requestHandler: {
            connectionTimeout: Math.min(5_000, millis),
            requestTimeout: millis,
            throwOnRequestTimeout: true,
            ...operatorAgents(proxy, maxConnections),
          },
        }),
    ),
    (open) => Effect.sync(() => open.destroy()),
  )
  const writes = yield* Semaphore.make(maxUploads)
  const of = (key: string) => ({ Bucket: bucket, Key: key })

  const abort = (key: string, upload: string) =>
    interruptible((options) =>
      client.send(new sdk.AbortMultipartUploadCommand({ ...of(key), UploadId: upload }), options),
    ).pipe(
      Effect.catchIf(
        (error) => hasCode(error, "NoSuchUpload"),
        () => Effect.void,
      ),
    )

  const incompleteUploads = (key: string) =>
    interruptible((options) =>
      client.send(new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key }), options),
    ).pipe(
      Effect.map(({ Uploads = [] }) =>
        Uploads.flatMap(({ Key, UploadId }) => (Key === key && UploadId !== undefined ? [UploadId] : [])),
      ),
      // a compatible server may lack this request
      Effect.catchIf(
        (error) => hasCode(error, "NotImplemented"),
        () => Effect.succeed([]),
      ),
    )

  /** Returns true when a versioned bucket keeps the object. */
  const remove = Effect.fnUntraced(function* (key: string) {
    yield* Effect.forEach(yield* incompleteUploads(key), (upload) => abort(key, upload), { discard: true })
    const { DeleteMarker } = yield* interruptible((options) =>
      client.send(new sdk.DeleteObjectCommand(of(key)), options),
    ).pipe(
      Effect.catchIf(
        (error) => hasCode(error, "NoSuchKey"),
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
        uninterruptible(() =>
          client.send(new sdk.PutObjectCommand({ ...of(key), Body: bytes, ContentMD5: md5(bytes) })),
        )
      const part = Effect.fnUntraced(function* (bytes: Uint8Array) {
        const begin = new sdk.CreateMultipartUploadCommand(of(key))
        upload ??= (yield* uninterruptible(() => client.send(begin))).UploadId
        const PartNumber = parts.length + 1
        const command = new sdk.UploadPartCommand({
          ...of(key),
          UploadId: upload,
          PartNumber,
          Body: bytes,
          ContentMD5: md5(bytes),
        })
        const { ETag } = yield* uninterruptible(() => client.send(command))
        parts.push({ ETag, PartNumber })
      })
      const complete = uninterruptible(() =>
        client.send(
          new sdk.CompleteMultipartUploadCommand({ ...of(key), UploadId: upload, MultipartUpload: { Parts: parts } }),
        ),
      )
      const undo = Effect.suspend(() =>
        Effect.andThen(upload === undefined ? Effect.void : Effect.ignore(abort(key, upload)), remove(key)),
      )
      return limited(content, limit).pipe(
        pieces(partSize),
        // only the last piece is shorter than partSize
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
        Effect.onError(() => Effect.ignore(Effect.timeout(Effect.interruptible(undo), cleanupTimeout))),
        Effect.asVoid,
        writes.withPermit,
      )
    })

  const get = (key: string, range?: ByteRange): Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable> =>
    interruptible((options) => {
      const bytes = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end - 1}` }
      return client.send(new sdk.GetObjectCommand({ ...of(key), ...bytes }), options)
    }).pipe(
      Effect.catchIf(
        (error) => hasCode(error, "InvalidRange"),
        () => Effect.succeed({ Body: Readable.from([]) }),
      ),
      Effect.mapError((error) => (hasCode(error, "NoSuchKey") ? new BlobMissing({}) : unavailable(error))),
      // in Node, node:http's IncomingMessage
      Effect.map(({ Body }) => Body as Readable),
      (open) => Effect.acquireRelease(open, (body) => Effect.sync(() => body.destroy()), { interruptible: true }),
      Effect.map((body) =>
        NodeStream.fromReadable({ evaluate: () => body, onError: unavailable }).pipe(
          // limits the server's time, not a slow reader's
          Stream.timeoutOrElse({
            duration: millis,
            orElse: () => Stream.fail(unavailable("the server stopped sending the content")),
          }),
        ),
      ),
      Stream.unwrap,
    )

  return { get, put, remove }
})

const probe = new TextEncoder().encode("May be removed.")

/** Fails on a wrong bucket or missing permission. */
const check = Effect.fnUntraced(function* (
  { bucket, endpoint, prefix }: S3Options,
  { get, put, remove }: Effect.Success<ReturnType<typeof make>>,
) {
  const key = `${prefix}start/${hostname()}-${process.pid}`
  const failed = (what: string) => (error: { readonly _tag: string; readonly reason?: string }) =>
    new BlobStoreUnavailable({
      reason: `S3_BUCKET (${bucket}${endpoint === undefined ? "" : ` at ${endpoint}`}): ${what}: ${error.reason ?? "the stored object is missing"}`,
    })
  const read = Effect.map(Stream.runCollect(get(key)), joined)
  yield* Effect.mapError(put(key, Stream.succeed(probe), probe.length), failed("cannot write an object"))
  const found = yield* Effect.mapError(read, failed("cannot read an object"))
  if (!Buffer.from(found).equals(probe)) return yield* failed("cannot read an object")({ _tag: "" })
  const isVersioned = yield* Effect.mapError(remove(key), failed("cannot remove an object"))
  // without s3:ListBucket, S3 answers 403 for a missing object
  const after = yield* Effect.flip(read).pipe(
    Effect.orElseSucceed(() => new BlobStoreUnavailable({ reason: "it still exists" })),
  )
  if (after._tag !== "BlobMissing")
    return yield* failed("cannot tell that an object was removed (s3:ListBucket?)")(after)
  if (isVersioned)
    yield* Effect.logWarning(
      `S3_BUCKET (${bucket}) is versioned: erased files stay as old versions until a lifecycle rule of the bucket removes them`,
    )
})

export const layer = (options: S3Options): Layer.Layer<BlobStore, BlobStoreUnavailable> =>
  Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const bucket = yield* make(options)
      yield* check(options, bucket)
      const keyOf = ({ id, organization }: BlobKey) => `${options.prefix}${organization}/${id}`
      return BlobStore.of({
        put: (key, content, limit) => Effect.withSpan(bucket.put(keyOf(key), content, limit), "S3BlobStore.put"),
        get: (key, range) => bucket.get(keyOf(key), range),
        // one failure does not stop the others
        remove: Effect.fn("S3BlobStore.remove")(function* (keys) {
          const exits = yield* Effect.forEach(keys, (key) => Effect.exit(bucket.remove(keyOf(key))), {
            concurrency: maxRemovals,
          })
          const failed = exits.find(Exit.isFailure)
          if (failed !== undefined) return yield* failed
        }),
      })
    }),
  )
