/** One delivery: each attempt with what was sent and what came back. */
import type { Member } from "../../accounts/Member.ts"
import { countText, cut, facts, settingsPage, shellWord } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { copyBlock, type Notice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { AttemptEvidence, Evidence, Headers } from "../DeliveryInspector.ts"
import type { EndpointView } from "../Endpoints.ts"
import { tolerance } from "../SignatureChecks.ts"
import { advice, excerpt, nextText, stateTag } from "./DeliveryParts.ts"
import { endpointHref, upTo, webhooksHref } from "./EndpointParts.ts"
import { eventWords } from "./EventWords.ts"

/** Bytes of the page for the answer that is shown whole, for those of all other attempts together, and for the body. */
const room = { answer: 16_000, others: 8_000, body: 8_000 }

export interface DeliveryPage {
  readonly endpoint: EndpointView
  readonly evidence: Evidence
  readonly now: Date
  /** The attempt whose answer is shown whole, from 1. */
  readonly attempt: number
  readonly notice: Notice | undefined
}

const headerText = (headers: Headers): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

/** A command that sends it, as an attempt would that began now. */
const curl = (url: string, headers: Headers, body: string): string =>
  [
    `curl -i -X POST ${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shellWord(`${name}: ${value}`)}`),
    `  --data-binary ${shellWord(body)}`,
  ].join(" \\\n")

const answerOf = ({ answer }: AttemptEvidence, href: string, most: number): Html => {
  if (answer === null) return html`<p class="note">There was no answer.</p>`
  if (answer === "") return html`<p class="note">The answer had no body.</p>`
  const { isAll, shown } = excerpt(answer, most)
  return html`<p class="label">Answer</p><pre class="block" tabindex="0" aria-label="Answer">${shown}</pre>${
    isAll ? null : html`<p class="note">This is the beginning. <a href="${href}">Show all that is kept</a></p>`
  }`
}

const attempt = (page: DeliveryPage, one: AttemptEvidence, number: number): Html => {
  const { evidence } = page
  const href = `${endpointHref(page.endpoint.id)}/deliveries/${evidence.delivery.id}?attempt=${number}#attempt-${number}`
  const most = number === page.attempt ? room.answer : Math.floor(room.others / evidence.attempts.length)
  const hint = advice(one)
  return html`<li id="attempt-${number}" class="attempt"><h3>Attempt ${number} <span class="tag ${one.error === null ? "on" : "bad"}">${one.status ?? "No answer"}</span></h3>
<p class="note">${moment(new Date(one.at), "short")} · took ${one.duration_ms} ms</p>
${one.error === null ? null : html`<p class="fault">${cut(one.error, 400)}.</p>`}
${hint === undefined ? null : html`<p>${hint}</p>`}
<details id="headers-${number}"><summary>Headers sent</summary>
${
  one.headers === null
    ? html`<p class="note">They can not be shown: ${evidence.body === undefined ? "the event is older than what is kept" : "the secret that they were signed with was replaced since"}.</p>`
    : html`<pre class="block" tabindex="0" aria-label="Headers">${headerText(one.headers)}</pre>`
}</details>
${answerOf(one, href, most)}</li>
`
}

const resend = ({ endpoint, evidence: { delivery } }: DeliveryPage): Html | null => {
  if (delivery.state === "queued" || delivery.state === "parked") return null
  if (endpoint.status === "inactive") {
    return html`<p class="note">To send it again, <a href="${endpointHref(endpoint.id)}/enable">switch the webhook on</a> first.</p>`
  }
  return html`<form method="post" action="${endpointHref(endpoint.id)}/deliveries/${delivery.id}/resend">
<input type="hidden" name="seen" value="${delivery.resent_at?.toISOString() ?? ""}"><button class="primary">Send it again</button></form>`
}

const sent = ({ evidence: { body, fresh, url }, now }: DeliveryPage): Html => {
  if (body === undefined || fresh === undefined) {
    return html`<section aria-labelledby="body"><h2 id="body">What was sent</h2><p class="empty">The event is older than what is kept.</p></section>`
  }
  const command = curl(url, fresh, body)
  const isShort = excerpt(body, room.body).isAll
  const until = new Date(now.getTime() + tolerance * 1000)
  return html`<section class="sent" aria-labelledby="body"><h2 id="body">What is sent</h2>
<p class="note">These very bytes with each attempt; the signature is made anew for each.</p>
${
  isShort
    ? html`${copyBlock("bytes", "Body", body)}
${copyBlock("curl", "As curl", command)}
<p class="note">Signed a moment ago: a receiver that lets signatures be ${tolerance / 60} minutes old takes it until ${moment(until, "time")}. Load the page again
for a new one. Whoever has this line can send this event to your system in this time.</p>`
    : html`<p class="empty">The body is too long for this page.</p>`
}</section>`
}

export const deliveryPage = (member: Member, page: DeliveryPage): Document => {
  const { endpoint, evidence, notice, now } = page
  const { attempts, delivery } = evidence
  const next = nextText(delivery, now)
  const name = eventWords(delivery.event_type, delivery.event_status)
  const isFinished = delivery.finished_at !== null
  return settingsPage(member, {
    title: `${name} – ${cut(endpoint.name, 80)}`,
    section: "Webhooks",
    back: upTo(endpoint),
    notice,
    main: html`<header class="lead"><h1>${name}</h1></header>
<div id="delivery"${isFinished ? null : html` data-refresh`}>
<p class="about">${stateTag(delivery)} ${next === null ? null : html`<span class="quiet">${next}</span>`}</p>
${facts([
  ["Delivery", delivery.id],
  ["Event", html`<code>${delivery.event_id}</code>`],
  ["Name", delivery.event_type === null ? null : html`<code>${delivery.event_type}.${delivery.event_status}</code>`],
  ["Queued", moment(delivery.created_at, "short")],
  ["Finished", delivery.finished_at === null ? null : moment(delivery.finished_at, "short")],
])}
${resend(page)}
<section class="attempts" aria-labelledby="attempts"><h2 id="attempts">${attempts.length === 0 ? "Not tried yet" : countText(attempts.length, "attempt", "attempts")}</h2>
<ol class="attempts" reversed>
${attempts.map((one, index) => attempt(page, one, index + 1)).toReversed()}</ol></section></div>
${sent(page)}
<p class="note spaced">The receiver refuses the signature? <a href="${webhooksHref}/check?endpoint=${endpoint.id}">Check it step by step</a>.</p>`,
  })
}
