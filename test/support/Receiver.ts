/** A webhook receiver in the test process: a node:http server on a free port. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { Socket } from "node:net"
import { Effect, FiberSet } from "effect"
import { listen } from "./listen.ts"

export interface Receipt {
  readonly path: string
  /** The header `webhook-id`. */
  readonly event: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds since the epoch. */
  readonly at: number
  /** True once the answer was sent while the sender was still connected. */
  readonly isAnswered: () => boolean
}

export interface Receiver {
  /** Without a trailing slash. */
  readonly url: string
  readonly receipts: ReadonlyArray<Receipt>
  readonly receiptsAt: (path: string) => ReadonlyArray<Receipt>
}

export interface Manners {
  /** Returns the status of the answer; may wait before. */
  readonly answer: (receipt: Receipt, receipts: ReadonlyArray<Receipt>) => Effect.Effect<number>
  /** Of every answer. Default: empty. */
  readonly body?: string
  readonly connected?: (socket: Socket) => void
}

export const start = Effect.fnUntraced(function* ({ answer, body = "", connected }: Manners) {
  const receipts: Array<Receipt> = []
  const run = yield* FiberSet.makeRuntime<never, void, never>()
  // longer than any test, so that the receiver never closes a connection that the sender reuses
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
        response.writeHead(status).end(body)
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
