/** The page of the link that ends emails to a member. Opening it changes nothing: scanners follow all links. */
import type { Document } from "../../../platform/http/Document.ts"
import { html } from "../../../platform/http/Html.ts"
import { brand } from "../../../platform/http/PageParts.ts"
import { notifications, type Subscribed } from "../Notification.ts"
import type { NotificationSubscription } from "../Notifications.ts"
import { accountHref } from "./AccountPage.ts"

const what = (subscribed: Subscribed): string =>
  subscribed === "daily" ? "once a day" : (notifications.find(({ kind }) => kind === subscribed)?.about ?? "")

export const notificationPage = (
  { email, isEnded, organization, subscribed }: NotificationSubscription,
  token: string,
): Document => {
  const title = isEnded ? "You get no more of these emails" : "Get no more of these emails?"
  const text = html`to <bdi>${email}</bdi> ${what(subscribed)}`
  return {
    language: "en",
    title: `${title} – ${organization}`,
    masthead: brand(organization),
    scripts: [],
    main: isEnded
      ? html`<div class="notice">
<span class="sign done" aria-hidden="true"></span>
<h1>${title}</h1>
<p>No more emails are sent ${text}. You can choose again in <a href="${accountHref}">your account</a>.</p>
</div>`
      : html`<div class="notice">
<h1>${title}</h1>
<p>No more emails will be sent ${text}. You can choose again in your account at any time.</p>
<form method="post" action="/notifications/${token}/${subscribed}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button class="primary">Get no more emails</button>
</form>
</div>`,
  }
}
