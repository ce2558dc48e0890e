/** The public page of a notice, without a candidate's link: job posts link to it. */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Assets } from "../platform/http/Assets.ts"
import { pages, preferredLanguage } from "../platform/http/Pages.ts"
import { Throttle } from "../platform/http/Throttle.ts"
import { makeUnknownLink } from "../platform/http/UnknownLink.ts"
import { findLanguage } from "../texts/Texts.ts"
import { Notices } from "./Notices.ts"
import { publicNoticePage } from "./pages/PublicNoticePage.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { href } = yield* Assets
    const notices = yield* Notices
    const throttle = yield* Throttle
    const unknown = yield* makeUnknownLink()
    const render = pages(href)

    const show = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { id = "" } = yield* HttpRouter.params
      const { searchParams } = new URL(request.url, "http://page")
      const set = searchParams.get("set") ?? undefined
      const version = searchParams.get("version") ?? undefined
      const language = findLanguage(searchParams.get("language") ?? "") ?? preferredLanguage(request)
      return yield* notices.show(id, set, version).pipe(
        Effect.map((notice) => render(publicNoticePage(id, notice, language, { set, version }))),
        Effect.catchTag("NotFound", () => unknown),
      )
    })

    yield* router.add("GET", "/notices/:id", throttle.link(show))
  }),
)
