/** HTTP, HTTPS and socket servers on 127.0.0.1, and helpers of the webhook transport's tests. */
import { once } from "node:events"
import {
  createServer,
  type ServerOptions as HttpServerOptions,
  type IncomingMessage,
  request as plainRequest,
  type RequestListener,
  type ServerResponse,
} from "node:http"
import { createServer as createTlsServer, type ServerOptions } from "node:https"
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net"
import { assert } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { readNetworks } from "../../src/values/OutboundAddress.ts"
import {
  type Answered,
  type Failed,
  type OutboundResult,
  WebhookTransport,
} from "../../src/webhooks/deliveries/WebhookTransport.ts"

export const networks = (text: string) => Result.getOrThrow(readNetworks(text))
export const loopback = networks("127.0.0.0/8,::1/128")

/** Runs until the scope closes. `connections` holds all that were ever accepted. */
export interface Receiver {
  readonly port: number
  readonly url: string
  readonly connections: ReadonlyArray<Socket>
}

const listening = (server: Server, scheme: string): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const connections: Array<Socket> = []
    server.on("connection", (socket: Socket) => {
      connections.push(socket)
      socket.on("error", () => undefined)
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () =>
        Effect.promise(async () => {
          for (const socket of connections) socket.destroy()
          server.close()
          await once(server, "close")
        }),
    )
    const { port } = server.address() as AddressInfo
    return { port, url: `${scheme}://127.0.0.1:${port}/hook`, connections }
  })

export const receiver = (listener: RequestListener, options: HttpServerOptions = {}) =>
  Effect.suspend(() => listening(createServer(options, listener), "http"))

export const tlsReceiver = (options: ServerOptions, listener: RequestListener) =>
  Effect.suspend(() => listening(createTlsServer(options, listener), "https"))

/** Calls `answer` on each chunk of data. `count` is the number of the connection, from 1. */
export const rawReceiver = (answer: (socket: Socket, count: number) => void) =>
  Effect.suspend(() => {
    let count = 0
    const server = createSocketServer((socket) => {
      count += 1
      const at = count
      socket.on("data", () => answer(socket, at))
    })
    return listening(server, "http")
  })

export const body = new TextEncoder().encode(`{"name":"Zoë","text":"\\u0000 ☃"}`)
export const headers = { "content-type": "application/json", "x-webhook-signature": "t=1,v1=00" }

export const post = (url: string) =>
  Effect.flatMap(WebhookTransport, (transport) => transport.post({ url, headers, body }))

export const answered = (result: OutboundResult): Answered => {
  if (result._tag !== "Answered") return assert.fail(`${result.cause}: ${result.message}`)
  return result
}

export const failed = (result: OutboundResult): Failed => {
  if (result._tag !== "Failed") return assert.fail(`answered ${result.status}`)
  return result
}

export const read = async (request: IncomingMessage): Promise<Buffer> => Buffer.concat(await request.toArray())

export const closed = (socket: Socket | undefined) =>
  Effect.callback<void>((resume) => {
    if (socket === undefined || socket.closed) resume(Effect.void)
    else socket.once("close", () => resume(Effect.void))
  })

/** Sends a request on to the server at `url`, which may be behind a `tlsReceiver`. */
export const forward = (url: string, request: IncomingMessage, response: ServerResponse) => {
  const { hostname, port } = new URL(url)
  const { headers, method, url: path } = request
  const onward = plainRequest({ hostname, port, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers)
    answer.pipe(response)
  })
  request.pipe(onward.on("error", () => response.destroy()))
}
