/** Tokens of links in emails; the page for unknown links, often cut by an email program. */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type Language, textsOf } from "../../texts/Texts.ts"
import { Assets } from "./Assets.ts"
import type { Document } from "./Document.ts"
import { html } from "./Html.ts"
import { pages, preferredLanguage } from "./Pages.ts"
import { Throttle, tooMany } from "./Throttle.ts"

/** 44 characters in interview links (emails/EmailLinks.ts), 43 in password links (accounts/sign-in/PasswordLinks.ts). */
const tokenForm = /^[\w-]{43,44}$/

export const linkToken = <E>(unknown: () => E) =>
  Effect.flatMap(HttpRouter.params, ({ token = "" }) =>
    tokenForm.test(token) ? Effect.succeed(token) : Effect.fail(unknown()),
  )

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

/** `documentOf`: by default the page for links in emails to candidates. */
export const makeUnknownLink = Effect.fnUntraced(function* (
  documentOf: (language: Language) => Document = unknownLinkPage,
) {
  const { href } = yield* Assets
  const throttle = yield* Throttle
  const page = pages(href)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Effect.map(throttle.count("unknownLink", request), (seconds) =>
      seconds === undefined ? page(documentOf(preferredLanguage(request)), { status: 404 }) : tooMany(seconds),
    ),
  )
})
