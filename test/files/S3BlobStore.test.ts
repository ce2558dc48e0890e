/** S3BlobStore: the conformance suite on an S3 server, and failures of the server. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Option, Stream } from "effect"
import { BlobMissing, BlobStore, BlobStoreUnavailable } from "../../src/files/BlobStore.ts"
import * as S3BlobStore from "../../src/files/S3BlobStore.ts"
import { joined } from "../../src/values/Bytes.ts"
import { BlobId, OrganizationId } from "../../src/values/Ids.ts"
import { blobStoreSuite } from "../port/BlobStoreSuite.ts"
import { refuse, s3Server } from "../port/s3Server.ts"

const MiB = 1024 * 1024

blobStoreSuite(
  "S3",
  Layer.unwrap(
    Effect.map(s3Server, ({ bucket, endpoint }) =>
      S3BlobStore.layer({ bucket, endpoint, region: "us-east-1", prefix: "suite/" }),
    ),
  ),
)

const key = { organization: OrganizationId.make(7), id: BlobId.make("00000000-0000-7000-8000-000000000001") }
const name = `interviews/7/${key.id}`

const start = Effect.fnUntraced(function* (options: Partial<S3BlobStore.S3Options> = {}) {
  const server = yield* s3Server
  const { bucket, endpoint } = server
  const layer = S3BlobStore.layer({ bucket, endpoint, region: "us-east-1", prefix: "interviews/", ...options })
  return { server, layer }
})

/** A store after the check of its bucket. */
const started = Effect.fnUntraced(function* (options: Partial<S3BlobStore.S3Options> = {}) {
  const { layer, server } = yield* start(options)
  const context = yield* Layer.build(layer)
  server.operations.length = 0
  return { server, store: yield* BlobStore.pipe(Effect.provideContext(context)) }
})

const bytes = (length: number) => Buffer.alloc(length, "0123456789abcdef")
const network = (content: Uint8Array) =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(content.length / 65_536) }, (_, i) =>
      content.subarray(i * 65_536, (i + 1) * 65_536),
    ),
  )
const readAll = (store: BlobStore["Service"]) => Effect.map(Stream.runCollect(store.get(key)), joined)

/** Applies `fault` to the first `times` requests of an operation. */
const first = (
  server: Effect.Success<typeof s3Server>,
  operation: string,
  times: number,
  fault: (response: Parameters<typeof refuse>[0]) => void,
) => {
  let left = times
  server.script.fault = (asked, _, response) => {
    if (asked !== operation || left === 0) return false
    left -= 1
    fault(response)
    return true
  }
}

describe("a bucket", () => {
  it.live("has keys of organization and id, and no probe object", () =>
    Effect.gen(function* () {
      const { server, store } = yield* started()
      assert.deepStrictEqual(yield* server.keys, [])
      yield* store.put(key, Stream.succeed(bytes(10)), MiB)
      assert.deepStrictEqual(yield* server.keys, [name])
      assert.strictEqual(server.unproven(), 0)
    }),
  )

  it.live("uploads long content in parts, each with its MD5, with backpressure", () =>
    Effect.gen(function* () {
      const { server, store } = yield* started()
      const content = bytes(16 * MiB + 7)
      let taken = 0
      let most = 0
      yield* store.put(
        key,
        Stream.tap(network(content), (part) =>
          Effect.sync(() => {
            taken += part.length
            most = Math.max(most, taken - server.received())
          }),
        ),
        20 * MiB,
      )
      assert.deepStrictEqual(server.operations, [
        "CreateMultipartUpload",
        ...Array.from({ length: 4 }, () => "UploadPart"),
        "CompleteMultipartUpload",
      ])
      assert.isAtMost(most, 5 * MiB + 65_536)
      assert.deepStrictEqual([server.unproven(), server.openUploads()], [0, []])
      assert.isTrue(content.equals(yield* readAll(store)))
    }),
  )

  it.live("stores content of exactly one part", () =>
    Effect.gen(function* () {
      const { server, store } = yield* started()
      yield* store.put(key, network(bytes(5 * MiB)), 5 * MiB)
      assert.lengthOf(yield* readAll(store), 5 * MiB)
      assert.deepStrictEqual(server.openUploads(), [])
    }),
  )

  it.live("leaves no part of a stream that failed, was too long or was interrupted", () =>
    Effect.gen(function* () {
      const { server, store } = yield* started()
      const begun = network(bytes(6 * MiB))
      const cut = yield* Effect.flip(store.put(key, Stream.concat(begun, Stream.fail("cut")), 20 * MiB))
      assert.strictEqual(cut, "cut")
      yield* Effect.flip(store.put(key, network(bytes(12 * MiB)), 11 * MiB))
      const writing = yield* Effect.forkChild(store.put(key, Stream.concat(begun, Stream.never), 20 * MiB))
      yield* Effect.sync(() => server.openUploads().length).pipe(
        Effect.delay("5 millis"),
        Effect.repeat({ until: (open) => open === 1 }),
      )
      yield* Fiber.interrupt(writing)
      assert.deepStrictEqual([yield* server.keys, server.openUploads()], [[], []])
    }),
  )

  it.live("removes the incomplete upload of a crashed process", () =>
    Effect.gen(function* () {
      const { server, store } = yield* started()
      server.script.fault = (operation, _, response) =>
        ["AbortMultipartUpload", "DeleteObject"].includes(operation) && refuse(response, 403, "AccessDenied", "no")
      yield* Effect.flip(store.put(key, Stream.concat(network(bytes(6 * MiB)), Stream.fail("cut")), 20 * MiB))
      assert.deepStrictEqual(server.openUploads(), [name])
      server.script.fault = () => false
      yield* store.remove([key])
      assert.deepStrictEqual(server.openUploads(), [])
    }),
  )

  it.live("retries after a 503 and a cut connection", () =>
    Effect.gen(function* () {
      const { server, store } = yield* started()
      let times = 0
      server.script.fault = (operation, request, response) => {
        if (operation !== "PutObject") return false
        times += 1
        if (times === 1) return refuse(response, 503, "SlowDown", "Please reduce your request rate.")
        if (times === 2) request.socket.destroy()
        return times === 2
      }
      yield* store.put(key, Stream.succeed(bytes(10)), MiB)
      assert.strictEqual(times, 3)
      assert.lengthOf(yield* readAll(store), 10)
    }),
  )

  it.live("reports other errors as BlobStoreUnavailable with the reason", () =>
    Effect.gen(function* () {
      const { server, store } = yield* started({ timeout: Duration.millis(300) })
      yield* store.put(key, Stream.succeed(bytes(100_000)), MiB)
      const failed = Effect.fnUntraced(function* () {
        const error = yield* Effect.flip(readAll(store))
        assert.instanceOf(error, BlobStoreUnavailable)
        return error.reason
      })
      first(server, "GetObject", 9, (response) => refuse(response, 403, "AccessDenied", "Access Denied"))
      assert.strictEqual(yield* failed(), "AccessDenied: Access Denied")
      first(server, "GetObject", 9, (response) => refuse(response, 404, "NoSuchBucket", "The bucket is not there"))
      assert.match(yield* failed(), /NoSuchBucket/)
      first(server, "GetObject", 9, () => undefined)
      assert.match(yield* failed(), /TimeoutError|timed? ?out/i, "a server that never answers")
      first(server, "GetObject", 9, (response) => {
        response.writeHead(200, { "content-length": 100 }).write("begin")
      })
      assert.strictEqual(yield* failed(), "the server stopped sending the content")
      first(server, "GetObject", 9, (response) => {
        response.writeHead(200, { "content-length": 100 }).write("begin", () => response.destroy())
      })
      assert.match(yield* failed(), /abort|ECONNRESET/i, "a body that is cut off")
      first(server, "DeleteObject", 9, (response) => refuse(response, 500, "InternalError", "Try again"))
      assert.instanceOf(yield* Effect.flip(store.remove([key])), BlobStoreUnavailable)
      first(server, "PutObject", 9, (response) => refuse(response, 400, "BadDigest", "The Content-MD5 did not match"))
      const refused = yield* Effect.flip(store.put(key, Stream.succeed(bytes(10)), MiB))
      assert.strictEqual(refused.message, "BadDigest: The Content-MD5 did not match")
    }),
  )

  it.live("closes the connection when a reader stops", () =>
    Effect.gen(function* () {
      const { server, store } = yield* started()
      const closed = Promise.withResolvers<void>()
      first(server, "GetObject", 1, (response) => {
        response.writeHead(200, { "content-length": 10 * MiB }).write(bytes(70_000))
        response.on("close", closed.resolve)
      })
      assert.isTrue(Option.isSome(yield* Stream.runHead(store.get(key))))
      yield* Effect.promise(() => closed.promise)
    }),
  )

  it.live("removes the other keys when one fails", () =>
    Effect.gen(function* () {
      const { server, store } = yield* started()
      const keys = [1, 2, 3].map((n) => ({ ...key, id: BlobId.make(`00000000-0000-7000-8000-00000000000${n}`) }))
      for (const one of keys) yield* store.put(one, Stream.succeed(bytes(3)), MiB)
      server.script.fault = (operation, request, response) =>
        operation === "DeleteObject" &&
        request.url?.includes(name) === true &&
        refuse(response, 403, "AccessDenied", "no")
      assert.instanceOf(yield* Effect.flip(store.remove(keys)), BlobStoreUnavailable)
      assert.deepStrictEqual(yield* server.keys, [name])
    }),
  )

  it.live("works with a server that cannot list uploads", () =>
    Effect.gen(function* () {
      const { server, store } = yield* started()
      server.script.fault = (operation, _, response) =>
        operation === "ListMultipartUploads" && refuse(response, 501, "NotImplemented", "not here")
      yield* store.put(key, Stream.succeed(bytes(3)), MiB)
      yield* store.remove([key])
      assert.instanceOf(yield* Effect.flip(readAll(store)), BlobMissing)
    }),
  )
})

describe("the check at the start", () => {
  const refusals = [
    ["NoSuchBucket", {}, "PutObject", 404, /^S3_BUCKET \(files at http:.*\): cannot write an object: NoSuchBucket/],
    ["rights to write", {}, "PutObject", 403, /cannot write an object: AccessDenied/],
    ["rights to read", {}, "GetObject", 403, /cannot read an object: AccessDenied/],
    ["rights to remove", {}, "DeleteObject", 403, /cannot remove an object: AccessDenied/],
  ] as const
  it.live.each(refusals)(
    "fails without %s in one line that names the setting",
    ([, options, operation, status, line]) =>
      Effect.gen(function* () {
        const { layer, server } = yield* start(options)
        server.script.fault = (asked, _, response) =>
          asked === operation && refuse(response, status, status === 404 ? "NoSuchBucket" : "AccessDenied", "no")
        assert.match((yield* Effect.flip(Layer.build(layer))).reason, line)
      }),
  )

  it.live("fails without s3:ListBucket", () =>
    Effect.gen(function* () {
      const { layer, server } = yield* start()
      server.script.fault = (asked, _, response) =>
        asked === "GetObject" &&
        server.operations.includes("DeleteObject") &&
        refuse(response, 403, "AccessDenied", "no")
      assert.match((yield* Effect.flip(Layer.build(layer))).reason, /cannot tell .* \(s3:ListBucket\?\): AccessDenied/)
    }),
  )

  it.live("fails when the server is unreachable", () =>
    Effect.gen(function* () {
      const { layer } = yield* start({ endpoint: "http://127.0.0.1:1" })
      assert.match((yield* Effect.flip(Layer.build(layer))).reason, /at http:\/\/127\.0\.0\.1:1\): .*ECONNREFUSED/)
    }),
  )

  it.live("fails with a wrong secret and does not show it", () =>
    Effect.gen(function* () {
      const { layer } = yield* start()
      process.env["AWS_SECRET_ACCESS_KEY"] = "hidden"
      const { reason } = yield* Effect.flip(Layer.build(layer))
      assert.match(reason, /SignatureDoesNotMatch/)
      assert.notInclude(reason, "hidden")
    }),
  )
})
