/** The form "What would change?": requirements of a set that are changed to see their effect, and the earlier trials. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText } from "../../accounts/pages/WorkspacePage.ts"
import type { InterviewSet } from "../../interview-sets/InterviewSet.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { requirementCards, stepText } from "../../interview-sets/pages/SetCards.ts"
import { setHref, trialsHref } from "../../interview-sets/pages/SetLabels.ts"
import { fieldsOfDraft, type SetDraft } from "../../interview-sets/SetDraft.ts"
import type { Step } from "../../interview-sets/SetSteps.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  compactField,
  errorSummary,
  type FieldErrors,
  hasErrors,
  type Notice,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { maxSample, type Trial, type TrialState } from "../Trial.ts"

export const trialHref = (set: string, trial: string): string => `${trialsHref(set)}/${encodeURIComponent(trial)}`

export const stateNames: Readonly<Record<TrialState, string>> = {
  running: "running",
  done: "finished",
  cancelled: "cancelled",
  failed: "ended early: the evaluator did not answer",
}

export interface TrialForm {
  readonly set: InterviewSet
  readonly draft: SetDraft
  readonly errors: FieldErrors
  readonly step: Step | undefined
  readonly notice: Notice | undefined
  /** Submissions with an evaluation. */
  readonly submissions: number
  /** Requests to a server for each evaluation; 0: the evaluator sends none. */
  readonly requests: number
  readonly sample: string
  readonly trials: ReadonlyArray<Trial>
}

const earlier = ({ set, trials }: TrialForm): Html | null =>
  trials.length === 0
    ? null
    : html`<section aria-labelledby="earlier"><h2 id="earlier">Earlier trials</h2>
<ul class="impact-reports">${trials.map(
        (trial) =>
          html`<li><a href="${trialHref(set.id, trial.id)}">${countText(trial.evaluated, "candidate", "candidates")}, ${moment(trial.created_at, "short")}</a>
<span class="quiet">${stateNames[trial.state]}${trial.member === null ? null : html`, by <bdi>${trial.member.name}</bdi>`}${trial.adopted_set === null ? null : ", adopted"}</span></li>\n`,
      )}</ul></section>`

const sampleField = ({ errors, requests, sample, submissions }: TrialForm): Html | null =>
  requests === 0
    ? null
    : compactField({
        name: "sample",
        label: "Candidates to try",
        value: sample,
        errors,
        isNumber: true,
        hint: `Your evaluator sends about ${countText(requests, "request", "requests")} to a server for each CV and each interview whose texts are read again. At most ${Math.min(submissions, maxSample)}. A change of importance only is computed for all candidates, without requests.`,
      })

export const trialFormPage = (member: Member, form: TrialForm): Document => {
  const { draft, errors, notice, set, step, submissions } = form
  const page = recordPage(member, {
    title: `${hasErrors(errors) ? "Not started – " : ""}What would change?`,
    place: "Interview sets",
    width: "full",
    back: { href: setHref(set.id), name: "Interview set" },
    notice,
    main: html`<header class="lead"><h1>What would change?</h1>
<p class="welcome"><bdi>${set.title?.trim() || "Set without a title"}</bdi></p></header>
${errorSummary(errors, "The trial was not started.")}
${
  submissions === 0
    ? html`<p class="empty">No candidate of this set has a score yet, so there is nothing to compare.</p>`
    : html`<p class="note">Change the requirements or their importance and see how the scores of ${countText(submissions, "candidate", "candidates")} would move. Nothing is saved: neither the set nor a score changes.</p>
<div class="editor-plain"><form method="post" action="${trialsHref(set.id)}" id="set" class="set-form" data-editor novalidate>
<button class="unseen" name="do" value="try" tabindex="-1" aria-hidden="true">What would change?</button>
${requirementCards({ draft, errors, step, isFolded: false, hasLibrary: false })}
${sampleField(form)}
<p class="unseen" role="status" data-said>${stepText(form)}</p>
<div class="save-bar"><p data-unsaved hidden></p>
<p class="actions"><button class="primary" name="do" value="try">What would change?</button>
<a class="button secondary" href="${setHref(set.id)}">Cancel</a></p></div>
</form></div>`
}
${earlier(form)}`,
  })
  return { ...page, styles: [...(page.styles ?? []), "editor.css"], scripts: [...page.scripts, "editor.js"] }
}

export interface TrialConfirmation {
  readonly set: InterviewSet
  readonly draft: SetDraft
  readonly submissions: number
  readonly requests: number
}

/** Before requests are sent: how many. */
export const trialConfirmPage = (member: Member, { draft, requests, set, submissions }: TrialConfirmation): Document =>
  recordPage(member, {
    title: "Start the trial?",
    place: "Interview sets",
    back: { href: trialsHref(set.id), name: "What would change?" },
    main: html`<header class="lead"><h1>Start the trial?</h1></header>
<p>The texts of <strong>${countText(submissions, "candidate", "candidates")}</strong> are evaluated again: about <strong>${countText(requests, "request", "requests")}</strong> to the server of your evaluator. It may charge for them. More are sent when it does not answer.</p>
<form method="post" action="${trialsHref(set.id)}">
${[...fieldsOfDraft(draft, ["requirements"]), ["sample", String(submissions)] as const].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="actions"><button class="primary" name="do" value="start">Start</button> <button class="secondary" name="do" value="back">Back</button></p></form>`,
  })
