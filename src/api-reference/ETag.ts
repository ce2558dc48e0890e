/** Revalidation of responses that are the same until the next start. */
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

const opaqueTag = (tag: string): string => tag.trim().replace(/^W\//, "")

/** Responds with 304 when the browser has the content (RFC 9110, 13.1.2). */
export const withETag = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
  const { digest } = yield* Digest.Digest
  const bytes = response.body._tag === "Uint8Array" ? response.body.body : new Uint8Array()
  const hash = Buffer.from(yield* Effect.orDie(digest(Digest.sha256, bytes))).toString("base64url")
  const headers = { etag: `"${hash.slice(0, 22)}"`, "cache-control": "no-cache" }
  const modified = HttpServerResponse.setHeaders(response, headers)
  const notModified = HttpServerResponse.empty({ status: 304, headers })
  return (request: HttpServerRequest.HttpServerRequest) => {
    const known = request.headers["if-none-match"]?.split(",").map(opaqueTag) ?? []
    return known.includes(headers.etag) ? notModified : modified
  }
})
