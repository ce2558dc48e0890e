/** The page of one candidate and set, at the submission_url of events and the API. */

import { type Member, memberName } from "../../accounts/members/Member.ts"
import { may } from "../../accounts/Permissions.ts"
import { factList, workspacePage } from "../../accounts/pages/WorkspacePage.ts"
import { systemNames } from "../../ats/HiringSystem.ts"
import type { SubmissionOrder } from "../../ats/Order.ts"
import { hiringSystemFields } from "../../candidates/Candidate.ts"
import { positionBeside } from "../../interview-sets/InterviewSet.ts"
import { setHref } from "../../interview-sets/pages/SetLabels.ts"
import { personReviewsHref } from "../../person-reviews/pages/PersonReviewListPage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { copyField, errorBox, errorSummary } from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { nameOf, requirementDots, scoreText, stateOf } from "../../submissions/pages/SubmissionLabels.ts"
import { answers, cv, cvFailureBox } from "./AnswerSections.ts"
import { commentSection, hasComments } from "./CommentSection.ts"
import { decisionSection, decisionTag, undoForm } from "./DecisionSection.ts"
import { narrative, overrideFold, provenance, reliability, scoreSection } from "./EvaluationSections.ts"
import { foldedPart } from "./FoldedPart.ts"
import { invitationSection } from "./InvitationSection.ts"
import { besideAnswers, missingAnswers } from "./MissingAnswers.ts"
import { remarkSection } from "./RemarkSection.ts"
import { reviewersSection } from "./ReviewersSection.ts"
import { otherReviews, reviewSection, shortcutDialog } from "./ReviewSections.ts"
import { scopeOf, shareSection } from "./ShareSection.ts"
import { submissionRecordHref } from "./SubmissionRecordPage.ts"
import {
  answerId,
  attemptOf,
  evaluationsOf,
  isOnlyCvUnreadable,
  isUnanswered,
  type SubmissionView,
  scoreMarks,
  submissionHref,
} from "./SubmissionView.ts"
import { tagSection } from "./TagParts.ts"
import { timeline } from "./Timeline.ts"

const neighbours = ({ around, audience }: SubmissionView): Html => {
  const link = (id: string | undefined, name: string, rel: "prev" | "next") =>
    id === undefined ? null : html`<a href="${submissionHref(id, { list: around?.list })}" rel="${rel}">${name}</a>\n`
  const isList = around !== undefined && around.list !== ""
  const back = audience === "reviewer" ? "Assigned to you" : isList ? "Back to the list" : "All submissions"
  return html`<nav class="around" aria-label="Submissions"><a class="back" href="${around?.href ?? "/submissions"}"><span aria-hidden="true">← </span>${back}</a>
${link(around?.previous, "Previous candidate", "prev")}${link(around?.next, "Next candidate", "next")}</nav>`
}

const ofHiringSystem = ({ detail }: SubmissionView): Html | null => {
  const given = hiringSystemFields.flatMap(({ label, of }) => {
    const value = of(detail.candidate)
    return value === null ? [] : [html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>\n`]
  })
  return given.length === 0
    ? null
    : foldedPart(
        { id: "foreign", title: "From the hiring system" },
        html`<dl class="made">
${given}</dl>`,
      )
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
    : foldedPart(
        {
          id: "ordered",
          title: "Ordered by",
          note: html`<bdi>${[...new Set(orders.map(({ connection }) => connection))].join(", ")}</bdi>`,
        },
        html`${orders.map(orderItem)}`,
      )

/** Links to the first knock-out answer of the evaluated attempt. */
const knockOutTag = (view: SubmissionView): Html | null => {
  const chosen = view.detail.answers.filter(
    ({ attempt, options }) => attempt === attemptOf(view) && options.some((option) => option.is_knock_out),
  )
  const [first] = chosen
  if (first === undefined) return null
  return html` <a class="tag knock-out" href="#${answerId(first.attempt, first.question_id)}">${chosen.length === 1 ? "Knock-out answer" : `${chosen.length} knock-out answers`}</a>`
}

/** Only those who recruit see the addresses of the candidate and the decision, and the set has a page for them. */
export const header = (view: SubmissionView): Html => {
  const { audience, detail, facts, shown } = view
  const recruits = audience === "recruiting"
  const contacts = recruits ? [detail.candidate.email, facts.phone] : []
  const { id: set, title } = detail.interview_set
  const about = [positionBeside(title, facts.position)?.trim() || null, ...contacts].filter((one) => one !== null)
  const score = shown?.override?.score ?? shown?.score ?? null
  const submitted = detail.completed_at
  const stage = recruits ? detail.stage : null
  const [leading] = evaluationsOf(view)
  const isSent = detail.status_text === "completed" || detail.status_text === "cv_processing"
  const state = stateOf({
    status: detail.status_text,
    isDeclined: detail.declined_at !== null,
    invitation: detail.invitation?.status_text ?? null,
    isBeingEvaluated: isSent && facts.queued.length > 0,
    waitsForNotice: isSent && facts.waits_for_notice_until !== null,
    isCvUnreadable: isOnlyCvUnreadable(view),
    isNotScored: leading?.score_status === "cannot_evaluate" && leading.override === null,
  })
  return html`<header class="lead person"><div class="name-line"><h1 dir="auto">${facts.is_erased ? "Erased candidate" : nameOf(detail.candidate)}</h1>${shareSection(view)}</div>
<p class="about"><span class="tag ${state.kind}">${state.name}</span>${recruits ? html` ${decisionTag(detail.decision)}` : null}${stage === null ? null : html` <span class="tag stage"><span class="unseen">Stage: </span><bdi>${stage.name}</bdi></span>`}${
    score === null
      ? null
      : view.isScoreHidden
        ? html` <a class="quiet" href="#score">Score hidden</a>`
        : html` <span class="overall"><a href="#score"><span class="figure">${scoreText(score)}</span><span class="unseen"> out of 10</span></a>${scoreMarks(view, shown?.override != null)} ${requirementDots(shown?.criteria ?? [])}</span>`
  }${knockOutTag(view)}</p>
<p class="about contacts">${recruits ? html`<a href="${setHref(set)}"><bdi>${title}</bdi></a> ` : html`<bdi>${title}</bdi> `}${about.map((one) => html`<bdi>${one}</bdi> `)}${submitted === null ? null : html`<span>submitted ${moment(new Date(submitted), "day")}</span>`}</p></header>`
}

export const noticeBox = (view: SubmissionView): Html | null => {
  const { notice } = view
  if (notice === undefined) return null
  if (notice.isError) return errorBox(notice.text)
  const { around } = view
  const next =
    notice.offersNext && around?.next !== undefined ? submissionHref(around.next, { list: around.list }) : null
  // after a decision, the focus stays before "Undo"
  const isNextFocused = next !== null && !notice.offersUndo
  const isLast = notice.offersNext && around !== undefined && next === null
  const [newest] = view.links ?? []
  return html`<div class="info done" tabindex="-1"${isNextFocused ? null : html` autofocus`}><p role="status">${notice.text}${isLast ? " This was the last candidate of the list." : null}</p>
${notice.offersLink && newest?.is_open ? copyField("new-link", `Address of the new link – ${scopeOf(newest)}`, newest.url) : null}
<div class="actions">${notice.offersUndo ? undoForm(view) : null}${
    next === null
      ? null
      : html`<a class="button secondary" href="${next}"${isNextFocused ? html` autofocus` : null}>Next candidate</a>`
  }</div></div>`
}

/** The error summary of the refused form. */
const refusal = ({ address, comment, decision, extension, override, review, tag }: SubmissionView): Html | null => {
  const ofOverride = Object.entries(override?.errors ?? {}).map(([field, text]) => [`override-${field}`, text])
  const commentErrors =
    comment?.errors["text"] === undefined
      ? {}
      : { [comment.id === undefined ? "comment-text" : "comments"]: comment.errors["text"] }
  return (
    errorSummary(decision?.errors ?? {}, "The decision was not saved.") ??
    errorSummary(Object.fromEntries(ofOverride), "The override was not saved.") ??
    errorSummary(review?.errors ?? {}, "Your review was not saved.") ??
    errorSummary(commentErrors, "The comment was not saved.") ??
    errorSummary(tag?.errors ?? {}, "The tag was not added.") ??
    errorSummary(address?.errors ?? {}, "The address was not corrected.") ??
    errorSummary(extension?.errors ?? {}, "The time was not changed.")
  )
}

/** Identifiers and versions, which members give to the service's operator. */
const technicalDetails = ({ detail, invited, shown, shownFacts }: SubmissionView): Html =>
  foldedPart(
    { id: "support", title: "Technical details" },
    factList([
      ["Submission", html`<code>${detail.id}</code>`],
      ["Invitation", invited && html`<code>${invited.detail.id}</code>`],
      ["Evaluator", shown?.evaluator],
      ["Model", shownFacts?.model],
      [
        "Fingerprint of the evaluated texts",
        shownFacts?.input_hash && html`<span class="hash">${shownFacts.input_hash}</span>`,
      ],
    ]),
  )

/** Leads those who may answer to a candidate's open request for a person. */
const personReviewBox = ({ audience, facts }: SubmissionView): Html | null =>
  audience !== "recruiting" || facts.person_review_due_at === null
    ? null
    : html`<p class="alert warm">The candidate asks for a review by a person. Answer by <b>${moment(new Date(facts.person_review_due_at), "day")}</b>. <a href="${personReviewsHref}">Read and answer</a></p>`

interface PartLink {
  readonly id: string
  readonly name: string
  readonly count?: number
}

/** Links to the parts of the page, with the number of their entries; none where answers are missing. */
const contents = (view: SubmissionView, isEmpty: boolean): Html | null => {
  if (isEmpty) return null
  const { comments, detail, facts, reviewers, reviews } = view
  /** Parts of an erased person's submission without entries are left out. */
  const hasPart = (all: ReadonlyArray<unknown> | undefined) => all !== undefined && (!facts.is_erased || all.length > 0)
  // the member's own review is in the panel
  const reviewCount = reviews.others.length + reviews.hidden.length
  const parts: ReadonlyArray<PartLink | null> = [
    detail.answers.length === 0 ? null : { id: "answers", name: "Answers" },
    facts.cv === null ? null : { id: "cv", name: "CV" },
    hasComments(view) ? { id: "comments", name: "Comments", count: comments?.total ?? 0 } : null,
    { id: "score", name: "Score" },
    reviews.others.length + reviews.hidden.length === 0 ? null : { id: "reviews", name: "Reviews", count: reviewCount },
    hasPart(reviewers?.asked) ? { id: "reviewers", name: "Reviewers", count: reviewers?.asked.length ?? 0 } : null,
    view.invited === undefined ? null : { id: "invitation", name: "Invitation" },
  ]
  return html`<nav class="contents" aria-label="Parts of this page">${parts.map((part) =>
    part === null
      ? null
      : html`<a href="#${part.id}">${part.name}${part.count ? html` <span class="total">${part.count}</span>` : null}</a>\n`,
  )}</nav>`
}

/** What only those who recruit see, closed at first. Where answers are missing, the timeline is open. */
const folded = (member: Member, view: SubmissionView, isEmpty: boolean): Html =>
  html`<div class="folds card">
${isEmpty ? timeline(view, true) : null}${reviewersSection(view)}${isEmpty ? null : invitationSection(view)}${orderedBy(view)}${ofHiringSystem(view)}${isEmpty ? null : timeline(view, false)}${overrideFold(view)}${provenance(view)}${technicalDetails(view)}</div>
${may(member, "managePrivacy") ? html`<p class="note"><a href="/settings/people/${view.detail.candidate.id}">Personal data of this candidate</a> · <a href="${submissionRecordHref(view.detail.id)}">Record of evaluations and decisions</a></p>` : null}`

export const submissionPage = (member: Member, view: SubmissionView): Document => {
  const { detail } = view
  const recruits = view.audience === "recruiting"
  const [answered, cvText] = [answers(view), cv(view)]
  const isEmpty = isUnanswered(view)
  const refused = refusal(view)
  const decision = recruits ? decisionSection(view) : null
  const panelName = isEmpty
    ? recruits
      ? "Invitation and decision"
      : "Review"
    : recruits
      ? "Review and decision"
      : "Review"
  const panel = html`<div class="review-panel" id="panel" role="region" aria-label="${panelName}" tabindex="-1">
${
  isEmpty
    ? html`<div class="before-answers">${missingAnswers(view)}
${reviewSection(view, { end: null, isFolded: true })}</div>
${decision === null ? null : html`<div class="panel-end">${decision}</div>`}`
    : reviewSection(view, { end: decision })
}
</div>`
  return {
    ...workspacePage(member, {
      title: `${refused === null ? "" : "Not saved – "}${view.facts.is_erased ? "Erased candidate" : nameOf(detail.candidate)} – ${detail.interview_set.title}`,
      place: recruits ? "Submissions" : "Home",
      width: "full",
      main: html`<div class="dossier">
<div class="top">
${neighbours(view)}
${header(view)}
${tagSection(view)}
${noticeBox(view)}
${refused}
${personReviewBox(view)}
${cvFailureBox(view)}
${reliability(view)}
${contents(view, isEmpty)}
</div>
${isEmpty ? panel : null}
<div class="sources">
${isEmpty ? null : besideAnswers(view)}
${answered}
${answered === null ? cvText : commentSection(view)}
${answered === null ? commentSection(view) : cvText}
${remarkSection(view)}
</div>
${isEmpty ? null : html`<a class="jump" href="#panel">${recruits ? "Go to review and decision" : "Go to your review"}</a>\n${panel}`}
<div class="background">
${scoreSection(view)}
${narrative(view)}
${otherReviews(memberName(member), view)}
${recruits ? folded(member, view, isEmpty) : null}
</div>
</div>
${shortcutDialog(recruits)}`,
    }),
    scripts: ["time.js", "settings.js", "submission.js", "player.js"],
  }
}
