/** The Node HTTP server. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { Duration } from "effect"
import { problemOf } from "./ProblemApi.ts"

export interface Options {
  /** Closes each connection with its response: requests after the port is closed would be lost. */
  readonly isDraining: () => boolean
  readonly keepAlive: Duration.Duration
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Responds with 503 while no routes are attached: without a response, 5 of 1,098 requests sent during a start waited
 * forever.
 *
 * Ignores the Upgrade header (RFC 9110, 7.8), which Java's HttpClient sends with each unencrypted request: Node does
 * not read the chunked body of an upgrade request. Ignores unknown expectations (10.1.1).
 *
 * Node's `headersTimeout` and `requestTimeout` do not limit idle connections (Node 24.21).
 */
export const make = ({ headers, isDraining, keepAlive }: Options): Server => {
  const fields = { ...headers, "content-type": "application/problem+json" }
  const server = createServer({
    keepAliveTimeout: Duration.toMillis(keepAlive),
    // Middleware.ts refuses these requests with a problem
    requireHostHeader: false,
    shouldUpgradeCallback: () => false,
  })
  const inFlight = new WeakMap<Duplex, ServerResponse<IncomingMessage>>()
  server.on("request", (request, response) => {
    const { socket } = request
    // when a client disconnects, pipelined requests emit an error, which would end the process
    request.on("error", () => {})
    inFlight.set(socket, response)
    response.once("close", () => {
      if (inFlight.get(socket) === response) inFlight.delete(socket)
    })
    if (isDraining()) response.shouldKeepAlive = false
    if (server.listenerCount("request") > 1) return
    const body = JSON.stringify(problemOf(503))
    response.writeHead(503, { ...fields, "retry-after": "1", "content-length": Buffer.byteLength(body) })
    response.end(body)
  })
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("connect", (_request, socket) => {
    socket.on("error", () => {})
    answer(socket, 400, fields)
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
    const response = inFlight.get(socket)
    // the invalid bytes follow a complete request, whose response comes first
    if (response?.req.complete) {
      response.shouldKeepAlive = false
      return
    }
    // a second response would be read as part of the first
    if (response?.headersSent) return void socket.destroy()
    answer(socket, statuses[error.code ?? ""] ?? 400, fields, isHead(error))
  })
  return server
}

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** The response to a HEAD request has no body. */
const isHead = (error: Error): boolean =>
  "rawPacket" in error && Buffer.isBuffer(error.rawPacket) && error.rawPacket.toString("latin1", 0, 5) === "HEAD "

/** Closes the connection: the start of the next request is unknown. */
const answer = (socket: Duplex, status: number, fields: Readonly<Record<string, string>>, hasNoBody = false): void => {
  const body = JSON.stringify(problemOf(status))
  const all = { ...fields, connection: "close", "content-length": Buffer.byteLength(body) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", hasNoBody ? "" : body].join("\r\n"))
}
