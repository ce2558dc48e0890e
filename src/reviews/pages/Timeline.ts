/** The timeline of a submission, newest first, in pages. */
import { Schema } from "effect"
import type { Member } from "../../accounts/members/Member.ts"
import { cut, workspacePage } from "../../accounts/pages/WorkspacePage.ts"
import { findNeeds } from "../../interviews/Accommodation.ts"
import { mailName } from "../../invitations/pages/InvitationLabels.ts"
import { pastOutcome } from "../../person-reviews/pages/PersonReviewLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { Decision } from "../../submissions/Decision.ts"
import { decidedNames, evaluationNames, failureText, nameOf } from "../../submissions/pages/SubmissionLabels.ts"
import type { EvaluationDetail } from "../../submissions/SubmissionDetail.ts"
import type { PastChange, PastInvitation, PastMail } from "../HistoryRepository.ts"
import { needsText, outcomeText } from "./AccommodationLabels.ts"
import { foldedPart } from "./FoldedPart.ts"
import { cvFailure, evaluationsOf, type SubmissionView, submissionHref } from "./SubmissionView.ts"

/** The colour of a step: something failed, or ended without a result. */
type StepSign = "stop" | "over"

interface Step {
  readonly at: Date
  readonly text: HtmlValue
  readonly sign: StepSign | undefined
}

type Dated = readonly [at: string | null | undefined, text: HtmlValue, sign?: StepSign | undefined]

/** The address is empty after an erasure. */
const invitedText = (email: string): HtmlValue => (email === "" ? "Invited" : html`Invited at <bdi>${email}</bdi>`)

const ofInvitation = (one: PastInvitation): ReadonlyArray<Dated> => [
  [one.created_at, invitedText(one.email)],
  [one.sent_at, "Email sent"],
  [one.delivered_at, "Email delivered"],
  [one.opened_at, "Email opened"],
  [one.clicked_at, "Link followed"],
  [one.failed_at, `Email failed: ${failureText(one.failure_reason)}`, "stop"],
  [one.cancelled_at, "Invitation cancelled", "over"],
]

/** The first email of each invitation is shown by the invitation's own times. */
const ofMail = ({ created_at, error, kind, sent_at, state }: PastMail): Dated => {
  const name = kind === "invitation" ? "Email" : `Email “${mailName(kind)}”`
  if (state === "sent") return [sent_at, `${name} sent`]
  if (state === "failed")
    return [
      created_at,
      html`${name} not sent${error === null ? null : html`: <bdi>${error.slice(0, 200)}</bdi>`}`,
      "stop",
    ]
  return state === "queued" ? [created_at, `${name} is waiting to be sent`] : [created_at, `${name} cancelled`, "over"]
}

const isDecision = Schema.is(Decision)

const isTexts = Schema.is(Schema.Array(Schema.String))

const outcomeOf = ({ changed, granted, time_factor }: PastChange["detail"]): string => {
  const outcome = outcomeText(
    findNeeds(isTexts(granted) ? granted : []),
    typeof time_factor === "number" ? time_factor : null,
  )
  return changed === true ? `Answer to the request changed, ${outcome}` : `Request ${outcome}`
}

const memberOf = ({ member }: PastChange["detail"]): string => (typeof member === "string" ? member : "a colleague")

/** Nothing after an erasure. */
const addressesOf = ({ email, previous_email }: PastChange["detail"]): Html | null =>
  typeof email === "string" && typeof previous_email === "string"
    ? html` from <bdi>${previous_email}</bdi> to <bdi>${email}</bdi>`
    : null

const tagOf = ({ tag }: PastChange["detail"]): Html =>
  html`Tag${typeof tag === "string" ? html` <bdi>${tag}</bdi>` : null}`

const changeText = ({ action, detail }: PastChange): HtmlValue => {
  switch (action) {
    case "submission.decide": {
      const decision = detail.after?.decision
      return isDecision(decision) ? html`Decision: <strong>${decidedNames[decision]}</strong>` : "Decision cleared"
    }
    case "submission.move": {
      const { stage } = detail.after ?? {}
      return typeof stage === "string" ? html`Moved to <bdi>${stage}</bdi>` : "Moved out of the stages"
    }
    case "submission.tag":
      return html`${tagOf(detail)} added`
    case "submission.untag":
      return html`${tagOf(detail)} removed`
    case "submission.assign":
      return html`<bdi>${memberOf(detail)}</bdi> asked for a review`
    case "submission.unassign":
      return html`<bdi>${memberOf(detail)}</bdi> no longer asked for a review`
    case "submission.comment":
      return "Comment written"
    case "submission.change_comment":
      return "Comment changed"
    case "submission.delete_comment":
      return "Comment deleted"
    case "submission.share":
      return "Shared by a link"
    case "submission.revoke_link":
      return "Link revoked"
    case "submission.read_shared":
      return "Opened"
    case "submission.read_shared_file":
      return "File opened"
    case "submission.write":
      return "Email about the decision written"
    case "submission.undo_letter":
      return "Email about the decision undone"
    case "submission.review":
      return "Review sent"
    case "submission.change_review":
      return "Review changed"
    case "submission.evaluate_again":
      return "Evaluation requested"
    case "submission.retry_cv":
      return "CV requested again"
    case "submission.replace_cv_link":
      return "CV link corrected"
    case "submission.request_person":
      return "Review by a person requested"
    case "submission.candidate_remark":
      return "Remark about the result sent"
    case "submission.withdraw_person_request":
      return "Request for a person withdrawn"
    case "submission.answer_person_request":
      return `Request for a person ${pastOutcome(detail.outcome) ?? "answered"}`
    case "submission.answer_accommodation":
      return outcomeOf(detail)
    case "invitation.resend":
      return "Invitation sent again"
    case "invitation.correct_address":
      return html`Address corrected${addressesOf(detail)}`
    case "invitation.extend": {
      const { expires_at, time_factor } = detail
      const until =
        typeof expires_at === "string" && !Number.isNaN(Date.parse(expires_at))
          ? moment(new Date(expires_at), "short")
          : null
      return html`More time given${until === null ? null : html`: until ${until}`}${typeof time_factor === "number" && time_factor !== 1 ? `, ${time_factor}× time` : null}`
    }
    case "invitation.cancel":
      return "Invitation cancelled"
    case "candidate.export":
      return "Personal data exported"
    case "candidate.erase":
      return "Personal data erased"
    case "evaluation.override":
      return detail.after == null ? "Override removed" : "Score overridden"
    default:
      return null
  }
}

/** Characters of a reason; the decision has all of it. */
const maxReason = 300

const reasonText = ({ action, detail }: PastChange): Html | null => {
  const reason = action === "submission.decide" ? detail.after?.reason : null
  return typeof reason === "string" ? html` – <bdi>${cut(reason, maxReason)}</bdi>` : null
}

const byCandidate: ReadonlySet<string> = new Set([
  "submission.candidate_remark",
  "submission.request_person",
  "submission.withdraw_person_request",
])

const ofChange = (change: PastChange): ReadonlyArray<Dated> => {
  const text = changeText(change)
  return text === null
    ? []
    : [
        [
          change.at,
          html`${text} by <bdi>${change.by ?? (byCandidate.has(change.action) ? "the candidate" : "the service")}</bdi>${reasonText(change)}`,
          change.action === "invitation.cancel" ? "over" : undefined,
        ],
      ]
}

/** The evaluation of a CV that could not be read is the only trace of the failure: `read_at` is empty. */
const ofEvaluation = (
  view: SubmissionView,
  { evaluated_at, evaluation_type, score_status }: EvaluationDetail,
): Dated => {
  const name = evaluationNames[evaluation_type]
  if (score_status !== "cannot_evaluate") return [evaluated_at, `${name} evaluated`]
  return evaluation_type === "cv" && cvFailure(view) !== undefined
    ? [evaluated_at, "CV could not be read", "stop"]
    : [evaluated_at, `${name}: no requirement could be rated`, "over"]
}

const steps = (view: SubmissionView): ReadonlyArray<Step> => {
  const { detail, facts, history } = view
  const { cv } = facts
  // the audit log names who cancelled
  const isNamed = history.changes.some(({ action }) => action === "invitation.cancel")
  const firstSent = new Set(history.invitations.flatMap(({ sent_at }) => sent_at ?? []))
  const all: ReadonlyArray<Dated> = [
    ...(history.invitations.length === 0 ? [[facts.created_at, "Created"] as const] : []),
    ...history.invitations.flatMap((one) =>
      ofInvitation(isNamed || detail.declined_at !== null ? { ...one, cancelled_at: null } : one),
    ),
    ...history.mails
      .filter(
        ({ kind, sent_at, state }) => !(kind === "invitation" && state === "sent" && firstSent.has(sent_at ?? "")),
      )
      .map(ofMail),
    [cv?.read_at, "CV read"],
    [detail.initiated_at, "Interview opened"],
    ...facts.attempts.flatMap(({ attempt, completed_at, started_at }) => [
      [started_at, attempt === 1 ? "Started" : `Started attempt ${attempt}`] as const,
      [completed_at, attempt === 1 ? "Submitted" : `Submitted attempt ${attempt}`] as const,
    ]),
    [detail.started_at, facts.attempt === 1 ? "Started" : `Started attempt ${facts.attempt}`],
    [detail.completed_at, facts.attempt === 1 ? "Submitted" : `Submitted attempt ${facts.attempt}`],
    [
      detail.declined_at,
      detail.decline_reason === null
        ? "Candidate declined"
        : html`Candidate declined – <bdi>${detail.decline_reason}</bdi>`,
      "over",
    ],
    ...evaluationsOf(view)
      .toReversed()
      .map((one) => ofEvaluation(view, one)),
    ...history.requests.map(({ asked_at, needs }) => [asked_at, `Candidate asked for ${needsText(needs)}`] as const),
    ...history.changes.flatMap(ofChange),
    [
      detail.status_text === "need_interview" || detail.status_text === "initiated" ? facts.expires_at : null,
      "Deadline to start",
    ],
    [detail.status_text === "expired" ? facts.expires_at : null, "Deadline passed", "over"],
    [detail.status_text === "started" ? facts.answer_until : null, "Time ends"],
    [
      detail.completed_at === null ? null : facts.improvement_until,
      facts.improvement_until !== null && new Date(facts.improvement_until) > view.now
        ? "Answers can be improved until"
        : "Answers are final",
    ],
  ]
  return all
    .flatMap(([at, text, sign]) => (at == null ? [] : [{ at: new Date(at), text, sign }]))
    .toReversed()
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
}

/** Steps on a page. Those of the same moment are on one page. */
const maxSteps = 40

/** The steps of the page, and the moment before which the next page begins; null: it is the last page. */
const pageOf = (view: SubmissionView): { readonly shown: ReadonlyArray<Step>; readonly next: Date | null } => {
  const { before, history } = view
  const since = history.complete_since === null ? null : new Date(history.complete_since)
  const all = steps(view).filter(({ at }) => (before === undefined || at < before) && (since === null || at >= since))
  const last = all[maxSteps - 1]?.at
  const shown = last === undefined ? all : all.filter(({ at }) => at >= last)
  return { shown, next: last !== undefined && shown.length < all.length ? last : since }
}

const list = (view: SubmissionView, shown: ReadonlyArray<Step>): Html =>
  html`<ol class="timeline">${shown.map(
    ({ at, sign, text }) =>
      html`<li${at > view.now ? html` class="ahead"` : sign === undefined ? null : html` class="${sign}"`}><span>${text}</span> ${moment(at, "short")}</li>\n`,
  )}</ol>`

const timelineHref = (id: string, before: Date): string =>
  `${submissionHref(id)}/timeline?${new URLSearchParams({ before: before.toISOString() })}`

export const timeline = (view: SubmissionView, isOpen: boolean): Html => {
  const { next, shown } = pageOf(view)
  const last = shown.find(({ at }) => at <= view.now)
  return foldedPart(
    {
      id: "timeline",
      title: "Timeline",
      note: last === undefined || isOpen ? null : html`last ${moment(last.at, "short")}`,
      isOpen,
    },
    html`${list(view, shown)}${next === null ? null : html`<p class="more"><a href="${timelineHref(view.detail.id, next)}">Earlier</a></p>`}`,
  )
}

/** The steps before `view.before`. */
export const timelinePage = (member: Member, view: SubmissionView): Document => {
  const { next, shown } = pageOf(view)
  const { id } = view.detail
  const name = nameOf(view.detail.candidate)
  return workspacePage(member, {
    title: `Timeline – ${cut(name, 120)}`,
    place: "Submissions",
    width: "wide",
    main: html`<nav aria-label="Up"><a class="back" href="${submissionHref(id)}#timeline"><span aria-hidden="true">← </span>${cut(name, 80)}</a></nav>
<header class="lead"><h1>Timeline</h1><p class="about"><bdi>${view.detail.interview_set.title}</bdi></p></header>
${shown.length === 0 ? html`<p class="empty">Nothing earlier.</p>` : html`<section class="card">${list(view, shown)}</section>`}
${next === null ? null : html`<nav class="pager" aria-label="Pages"><a class="button secondary" href="${timelineHref(id, next)}">Earlier</a></nav>`}`,
  })
}
