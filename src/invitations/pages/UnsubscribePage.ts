/** The page of an email's unsubscribe link. Opening it changes nothing: scanners follow all links. */
import { logoOf, noAppearance } from "../../accounts/Appearance.ts"
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { brand } from "../../platform/http/PageParts.ts"
import { languageOf, textsOf } from "../../texts/Texts.ts"
import { definedOnly } from "../../values/definedOnly.ts"
import type { Subscription } from "../TrackingLinks.ts"

export const unsubscribePage = (subscription: Subscription, token: string): Document => {
  const language = languageOf(subscription.languages)
  const appearance = subscription.appearance ?? noAppearance
  const { pieces, say } = textsOf(language, "unsubscribe")
  const values = {
    organization: html`<bdi>${subscription.organization_name}</bdi>`,
    email: html`<bdi>${subscription.email}</bdi>`,
  }
  const title = say(subscription.unsubscribed ? "done" : "question")
  return {
    language,
    title: `${title} – ${subscription.organization_name}`,
    masthead: brand(subscription.organization_name, logoOf(appearance)),
    ...definedOnly({ colour: appearance.colour ?? undefined }),
    scripts: [],
    main: subscription.unsubscribed
      ? html`<div class="notice">
<span class="sign done" aria-hidden="true"></span>
<h1>${title}</h1>
<p>${pieces("doneText", values)}</p>
</div>`
      : html`<div class="notice">
<h1>${title}</h1>
<p>${pieces("text", values)}</p>
<form method="post" action="/unsubscribe/${token}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button class="primary">${say("button")}</button>
</form>
</div>`,
  }
}
