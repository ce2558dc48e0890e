/** Links of mails with text before or behind the token, which mail programs and people add. */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { seeOther, wantsPage } from "../platform/http/Pages.ts"
import { makeUnknownLink } from "../platform/http/UnknownLink.ts"
import { Interviews } from "./Interviews.ts"

/**
 * Goes on with a whole link behind which something was added: a full stop or a bracket of the text around it, or the rest
 * of a line. `otherwise` answers where there is none.
 */
export const makeWholeLink = Effect.map(Interviews, ({ view }) => {
  return <E, R>(path: string, otherwise: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
    const [token = ""] = /^[\w-]*/.exec(path) ?? []
    if (token === path) return otherwise
    return view(token).pipe(
      Effect.as(seeOther(`/i/${token}`)),
      Effect.catchTag("LinkUnknown", () => otherwise),
    )
  }
})

/** GET of whatever else begins like a link of a mail. What asks for no page gets the one error shape. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const unknown = yield* makeUnknownLink
    const wholeLink = yield* makeWholeLink
    const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      wantsPage(request) ? unknown : Effect.succeed(HttpServerResponse.empty({ status: 404 })),
    )
    for (const start of ["c", "o", "unsubscribe"]) yield* router.add("GET", `/${start}/*`, answer)
    yield* router.add(
      "GET",
      "/i/*",
      Effect.flatMap(HttpRouter.params, (params) => wholeLink(params["*"] ?? "", answer)),
    )
  }),
)
