/** A delivery with its attempts; sending failed ones again. */
import type { Member } from "../../../accounts/members/Member.ts"
import { countText, cut, factList, settingsPage, shellWord } from "../../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../../platform/http/Document.ts"
import { copyBlock, type Notice, select } from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import { defaultTolerance } from "../../../sdk/WebhookSignature.ts"
import type { EndpointView } from "../../endpoints/Endpoints.ts"
import { backTo, endpointHref, webhooksHref } from "../../endpoints/pages/EndpointPage.ts"
import { maskedValue } from "../../endpoints/StaticHeaders.ts"
import { eventLabel } from "../../events/pages/EventLabels.ts"
import { jsonBlock } from "../../events/pages/JsonBlock.ts"
import type { Headers, InspectedAttempt, InspectedDelivery } from "../DeliveryInspector.ts"
import { answerBlock, answerTag, candidateLink, errorNote, excerpt, nextText, stateTag } from "./DeliveryStatus.ts"

/** Bytes. */
const maxAnswer = 16_000
const maxOtherAnswers = 8_000
const maxBody = 8_000

export interface DeliveryPage {
  readonly endpoint: EndpointView
  readonly inspected: InspectedDelivery
  readonly now: Date
  /** From 1. */
  readonly attempt: number
  readonly notice: Notice | undefined
}

const headerText = (headers: Headers): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

const curl = (url: string, headers: Headers, body: string): string =>
  [
    `curl -i -X POST ${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shellWord(`${name}: ${value}`)}`),
    `  --data-binary ${shellWord(body)}`,
  ].join(" \\\n")

const attemptItem = (page: DeliveryPage, attempt: InspectedAttempt, number: number): Html => {
  const { inspected } = page
  const href = `${endpointHref(page.endpoint.id)}/deliveries/${inspected.delivery.id}?attempt=${number}#attempt-${number}`
  const max = number === page.attempt ? maxAnswer : Math.floor(maxOtherAnswers / inspected.attempts.length)
  const isOpen = number === page.attempt || number === inspected.attempts.length
  return html`<li id="attempt-${number}" class="attempt"><details id="details-${number}"${isOpen ? html` open` : null}><summary><h3>Attempt ${number} ${answerTag(attempt)}</h3>
<span class="note">${moment(new Date(attempt.at), "exact")} · ${attempt.duration_ms} ms</span></summary>
<div class="attempt-body">
${errorNote(attempt)}
<details id="headers-${number}"><summary>Headers sent</summary>
${
  attempt.headers === null
    ? html`<p class="note">Not available: ${inspected.body === undefined ? "the event was deleted" : "the secret has been replaced since"}.</p>`
    : html`<pre class="block" tabindex="0" aria-label="Headers">${headerText(attempt.headers)}</pre>`
}</details>
${answerBlock(attempt, max, html`<a href="${href}">Show the whole response</a>`, `response-${number}`) ?? html`<p class="note">There was no response.</p>`}</div></details></li>
`
}

const resendForm = ({ endpoint, inspected: { delivery } }: DeliveryPage): Html | null => {
  if (delivery.state === "queued" || delivery.state === "parked") return null
  if (endpoint.status === "inactive") {
    return html`<p class="note">To send it again, <a href="${endpointHref(endpoint.id)}/enable">activate the webhook</a> first.</p>`
  }
  return html`<form method="post" action="${endpointHref(endpoint.id)}/deliveries/${delivery.id}/resend">
<input type="hidden" name="seen" value="${delivery.resent_at?.toISOString() ?? ""}"><button class="primary">Send again</button></form>`
}

/** `seen`: the number of attempts that the page shows; a form sent twice sends once. */
const sendNowForm = ({ endpoint, inspected: { delivery }, now }: DeliveryPage): Html | null => {
  const { attempts, due_at, id, state } = delivery
  const isWaiting = state === "queued" && due_at !== null && due_at > now
  if (!isWaiting && state !== "parked") return null
  const isInactive = endpoint.status === "inactive"
  const counts = attempts === 0 ? "" : ` It counts as attempt ${attempts + 1}.`
  return html`<form method="post" action="${endpointHref(endpoint.id)}/deliveries/${id}/send-now" class="send-now">
<input type="hidden" name="seen" value="${attempts}"><button class="${isInactive ? "secondary" : "primary"}">${isInactive ? "Send this delivery now" : attempts === 0 ? "Send now" : "Retry now"}</button>
<p class="note">${isInactive ? "Makes one attempt although the webhook is inactive. If it fails, the delivery is paused again." : "Makes the next attempt now instead of later."}${counts}</p></form>`
}

const payload = ({ endpoint, inspected: { body, fresh, url }, now }: DeliveryPage): Html => {
  if (body === undefined || fresh === undefined) {
    return html`<section aria-labelledby="body"><h2 id="body">Payload</h2><p class="empty">The event was deleted.</p></section>`
  }
  const until = new Date(now.getTime() + defaultTolerance * 1000)
  return html`<section class="sent" aria-labelledby="body"><h2 id="body">Payload</h2>
<p class="note">The same payload is sent on every attempt. Each attempt is signed anew.</p>
${
  excerpt(body, maxBody).isAll
    ? html`${jsonBlock({ id: "bytes", label: "Body", text: body, rawLabel: "Exact body", note: "The bytes that are sent and signed." })}
${copyBlock("curl", "As curl", curl(url, fresh, body))}
${endpoint.header_names.length === 0 ? null : html`<p class="note">Replace ${maskedValue} with the values of your headers.</p>`}
<p class="note">Signed just now: receivers that accept signatures for ${defaultTolerance / 60} minutes accept it until ${moment(until, "time")}. Reload the page for a
new signature. Anyone who has this command can send this event to your system until then.</p>`
    : html`<p class="empty">The body is too long for this page.</p>`
}</section>`
}

export const deliveryPage = (member: Member, page: DeliveryPage): Document => {
  const { endpoint, inspected, notice, now } = page
  const { attempts, delivery } = inspected
  const next = nextText(delivery, endpoint, now)
  const name = eventLabel(delivery.event_type, delivery.event_status)
  const isFinished = delivery.finished_at !== null
  return settingsPage(member, {
    title: `${name} – ${cut(endpoint.name, 80)}`,
    section: "Webhooks",
    back: backTo(endpoint),
    notice,
    main: html`<div class="delivery-page"><div id="delivery"${isFinished ? null : html` data-refresh`}>
<header class="lead with-action"><div><h1>${name}</h1>
<p class="about">${stateTag(delivery)} ${next === null ? null : html`<span class="quiet">${next}</span>`}</p></div>
${resendForm(page)}${sendNowForm(page)}</header>
${factList([
  ["Candidate", candidateLink(delivery)],
  ["Queued", moment(delivery.created_at, "short")],
  ["Finished", delivery.finished_at === null ? null : moment(delivery.finished_at, "short")],
  ["Delivery", delivery.id],
  ["Event", html`<code>${delivery.event_id}</code>`],
  ["Name", delivery.event_type === null ? null : html`<code>${delivery.event_type}.${delivery.event_status}</code>`],
])}
<section class="attempts" aria-labelledby="attempts"><h2 id="attempts">${attempts.length === 0 ? "No attempts yet" : countText(attempts.length, "attempt", "attempts")}</h2>
<ol class="attempts" reversed>
${attempts.map((one, index) => attemptItem(page, one, index + 1)).toReversed()}</ol></section></div>
${payload(page)}
<p class="note">The receiver rejects the signature? <a href="${webhooksHref}/check?endpoint=${endpoint.id}">Check a signature</a>.</p></div>`,
  })
}

export interface ResendPage {
  readonly failed: number
  /** `from` and `to` as "2026-01-31T18:00" in the organization's time zone, or empty. */
  readonly form: { readonly since: string; readonly from: string; readonly to: string }
  readonly spans: ReadonlyArray<readonly [value: string, name: string]>
}

export const resendPage = (member: Member, endpoint: EndpointView, { failed, form, spans }: ResendPage): Document =>
  settingsPage(member, {
    title: `Send failed deliveries again – ${cut(endpoint.name, 80)}`,
    section: "Webhooks",
    back: backTo(endpoint),
    main: html`<header class="lead"><h1>Send failed deliveries again</h1>
<p class="welcome">Deliveries fail after their last attempt and are not retried automatically. A time in “From” replaces “Failed in”.</p></header>
<form method="get" action="${endpointHref(endpoint.id)}/resend" class="filter log-filter">
${select({ name: "since", label: "Failed in", value: form.since, options: spans })}
<p><label for="from">From ${member.timeZone}</label> <input type="datetime-local" id="from" name="from" value="${form.from}"></p>
<p><label for="to">To ${member.timeZone}</label> <input type="datetime-local" id="to" name="to" value="${form.to}"></p>
<p class="actions"><button class="secondary">Count</button></p></form>
${
  failed === 0
    ? html`<p class="empty">No failed deliveries to send again in this time.</p>`
    : html`<form method="post" action="${endpointHref(endpoint.id)}/resend" class="spaced">${Object.entries(form).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p><strong>${countText(failed, "delivery", "deliveries")}</strong> failed in this time and ${failed === 1 ? "was" : "were"} not sent again. Each becomes a new delivery
of the same event, 50 per second.</p>
<p class="actions spaced"><button class="primary">Send ${failed === 1 ? "it" : `all ${failed}`} again</button></p></form>`
}`,
  })
