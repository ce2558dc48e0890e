/** Trying things out: a test delivery with its answer, and a signature step by step. */

import type { Member } from "../../accounts/Member.ts"
import { cut, settingsPage, spanText } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { describedBy, errorSummary, errorText, type FieldErrors } from "../../platform/http/FormControls.ts"
import type { Sent } from "../../platform/http/FormSubmissions.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { FormId } from "../../values/Ids.ts"
import type { EndpointView } from "../Endpoints.ts"
import { type BodyChange, type DigestResult, type SignatureCheck, tolerance } from "../SignatureChecks.ts"
import type { TestDelivery } from "../TestDeliveries.ts"
import { advice, excerpt } from "./DeliveryParts.ts"
import { allEndpoints, endpointHref, upTo, webhooksHref } from "./EndpointParts.ts"
import { eventSelect } from "./EventWords.ts"

const section = "Webhooks"

const result = ({ attempt, body }: TestDelivery): Html => {
  const hint = advice(attempt)
  const answer = attempt.answer === null ? null : excerpt(attempt.answer, 16_000)
  return html`<section class="once" aria-labelledby="result" id="answer"><h2 id="result">${attempt.error === null ? "Delivered" : "Not delivered"} <span class="tag ${attempt.error === null ? "on" : "bad"}">${attempt.status ?? "No answer"}</span></h2>
<p class="note">${moment(new Date(attempt.at), "short")} · took ${attempt.duration_ms} ms</p>
${attempt.error === null ? null : html`<p class="fault">${cut(attempt.error, 400)}.</p>`}
${hint === undefined ? null : html`<p>${hint}</p>`}
${
  answer === null
    ? null
    : answer.shown === ""
      ? html`<p class="note">The answer had no body.</p>`
      : html`<p class="label">Answer</p><pre class="block" tabindex="0" aria-label="Answer">${answer.shown}</pre>${answer.isAll ? null : html`<p class="note">This is the beginning.</p>`}`
}
<details><summary>What was sent</summary><pre class="block" tabindex="0" aria-label="Body">${body}</pre></details></section>`
}

const unanswered = (isRunning: boolean): Html =>
  isRunning
    ? html`<section class="once" aria-labelledby="result" id="answer" data-refresh><h2 id="result">It is on its way</h2>
<p>The receiver has ten seconds to answer. <a href="">Look again</a></p></section>`
    : html`<section class="once" aria-labelledby="result" id="answer"><h2 id="result">What came of it is not known</h2>
<p>This service was stopped while the test was on its way. Send another.</p></section>`

interface TestForm {
  /** Of the form: sent twice, it is one test. */
  readonly id: FormId
  readonly event: string
  readonly fault?: string
  /** The test that the page tells of. */
  readonly sent?: Sent<TestDelivery>
}

const titleOf = (sent: Sent<TestDelivery> | undefined): string => {
  if (sent === undefined) return ""
  if (sent._tag !== "Answered") return sent._tag === "Running" ? "On its way – " : ""
  return sent.answer.attempt.error === null ? "Delivered – " : "Not delivered – "
}

export const testPage = (member: Member, endpoint: EndpointView, { event, fault, id, sent }: TestForm): Document =>
  settingsPage(member, {
    title: `${titleOf(sent)}Test of ${cut(endpoint.name, 80)}`,
    section,
    back: upTo(endpoint),
    notice: fault === undefined ? undefined : { text: fault, isError: true },
    main: html`<header class="lead"><h1>Test <bdi>${endpoint.name}</bdi></h1>
<p class="welcome">An event about a candidate who does not exist, signed, sent once to <code>${endpoint.url}</code>. It says
<code>is_test</code>, is not listed among the deliveries, and counts neither as a failure nor as a success.</p></header>
${sent === undefined ? null : sent._tag === "Answered" ? result(sent.answer) : unanswered(sent._tag === "Running")}
<form method="post" action="${endpointHref(endpoint.id)}/test" class="fields spaced"><input type="hidden" name="id" value="${id}">
<p><label for="event">Event</label>${eventSelect("event", event)}</p>
<p><button class="primary">${sent === undefined ? "Send the test" : "Send another"}</button></p></form>`,
  })

export interface CheckForm {
  readonly endpoint: string
  readonly header: string
  readonly body: string
  readonly faults: FieldErrors
}

type Step = readonly [state: "right" | "wrong" | "open", name: string, text: HtmlValue]

const changes: Readonly<Record<BodyChange, string>> = {
  line_breaks: "It is right with other line breaks: something turned CR LF into LF, or this form did.",
  trimmed: "It is right without the blanks at the beginning or the end: something added them.",
  compact:
    "It is right for the same JSON without blanks: the body was parsed and written again. Verify the raw bytes, before anything parses them.",
}

const digestStep = (digest: DigestResult): Step => {
  const name = "The signature is of this body under the webhook's secret"
  switch (digest._tag) {
    case "Right":
      return ["right", name, "A v1 is the HMAC-SHA256 of t, a full stop and the body."]
    case "OldSecret":
      return ["wrong", name, "It was signed with the old secret alone: it was sent before the new one was made."]
    case "Changed":
      return ["wrong", name, changes[digest.change]]
    case "OtherEndpoint":
      return [
        "wrong",
        name,
        `It was signed with the secret of another webhook, “${cut(digest.name, 80)}”. Is your system using that one's?`,
      ]
    case "Wrong":
      return [
        "wrong",
        name,
        "No v1 fits. The body is not the one that was signed, or it was signed with a secret that was replaced since.",
      ]
  }
}

const ageStep = (age: number): Step => {
  const name = `It is at most ${tolerance / 60} minutes old`
  if (Math.abs(age) <= tolerance) return ["right", name, `It was made ${spanText(age * 1000)} ago.`]
  const passed = spanText(Math.abs(age) * 1000)
  return age > 0
    ? ["open", name, `It was made ${passed} ago. Received then, it was right; a receiver that gets it now refuses it.`]
    : ["wrong", name, `It is ${passed} ahead of this service's clock. Somebody else made it, or changed t.`]
}

const stepsOf = (check: SignatureCheck): ReadonlyArray<Step> => {
  const there = "The header is there"
  const form = "It reads t=<seconds>,v1=<hex>"
  switch (check._tag) {
    case "Missing":
      return [
        ["wrong", there, "Something between this service and yours takes it away, or it is read under another name."],
      ]
    case "Malformed":
      return [
        ["right", there, "It has a value."],
        ["wrong", form, "Paste the whole value of X-Webhook-Signature: t in seconds, not in milliseconds, then v1."],
      ]
    case "Read":
      return [
        ["right", there, "It has a value."],
        ["right", form, html`It was made ${moment(check.at)}.`],
        ageStep(check.age),
        digestStep(check.digest),
      ]
  }
}

const words = { right: "Right", wrong: "Wrong", open: "Note" } as const
const tags = { right: "on", wrong: "bad", open: "off" } as const

const verdict = (check: SignatureCheck): Html => {
  const steps = stepsOf(check)
  const isRight = steps.every(([state]) => state !== "wrong")
  return html`<section class="once" id="answer" aria-labelledby="verdict"><h2 id="verdict">${isRight ? "The signature is right" : "The signature is not right"}</h2>
<ol class="steps">${steps.map(([state, name, text]) => html`<li><p><span class="tag ${tags[state]}">${words[state]}</span> <strong>${name}</strong></p><p class="note">${text}</p></li>`)}</ol></section>`
}

export const checkPage = (
  member: Member,
  endpoints: ReadonlyArray<EndpointView>,
  form: CheckForm,
  check: SignatureCheck | undefined,
): Document =>
  settingsPage(member, {
    title: "Check a signature",
    section,
    back: allEndpoints,
    main: html`<header class="lead"><h1>Check a signature</h1>
<p class="welcome">Your system refuses a delivery? Paste what it got, and see which step of the verification fails. Nothing leaves
this service.</p></header>
${
  endpoints.length === 0
    ? html`<p class="empty">There is no webhook whose secret could have signed anything. <a href="${webhooksHref}/new">Add a webhook</a></p>`
    : html`${check === undefined ? null : verdict(check)}
${errorSummary(form.faults, "Nothing was checked.")}
<form method="post" action="${webhooksHref}/check#answer" class="fields spaced" novalidate>
<p><label for="endpoint">Webhook</label><select id="endpoint" name="endpoint">${endpoints.map(
        ({ id, name }) =>
          html`<option value="${id}"${id === form.endpoint ? html` selected` : null}>${cut(name, 40)}</option>\n`,
      )}</select></p>
<p><label for="header">X-Webhook-Signature</label>
<input type="text" id="header" name="header" class="mono" autocomplete="off" spellcheck="false" value="${form.header}"${describedBy("header", form.faults, null)}>${errorText("header", form.faults)}</p>
<p><label for="body">Body</label><span class="note" id="body-hint">The raw body, as it came.</span>
<textarea id="body" name="body" class="mono" autocomplete="off" spellcheck="false"${describedBy("body", form.faults, true)}>\n${form.body}</textarea>${errorText("body", form.faults)}</p>
<p><button class="primary">Check</button></p></form>`
}`,
  })
