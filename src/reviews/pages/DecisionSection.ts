/** The decision about a submission, and the form that makes it. */

import { moveHref } from "../../interview-sets/pages/SetLabels.ts"
import { describedBy, errorText, optional } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { maxDecisionReason, type SubmissionDecision } from "../../submissions/Decision.ts"
import { decidedNames, decisionNames } from "../../submissions/pages/SubmissionLabels.ts"
import { letterLink, letterList } from "./LetterPage.ts"
import { type DecisionForm, formHref, type SubmissionView, type WarnedDecision } from "./SubmissionView.ts"

export const decisionTag = ({ decision }: SubmissionDecision): Html =>
  decision === null
    ? html`<span class="tag">Undecided</span>`
    : html`<span class="tag decided ${decision}">${decidedNames[decision]}</span>`

/** Who decided, when and why. */
const made = ({ decided_at, decided_by, decision, reason }: SubmissionDecision): Html | null =>
  decided_by === null || decided_at === null
    ? null
    : html`<p class="made-by">${decision === null ? "Cleared" : html`<strong>${decidedNames[decision]}</strong>`} by <bdi>${decided_by.name}</bdi>, ${moment(new Date(decided_at), "short")}</p>
${reason === null ? null : html`<blockquote class="written" dir="auto" tabindex="0" title="${reason}">${reason}</blockquote>`}`

/** Restores the decision before the last one. */
export const undoForm = (view: SubmissionView): Html =>
  html`<form method="post" action="${formHref(view, "decision/undo")}" class="undo"><input type="hidden" name="changes" value="${view.facts.decision_changes}"><button class="secondary">Undo</button></form>`

/** Asks to confirm a decision on a score with warnings. */
const confirmation = ({ decision, warnings }: WarnedDecision): Html =>
  html`<div class="alert warm" role="alert" tabindex="-1" autofocus><p><strong>Nothing is decided yet: the score may be unreliable.</strong> Read the answers first.</p>
<ul class="plain">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>
<input type="hidden" name="knows" value="${decision}">
<p><button name="decision" value="${decision}" class="secondary">${decisionNames[decision]} anyway</button></p></div>`

const noDecision: DecisionForm = { reason: "", errors: {} }

const form = (view: SubmissionView): Html => {
  const { decision, detail, facts } = view
  const { errors, reason, warned } = decision ?? noDecision
  const isOpen = reason !== "" || errors["decision-reason"] !== undefined
  const current = detail.decision.decision
  const button = (value: "advance" | "hold" | "reject") =>
    html`<button name="decision" value="${value}" class="${value === current ? `chosen ${value}` : "secondary"}"${value === current ? html` aria-current="true"` : null}>${decisionNames[value]}</button>\n`
  return html`<form method="post" action="${formHref(view, "decision")}" class="decide">
<input type="hidden" name="changes" value="${facts.decision_changes}">
${warned === undefined ? null : confirmation(warned)}
<div class="actions">${button("advance")}${button("hold")}${button("reject")}</div>
<details${isOpen ? html` open` : null}><summary>${current !== null && detail.decision.reason !== null ? "Change the reason" : "Add a reason"}</summary>
${reasonChoice(view.rejectReasons)}
<label for="decision-reason">Reason for the decision${optional}</label>
<textarea id="decision-reason" name="reason" maxlength="${maxDecisionReason}" dir="auto"${describedBy("decision-reason", errors, null)}>
${reason}</textarea>${errorText("decision-reason", errors)}<p class="note" id="decision-hint" aria-live="polite"></p></details>
${current === null ? null : html`<button name="decision" value="none" class="link">Clear<span class="unseen"> decision</span></button>`}</form>`
}

/** Reasons of the organization; used for a rejection only. */
export const reasonChoice = (reasons: ReadonlyArray<string>): Html | null =>
  reasons.length === 0
    ? null
    : html`<p><label for="common-reason">Common reason for rejecting${optional}</label>
<select id="common-reason" name="common"><option value="">None</option>${reasons.map((reason) => html`<option>${reason}</option>`)}</select></p>`

/** The way to another hiring stage; the header tells the present one. */
const stageLine = ({ detail, facts }: SubmissionView): Html | null =>
  facts.is_erased
    ? null
    : html`<p class="made-by stage-line"><a href="${moveHref(detail.interview_set.id, detail.id)}?back=submission">Move<span class="unseen"> ${detail.stage === null ? "to a stage" : "to another stage"}</span></a></p>`

export const decisionSection = (view: SubmissionView): Html =>
  html`<section class="decision" aria-labelledby="decision"><h2 id="decision">Decision</h2>
${
  view.facts.is_erased
    ? html`<p class="note">The candidate's personal data was erased, so no decision can be made.</p>`
    : html`${form(view)}${letterLink(view) ?? (view.detail.decision.decision === null ? html`<p class="note">The candidate is not notified.</p>` : null)}${stageLine(view)}`
}
${made(view.detail.decision)}${letterList(view)}</section>`
