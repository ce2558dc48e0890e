/** X-Request-Id: the caller's, or one made here; on every answer, and on every line that is logged meanwhile. */
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { uuids } from "../service/Ids.ts"

/** What a log can hold and nobody can forge a line with. */
const usable = /^[\x21-\x7e]{1,128}$/

/** Only paths of the API are logged, however they are spelt: those of pages hold candidates' links. */
const isLogged = (path: string): boolean =>
  /^(https?:\/\/[^/]*)?\/+(c|%63)(o|%6f)(m|%6d)(p|%70)(a|%61)(n|%6e)(y|%79)\//i.test(path)

export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const uuid = yield* uuids
    return (handler) =>
      Effect.gen(function* () {
        const { headers, method, url } = yield* HttpServerRequest.HttpServerRequest
        const given = headers["x-request-id"]
        const id = given !== undefined && usable.test(given) ? given : yield* uuid
        const [path = ""] = url.split("?")
        const began = yield* Clock.currentTimeMillis
        const answered = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
          if (isLogged(path)) {
            const duration_ms = (yield* Clock.currentTimeMillis) - began
            yield* Effect.logInfo("request").pipe(
              Effect.annotateLogs({ method, path, status: response.status, duration_ms }),
            )
          }
          return HttpServerResponse.setHeader(response, "x-request-id", id)
        })
        return yield* Effect.flatMap(handler, answered).pipe(Effect.annotateLogs("request_id", id))
      })
  }),
  { global: true },
)
