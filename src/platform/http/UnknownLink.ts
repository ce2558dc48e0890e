/**
 * What stands behind a link of a mail that leads nowhere, most often because a mail program has cut it. Whoever follows
 * it with a browser reads a page in a language of that browser (RFC 9110, 12.5.4 Accept-Language); nobody knows whose
 * interview it was.
 */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { type Language, languageOf, textsOf } from "../../texts/Texts.ts"
import { Assets } from "./Assets.ts"
import type { Document } from "./Document.ts"
import { html } from "./Html.ts"
import { pages } from "./Pages.ts"
import { Throttle, tooMany } from "./Throttle.ts"

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

/** The page of an unknown link, in a language of the browser. */
export const unknownLinkPage = (language: Language): Document => {
  const { say } = textsOf(language, "link")
  return {
    title: say("unknown"),
    masthead: null,
    scripts: ["time.js", "interview.js"],
    language,
    main: html`<div class="notice">
<span class="sign closed" aria-hidden="true"></span>
<h1>${say("unknown")}</h1>
<p>${say("unknownText")}</p>
<p>${say("unknownAsk")}</p>
</div>`,
  }
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
