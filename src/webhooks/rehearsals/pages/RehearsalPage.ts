/** Rehearsals of an endpoint's receiver: what is sent, the last ones, and the report of one. */
import type { Member } from "../../../accounts/members/Member.ts"
import { countText, cut, settingsPage } from "../../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../../platform/http/Document.ts"
import type { Notice } from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import { excerpt } from "../../deliveries/pages/DeliveryStatus.ts"
import type { EndpointView } from "../../endpoints/Endpoints.ts"
import { backTo, endpointHref } from "../../endpoints/pages/EndpointPage.ts"
import { jsonBlock } from "../../events/pages/JsonBlock.ts"
import {
  maxRehearsals,
  type RehearsalDetail,
  type RehearsalExchange,
  type RehearsalStep,
  type RehearsalSummary,
  type StepResult,
} from "../Rehearsal.ts"
import { definitionOf, stepNames } from "../RehearsalSteps.ts"

const section = "Webhooks"

export const rehearsalsHref = (endpoint: string): string => `${endpointHref(endpoint)}/rehearsals`
export const rehearsalHref = ({ endpoint_id, id }: Pick<RehearsalSummary, "endpoint_id" | "id">): string =>
  `${rehearsalsHref(endpoint_id)}/${id}`

const resultNames: Readonly<Record<StepResult, string>> = {
  passed: "Passed",
  warning: "Warning",
  failed: "Failed",
  skipped: "Skipped",
}
const resultTags: Readonly<Record<StepResult, string>> = { passed: "on", warning: "off", failed: "bad", skipped: "" }

const tag = (result: StepResult, text: string = resultNames[result]): Html =>
  html`<span class="tag ${resultTags[result]}">${text}</span>`

const stepCount = (count: number): string => countText(count, "step", "steps")

/** In a few words. */
const verdictOf = ({ counts: { failed, passed, warning }, state, total_steps }: RehearsalSummary): Html => {
  if (state === "running") return html`<span class="tag">Running</span>`
  const ended =
    state === "done" ? null : html` <span class="quiet">${state === "cancelled" ? "cancelled" : "stopped"}</span>`
  if (failed > 0) return html`${tag("failed", `${stepCount(failed)} failed`)}${ended}`
  if (warning > 0) return html`${tag("warning", countText(warning, "warning", "warnings"))}${ended}`
  return state === "done" ? tag("passed") : html`<span class="tag">${passed} of ${total_steps} passed</span>${ended}`
}

const startForm = (endpoint: EndpointView, label: string, kind: "primary" | "secondary" = "primary"): Html =>
  html`<form method="post" action="${rehearsalsHref(endpoint.id)}" class="inline"><button class="${kind}">${label}</button></form>`

export interface RehearsalList {
  readonly endpoint: EndpointView
  readonly rehearsals: ReadonlyArray<RehearsalSummary>
  readonly notice: Notice | undefined
}

export const rehearsalListPage = (member: Member, { endpoint, notice, rehearsals }: RehearsalList): Document => {
  const running = rehearsals.find(({ state }) => state === "running")
  return settingsPage(member, {
    title: `Rehearse ${cut(endpoint.name, 80)}`,
    section,
    back: backTo(endpoint),
    notice,
    main: html`<header class="lead with-action"><div><h1>Rehearse <bdi>${endpoint.name}</bdi></h1>
<p class="welcome">Sends about 45 signed samples to <code>${endpoint.url}</code> and says what your receiver has to change before candidates
depend on it. All are about an invented candidate and carry <code>is_test</code>; they are not listed among the deliveries and do not count.</p></div>
${
  running === undefined
    ? startForm(endpoint, "Start the rehearsal")
    : html`<a class="button primary" href="${rehearsalHref(running)}">See the one that is running</a>`
}</header>
<details id="what"><summary>What is tried</summary><ol class="rehearsal-plan">${stepNames.map(
      (name) => html`<li>${definitionOf(name).title}</li>\n`,
    )}</ol>
<p class="note"><a href="/docs/rehearsals">What each step sends, and what it expects</a></p></details>
<section aria-labelledby="last" class="connected"><h2 id="last">Last rehearsals</h2>
${
  rehearsals.length === 0
    ? html`<p class="empty">None yet.</p>`
    : html`<ul class="rows" id="rehearsals"${running === undefined ? null : html` data-refresh`}>${rehearsals.map(
        (one) =>
          html`<li><a class="row" id="rehearsal-${one.id}" href="${rehearsalHref(one)}"><span class="row-head"><span class="row-name">${moment(new Date(one.created_at), "exact")}</span><span>${verdictOf(one)}</span></span></a></li>\n`,
      )}</ul>
<p class="note">The last ${maxRehearsals} are kept.</p>`
}</section>`,
  })
}

const headerText = (headers: RehearsalExchange["headers"]): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

/** Bytes of a response on the page. */
const maxAnswer = 4_000

const exchangeBlock = (id: string, exchange: RehearsalExchange): Html => {
  const { answer, at, body, duration_ms, error, headers, status } = exchange
  return html`<div class="exchange"><p class="label">Sent ${moment(new Date(at), "second")}</p>
<pre class="block" tabindex="0" aria-label="Headers">${headerText(headers)}</pre>
${jsonBlock({ id: `${id}-body`, label: "Body", text: body, rawLabel: "Exact body" })}
<p class="label">${status === null ? `No answer after ${duration_ms} ms` : `Answered ${status} after ${duration_ms} ms`}</p>
${
  status === null
    ? html`<p>${error}.</p>`
    : answer === null || answer === ""
      ? html`<p class="note">The response had no body.</p>`
      : html`<pre class="block" tabindex="0" aria-label="Response">${excerpt(answer, maxAnswer).shown}</pre>`
}</div>`
}

/** Shown of one step at a time, so that the page stays short. */
const exchangesOf = ({ exchanges, name, requests }: RehearsalStep): Html => {
  const one = requests > exchanges.length ? html`<p class="note">One of ${requests} requests.</p>` : null
  return html`${one}${exchanges.map((exchange, index) => exchangeBlock(`${name}-${index}`, exchange))}`
}

const exchangesLink = (rehearsal: RehearsalDetail, { exchanges, name, title }: RehearsalStep): Html | null =>
  exchanges.length === 0
    ? null
    : html` <a href="${rehearsalHref(rehearsal)}?step=${name}#step-${name}">What was sent and answered<span class="unseen">: ${title}</span></a>`

const stepItem = (rehearsal: RehearsalDetail, step: RehearsalStep, isOpen: boolean): Html => {
  const { advice, documentation, finding, name, result, title } = step
  return html`<li id="step-${name}" class="rehearsed"><h2>${title}</h2>${tag(result)}
<p${result === "passed" || result === "skipped" ? html` class="quiet"` : null}>${finding}${isOpen ? null : exchangesLink(rehearsal, step)}</p>
${advice === null ? null : html`<p><strong>What to change:</strong> ${advice} <a href="${documentation}">Guide<span class="unseen">: ${title}</span></a></p>`}
${isOpen ? exchangesOf(step) : null}</li>\n`
}

const titleOf = ({ counts: { failed, warning }, state }: RehearsalDetail): string => {
  switch (state) {
    case "running":
      return "The rehearsal is running"
    case "cancelled":
      return "The rehearsal was cancelled"
    case "stopped":
      return "The rehearsal was stopped"
    case "done":
      if (failed > 0) return `Not ready: ${stepCount(failed)} failed`
      return warning > 0 ? `Ready, with ${countText(warning, "warning", "warnings")}` : "Ready: your receiver passed"
  }
}

const isRunning = ({ state }: RehearsalDetail): boolean => state === "running"

const nextForm = (rehearsal: RehearsalDetail, endpoint: EndpointView): Html =>
  isRunning(rehearsal)
    ? html`<form method="post" action="${rehearsalHref(rehearsal)}/cancel" class="inline"><button class="secondary">Cancel</button></form>`
    : startForm(endpoint, "Rehearse again")

const standing = (rehearsal: RehearsalDetail): Html => {
  const { counts, reason, steps, total_steps } = rehearsal
  if (isRunning(rehearsal)) {
    return html`<p role="status">${steps.length} of ${total_steps} steps have a result.</p>
<progress max="${total_steps}" value="${steps.length}" aria-label="Steps with a result"></progress>
<noscript><p class="note"><a href="">Load the page again</a> to see the progress.</p></noscript>`
  }
  const parts = [
    counts.failed === 0 ? "" : `${counts.failed} failed`,
    counts.warning === 0 ? "" : countText(counts.warning, "warning", "warnings"),
    counts.passed === 0 ? "" : `${counts.passed} passed`,
    counts.skipped === 0 ? "" : `${counts.skipped} skipped`,
  ].filter((part) => part !== "")
  return html`${reason === null ? null : html`<p class="alert warm">${reason}</p>`}
<p>${parts.join(", ")}${parts.length === 0 ? "No step has a result" : ""}.</p>`
}

const urgency: ReadonlyArray<StepResult> = ["failed", "warning"]

/** Those with something to change first, when all have a result. */
const ordered = (rehearsal: RehearsalDetail): ReadonlyArray<RehearsalStep> =>
  isRunning(rehearsal)
    ? rehearsal.steps
    : [
        ...urgency.flatMap((urgent) => rehearsal.steps.filter(({ result }) => result === urgent)),
        ...rehearsal.steps.filter(({ result }) => !urgency.includes(result)),
      ]

export interface RehearsalReport {
  readonly endpoint: EndpointView
  readonly rehearsal: RehearsalDetail
  /** Whose requests and answers are shown; by default of the first step that failed. */
  readonly step: string | undefined
}

export const rehearsalPage = (member: Member, { endpoint, rehearsal, step }: RehearsalReport): Document => {
  const open = step ?? rehearsal.steps.find(({ result }) => result === "failed")?.name
  return settingsPage(member, {
    title: `${titleOf(rehearsal)} – ${cut(endpoint.name, 80)}`,
    section,
    back: { href: rehearsalsHref(endpoint.id), name: "Rehearsals" },
    main: html`<div id="rehearsal"${isRunning(rehearsal) ? html` data-refresh` : null}>
<header class="lead with-action"><div><h1>${titleOf(rehearsal)}</h1>
<p class="about"><bdi>${cut(endpoint.name, 80)}</bdi> <code>${rehearsal.url}</code> ${moment(new Date(rehearsal.created_at), "exact")}</p></div>
${nextForm(rehearsal, endpoint)}</header>
${standing(rehearsal)}
<ol class="rows rehearsal-steps">${ordered(rehearsal).map((one) => stepItem(rehearsal, one, one.name === open))}</ol></div>`,
  })
}
