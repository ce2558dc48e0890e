/** An HTTP CONNECT proxy (OUTBOUND_PROXY) for tests. */
import { createServer } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { type AddressInfo, connect, type Socket } from "node:net"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readProxy } from "../../src/values/OutboundProxy.ts"

interface ProxyOptions {
  /** Of an https proxy. */
  readonly certificate?: { readonly key: string; readonly cert: string }
  readonly status?: number
}

/** Connects every target to `port` on this machine, or answers with `status`. */
export const proxying = (port: number, { certificate, status = 200 }: ProxyOptions = {}) =>
  Effect.gen(function* () {
    const asked: Array<{ readonly target: string; readonly authorization: string | undefined }> = []
    const sockets = new Set<Socket>()
    const server = certificate === undefined ? createServer() : createTlsServer(certificate)
    server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => undefined)))
    server.on("connect", (request, client: Socket) => {
      asked.push({ target: request.url ?? "", authorization: request.headers["proxy-authorization"] })
      client.on("error", () => undefined)
      if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)
      const upstream = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n")
        upstream.pipe(client).pipe(upstream)
      })
      sockets.add(upstream.on("error", () => client.destroy()))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        }),
    )
    const { port: own } = server.address() as AddressInfo
    const url = `${certificate === undefined ? "http" : "https"}://user:p%40ss@127.0.0.1:${own}`
    const proxy = readProxy(url)
    if (proxy === undefined) return assert.fail(`${url} is not a proxy`)
    return { asked, proxy }
  })

export type Proxying = Effect.Success<ReturnType<typeof proxying>>
