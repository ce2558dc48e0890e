/** The forms of a webhook; its secret. */
import type { Member } from "../../../accounts/members/Member.ts"
import { countText, cut, settingsPage } from "../../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../../platform/http/Document.ts"
import { copyField, errorSummary, field, type Notice } from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import { eventCheckboxes } from "../../events/pages/EventLabels.ts"
import type { EndpointView } from "../Endpoints.ts"
import { type EndpointForm, endpointForm, optionFields } from "./EndpointOptions.ts"
import { backTo, backToList, endpointHref, webhooksHref } from "./EndpointPage.ts"

const section = "Webhooks"

// Add and change

/** The default button of the form: Enter in a field saves instead of searching. */
const defaultButton = html`<button class="unseen" tabindex="-1" aria-hidden="true">Save</button>`

const titleOf = ({ errors }: EndpointForm, failed: string, title: string) =>
  `${Object.keys(errors).length > 0 ? `${failed} – ` : ""}${title}`

const fields = (form: EndpointForm, action: string): Html => {
  const { errors, events } = form
  const input = (name: "url" | "name" | "description") => endpointForm.input(name, form, errors)
  return html`${field({
    ...input("url"),
    type: "url",
    isMono: true,
    hint: "The https address that receives the events. It must be reachable from the internet.",
  })}
${field({ ...input("name"), hint: "The system that receives the events." })}
${field(input("description"))}
${eventCheckboxes(events, errors)}
${optionFields(form, action)}`
}

/** `id`: a form sent twice creates one endpoint. */
export const newEndpointPage = (member: Member, id: string, form: EndpointForm): Document =>
  settingsPage(member, {
    title: titleOf(form, "Not added", "New webhook"),
    section,
    back: backToList,
    main: html`<header class="lead"><h1>New webhook</h1></header>
${errorSummary(form.errors, "The webhook was not added.")}
<form method="post" action="${webhooksHref}" class="fields" novalidate>
${defaultButton}<input type="hidden" name="id" value="${id}">
${fields(form, webhooksHref)}
<p class="actions"><button class="primary">Add the webhook</button> <a class="button secondary" href="${webhooksHref}">Cancel</a></p>
<p class="note">The next page shows the secret that signs its deliveries.</p>
</form>`,
  })

export const editEndpointPage = (
  member: Member,
  endpoint: Pick<EndpointView, "id" | "name">,
  form: EndpointForm,
): Document =>
  settingsPage(member, {
    title: titleOf(form, "Not saved", `Edit ${endpoint.name}`),
    section,
    back: backTo(endpoint),
    main: html`<header class="lead"><h1>Edit <bdi>${endpoint.name}</bdi></h1></header>
${errorSummary(form.errors, "Nothing was saved.")}
<form method="post" action="${endpointHref(endpoint.id)}" class="fields" novalidate>
${defaultButton}${fields(form, endpointHref(endpoint.id))}
<p class="note">Attempts in progress still go to the old address. Later ones, including retries, go to the new one.</p>
<p class="actions"><button class="primary">Save</button> <a class="button secondary" href="${endpointHref(endpoint.id)}">Cancel</a></p>
</form>`,
  })

// Activate and delete

export const enablePage = (member: Member, endpoint: EndpointView, parked: number): Document =>
  settingsPage(member, {
    title: `Activate ${cut(endpoint.name, 80)}`,
    section,
    back: backTo(endpoint),
    main: html`<header class="lead"><h1>Activate <bdi>${endpoint.name}</bdi>?</h1></header>
<p>The count of failures is reset, and new events are sent to <code>${endpoint.url}</code>.</p>
<form method="post" action="${endpointHref(endpoint.id)}/enable" class="fields spaced">
${
  parked === 0
    ? html`<p class="note">No deliveries were paused meanwhile.</p>`
    : html`<fieldset class="picks"><legend>${countText(parked, "delivery was", "deliveries were")} paused meanwhile</legend>
<label class="pick"><input type="radio" name="parked" value="send" checked> <span>Send ${parked === 1 ? "it" : "them"} now <span class="note">Oldest first, 50 per second, each with its remaining attempts.</span></span></label>
<label class="pick"><input type="radio" name="parked" value="keep"> <span>Keep ${parked === 1 ? "it" : "them"} paused <span class="note">Send later from the webhook's page.</span></span></label>
</fieldset>`
}
<p class="actions"><button class="primary">Activate</button> <a class="button secondary" href="${endpointHref(endpoint.id)}/test">Send a test first</a></p>
</form>`,
  })

export const deleteEndpointPage = (member: Member, endpoint: EndpointView, parked: number): Document =>
  settingsPage(member, {
    title: `Delete ${cut(endpoint.name, 80)}`,
    section,
    back: backTo(endpoint),
    main: html`<header class="lead"><h1>Delete <bdi>${endpoint.name}</bdi>?</h1><p class="about"><code>${endpoint.url}</code></p></header>
<p>${endpoint.last_success_at === null ? html`Nothing was ever delivered to it.` : html`Its <strong>last successful delivery</strong> was on ${moment(endpoint.last_success_at, "short")}.`}
Nothing more is sent. Its secret, its list of deliveries and its waiting deliveries${parked === 0 ? null : html`, including <strong>${countText(parked, "paused delivery", "paused deliveries")}</strong>,`} are deleted.</p>
<p>To stop deliveries for a while, deactivate the webhook instead: then they are paused.</p>
<form method="post" action="${endpointHref(endpoint.id)}/delete" class="actions spaced"><button class="danger">Delete the webhook</button>
<a class="button secondary" href="${endpointHref(endpoint.id)}">Keep it</a></form>`,
  })

// Secret

export interface SecretPage {
  readonly secret: string
  readonly now: Date
  readonly overlap: string
  readonly notice: Notice | undefined
}

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
    back: backTo(endpoint),
    notice,
    main: html`<header class="lead"><h1>Secret of <bdi>${endpoint.name}</bdi></h1>
<p class="welcome">Signs every delivery. Store it in your system and reject requests that are not signed with it:
<a href="/docs/webhooks">how to verify</a>.</p></header>
<div class="once" data-forget="Reload the page to see the secret.">${copyField("secret", "The secret", secret)}</div>
<p class="actions spaced"><a class="button ${endpoint.last_success_at === null ? "primary" : "secondary"}" href="${endpointHref(id)}/test">Send a test</a></p>
${
  overlaps
    ? html`<section class="apart" aria-labelledby="old"><h2 id="old">The old secret still signs</h2>
<p>Until ${moment(until, "short")} each delivery carries two signatures, one with each secret; your system may verify either.
Remove the old secret when your system uses the new one.</p>
<form method="post" action="${endpointHref(id)}/secret/remove-old"><button class="secondary">Remove the old secret</button></form>
<h2>Has the new secret leaked?</h2>
<p>Create another one. Then only that one signs: your system rejects deliveries until it uses it, and they are sent again later.</p>
<form method="post" action="${endpointHref(id)}/secret/regenerate"><input type="hidden" name="seen" value="${secret_since.toISOString()}">
<input type="hidden" name="end" value="yes"><button class="danger">Replace both secrets now</button></form></section>`
    : html`<section class="apart" aria-labelledby="replace"><h2 id="replace">Replace secret</h2>
<p>Create a new secret when this one has leaked or is due for rotation. It signs at once. The old one also signs for ${overlap}, so your system
accepts deliveries while you switch.</p>
<form method="post" action="${endpointHref(id)}/secret/regenerate" class="fields"><input type="hidden" name="seen" value="${secret_since.toISOString()}">
<div class="picks"><label class="pick"><input type="checkbox" name="end" value="yes"> <span>The secret has leaked: it stops signing at once <span class="note">Your system rejects deliveries until it uses the new secret; they are sent again later.</span></span></label></div>
<p class="actions"><button class="secondary">Create a new secret</button></p></form></section>`
}`,
  })
}
