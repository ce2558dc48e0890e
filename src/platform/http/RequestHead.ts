/** Refuses request heads that a proxy in front could read differently, because request smuggling uses such differences. */
import type { IncomingMessage } from "node:http"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { BadRequest } from "./ProblemApi.ts"

type Head = Pick<IncomingMessage, "headers" | "httpVersion" | "rawHeaders">

/** A host name or an address, optionally with a port. RFC 3986 also allows commas and other characters, not used in names. */
const hostForm = /^([\w.-]*|\[[0-9a-f:.]+\])(:\d*)?$/i

/**
 * True when there is exactly one valid Host header; HTTP/1.0 needs none (RFC 9112, 3.2). Reads `rawHeaders`, because Node's
 * `headers` keeps only the first of several.
 */
const hasOneHost = ({ httpVersion, rawHeaders }: Head): boolean => {
  let host: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length !== 4 || rawHeaders[i]?.toLowerCase() !== "host") continue
    if (host !== undefined) return false
    host = rawHeaders[i + 1] ?? ""
  }
  return host === undefined ? httpVersion === "1.0" : hostForm.test(host)
}

/** True when the body's length is unambiguous: no transfer coding but `chunked`, and none in HTTP/1.0 (RFC 9112, 6.1). */
const isFramed = ({ headers, httpVersion }: Head): boolean => {
  const coding = headers["transfer-encoding"]
  return coding === undefined || (httpVersion !== "1.0" && coding.toLowerCase() === "chunked")
}

const refuse = (detail: string) =>
  Effect.map(
    HttpServerRespondable.toResponse(new BadRequest({ detail })),
    HttpServerResponse.setHeader("connection", "close"),
  )
const refuseHost = refuse("the request must have one valid Host header")
const refuseCoding = refuse("the body must have a Content-Length, or chunked as its only transfer coding")

export const layer = HttpRouter.middleware(
  (handler) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const message = NodeHttpServerRequest.toIncomingMessage(request)
      if (!hasOneHost(message)) return refuseHost
      return isFramed(message) ? handler : refuseCoding
    }),
  { global: true },
)
