/** What a submission without answers shows first: what happened, and what a member can do next. */
import { inviteAgainHref } from "../../invitations/pages/InvitePage.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { failureText, isUnreached } from "../../submissions/pages/SubmissionLabels.ts"
import { isSubmitted } from "../../submissions/Submission.ts"
import { cvCorrection } from "./AnswerSections.ts"
import { openInvitation } from "./InvitationSection.ts"
import { cvFailure, isOnlyCvUnreadable, type SubmissionView } from "./SubmissionView.ts"

interface Happened {
  readonly title: string
  readonly text: HtmlValue
  /** For those who recruit. */
  readonly next: HtmlValue
}

const at = (time: string | null): HtmlValue => (time === null ? null : html` on ${moment(new Date(time), "short")}`)

const ofCv = (view: SubmissionView): Happened => {
  const { facts } = view
  const { state } = facts.cv ?? {}
  if (facts.cv === null && facts.cv_deleted_at !== null)
    return {
      title: "The CV was deleted",
      text: html`Deleted${at(facts.cv_deleted_at)}: your organization keeps CVs for a limited time. The evaluation has stayed.`,
      next: null,
    }
  const text = "Only the CV is evaluated; there is no interview."
  if (cvFailure(view) !== undefined) return { title: "The CV could not be read", text, next: null }
  return state === "queued"
    ? { title: "The CV is being read", text, next: "Reload in a minute." }
    : { title: "No CV was provided", text, next: null }
}

const happened = (view: SubmissionView): Happened => {
  const { detail, facts } = view
  const { invitation, status_text } = detail
  const again = (kind: "primary" | "secondary") =>
    html`<a class="button ${kind}" href="${inviteAgainHref(detail.interview_set.id, detail.id)}">Invite again</a>`
  if (facts.is_erased)
    return {
      title: "The personal data was erased",
      text: html`Answers and CV were deleted${at(facts.answers_deleted_at)}. Scores, states and times have stayed.`,
      next: null,
    }
  if (facts.flow === "cv") return ofCv(view)
  if (detail.declined_at !== null)
    return {
      title: "The candidate declined",
      text: html`The candidate declined the interview${at(detail.declined_at)}.${detail.decline_reason === null ? null : html` Reason: <bdi>${detail.decline_reason}</bdi>`}`,
      next: again("secondary"),
    }
  if (status_text === "expired")
    return {
      title: "The deadline has passed",
      text: html`The interview was not started before the deadline${at(facts.expires_at)}.`,
      next: again("primary"),
    }
  if (status_text === "withdrawn")
    return { title: "Cancelled", text: "The invitation was cancelled.", next: again("secondary") }
  if (invitation !== null && isUnreached(status_text, invitation.status_text))
    return {
      title: "The candidate was not reached",
      text: html`The invitation did not arrive: ${failureText(facts.invitation?.failure_reason ?? null) || "the reason is not known"}.`,
      next: null,
    }
  if (status_text === "started")
    return facts.attempt > 1
      ? {
          title: "The candidate is answering again",
          text: "The candidate is answering again. Answers are shown after they are submitted.",
          next: null,
        }
      : {
          title: "The candidate is answering",
          text: html`Started${at(detail.started_at)}${facts.answer_until === null ? null : html`; the time ends${at(facts.answer_until)}`}. Answers are shown after they are submitted.`,
          next: null,
        }
  if (isSubmitted(status_text) && facts.answers_deleted_at !== null)
    return {
      title: "The answers were deleted",
      text: html`Deleted${at(facts.answers_deleted_at)}: your organization keeps answers for a limited time. The evaluation has stayed.`,
      next: null,
    }
  if (isSubmitted(status_text))
    return { title: "No answers", text: "The interview was submitted without answers.", next: null }
  return {
    title: status_text === "initiated" ? "Opened, not started" : "Waiting for the candidate",
    text: html`The interview can be started until ${moment(new Date(facts.expires_at), "short")}.`,
    next: null,
  }
}

/** In place of the answers, with the invitation, or the ways to another CV, for those who recruit. */
export const missingAnswers = (view: SubmissionView): Html | null => {
  if (view.audience === "recruiting" && isOnlyCvUnreadable(view)) return cvCorrection(view)
  if (view.audience === "reviewer" && isOnlyCvUnreadable(view)) return null
  const { next, text, title } = happened(view)
  const recruits = view.audience === "recruiting"
  const isFailed = isUnreached(view.detail.status_text, view.detail.invitation?.status_text ?? null)
  return html`<section class="unanswered${isFailed ? " failed" : ""}" aria-labelledby="standing"><h2 id="standing">${title}</h2>
<p>${text}</p>
${next === null || !recruits ? null : html`<p>${next}</p>`}
${recruits ? openInvitation(view) : null}</section>`
}

/** Above the answers of an attempt: the candidate works on a newer one, or the score is being computed. */
export const besideAnswers = ({ detail, facts, shown }: SubmissionView): Html | null => {
  const found = [
    detail.status_text === "started" && facts.attempt > 1
      ? "The candidate is answering again. Answers are shown after they are submitted."
      : null,
    shown !== undefined && facts.queued.length > 0
      ? "The submission is being evaluated again. Reload the page to see the result."
      : null,
  ].filter((one) => one !== null)
  return found.length === 0 ? null : html`<div class="info">${found.map((one) => html`<p>${one}</p>`)}</div>`
}
