/** Settings → Webhooks: the endpoints with their health. */
import type { Member } from "../../accounts/Member.ts"
import { cut, pager, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import type { Notice } from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import type { EndpointView } from "../Endpoints.ts"
import { endpointHref, type Health, healthLine, statusTag, webhooksHref } from "./EndpointParts.ts"
import { subscriptionWords } from "./EventWords.ts"

const perPage = 20

/** `number` is that of the page, from 1. */
export const endpointListPage = (
  member: Member,
  endpoints: ReadonlyArray<EndpointView>,
  health: Health,
  number: number,
  notice: Notice | undefined,
): Document => {
  const pages = Math.max(1, Math.ceil(endpoints.length / perPage))
  const shown = Math.min(Math.max(1, number), pages)
  return settingsPage(member, {
    title: "Webhooks",
    section: "Webhooks",
    notice,
    main: html`<header class="lead with-action"><div><h1>Webhooks</h1>
<p class="welcome">Where your systems are told what candidates do, as it happens. <a href="/docs#webhooks">What is sent</a></p></div>
<a class="button primary" href="${webhooksHref}/new">Add a webhook</a></header>
${
  endpoints.length === 0
    ? html`<p class="empty">There is no webhook yet. <a href="${webhooksHref}/new">Add a webhook</a> with the address of your system, then send it a
test. Until then, what happens can be read with <a href="/docs">the API</a>.</p>`
    : html`<ul class="rows" data-refresh id="endpoints">
${endpoints.slice((shown - 1) * perPage, shown * perPage).map(
  (endpoint) => html`<li><a class="row" id="endpoint-${endpoint.id}" href="${endpointHref(endpoint.id)}">
<span class="row-head"><span class="row-name" dir="auto">${cut(endpoint.name, 80)}</span>${statusTag(endpoint)}</span>
<span class="row-text"><code>${cut(endpoint.url, 100)}</code></span>
<span class="row-text small">${subscriptionWords(endpoint.events)} · ${healthLine(endpoint, health)}</span></a></li>
`,
)}</ul>
<p class="note spaced">Your system refuses what it is sent? <a href="${webhooksHref}/check">Check a signature</a>.</p>`
}
${pager(webhooksHref, shown, pages)}`,
  })
}
