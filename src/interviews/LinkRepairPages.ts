/** Redirects links with added text, such as a full stop. */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { seeOther, wantsPage } from "../platform/http/Pages.ts"
import { makeUnknownLink } from "../platform/http/UnknownLink.ts"
import { Interviews } from "./Interviews.ts"

export const makeRedirectToLink = Effect.map(Interviews, ({ view }) => {
  return <E, R>(path: string, otherwise: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
    const [token = ""] = /^[\w-]*/.exec(path) ?? []
    if (token === path) return otherwise
    return view(token).pipe(
      Effect.as(seeOther(`/i/${token}`)),
      Effect.catchTag("LinkUnknown", () => otherwise),
    )
  }
})

/** Browsers get a page, programs an empty 404. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const unknown = yield* makeUnknownLink()
    const redirectToLink = yield* makeRedirectToLink
    const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      wantsPage(request) ? unknown : Effect.succeed(HttpServerResponse.empty({ status: 404 })),
    )
    for (const start of ["c", "o", "unsubscribe"]) yield* router.add("GET", `/${start}/*`, answer)
    yield* router.add(
      "GET",
      "/i/*",
      Effect.flatMap(HttpRouter.params, (params) => redirectToLink(params["*"] ?? "", answer)),
    )
  }),
)
