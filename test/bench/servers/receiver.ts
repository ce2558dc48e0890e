/** A webhook receiver on node:http: returns 200 with a small body and checks each request. */
import { createServer, type IncomingMessage } from "node:http"
import { findWebhookFault } from "../../../src/webhooks/deliveries/WebhookVerification.ts"
import * as Protocol from "../deliveries/protocol.ts"
import { sharedMillis } from "../support/clock.ts"
import { handleCommands, on, portOf } from "../support/control.ts"

/** Verifies every hundredth signature; checks only the format of the others. */
const verifyEvery = 100
const slowMillis = 1000

let expected: typeof Protocol.Expectation.Type = {
  posts: 0,
  bodyBytes: 0,
  slowEvery: 0,
  counts: "/",
  hangs: "",
  secrets: [],
}
let requests = 0
const receipts = new Map<string, number>()
const errors: Array<string> = []
let allReceived = Promise.withResolvers<number>()

const errorOf = ({ headers, url }: IncomingMessage, chunks: ReadonlyArray<Buffer>, bytes: number) => {
  if (expected.bodyBytes > 0 && bytes !== expected.bodyBytes) return `the body has ${bytes} bytes`
  const header = String(headers["x-webhook-signature"])
  if (!/^t=\d+,v1=[0-9a-f]{64}$/.test(header)) return `malformed signature ${header}`
  const secret = expected.secrets[Number(url?.slice(1))]
  if (secret === undefined || requests % verifyEvery > 0) return undefined
  return findWebhookFault({ secrets: [secret], header, body: Buffer.concat(chunks) })?.reason
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const at = sharedMillis()
  const reply = () => response.writeHead(200, { "content-type": "application/json", "content-length": 2 }).end("{}")
  if (request.url === expected.hangs) {
    request.resume()
    return
  }
  if (request.url?.startsWith(expected.counts) !== true) {
    request.on("end", reply).resume()
    return
  }
  const chunks: Array<Buffer> = []
  let bytes = 0
  request.on("data", (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
  })
  request.on("end", () => {
    requests++
    const id = String(request.headers["webhook-id"])
    const error = receipts.has(id) ? `${id} was received twice` : errorOf(request, chunks, bytes)
    if (error !== undefined) errors.push(error)
    receipts.set(id, at)
    if (expected.slowEvery > 0 && requests % expected.slowEvery === 0) setTimeout(reply, slowMillis)
    else reply()
    if (receipts.size === expected.posts) allReceived.resolve(at)
  })
})

server.listen(0, "127.0.0.1", () =>
  handleCommands([
    on(Protocol.address, () => ({ origin: `http://127.0.0.1:${portOf(server)}` })),
    on(Protocol.expect, (expectation) => {
      expected = expectation
      requests = 0
      receipts.clear()
      errors.length = 0
      allReceived = Promise.withResolvers()
      return {}
    }),
    on(Protocol.received, async () => ({ last: await allReceived.promise })),
    on(Protocol.counted, () => ({ requests, errors: errors.slice(0, 5) })),
    on(Protocol.receipts, () => [...receipts]),
  ]),
)
