/**
 * What stands behind a link of a mail that leads nowhere, most often because a mail program has cut it. Whoever follows
 * it with a browser reads a page in a language of that browser (RFC 9110, 12.5.4 Accept-Language); nobody knows whose
 * interview it was.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Interviews } from "../interviews/Interviews.ts"
import { unknownLinkPage } from "../interviews/pages/InterviewNotices.ts"
import { Assets } from "../platform/http/Assets.ts"
import { pages, seeOther, wantsPage } from "../platform/http/Pages.ts"
import { Throttle, tooMany } from "../platform/http/Throttle.ts"
import { type Language, languageOf } from "../texts/Texts.ts"

/** The language that is wanted most of those that pages are in; what a browser does not want at all has a weight of 0. */
const languageWanted = (header: string | undefined): Language => {
  const wanted = (header ?? "").split(",").map((part) => {
    const [tag = "", ...parameters] = part.split(";").map((piece) => piece.trim())
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))
    return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
  })
  return languageOf(
    wanted
      .filter(({ weight }) => weight > 0)
      .toSorted((a, b) => b.weight - a.weight)
      .map(({ tag }) => tag),
  )
}

/** Makes the answer to an unknown link: a page with 404, or 429 to an address that sends many of them. */
export const makeUnknownLink = Effect.gen(function* () {
  const { href } = yield* Assets
  const throttle = yield* Throttle
  const page = pages(href)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Effect.map(throttle.count("unknownLink", request), (seconds) =>
      seconds === undefined
        ? page(unknownLinkPage(languageWanted(request.headers["accept-language"])), { status: 404 })
        : tooMany(seconds),
    ),
  )
})

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
