/** The HTTP server under the routes. */
import { createServer, type Server, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { problemOf } from "../api/Problems.ts"

/**
 * A server that says 503 while no routes are attached. It listens a moment before they are, and goes on to hold open
 * connections after they are gone; without an answer of its own such a request would wait for ever (measured: 5 of
 * 1,098 requests sent during a start). What is not HTTP at all, and what Node would leave without an answer, is told so
 * in the one error shape.
 *
 * An offer to change the protocol is not taken, and the request served as it is (RFC 9110, 7.8): Java's HttpClient makes
 * one with each request that is not encrypted, and as an upgrade a chunked body would not be read. An expectation that
 * nobody knows is ignored (10.1.1).
 *
 * While the process drains, every answer ends its connection: what a client sends after the port is closed would be lost.
 */
export const make = (isDraining: () => boolean = () => false): Server => {
  const server = createServer({ shouldUpgradeCallback: () => false })
  server.on("request", (_request, response) => {
    if (isDraining()) response.shouldKeepAlive = false
    if (server.listenerCount("request") > 1) return
    response.writeHead(503, { "content-type": "application/problem+json", "retry-after": "1" })
    response.end(JSON.stringify(problemOf(503)))
  })
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("connect", (_request, socket) => {
    socket.on("error", () => {}) // nobody else listens any more, and a client that is gone must not end the process
    answer(socket, 400)
  })
  server.on("clientError", refuse)
  return server
}

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  answer(socket, statuses[error.code ?? ""] ?? 400)
}

/** Answers what could not be read as a request, and ends the connection: nobody knows where the next one begins. */
const answer = (socket: Duplex, status: number): void => {
  const body = JSON.stringify(problemOf(status))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
      "Connection: close",
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
  )
}
