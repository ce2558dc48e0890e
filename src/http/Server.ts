/** The HTTP server under the routes. */
import { createServer, type Server } from "node:http"
import { problemOf } from "../api/Problems.ts"

/**
 * A server that says 503 while no routes are attached. It listens a moment before they are, and goes on to hold open
 * connections after they are gone; without an answer of its own such a request would wait for ever (measured: 5 of
 * 1,098 requests sent during a start).
 */
export const make = (): Server => {
  const server = createServer()
  server.on("request", (_request, response) => {
    if (server.listenerCount("request") > 1) return
    response.writeHead(503, { "content-type": "application/problem+json", "retry-after": "1" })
    response.end(JSON.stringify(problemOf(503)))
  })
  return server
}
