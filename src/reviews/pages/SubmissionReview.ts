/** What a recruiter can do with an evaluation: a score of their own, and having it made again. */
import { reasonLength } from "../../evaluations/Override.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { canBeEvaluated, type SubmissionView } from "./SubmissionView.ts"

/** The form of one's own score, beside the evaluator's. */
export const overrideForm = ({ detail, form, shown }: SubmissionView): Html | null => {
  if (shown === undefined) return null
  const { faults, reason, score } = form ?? {
    faults: {},
    score: shown.override === null ? "" : String(shown.override.score),
    reason: shown.override?.reason ?? "",
  }
  const fault = (name: keyof typeof faults) =>
    faults[name] === undefined ? null : html`<span class="fault" id="${name}-fault">${faults[name]}</span>`
  const invalid = (name: keyof typeof faults) =>
    faults[name] === undefined ? null : html` aria-invalid="true" aria-describedby="${name}-fault"`
  const type = html`<input type="hidden" name="evaluation_type" value="${shown.evaluation_type}">`
  return html`<details class="own" id="own"${form === undefined ? null : html` open`}><summary>${shown.override === null ? "Set a score of your own" : "Change your own score"}</summary>
<form method="post" action="/submissions/${detail.id}/override" class="fields" novalidate>
${type}
<p><label for="own-score">Score, 0 to 10</label>
<input id="own-score" name="score" type="text" inputmode="decimal" autocomplete="off" required value="${score}"${invalid("score")}>${fault("score")}</p>
<p><label for="own-reason">Reason</label>
<textarea id="own-reason" name="reason" required minlength="${reasonLength.least}" maxlength="${reasonLength.most}" dir="auto"${invalid("reason")}>
${reason}</textarea>${fault("reason")}</p>
<p class="note">Both scores stand: yours with your name and reason, beside the evaluator's.</p>
<p><button class="primary">Save your score</button></p>
</form>
${
  shown.override === null
    ? null
    : html`<form method="post" action="/submissions/${detail.id}/override/withdraw">${type}<button class="link">Take this score back</button></form>`
}
</details>`
}

/** Offered where there is no score, and something that one could be made of. */
export const evaluateAgain = (view: SubmissionView): Html | null =>
  (view.shown === undefined || view.shown.score_status === "not_scored") && canBeEvaluated(view)
    ? html`<form method="post" action="/submissions/${view.detail.id}/evaluate" class="again"><button class="secondary">Evaluate again</button></form>`
    : null
