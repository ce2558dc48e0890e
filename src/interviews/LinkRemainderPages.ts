/** Links of mails with text before or after the token, which mail programs and people add. */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { seeOther, wantsPage } from "../platform/http/Pages.ts"
import { makeUnknownLink } from "../platform/http/UnknownLink.ts"
import { Interviews } from "./Interviews.ts"

/**
 * Makes the redirect from a link with text after its token, such as a full stop, a bracket or the rest of a line, to the link
 * itself. `otherwise` answers when the path does not begin with a known token.
 */
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

/** GET of all other addresses that begin like a link of a mail. Browsers get the page of an unknown link, programs an empty 404. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const unknown = yield* makeUnknownLink
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
