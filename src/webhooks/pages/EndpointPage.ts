/** One webhook: how it is, what can be done with it, and its deliveries. */

import type { Member } from "../../accounts/Member.ts"
import { countText, cut, facts, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import type { Notice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { DeliveryState, searched } from "../Delivery.ts"
import type { DeliveryRow } from "../DeliveryHistoryRepository.ts"
import type { EndpointView } from "../Endpoints.ts"
import { nextText, outcome, stateNames, stateTag } from "./DeliveryParts.ts"
import {
  allEndpoints,
  endpointHref,
  type Health,
  healthLine,
  healthNote,
  statusTag,
  webhooksHref,
} from "./EndpointParts.ts"
import { eventSelect, eventWords, subscriptionWords } from "./EventWords.ts"

/** Which deliveries are asked for, as the query says it; empty: whichever. */
export interface Filter {
  readonly state: string
  readonly event: string
  /** 2026-01-31T18:00, UTC. */
  readonly from: string
  readonly to: string
  /** Older than this delivery. */
  readonly before: string
}

export interface EndpointPage {
  readonly endpoint: EndpointView
  readonly health: Health
  readonly parked: number
  readonly filter: Filter
  readonly deliveries: ReadonlyArray<DeliveryRow>
  /** Leads to older ones; undefined: these are the last. */
  readonly next: string | undefined
  readonly notice: Notice | undefined
}

const queryOf = (filter: Filter, before: string): string => {
  const given = Object.entries({ ...filter, before }).filter(([, value]) => value !== "")
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`
}

const isFiltered = ({ event, from, state, to }: Filter): boolean =>
  [event, from, state, to].some((value) => value !== "")

const filterForm = ({
  endpoint,
  filter,
}: EndpointPage): Html => html`<form method="get" action="${endpointHref(endpoint.id)}" class="filter" aria-label="Deliveries">
<p><label for="state">State</label><select id="state" name="state"><option value="">Any</option>
${DeliveryState.literals.map((state) => html`<option value="${state}"${state === filter.state ? html` selected` : null}>${stateNames[state]}</option>`)}</select></p>
<p><label for="event">Event</label>${eventSelect("event", filter.event, "Any")}</p>
<p><label for="from">From <span data-zone>UTC</span></label><input type="datetime-local" id="from" name="from" value="${filter.from}" data-utc></p>
<p><label for="to">To <span data-zone>UTC</span></label><input type="datetime-local" id="to" name="to" value="${filter.to}" data-utc></p>
<p class="actions"><button class="secondary">Show</button>${isFiltered(filter) ? html` <a class="button secondary" href="${endpointHref(endpoint.id)}">Show all</a>` : null}</p></form>`

const row = (endpoint: EndpointView, delivery: DeliveryRow, now: Date): Html => {
  const next = nextText(delivery, now)
  return html`<li><a class="row" id="delivery-${delivery.id}" href="${endpointHref(endpoint.id)}/deliveries/${delivery.id}">
<span class="row-head"><span class="row-name">${eventWords(delivery.event_type, delivery.event_status)} ${stateTag(delivery)}</span>${moment(delivery.created_at, "short")}</span>
<span class="row-text small">${outcome(delivery)}${next === null ? null : html` · ${next}`}</span></a></li>
`
}

const list = ({ deliveries, endpoint, filter, health, next }: EndpointPage): Html => {
  if (deliveries.length > 0) {
    return html`<ul class="rows">\n${deliveries.map((delivery) => row(endpoint, delivery, health.now))}</ul>`
  }
  if (next !== undefined) {
    const newest = filter.before === "" ? "newest" : "next"
    return html`<p class="empty">None of the ${searched} ${newest} deliveries matches. <a href="${endpointHref(endpoint.id)}${queryOf(filter, next)}">Look at older
ones</a>, or say from when to when.</p>`
  }
  if (filter.before !== "") return html`<p class="empty">There are no older deliveries.</p>`
  return isFiltered(filter)
    ? html`<p class="empty">No delivery matches. <a href="${endpointHref(endpoint.id)}">Show all</a></p>`
    : html`<p class="empty">No deliveries yet: nothing that this webhook listens to has happened. <a href="${endpointHref(endpoint.id)}/test">Send it a test</a> to see
whether your system takes it; tests are not listed here.</p>`
}

const parkedNote = ({ endpoint, parked }: EndpointPage): Html | null =>
  parked === 0 || endpoint.status === "inactive"
    ? null
    : html`<div class="info"><p>${countText(parked, "delivery is", "deliveries are")} parked from a time when this webhook was inactive.</p>
<form method="post" action="${endpointHref(endpoint.id)}/send-parked"><button class="secondary">Send ${parked === 1 ? "it" : "them"} now</button></form></div>`

export const endpointPage = (member: Member, page: EndpointPage): Document => {
  const { endpoint, filter, health, next, notice, parked } = page
  const href = endpointHref(endpoint.id)
  const isNewest = filter.before === ""
  return settingsPage(member, {
    title: `${cut(endpoint.name, 80)} – Webhooks`,
    section: "Webhooks",
    back: allEndpoints,
    notice,
    main: html`<header class="lead"><h1 dir="auto">${endpoint.name}</h1>
<p class="about"><code>${endpoint.url}</code></p></header>
<div class="health" id="health" data-refresh>
<p class="about">${statusTag(endpoint)} <span class="quiet">${healthLine(endpoint, health)}</span></p>
${healthNote(endpoint, health, parked)}
${parkedNote(page)}</div>
<nav class="actions" aria-label="This webhook">
${endpoint.status === "inactive" ? html`<a class="button primary" href="${href}/enable">Activate…</a>` : null}
<a class="button ${endpoint.status === "active" ? "primary" : "secondary"}" href="${href}/test">Send a test</a>
<a class="button secondary" href="${href}/secret">Secret</a>
<a class="button secondary" href="${href}/edit">Edit</a>
${endpoint.status === "active" ? html`<form method="post" action="${href}/disable"><button class="secondary">Deactivate</button></form>` : null}
<a class="button danger" href="${href}/delete">Delete…</a></nav>
${facts([
  ["Events", subscriptionWords(endpoint.events)],
  ["Description", endpoint.description],
  ["Added", moment(endpoint.created_at, "short")],
  ["Last success", endpoint.last_success_at === null ? "none yet" : moment(endpoint.last_success_at, "short")],
  ["Last failure", endpoint.last_failure_at === null ? "none" : moment(endpoint.last_failure_at, "short")],
])}
<section aria-labelledby="deliveries"><div class="with-action"><h2 id="deliveries">Deliveries</h2>
<p class="side"><a href="${href}/resend">Resend failed deliveries…</a> <a href="${webhooksHref}/check?endpoint=${endpoint.id}">Check a signature</a></p></div>
${filterForm(page)}
<div id="list"${isNewest ? html` data-refresh` : null}>
${list(page)}
</div>
<nav class="pager" aria-label="Pages">${isNewest ? null : html`<a class="button secondary" href="${href}${queryOf(filter, "")}">Newest</a>`}${
      next === undefined ? null : html` <a class="button secondary" href="${href}${queryOf(filter, next)}">Older</a>`
    }</nav></section>`,
  })
}
