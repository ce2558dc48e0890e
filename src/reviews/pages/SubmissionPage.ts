/** What a recruiter reads about one submission, at the address that events and the API give (submission_url). */
import { type Member, maySetUp } from "../../accounts/Member.ts"
import { workspacePage } from "../../accounts/pages/WorkspacePage.ts"
import { setHref } from "../../interview-sets/pages/SetLabels.ts"
import { invitationHref } from "../../invitations/pages/InvitationLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { nameOf, statusName } from "../../submissions/pages/SubmissionLabels.ts"
import { missing, provenance, timeline } from "./SubmissionFacts.ts"
import { evaluateAgain, overrideForm } from "./SubmissionReview.ts"
import { criteria, evaluationSwitch, narrative, scoreCard } from "./SubmissionScore.ts"
import { answers, cv } from "./SubmissionSources.ts"
import type { SubmissionView } from "./SubmissionView.ts"

export const submissionPage = (member: Member, view: SubmissionView): Document => {
  const { detail, facts, form, notice } = view
  const name = nameOf(detail.candidate)
  const faults = Object.keys(form?.faults ?? {}).length
  const about = [facts.position?.trim() || null, detail.candidate.email, facts.phone].filter((one) => one !== null)
  return workspacePage(member, {
    title: `${faults > 0 ? "Not saved – " : ""}${name} – ${detail.interview_set.title}`,
    place: "Submissions",
    wide: true,
    main: html`<nav aria-label="Submissions"><a class="back" href="/submissions"><span aria-hidden="true">← </span>All submissions</a></nav>
<header class="lead"><p class="eyebrow" dir="auto"><a href="${setHref(detail.interview_set.id)}">${detail.interview_set.title}</a></p>
<h1 dir="auto">${name}</h1>
<p class="about"><span class="tag">${statusName(detail.status_text, detail.declined_at, detail.invitation?.status_text ?? null)}</span>${about.map(
      (one) => html` <bdi class="quiet">${one}</bdi>`,
    )}${
      detail.candidate.ats_candidate_id === null
        ? null
        : html` <span class="quiet id" title="The candidate's id in your hiring system">${detail.candidate.ats_candidate_id}</span>`
    }${detail.invitation === null ? null : html` <a href="${invitationHref(detail.invitation.id)}">Invitation</a>`}</p></header>
${notice === undefined ? null : notice.isFault ? html`<p class="alert" role="alert">${notice.text}</p>` : html`<p class="info" role="status">${notice.text}</p>`}
${faults === 0 ? null : html`<p class="alert" role="alert">Your score was not saved: <a href="#own">check the marked fields</a>.</p>`}
<div class="dossier">
<div class="findings">
${evaluationSwitch(view)}
${scoreCard(view)}
${evaluateAgain(view)}
${overrideForm(view)}
${narrative(view)}
${criteria(view)}
${answers(view)}
${cv(view)}
</div>
<div class="beside-findings">
${missing(view)}
${timeline(view)}
${provenance(view)}
${maySetUp(member) ? html`<p class="note"><a href="/settings/people/${detail.candidate.id}">Personal data of this candidate</a></p>` : null}
</div>
</div>`,
  })
}
