/** Settings → Organization → Counterfactual audit: begins audits, and lists those that were made. */
import type { Member } from "../../accounts/members/Member.ts"
import { factList, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  choice,
  choiceGroup,
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  selectField,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { maxListed } from "../CounterfactualAudit.ts"
import type { ListedAudit } from "../CounterfactualAuditRepository.ts"
import { type AuditChoices, type AuditPlan, type AuditRequest, defaultSample } from "../CounterfactualAudits.ts"
import { swapKinds } from "../Swap.ts"
import { kindLabels, kindsText, legalNote } from "./SwapLabels.ts"

export const auditsHref = "/settings/counterfactual-audit"

export const auditHref = (id: string): string => `${auditsHref}/${id}`

export const auditErrorLabels = {
  set: "The interview set",
  kinds: "What is swapped",
  sample: "The number of submissions",
  price: "The price",
}

export const stateLabels: Readonly<Record<ListedAudit["state"], string>> = {
  running: "running",
  done: "done",
  cancelled: "cancelled",
  failed: "ended, because the evaluator was unavailable",
}

interface ListPage {
  readonly choices: AuditChoices
  readonly audits: ReadonlyArray<ListedAudit>
  readonly request: AuditRequest
  readonly errors: FieldErrors
  /** Why no audit was begun. */
  readonly refusal?: string
}

const submissionsText = (count: number): string => (count === 1 ? "1 submission" : `${count} submissions`)

const auditForm = ({ choices, errors, request }: ListPage): Html => {
  const { isRequesting, largestSample, sets } = choices
  if (sets.length === 0)
    return html`<p class="empty">No candidate has a score yet. An audit needs evaluated submissions of an interview set.</p>`
  const sampleHint = isRequesting
    ? `1 to ${largestSample}, chosen by chance, the same ones each time. The evaluator sends requests to a server: their number is shown before anything is sent.`
    : `Empty: all. Or a number up to ${largestSample.toLocaleString("en")}: as many, chosen by chance, the same ones each time.`
  return html`<form method="post" action="${auditsHref}" class="fields" novalidate>
${selectField({ name: "set", label: "Interview set", value: request.set, errors, isRequired: true, options: sets.map(({ id, submissions, title }) => [id, `${title} (${submissionsText(submissions)})`] as const) })}
${choiceGroup(
  "kinds",
  "What is swapped",
  errors,
  swapKinds.map((kind) =>
    choice({ name: "kinds", value: kind, type: "checkbox", isChosen: request.kinds.includes(kind) }, kindLabels[kind]),
  ),
)}
${field({ name: "sample", label: "Submissions", value: request.sample, errors, isRequired: isRequesting, hint: sampleHint })}
${isRequesting ? field({ name: "price", label: "Price of one request", value: request.price, errors, hint: "In any currency, such as 0.002; to see what the audit costs." }) : null}
<p class="actions"><button class="primary">${isRequesting ? "Count the requests" : "Begin audit"}</button></p></form>`
}

const auditList = (audits: ReadonlyArray<ListedAudit>): Html =>
  audits.length === 0
    ? html`<p class="empty">No audit was made yet.</p>`
    : html`<ul class="impact-reports">
${audits.map(
  ({
    id,
    kinds,
    made_at,
    names,
    sample,
    state,
    submissions,
  }) => html`<li><a href="${auditHref(id)}"><bdi>${names.set}</bdi>, ${moment(made_at, "short")}</a>
<span class="quiet">${stateLabels[state]} · ${sample === null ? "" : "sample of "}${submissionsText(submissions)} · ${kindsText(kinds)} · by <bdi>${names.member}</bdi></span></li>\n`,
)}</ul>
${audits.length < maxListed ? null : html`<p class="note">The newest ${maxListed} audits.</p>`}`

export const proposedRequest = ({ isRequesting, sets }: AuditChoices): AuditRequest => ({
  set: sets[0]?.id ?? "",
  kinds: swapKinds,
  sample: isRequesting ? String(defaultSample) : "",
  price: "",
})

export const auditListPage = (member: Member, page: ListPage): Document => {
  const { audits, errors, refusal } = page
  const isRefused = hasErrors(errors) || refusal !== undefined
  return settingsPage(member, {
    title: isRefused ? "No audit – Counterfactual audit" : "Counterfactual audit",
    section: "Counterfactual audit",
    notice: refusal === undefined ? undefined : { text: `No audit was begun: ${refusal}.`, isError: true },
    main: html`<header class="lead"><h1>Counterfactual audit</h1>
<p class="welcome">Whether a score depends on a name, a pronoun, a place, an age or a school: the texts of real submissions are evaluated again
as another candidate's, and nothing that candidates or members see changes. ${legalNote}
<a href="/docs/counterfactual-audit">What is swapped, and what the numbers mean</a></p></header>
${errorSummary(errors, "No audit was begun.")}
<section class="made" aria-labelledby="new"><h2 id="new">New audit</h2>
${auditForm(page)}</section>
<section class="made" aria-labelledby="audits"><h2 id="audits">Audits</h2>
<p class="note">An audit keeps numbers, and which submissions moved; no text. It stays until you delete it.</p>
${auditList(audits)}</section>`,
  })
}

const costText = ({ price, requests }: AuditPlan): string =>
  price === null ? "unknown: no price was given" : (Math.round(requests * price * 100) / 100).toFixed(2)

/** Asks for consent before requests are sent. */
export const auditPlanPage = (member: Member, plan: AuditPlan, request: AuditRequest): Document =>
  settingsPage(member, {
    title: "Begin the audit?",
    section: "Counterfactual audit",
    back: { href: auditsHref, name: "Counterfactual audit" },
    main: html`<header class="lead"><h1>Begin the audit?</h1>
<p class="welcome">The evaluator sends the swapped texts of ${submissionsText(plan.submissions)} to its server, redacted as always.</p></header>
${factList([
  ["Interview set", html`<bdi>${plan.setTitle}</bdi>`],
  ["Swapped", kindsText(plan.kinds)],
  ["Evaluations", String(plan.evaluations ?? 0)],
  ["Requests", `about ${plan.requests}`],
  ["Cost", costText(plan)],
])}
<p class="note">Each submission's own texts are evaluated twice, to tell chance from effect. Requests are repeated when the server does not
answer, so that there may be more.</p>
<form method="post" action="${auditsHref}" class="actions spaced">
<input type="hidden" name="set" value="${request.set}">${plan.kinds.map((kind) => html`<input type="hidden" name="kinds" value="${kind}">`)}
<input type="hidden" name="sample" value="${request.sample}"><input type="hidden" name="price" value="${request.price}">
<input type="hidden" name="confirmed" value="yes">
<button class="primary">Begin audit</button>
<a class="button secondary" href="${auditsHref}">Cancel</a></form>`,
  })
