/** What has to be read, chosen or copied before something is done with an endpoint. */
import type { Member } from "../../accounts/Member.ts"
import { countText, cut, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { copyField, type Notice } from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { EndpointView } from "../Endpoints.ts"
import { endpointHref, upTo } from "./EndpointParts.ts"

const section = "Webhooks"

interface SecretPage {
  readonly secret: string
  readonly now: Date
  /** How long an old secret signs beside a new one, in words. */
  readonly overlap: string
  readonly notice: Notice | undefined
}

/** The secret, and its replacement. */
export const secretPage = (
  member: Member,
  endpoint: EndpointView,
  { notice, now, overlap, secret }: SecretPage,
): Document => {
  const { id, previous_secret_until: until, secret_since } = endpoint
  const overlaps = until !== null && until > now
  return settingsPage(member, {
    title: `Secret of ${cut(endpoint.name, 80)}`,
    section,
    back: upTo(endpoint),
    notice,
    main: html`<header class="lead"><h1>Secret of <bdi>${endpoint.name}</bdi></h1>
<p class="welcome">Every delivery is signed with it. Your system keeps it, and refuses what is signed with anything else:
<a href="/docs#webhooks">how to verify</a>.</p></header>
<div class="once" data-forget="Load the page again to see the secret.">${copyField("secret", "The secret", secret)}</div>
<p class="actions spaced"><a class="button ${endpoint.last_success_at === null ? "primary" : "secondary"}" href="${endpointHref(id)}/test">Send a test</a></p>
${
  overlaps
    ? html`<section class="apart" aria-labelledby="old"><h2 id="old">The old secret still signs</h2>
<p>Until ${moment(until, "short")} each delivery carries two signatures, one with each secret, and your system may verify either.
Once it knows the new one, remove the old one.</p>
<form method="post" action="${endpointHref(id)}/secret/remove-old"><button class="secondary">Remove the old secret</button></form>
<p class="note">A new secret can be made when the old one is removed or over.</p></section>`
    : html`<section class="apart" aria-labelledby="replace"><h2 id="replace">Replace it</h2>
<p>Somebody knows it who should not, or it is time? Make a new one: it signs at once. The old one signs beside it for ${overlap},
so that nothing is refused while your system changes over.</p>
<form method="post" action="${endpointHref(id)}/secret/regenerate"><input type="hidden" name="seen" value="${secret_since.toISOString()}">
<button class="secondary">Make a new secret</button></form></section>`
}`,
  })
}

/** Switching on again, with the choice to send what was parked. */
export const enablePage = (member: Member, endpoint: EndpointView, parked: number): Document =>
  settingsPage(member, {
    title: `Activate ${cut(endpoint.name, 80)}`,
    section,
    back: upTo(endpoint),
    main: html`<header class="lead"><h1>Activate <bdi>${endpoint.name}</bdi> again?</h1></header>
<p>Its failures are forgotten, and what happens from now on is sent to <code>${endpoint.url}</code>.</p>
<form method="post" action="${endpointHref(endpoint.id)}/enable" class="fields spaced">
${
  parked === 0
    ? html`<p class="note">Nothing was parked meanwhile.</p>`
    : html`<fieldset class="picks"><legend>${countText(parked, "delivery was", "deliveries were")} parked meanwhile</legend>
<label class="pick"><input type="radio" name="parked" value="send" checked> <span>Send ${parked === 1 ? "it" : "them"} now <span class="note">Oldest first, 50 a second, each with the attempts that it has left.</span></span></label>
<label class="pick"><input type="radio" name="parked" value="keep"> <span>Keep ${parked === 1 ? "it" : "them"} parked <span class="note">To be sent later from the webhook's page.</span></span></label>
</fieldset>`
}
<p class="actions"><button class="primary">Activate</button> <a class="button secondary" href="${endpointHref(endpoint.id)}/test">Send a test first</a></p>
</form>`,
  })

/** Asks once more. */
export const deleteEndpointPage = (member: Member, endpoint: EndpointView, parked: number): Document =>
  settingsPage(member, {
    title: `Delete ${cut(endpoint.name, 80)}`,
    section,
    back: upTo(endpoint),
    main: html`<header class="lead"><h1>Delete <bdi>${endpoint.name}</bdi>?</h1><p class="about"><code>${endpoint.url}</code></p></header>
<p>${endpoint.last_success_at === null ? html`Nothing was ever delivered to it.` : html`It <strong>last took a delivery</strong> on ${moment(endpoint.last_success_at, "short")}.`}
Nothing more is sent, and what waits for it is deleted${parked === 0 ? null : html`, <strong>${countText(parked, "parked delivery", "parked deliveries")}</strong> among it`}.
Its secret and the list of its deliveries are gone.</p>
<p>To send nothing for a while, switch it off instead: then what happens is parked.</p>
<form method="post" action="${endpointHref(endpoint.id)}/delete" class="actions spaced"><button class="danger">Delete the webhook</button>
<a class="button secondary" href="${endpointHref(endpoint.id)}">Keep it</a></form>`,
  })

/** Asks how far back, and says how many that is. */
export const resendPage = (
  member: Member,
  endpoint: EndpointView,
  {
    failed,
    since,
    spans,
  }: {
    readonly failed: number
    /** One of the spans. */
    readonly since: string
    readonly spans: ReadonlyArray<readonly [value: string, name: string]>
  },
): Document =>
  settingsPage(member, {
    title: `Resend failed deliveries – ${cut(endpoint.name, 80)}`,
    section,
    back: upTo(endpoint),
    main: html`<header class="lead"><h1>Resend failed deliveries</h1>
<p class="welcome">Deliveries that used up their attempts are not tried again by themselves.</p></header>
<form method="get" action="${endpointHref(endpoint.id)}/resend" class="fields"><p><label for="since">Failed in</label>
<span class="beside-copy"><select id="since" name="since">${spans.map(([value, name]) => html`<option value="${value}"${value === since ? html` selected` : null}>${name}</option>`)}</select>
<button class="secondary">Count</button></span></p></form>
${
  failed === 0
    ? html`<p class="empty spaced">Nothing failed in this time that was not sent again already.</p>`
    : html`<form method="post" action="${endpointHref(endpoint.id)}/resend" class="spaced"><input type="hidden" name="since" value="${since}">
<p><strong>${countText(failed, "delivery", "deliveries")}</strong> failed in this time and ${failed === 1 ? "was" : "were"} not sent again. Each becomes a new delivery
of the same event, 50 a second.</p>
<p class="actions spaced"><button class="primary">Send ${failed === 1 ? "it" : `all ${failed}`} again</button></p></form>`
}`,
  })
