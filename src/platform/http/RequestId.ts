/** X-Request-Id: the caller's, or one made here; on every answer, and on every line that is logged meanwhile. */
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { uuids } from "../NewIds.ts"
import { withoutSecrets } from "../telemetry/LogText.ts"

/** What a log can hold and nobody can forge a line with. */
const printable = /^[\x21-\x7e]{1,128}$/

/** An id that is an address or a key would be a log that names people. */
const isUsable = (id: string): boolean => printable.test(id) && withoutSecrets(id) === id

/** Only paths of the API are logged, however they are spelt: those of pages hold candidates' links. */
const isLogged = (path: string): boolean =>
  /^(https?:\/\/[^/]*)?\/+(c|%63)(o|%6f)(m|%6d)(p|%70)(a|%61)(n|%6e)(y|%79)\//i.test(path)

export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const uuid = yield* uuids
    const answered = (request: HttpServerRequest.HttpServerRequest, id: string, began: number) => {
      const [asked = ""] = request.url.split("?")
      const named = HttpServerResponse.setHeader("x-request-id", id)
      if (!isLogged(asked)) return Effect.map(named)
      const path = withoutSecrets(asked)
      return Effect.flatMap((response: HttpServerResponse.HttpServerResponse) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.logInfo("request").pipe(
            Effect.annotateLogs({ method: request.method, path, status: response.status, duration_ms: now - began }),
            Effect.as(named(response)),
          ),
        ),
      )
    }
    // without generators: with them it was 39 µs of the 830 that an invite of one candidate takes
    return (handler) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const given = request.headers["x-request-id"]
        return Effect.flatMap(given !== undefined && isUsable(given) ? Effect.succeed(given) : uuid, (id) =>
          Effect.flatMap(Clock.currentTimeMillis, (began) =>
            Effect.annotateLogs(answered(request, id, began)(handler), "request_id", id),
          ),
        )
      })
  }),
  { global: true },
)
