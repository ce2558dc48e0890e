/** The list of webhooks, and one webhook with its health and deliveries. */
import type { Member } from "../../../accounts/members/Member.ts"
import { countText, cut, factList, pager, settingsPage, sinceText } from "../../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../../platform/http/Document.ts"
import { filterCount, fold, type Notice } from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { icon } from "../../../platform/http/Icons.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import { type ChatFormat, isChat } from "../../chat/ChatMessage.ts"
import { chartedHours, DeliveryState, type HourOfAttempts, maxSearched } from "../../deliveries/Delivery.ts"
import type { DeliveryRow } from "../../deliveries/DeliveryRepository.ts"
import { candidateLink, nextText, outcomeText, stateNames, stateTag } from "../../deliveries/pages/DeliveryStatus.ts"
import { eventLabel, eventSelect, subscriptionLabel } from "../../events/pages/EventLabels.ts"
import type { Choice, Choices } from "../EndpointFilterRepository.ts"
import type { EndpointView } from "../Endpoints.ts"
import { activityChart, activityTable, activityText } from "./ActivityChart.ts"

export const webhooksHref = "/settings/webhooks"
export const endpointHref = (id: string): string => `${webhooksHref}/${id}`

export const backToList = { href: webhooksHref, name: "All webhooks" }
export const backTo = ({ id, name }: Pick<EndpointView, "id" | "name">) => ({
  href: endpointHref(id),
  name: cut(name, 80),
})

export const formatNames: Readonly<Record<ChatFormat, string>> = { slack: "Slack", teams: "Microsoft Teams" }

// Health

export interface Health {
  readonly deactivateAfter: number
  /** Milliseconds for which a deactivated endpoint is probed. */
  readonly probesFor: number
  readonly now: Date
}

/** "Inactive": deactivated by a member. "Deactivated": by the service, after failures. */
const statusTag = ({ consecutive_failures, deactivated_at, status }: EndpointView): Html => {
  if (status === "active") {
    return consecutive_failures === 0
      ? html`<span class="tag on">Active</span>`
      : html`<span class="tag off">Failing</span>`
  }
  return deactivated_at === null
    ? html`<span class="tag">Inactive</span>`
    : html`<span class="tag bad">Deactivated</span>`
}

const lastSuccess = ({ last_success_at: success }: EndpointView, { now }: Health): Html =>
  success === null
    ? html`nothing delivered yet`
    : html`last success <span title="${success.toISOString()}">${sinceText(success, now)}</span>`

const failuresText = (
  { consecutive_failures: failures, status }: EndpointView,
  { deactivateAfter }: Health,
): string => {
  // attempts in flight at the deactivation also fail, and the limit may have been lowered
  const isCounted = status === "active" && failures < deactivateAfter
  return `${countText(failures, "failure", "failures")} in a row${isCounted ? `, deactivated at ${deactivateAfter}` : ""}`
}

const healthLine = (endpoint: EndpointView, health: Health): Html =>
  endpoint.consecutive_failures === 0
    ? lastSuccess(endpoint, health)
    : html`<strong>${failuresText(endpoint, health)}</strong> · ${lastSuccess(endpoint, health)}`

/** True: the note of the endpoint's page has the number of failures, so its first line leaves them out. */
const notesFailures = ({ consecutive_failures, inactive_reason, status }: EndpointView, { deactivateAfter }: Health) =>
  status === "active" || (inactive_reason === "failures" && consecutive_failures === deactivateAfter)

const deliveryCount = (count: number) => countText(count, "delivery is", "deliveries are")

/** What the service does about an endpoint that failures deactivated. */
const probeText = (endpoint: EndpointView, { now, probesFor }: Health, parked: number): Html | null => {
  const { deactivated_at, failed_probes, inactive_reason, is_probed, next_probe_at } = endpoint
  if (inactive_reason !== "failures" || deactivated_at === null) return null
  const failed = failed_probes === 0 ? "" : `${countText(failed_probes, "try has", "tries have")} failed since. `
  if (next_probe_at === null) {
    return failed_probes === 0 ? null : html`<p>${failed}The service no longer tries whether it works again.</p>`
  }
  const next =
    is_probed || (next_probe_at <= now && parked > 0)
      ? "One delivery is sent now to try whether it works again."
      : parked === 0
        ? "The next event is sent to try whether it works again."
        : html`The next try with one delivery is ${sinceText(next_probe_at, now)}, at ${moment(next_probe_at, "time")}.`
  const end = new Date(deactivated_at.getTime() + probesFor)
  return html`<p>${failed}${next} When your system accepts it, the webhook is activated and everything that waits is sent.</p>
<p>The service tries until ${moment(end, "short")}.</p>`
}

const healthNote = (endpoint: EndpointView, health: Health, parked: number): Html | null => {
  const { deactivateAfter, now } = health
  const {
    consecutive_failures: failures,
    deactivated_at,
    inactive_reason,
    last_error,
    last_failure_at,
    status,
  } = endpoint
  const failed =
    last_failure_at === null || last_error === null
      ? null
      : html` ${sinceText(last_failure_at, now)}: <q>${cut(last_error, 300)}</q>`
  if (status === "inactive") {
    const why =
      deactivated_at === null
        ? html`This webhook was deactivated manually. Nothing is sent.`
        : inactive_reason === "gone"
          ? html`The receiver answered 410 Gone on ${moment(deactivated_at, "short")}, so it accepts no deliveries at this address any more. Nothing is sent. If it has moved, edit the address, then activate the webhook.`
          : failures < deactivateAfter
            ? html`Nothing has been sent automatically since ${moment(deactivated_at, "short")}${failed === null ? "." : html`; the last error${failed}.`}`
            : html`Nothing is sent: ${countText(deactivateAfter, "failure", "failures")} in a row deactivated this webhook on ${moment(deactivated_at, "short")}.${failed === null ? null : html` The last one failed${failed}.`}`
    return html`<div class="alert${deactivated_at === null ? " warm" : ""}"><p>${why}</p>
${probeText(endpoint, health, parked)}
<p>${parked === 0 ? "New deliveries are paused, not lost." : `${deliveryCount(parked)} paused, not lost.`}</p></div>`
  }
  return failures === 0
    ? null
    : html`<div class="alert warm"><p><strong>${failuresText(endpoint, health)}.</strong>${failed === null ? null : html` The last one${failed}.`} Deliveries go on, and a success resets the count.</p></div>`
}

// List

const perPage = 20

const pagesOf = (endpoints: ReadonlyArray<EndpointView>) => Math.max(1, Math.ceil(endpoints.length / perPage))

const shownPage = (endpoints: ReadonlyArray<EndpointView>, number: number) =>
  Math.min(Math.max(1, number), pagesOf(endpoints))

/** Those of page `number`, or of the nearest one. */
export const shownEndpoints = (endpoints: ReadonlyArray<EndpointView>, number: number) => {
  const shown = shownPage(endpoints, number)
  return endpoints.slice((shown - 1) * perPage, shown * perPage)
}

export const endpointListPage = (
  member: Member,
  endpoints: ReadonlyArray<EndpointView>,
  health: Health,
  number: number,
  activityOf: (id: EndpointView["id"]) => ReadonlyArray<HourOfAttempts>,
  notice: Notice | undefined,
): Document => {
  const pages = pagesOf(endpoints)
  const shown = shownPage(endpoints, number)
  return settingsPage(member, {
    title: "Webhooks",
    section: "Webhooks",
    notice,
    main: html`<header class="lead with-action"><div><h1>Webhooks</h1>
<p class="welcome">Send events about candidates to your systems as they happen. <a href="/docs/webhooks">What is sent</a></p></div>
<p class="actions"><a class="button primary" href="${webhooksHref}/new">Add a webhook</a>${member.isTest === true ? null : html` <a class="button secondary" href="${webhooksHref}/channels/new">Add Slack or Teams</a>`}</p></header>
${
  endpoints.length === 0
    ? html`<p class="empty">No webhooks yet. <a href="${webhooksHref}/new">Add a webhook</a> with the address of your system, then send it a
test. Events can also be read with <a href="/docs">the API</a>.</p>`
    : html`<ul class="rows" data-refresh id="endpoints">
${shownEndpoints(endpoints, number).map(
  (endpoint) => html`<li><a class="row endpoint" id="endpoint-${endpoint.id}" href="${endpointHref(endpoint.id)}">
<span><span class="row-name" dir="auto">${cut(endpoint.name, 80)}</span>
<span class="row-text"><code>${cut(endpoint.url, 100)}</code></span>
<span class="row-text small">${subscriptionLabel(endpoint.events)} · ${healthLine(endpoint, health)}</span></span>
<span class="day-chart">${activityChart(activityOf(endpoint.id))}<span class="quiet" aria-hidden="true">Last ${chartedHours} hours</span></span>
${statusTag(endpoint)}</a></li>
`,
)}</ul>
<p class="note spaced">Your system rejects deliveries? <a href="${webhooksHref}/check">Check a signature</a>.</p>`
}
${pager(webhooksHref, shown, pages)}`,
  })
}

// One endpoint

export interface Filter {
  readonly state: string
  readonly event: string
  /** 2026-01-31T18:00, UTC. */
  readonly from: string
  readonly to: string
  readonly before: string
}

export interface EndpointPage {
  readonly endpoint: EndpointView
  readonly health: Health
  readonly parked: number
  readonly filter: Filter
  readonly deliveries: ReadonlyArray<DeliveryRow>
  readonly next: string | undefined
  readonly activity: ReadonlyArray<HourOfAttempts>
  readonly chosen: Choices<Choice>
  readonly notice: Notice | undefined
}

const queryOf = (filter: Filter, before: string): string => {
  const given = Object.entries({ ...filter, before }).filter(([, value]) => value !== "")
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`
}

const filtersOf = ({ event, from, state, to }: Filter): number =>
  [event, from, state, to].filter((value) => value !== "").length

const filterForm = (
  { endpoint, filter }: EndpointPage,
  timeZone: string,
): Html => html`${fold(html`Filters${filterCount(filtersOf(filter))}`)}<form method="get" action="${endpointHref(endpoint.id)}" class="filter" aria-label="Deliveries">
<p><label for="state">State</label><select id="state" name="state"><option value="">Any</option>
${DeliveryState.literals.map((state) => html`<option value="${state}"${state === filter.state ? html` selected` : null}>${stateNames[state]}</option>`)}</select></p>
<p><label for="event">Event</label>${eventSelect("event", filter.event, "Any")}</p>
<p><label for="from">From ${timeZone}</label><input type="datetime-local" id="from" name="from" value="${filter.from}"></p>
<p><label for="to">To ${timeZone}</label><input type="datetime-local" id="to" name="to" value="${filter.to}"></p>
<p class="actions"><button class="secondary">Filter</button>${filtersOf(filter) > 0 ? html` <a class="button secondary" href="${endpointHref(endpoint.id)}">Show all</a>` : null}</p></form>`

const maxNamed = 5

const chosenText = (
  { interview_set_ids, project_ids }: EndpointView,
  { projects, sets }: Choices<Choice>,
): Html | null => {
  const count = interview_set_ids.length + project_ids.length
  if (count === 0) return null
  const titles = [...projects, ...sets].map(
    ({ is_deleted, title }) => html`<bdi>${cut(title, 60)}</bdi>${is_deleted ? " (deleted)" : ""}`,
  )
  const named = titles.slice(0, maxNamed)
  return html`${named.map((title, index) => html`${index === 0 ? "" : ", "}${title}`)}${count > named.length ? ` and ${count - named.length} more` : ""}`
}

const row = (endpoint: EndpointView, delivery: DeliveryRow, now: Date): Html => {
  const next = nextText(delivery, endpoint, now)
  const candidate = candidateLink(delivery)
  return html`<li class="row delivery"><span class="row-head"><span class="row-name"><a class="whole" id="delivery-${delivery.id}" href="${endpointHref(endpoint.id)}/deliveries/${delivery.id}">${eventLabel(delivery.event_type, delivery.event_status)} ${stateTag(delivery)}</a></span>${moment(delivery.created_at, "short")}</span>
<span class="row-text small">${candidate === null ? null : html`${candidate} · `}${outcomeText(delivery)}${next === null ? null : html` · ${next}`}</span></li>
`
}

const list = ({ deliveries, endpoint, filter, health, next }: EndpointPage): Html => {
  if (deliveries.length > 0) {
    return html`<ul class="rows">\n${deliveries.map((delivery) => row(endpoint, delivery, health.now))}</ul>`
  }
  if (next !== undefined) {
    const searched = filter.before === "" ? "newest" : "next"
    return html`<p class="empty">None of the ${maxSearched} ${searched} deliveries match. <a href="${endpointHref(endpoint.id)}${queryOf(filter, next)}">Search older
deliveries</a>, or choose a time.</p>`
  }
  if (filter.before !== "") return html`<p class="empty">There are no older deliveries.</p>`
  return filtersOf(filter) > 0
    ? html`<p class="empty">No deliveries match. <a href="${endpointHref(endpoint.id)}">Show all</a></p>`
    : html`<p class="empty">No deliveries yet. <a href="${endpointHref(endpoint.id)}/test">Send a test</a> to see whether your system accepts it;
tests are not listed here.</p>`
}

const parkedNote = ({ endpoint, parked }: EndpointPage): Html | null =>
  parked === 0 || endpoint.status === "inactive"
    ? null
    : endpoint.is_resuming
      ? html`<div class="info"><p>${deliveryCount(parked)} paused from a time when this webhook was inactive, and ${parked === 1 ? "is" : "are"} being sent.</p></div>`
      : html`<div class="info"><p>${deliveryCount(parked)} paused from a time when this webhook was inactive.</p>
<form method="post" action="${endpointHref(endpoint.id)}/send-parked"><button class="secondary">Send ${parked === 1 ? "it" : "them"} now</button></form></div>`

/** What is done seldom, in a menu that works without scripts. */
const furtherActions = (endpoint: EndpointView): Html => {
  const href = endpointHref(endpoint.id)
  const pause = (text: string) => html`<form method="post" action="${href}/disable"><button>${text}</button></form>\n`
  return html`<details class="pop"><summary class="button secondary square" title="More">${icon("kebab-horizontal")}<span class="unseen">More actions</span></summary>
<div class="pop-menu">${isChat(endpoint.format) ? null : html`<a href="${href}/secret">Secret</a>\n`}${
    endpoint.status === "active" ? pause("Deactivate") : endpoint.next_probe_at === null ? null : pause("Stop trying")
  }<a class="danger" href="${href}/delete">Delete…</a></div></details>`
}

/** The first button is what helps most in the endpoint's state. */
const actions = (endpoint: EndpointView, isFailing: boolean): Html => {
  const href = endpointHref(endpoint.id)
  const isUntried = !isFailing && endpoint.status === "active" && endpoint.last_success_at === null
  return html`<nav class="actions" aria-label="This webhook">
${endpoint.status === "inactive" ? html`<a class="button primary" href="${href}/enable">Activate…</a>\n` : null}${
  isFailing ? html`<a class="button primary" href="${href}/resend">Send failed deliveries again…</a>\n` : null
}<a class="button ${isUntried ? "primary" : "secondary"}" href="${href}/test">Send a test</a>
${isChat(endpoint.format) ? null : html`<a class="button secondary" href="${href}/rehearsals">Rehearse</a>\n`}<a class="button secondary" href="${href}/edit">Edit</a>
${furtherActions(endpoint)}</nav>`
}

export const endpointPage = (member: Member, page: EndpointPage): Document => {
  const { endpoint, filter, health, next, notice, parked } = page
  const href = endpointHref(endpoint.id)
  const isNewest = filter.before === ""
  const isFailing = endpoint.status === "active" && endpoint.consecutive_failures > 0
  return settingsPage(member, {
    title: `${cut(endpoint.name, 80)} – Webhooks`,
    section: "Webhooks",
    back: backToList,
    notice,
    main: html`<header class="lead with-action"><div><h1 dir="auto">${endpoint.name}</h1>
<p class="about"><code>${endpoint.url}</code></p></div>
${actions(endpoint, isFailing)}</header>
<div class="health card" id="health" data-refresh>
<p class="about">${statusTag(endpoint)} <span class="quiet">${(notesFailures(endpoint, health) ? lastSuccess : healthLine)(endpoint, health)}</span></p>
${healthNote(endpoint, health, parked)}
${parkedNote(page)}
<div class="day-and-facts"><div class="last-day">${activityChart(page.activity, true)} <span class="quiet">${activityText(page.activity)}</span>
${activityTable(page.activity)}</div>
${factList([
  ["Channel", isChat(endpoint.format) ? formatNames[endpoint.format] : null],
  ["Events", subscriptionLabel(endpoint.events)],
  ["Limited to", chosenText(endpoint, page.chosen)],
  ["Attempts per minute", endpoint.max_per_minute === null ? null : `at most ${endpoint.max_per_minute}`],
  [
    "Headers",
    endpoint.header_names.length === 0
      ? null
      : html`${endpoint.header_names.map((name) => html`<code>${cut(name, 60)}</code> `)}`,
  ],
  ["Description", endpoint.description],
  ["Added", moment(endpoint.created_at, "short")],
])}</div></div>
<section aria-labelledby="deliveries"><div class="with-action"><h2 id="deliveries">Deliveries</h2>
<p class="side">${isFailing ? null : html`<a href="${href}/resend">Send failed deliveries again…</a> `}${isChat(endpoint.format) ? null : html`<a href="${webhooksHref}/check?endpoint=${endpoint.id}">Check a signature</a>`}</p></div>
${filterForm(page, member.timeZone)}
<div id="list"${isNewest ? html` data-refresh` : null}>
${list(page)}
</div>
<nav class="pager" aria-label="Pages">${isNewest ? null : html`<a class="button secondary" href="${href}${queryOf(filter, "")}">Newest</a>`}${
      next === undefined ? null : html` <a class="button secondary" href="${href}${queryOf(filter, next)}">Older</a>`
    }</nav></section>`,
  })
}
