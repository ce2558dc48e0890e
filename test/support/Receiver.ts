/** A webhook receiver in the test process: a node:http server on a free port. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { Socket } from "node:net"
import { Effect, FiberSet } from "effect"
import { listen } from "./listen.ts"

export interface Receipt {
  /** The path of the endpoint's URL. */
  readonly path: string
  /** The event's id, from the header `webhook-id`. */
  readonly event: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number
  /** True once the answer was sent while the sender was still connected. */
  readonly isAnswered: () => boolean
}

export interface Receiver {
  /** Without a trailing slash. */
  readonly url: string
  /** All complete requests, in order of arrival. */
  readonly receipts: ReadonlyArray<Receipt>
  readonly receiptsAt: (path: string) => ReadonlyArray<Receipt>
}

export interface Manners {
  /** Returns the status of the answer; may wait before. */
  readonly answer: (receipt: Receipt, receipts: ReadonlyArray<Receipt>) => Effect.Effect<number>
  /** Called with each new connection. */
  readonly connected?: (socket: Socket) => void
}

/** Listens on a free port of 127.0.0.1 until the scope closes. */
export const start = Effect.fnUntraced(function* ({ answer, connected }: Manners) {
  const receipts: Array<Receipt> = []
  const run = yield* FiberSet.makeRuntime<never, void, never>()
  // idle connections stay open longer than any test, so that the receiver never closes one during a request
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
