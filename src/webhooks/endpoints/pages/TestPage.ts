/** The page that sends a test, and "Check a signature". */
import type { Member } from "../../../accounts/members/Member.ts"
import { cut, settingsPage, spanText } from "../../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../../platform/http/Document.ts"
import { describedBy, errorSummary, errorText, type FieldErrors } from "../../../platform/http/FormControls.ts"
import type { Sent } from "../../../platform/http/FormIdempotency.ts"
import { type Html, type HtmlValue, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import { defaultTolerance } from "../../../sdk/WebhookSignature.ts"
import type { FormId } from "../../../values/Ids.ts"
import { isChat } from "../../chat/ChatMessage.ts"
import type { TestDelivery } from "../../deliveries/Delivery.ts"
import { answerBlock, answerTag, errorNote } from "../../deliveries/pages/DeliveryStatus.ts"
import { eventSelect } from "../../events/pages/EventLabels.ts"
import type { EndpointView } from "../Endpoints.ts"
import type { BodyChange, DigestResult, SignatureCheckResult } from "../SignatureChecks.ts"
import { backTo, backToList, endpointHref, webhooksHref } from "./EndpointPage.ts"

const section = "Webhooks"

// Test

const maxAnswer = 16_000

const resultOf = ({ attempt, body }: TestDelivery): Html =>
  html`<section class="once" aria-labelledby="result" id="answer"><h2 id="result">${attempt.error === null ? "Delivered" : "Not delivered"} ${answerTag(attempt)}</h2>
<p class="note">${moment(new Date(attempt.at), "short")} · ${attempt.duration_ms} ms</p>
${errorNote(attempt)}
${answerBlock(attempt, maxAnswer, null)}
<details><summary>Payload</summary><pre class="block" tabindex="0" aria-label="Body">${body}</pre></details></section>`

const withoutResult = (isRunning: boolean): Html =>
  isRunning
    ? html`<section class="once" aria-labelledby="result" id="answer" data-refresh><h2 id="result">Sending the test</h2>
<p>The receiver has ten seconds to respond. <a href="">Reload</a></p></section>`
    : html`<section class="once" aria-labelledby="result" id="answer"><h2 id="result">The result is unknown</h2>
<p>The service stopped while it sent the test. Send another one.</p></section>`

interface TestForm {
  readonly id: FormId
  readonly event: string
  readonly error?: string
  readonly sent?: Sent<TestDelivery>
}

const titleOf = (sent: Sent<TestDelivery> | undefined): string => {
  if (sent === undefined) return ""
  if (sent._tag !== "Answered") return sent._tag === "Running" ? "Sending – " : ""
  return sent.answer.attempt.error === null ? "Delivered – " : "Not delivered – "
}

export const testPage = (member: Member, endpoint: EndpointView, { error, event, id, sent }: TestForm): Document =>
  settingsPage(member, {
    title: `${titleOf(sent)}Test of ${cut(endpoint.name, 80)}`,
    section,
    back: backTo(endpoint),
    notice: error === undefined ? undefined : { text: error, isError: true },
    main: html`<header class="lead"><h1>Test <bdi>${endpoint.name}</bdi></h1>
<p class="welcome">${
      isChat(endpoint.format)
        ? html`Posts a message about an invented candidate once to the channel. It begins with “Test”, is not listed among the deliveries,`
        : html`Sends a signed sample event once to <code>${endpoint.url}</code>. It carries
<code>is_test</code>, is not listed among the deliveries,`
    } and does not count as a failure or success.</p></header>
${sent === undefined ? null : sent._tag === "Answered" ? resultOf(sent.answer) : withoutResult(sent._tag === "Running")}
<form method="post" action="${endpointHref(endpoint.id)}/test" class="fields spaced"><input type="hidden" name="id" value="${id}">
<p><label for="event">Event</label>${eventSelect("event", event)}</p>
<p><button class="primary">${sent === undefined ? "Send the test" : "Send another"}</button></p></form>`,
  })

// Check a signature

export interface CheckForm {
  readonly endpoint: string
  readonly header: string
  readonly body: string
  readonly errors: FieldErrors
}

type Step = readonly [result: "pass" | "fail" | "note", name: string, text: HtmlValue]

const changes: Readonly<Record<BodyChange, string>> = {
  line_breaks:
    "The signature matches the body with CR LF line breaks. They were changed to LF on the way, or by pasting into this form.",
  trimmed: "The signature matches the body without leading and trailing whitespace, which was added on the way.",
  compact:
    "The signature matches the same JSON without whitespace: the body was parsed and serialized again. Verify the raw bytes, before parsing.",
}

const digestStep = (digest: DigestResult): Step => {
  const name = "The body is signed with the webhook's secret"
  switch (digest._tag) {
    case "Match":
      return ["pass", name, "A v1 is the HMAC-SHA256 of t, a full stop and the body."]
    case "OldSecret":
      return ["fail", name, "Signed with the old secret only: sent before the new one was created."]
    case "Changed":
      return ["fail", name, changes[digest.change]]
    case "OtherEndpoint":
      return ["fail", name, `Signed with the secret of another webhook, “${cut(digest.name, 80)}”.`]
    case "Mismatch":
      return ["fail", name, "No v1 matches. The body was changed, or the secret has been replaced since."]
  }
}

const ageStep = (age: number): Step => {
  const name = `The signature is at most ${defaultTolerance / 60} minutes old`
  if (Math.abs(age) <= defaultTolerance) return ["pass", name, `Signed ${spanText(age * 1000)} ago.`]
  const passed = spanText(Math.abs(age) * 1000)
  return age > 0
    ? ["note", name, `Signed ${passed} ago. It was valid when it was sent; a receiver that gets it now rejects it.`]
    : ["fail", name, `The time t is ${passed} in the future. It was changed, or this service did not sign it.`]
}

const stepsOf = (check: SignatureCheckResult): ReadonlyArray<Step> => {
  const present = "The header is present"
  const form = "The header has the form t=<seconds>,v1=<hex>"
  switch (check._tag) {
    case "Missing":
      return [
        ["fail", present, "A proxy before your system removes the header, or your system reads it under another name."],
      ]
    case "Malformed":
      return [
        ["pass", present, "It has a value."],
        ["fail", form, "Paste the whole value of X-Webhook-Signature: t in seconds, not milliseconds, then v1."],
      ]
    case "Read":
      return [
        ["pass", present, "It has a value."],
        ["pass", form, html`Signed at ${moment(check.at)}.`],
        ageStep(check.age),
        digestStep(check.digest),
      ]
  }
}

const labels = { pass: "Pass", fail: "Fail", note: "Note" } as const
const tags = { pass: "on", fail: "bad", note: "off" } as const

const verdict = (check: SignatureCheckResult): Html => {
  const steps = stepsOf(check)
  const isValid = steps.every(([result]) => result !== "fail")
  return html`<section class="once" id="answer" aria-labelledby="verdict"><h2 id="verdict">${isValid ? "The signature is valid" : "The signature is not valid"}</h2>
<ol class="steps">${steps.map(([result, name, text]) => html`<li><p><span class="tag ${tags[result]}">${labels[result]}</span> <strong>${name}</strong></p><p class="note">${text}</p></li>`)}</ol></section>`
}

export const checkPage = (
  member: Member,
  endpoints: ReadonlyArray<EndpointView>,
  form: CheckForm,
  check: SignatureCheckResult | undefined,
): Document =>
  settingsPage(member, {
    title: "Check a signature",
    section,
    back: backToList,
    main: html`<header class="lead"><h1>Check a signature</h1>
<p class="welcome">Your system rejects a delivery? Paste what it received to see which step of the verification fails. Nothing is sent.</p></header>
${
  endpoints.length === 0
    ? html`<p class="empty">No webhooks yet, so there is no secret to check with. <a href="${webhooksHref}/new">Add a webhook</a></p>`
    : html`${check === undefined ? null : verdict(check)}
${errorSummary(form.errors, "Nothing was checked.")}
<form method="post" action="${webhooksHref}/check#answer" class="fields spaced" novalidate>
<p><label for="endpoint">Webhook</label><select id="endpoint" name="endpoint">${endpoints.map(
        ({ id, name }) =>
          html`<option value="${id}"${id === form.endpoint ? html` selected` : null}>${cut(name, 35)}</option>\n`,
      )}</select></p>
<p><label for="header">X-Webhook-Signature</label>
<input type="text" id="header" name="header" class="mono" autocomplete="off" spellcheck="false" value="${form.header}"${describedBy("header", form.errors, null)}>${errorText("header", form.errors)}</p>
<p><label for="body">Body</label>
<textarea id="body" name="body" class="mono" autocomplete="off" spellcheck="false"${describedBy("body", form.errors, true)}>\n${form.body}</textarea><span class="note" id="body-hint">The raw body, as it was received.</span>${errorText("body", form.errors)}</p>
<p><button class="primary">Check</button></p></form>`
}`,
  })
