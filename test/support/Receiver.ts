/** A hiring system that takes webhooks: plain node:http on a real socket, in the test's own process. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { Socket } from "node:net"
import { Effect, FiberSet } from "effect"
import { listen } from "./listen.ts"

export interface Receipt {
  /** Of the endpoint's URL. */
  readonly path: string
  /** The event's id, as `webhook-id` says it. */
  readonly event: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds since the epoch by this process's clock. */
  readonly at: number
  /** Whether the sender was still there to be answered; false until then. */
  readonly isAnswered: () => boolean
}

export interface Receiver {
  /** Without a slash at the end. */
  readonly url: string
  /** What came, whole, in the order in which it came. */
  readonly receipts: ReadonlyArray<Receipt>
  readonly receiptsAt: (path: string) => ReadonlyArray<Receipt>
}

export interface Manners {
  /** The status to answer with, once it is time to answer. */
  readonly answer: (receipt: Receipt, receipts: ReadonlyArray<Receipt>) => Effect.Effect<number>
  /** Sees a connection before anything was read from it. */
  readonly connected?: (socket: Socket) => void
}

/** Listens on a free port of 127.0.0.1 for as long as the scope is open. */
export const start = Effect.fnUntraced(function* ({ answer, connected }: Manners) {
  const receipts: Array<Receipt> = []
  const run = yield* FiberSet.makeRuntime<never, void, never>()
  // connections stay open between requests longer than any test takes: a close of ours must not look like a fault
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    const chunks: Array<Buffer> = []
    let [isGone, isAnswered] = [false, false]
    response.on("close", () => {
      isGone = true
    })
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const receipt: Receipt = {
        path: request.url ?? "",
        event: String(request.headers["webhook-id"]),
        headers: request.headers,
        body: Buffer.concat(chunks),
        at: Date.now(),
        isAnswered: () => isAnswered,
      }
      receipts.push(receipt)
      const reply = (status: number) => {
        isAnswered = !isGone
        response.writeHead(status).end()
      }
      run(Effect.map(answer(receipt, receipts), reply))
    })
  })
  if (connected !== undefined) server.on("connection", connected)
  const url = yield* listen(server)
  return {
    url,
    receipts,
    receiptsAt: (path) => receipts.filter((receipt) => receipt.path === path),
  } satisfies Receiver
})
