/**
 * An S3-compatible server for tests: s3rver, which checks signatures, with ListMultipartUploads and AbortMultipartUpload
 * added, and with faults that tests inject.
 */
import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import type { IncomingMessage, RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import S3rver from "@20minutes/s3rver"
import { Effect } from "effect"
import { receiver } from "./receivers.ts"

/** The variables in which the SDK looks for credentials. */
export const credentials = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" }

const bucket = "files"

const asEnvironment = Effect.acquireRelease(
  Effect.sync(() => {
    const before = { ...process.env }
    Object.assign(process.env, credentials)
    return before
  }),
  (before) =>
    Effect.sync(() => {
      for (const name of Object.keys(credentials)) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }),
)

/** As S3's documentation names the operation. */
const operationOf = ({ method, url = "" }: IncomingMessage): string => {
  const { pathname, searchParams } = new URL(url, "http://s3")
  if (searchParams.has("uploads")) return method === "GET" ? "ListMultipartUploads" : "CreateMultipartUpload"
  if (searchParams.has("uploadId"))
    return (
      { DELETE: "AbortMultipartUpload", POST: "CompleteMultipartUpload", PUT: "UploadPart" }[String(method)] ?? "other"
    )
  return pathname.split("/").length > 2
    ? ({ DELETE: "DeleteObject", GET: "GetObject", PUT: "PutObject" }[String(method)] ?? "other")
    : "other"
}

/** Runs until the scope closes, with the credentials in the environment. */
export const s3Server = Effect.gen(function* () {
  yield* asEnvironment
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "interview-s3-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
  )
  const app = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets: [{ name: bucket }] })
  yield* Effect.promise(() => app.configureBuckets())
  const handle = app.callback()

  /** Keys of open multipart uploads, by upload id. */
  const uploads = new Map<string, string>()
  const { initiateUpload, putObjectMultipart } = app.store
  app.store.initiateUpload = async (name, key, upload, headers) => {
    uploads.set(upload, key)
    await initiateUpload.call(app.store, name, key, upload, headers)
  }
  app.store.putObjectMultipart = async (name, upload, parts) => {
    const put = await putObjectMultipart.call(app.store, name, upload, parts)
    uploads.delete(upload)
    return put
  }

  /** `fault` returns true when it has answered the request itself. */
  const script: { fault: (operation: string, ...args: Parameters<RequestListener>) => boolean } = { fault: () => false }
  const operations: Array<string> = []
  /** Number of uploads whose Content-MD5 is missing or wrong. */
  let unproven = 0
  let received = 0

  const { port } = yield* receiver((request, response) => {
    const operation = operationOf(request)
    operations.push(operation)
    if (script.fault(operation, request, response)) return
    const { searchParams } = new URL(request.url ?? "", "http://s3")
    if (operation === "AbortMultipartUpload") {
      uploads.delete(searchParams.get("uploadId") ?? "")
      response.writeHead(204).end()
      return
    }
    if (operation === "ListMultipartUploads") {
      const prefix = searchParams.get("prefix") ?? ""
      const found = [...uploads].filter(([, key]) => key.startsWith(prefix))
      const list = found.map(([id, key]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`).join("")
      const root = `<ListMultipartUploadsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">`
      response.writeHead(200, { "content-type": "application/xml" })
      response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${root}${list}</ListMultipartUploadsResult>`)
      return
    }
    if (operation === "PutObject" || operation === "UploadPart") {
      const hash = createHash("md5")
      const { emit } = request
      // wraps emit, because a listener would consume the bytes before the server does
      request.emit = (event: string, ...values: ReadonlyArray<unknown>) => {
        const [bytes] = values
        if (event === "data" && Buffer.isBuffer(bytes)) {
          hash.update(bytes)
          received += bytes.length
        }
        if (event === "end" && hash.digest("base64") !== request.headers["content-md5"]) unproven += 1
        return emit.call(request, event, ...values)
      }
    }
    void handle(request, response)
  })

  return {
    bucket,
    endpoint: `http://127.0.0.1:${port}`,
    script,
    operations,
    unproven: () => unproven,
    received: () => received,
    openUploads: () => [...uploads.values()],
    keys: Effect.promise(async () =>
      (await app.store.listObjects(bucket, { maxKeys: 1000 })).objects.map(({ key }) => key).toSorted(),
    ),
  }
})

export const refuse = (
  response: Parameters<RequestListener>[1],
  status: number,
  code: string,
  message: string,
): true => {
  response.writeHead(status, { "content-type": "application/xml" })
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  )
  return true
}
