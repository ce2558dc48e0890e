/** The page behind a mail's unsubscribe link. To look at it changes nothing: scanners follow every link of a mail. */
import { html } from "../../service/Html.ts"
import type { Subscription } from "../../service/MailLinks.ts"
import type { Document } from "./Document.ts"
import { brand } from "./Parts.ts"

/** `token` is the link's own. */
export const unsubscribePage = (subscription: Subscription, token: string): Document => {
  const organization = html`<bdi>${subscription.organization_name}</bdi>`
  const address = html`<bdi>${subscription.email}</bdi>`
  const title = subscription.unsubscribed ? "You are unsubscribed" : "Unsubscribe?"
  return {
    title: `${title} – ${subscription.organization_name}`,
    masthead: brand(subscription.organization_name),
    scripts: [],
    main: subscription.unsubscribed
      ? html`<div class="notice">
<span class="sign done" aria-hidden="true"></span>
<h1>${title}</h1>
<p>${organization} sends no more invitations to ${address}. An interview that you were invited to stays open until its
deadline, under the link that you have.</p>
</div>`
      : html`<div class="notice">
<h1>${title}</h1>
<p>${organization} will then send no more invitations and reminders to ${address}. An interview that you were invited to
stays open until its deadline, under the link that you have.</p>
<form method="post" action="/unsubscribe/${token}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button class="primary">Unsubscribe</button>
</form>
</div>`,
  }
}
