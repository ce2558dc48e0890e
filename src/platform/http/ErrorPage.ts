/** The page for a request that failed with 500 or 503, or a form from elsewhere with 403; needs no database. */
import { type Language, textsOf } from "../../texts/Texts.ts"
import type { Document } from "./Document.ts"
import { html } from "./Html.ts"

/** `isForm`: the browser sent a form, and sends it again when the visitor reloads the page. */
export const errorPage = (status: number, isForm: boolean, language: Language): Document => {
  const { say } = textsOf(language, "failure")
  const isForeign = status === 403
  const title = say(isForeign ? "foreign" : status === 503 ? "unavailable" : "failed")
  return {
    title,
    masthead: null,
    scripts: [],
    language,
    main: html`<div class="notice">
<span class="sign closed" aria-hidden="true"></span>
<h1>${title}</h1>
<p>${say(isForeign ? "foreignText" : isForm ? "resend" : "wait")}</p>
${isForm ? null : html`<p><a class="button secondary" href="">${say("again")}</a></p>`}
</div>`,
  }
}
