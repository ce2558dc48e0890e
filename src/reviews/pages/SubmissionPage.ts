/** The page of one candidate and set, at the submission_url of events and the API. */
import { type Member, maySetUp } from "../../accounts/members/Member.ts"
import { workspacePage } from "../../accounts/pages/WorkspacePage.ts"
import { systemNames } from "../../ats/HiringSystem.ts"
import type { SubmissionOrder } from "../../ats/Order.ts"
import { hiringSystemFields } from "../../candidates/Candidate.ts"
import { setHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { errorBox, errorSummary } from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import {
  isUnreached,
  nameOf,
  requirementDots,
  scoreText,
  statusName,
} from "../../submissions/pages/SubmissionLabels.ts"
import { isSubmitted } from "../../submissions/Submission.ts"
import { answers, cv, cvFailureBox } from "./AnswerSections.ts"
import { decisionSection, decisionTag, undoForm } from "./DecisionSection.ts"
import { narrative, provenance, reliability, scoreSection } from "./EvaluationSections.ts"
import { invitationSection } from "./InvitationSection.ts"
import { requirementMatrix } from "./RequirementMatrix.ts"
import { otherReviews, reviewSection } from "./ReviewSections.ts"
import { type SubmissionView, submissionHref } from "./SubmissionView.ts"
import { timeline } from "./Timeline.ts"

const neighbours = ({ around }: SubmissionView): Html => {
  const link = (id: string | undefined, name: string, rel: "prev" | "next") =>
    id === undefined ? null : html`<a href="${submissionHref(id, { list: around?.list })}" rel="${rel}">${name}</a>\n`
  const isList = around !== undefined && around.list !== ""
  return html`<nav class="around" aria-label="Submissions"><a class="back" href="${around?.href ?? "/submissions"}"><span aria-hidden="true">← </span>${isList ? "Open in list" : "All submissions"}</a>
<span class="neighbours">${link(around?.previous, "Previous", "prev")}${link(around?.next, "Next", "next")}</span></nav>`
}

const missingInformation = ({ detail, facts, shown }: SubmissionView): ReadonlyArray<HtmlValue> => {
  const found: Array<HtmlValue> = []
  if (facts.cv === null) found.push("No CV was provided.")
  const { status_text } = detail
  if (facts.flow === "cv") found.push("Only the CV is evaluated; there is no interview.")
  else if (detail.declined_at !== null) found.push("The candidate declined the interview.")
  else if (status_text === "expired") found.push("The interview was not started before the deadline.")
  else if (status_text === "withdrawn") found.push("The invitation was cancelled.")
  else if (detail.invitation !== null && isUnreached(status_text, detail.invitation.status_text))
    found.push(html`The candidate was not reached. <a href="#invitation">See the invitation</a>`)
  else if (!isSubmitted(status_text)) {
    found.push(
      status_text === "started" && facts.attempt > 1
        ? "The candidate is answering again. Answers are shown after they are submitted."
        : "The interview has not been submitted yet.",
    )
  }
  if (shown !== undefined && facts.queued.length > 0) {
    found.push("The submission is being evaluated again. Reload the page to see the result.")
  }
  return found
}

const missing = (view: SubmissionView): Html | null => {
  const found = missingInformation(view)
  if (found.length === 0) return null
  return html`<section class="card" aria-labelledby="missing"><h2 id="missing">Missing information</h2>
<ul class="plain">${found.map((one) => html`<li>${one}</li>`)}</ul></section>`
}

const ofHiringSystem = ({ detail }: SubmissionView): Html | null => {
  const given = hiringSystemFields.flatMap(({ label, of }) => {
    const value = of(detail.candidate)
    return value === null ? [] : [html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>\n`]
  })
  return given.length === 0
    ? null
    : html`<section class="card" aria-labelledby="foreign"><h2 id="foreign">From the hiring system</h2>
<dl class="made">
${given}</dl></section>`
}

/** The hiring system sent the address: other schemes could run a script. */
const isWebAddress = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? "")

const orderItem = (order: SubmissionOrder): Html => {
  const { cancelled_at, connection, created_at, job, ordered_by, profile_url, system } = order
  const line = (name: string, value: HtmlValue) =>
    value === null ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`
  return html`<dl class="made">
${line("Hiring system", html`<bdi>${connection}</bdi> · ${systemNames[system]}`)}${line("Sender", ordered_by && html`<bdi>${ordered_by}</bdi>`)}${line("Job", job && html`<bdi>${job}</bdi>`)}${line("Ordered", moment(new Date(created_at), "short"))}${line("Cancelled", cancelled_at && moment(new Date(cancelled_at), "short"))}</dl>
${profile_url !== null && isWebAddress(profile_url) ? html`<p><a href="${profile_url}" rel="noreferrer">Profile in ${systemNames[system]}</a></p>` : null}`
}

const orderedBy = ({ orders }: SubmissionView): Html | null =>
  orders.length === 0
    ? null
    : html`<section class="card" aria-labelledby="ordered"><h2 id="ordered">Ordered by</h2>
${orders.map(orderItem)}</section>`

const header = (view: SubmissionView): Html => {
  const { detail, facts, shown } = view
  const about = [facts.position?.trim() || null, detail.candidate.email, facts.phone].filter((one) => one !== null)
  const score = shown?.override?.score ?? shown?.score ?? null
  return html`<header class="lead person"><p class="eyebrow" dir="auto"><a href="${setHref(detail.interview_set.id)}">${detail.interview_set.title}</a></p>
<h1 dir="auto">${nameOf(detail.candidate)}</h1>
<p class="about"><span class="tag">${statusName(detail.status_text, detail.declined_at, detail.invitation?.status_text ?? null)}</span> ${decisionTag(detail.decision)}${
    score === null
      ? null
      : html` <span class="overall"><a href="#score"><span class="figure">${scoreText(score)}</span><span class="unseen"> out of 10</span></a> ${requirementDots(shown?.criteria ?? [])}</span>`
  }${about.map((one) => html` <bdi class="quiet">${one}</bdi>`)}</p></header>`
}

const noticeBox = (view: SubmissionView): Html | null => {
  const { notice } = view
  if (notice === undefined) return null
  if (notice.isError) return errorBox(notice.text)
  return html`<div class="info done"><p role="status" tabindex="-1" autofocus>${notice.text}</p>${notice.offersUndo ? undoForm(view) : null}</div>`
}

/** The error summary of the refused form. */
const refusal = ({ decision, extension, override, review }: SubmissionView): Html | null => {
  const ofOverride = Object.entries(override?.errors ?? {}).map(([field, text]) => [`override-${field}`, text])
  return (
    errorSummary(decision?.errors ?? {}, "The decision was not saved.") ??
    errorSummary(Object.fromEntries(ofOverride), "The override was not saved.") ??
    errorSummary(review?.errors ?? {}, "Your review was not saved.") ??
    errorSummary(extension?.errors ?? {}, "The time was not changed.")
  )
}

export const submissionPage = (member: Member, view: SubmissionView): Document => {
  const { detail } = view
  const texts = [answers(view), cv(view)].filter((one) => one !== null)
  const others = html`${missing(view)}
${invitationSection(view)}
${timeline(view)}`
  const refused = refusal(view)
  return {
    ...workspacePage(member, {
      title: `${refused === null ? "" : "Not saved – "}${nameOf(detail.candidate)} – ${detail.interview_set.title}`,
      place: "Submissions",
      width: "wide",
      main: html`${neighbours(view)}
${header(view)}
${noticeBox(view)}
${refused}
${cvFailureBox(view)}
${decisionSection(view)}
<div class="dossier">
<div class="findings">
${reliability(view)}
${requirementMatrix(view)}
</div>
<div class="${texts.length === 0 ? "beside-findings sources" : "sources"}">
${texts.length === 0 ? others : texts}
</div>
<div class="beside-findings reviews">
${reviewSection(view)}
${otherReviews(view)}
</div>
<div class="beside-findings">
${scoreSection(view)}
${narrative(view)}
${texts.length === 0 ? null : others}
${orderedBy(view)}
${ofHiringSystem(view)}
${provenance(view)}
${maySetUp(member) ? html`<p class="note"><a href="/settings/people/${detail.candidate.id}">Personal data of this candidate</a></p>` : null}
</div>
</div>`,
    }),
    scripts: ["time.js", "settings.js", "submission.js"],
  }
}
