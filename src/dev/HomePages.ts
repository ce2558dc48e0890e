/** GET /: the first page of `npm start`. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { Assets } from "../platform/http/Assets.ts"
import { pages } from "../platform/http/Pages.ts"
import { homePage } from "./pages/HomePage.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { href } = yield* Assets
    yield* router.add("GET", "/", Effect.succeed(pages(href)(homePage)))
  }),
)
