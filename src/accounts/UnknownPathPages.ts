/** What a browser reads at an address that leads nowhere. What asks for no page, and the API, gets the one error shape. */
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Assets } from "../platform/http/Assets.ts"
import { html } from "../platform/http/Html.ts"
import { pages, wantsPage } from "../platform/http/Pages.ts"
import { narrowPage } from "./pages/Credentials.ts"

/** Where programs ask, whatever they accept. */
const ofPrograms = /^\/(company|v1|health|hooks|assets)(\/|$)/

const unknownPathPage = narrowPage(
  "Page not found",
  "Page not found",
  html`<p>Nothing is at this address. Part of the link may be missing.</p>
<p><a class="button primary" href="/submissions">Go to the workspace</a></p>
<p class="note">You came to answer interview questions? Open the link in your invitation mail again.</p>`,
)

/** GET of whatever no other route takes; as "/*" it would take "/" too, whichever route that has (measured). */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { href } = yield* Assets
    const page = pages(href)(unknownPathPage, { status: 404 })
    yield* router.add("GET", "*", (request) =>
      Effect.succeed(
        wantsPage(request) && !ofPrograms.test(request.url) ? page : HttpServerResponse.empty({ status: 404 }),
      ),
    )
  }),
)
