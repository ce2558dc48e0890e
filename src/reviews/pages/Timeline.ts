/** The timeline of a submission, newest first. */
import { Schema } from "effect"
import { mailName } from "../../invitations/pages/InvitationLabels.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { Decision } from "../../submissions/Decision.ts"
import { decidedNames, evaluationNames, failureText } from "../../submissions/pages/SubmissionLabels.ts"
import type { PastChange, PastInvitation, PastMail } from "../HistoryRepository.ts"
import { foldedPart } from "./FoldedPart.ts"
import { evaluationsOf, type SubmissionView } from "./SubmissionView.ts"

interface Step {
  readonly at: Date
  readonly text: HtmlValue
}

type Dated = readonly [at: string | null | undefined, text: HtmlValue]

/** The address is empty after an erasure. */
const invitedText = (email: string): HtmlValue => (email === "" ? "Invited" : html`Invited at <bdi>${email}</bdi>`)

const ofInvitation = (one: PastInvitation): ReadonlyArray<Dated> => [
  [one.created_at, invitedText(one.email)],
  [one.sent_at, "Email sent"],
  [one.delivered_at, "Email delivered"],
  [one.opened_at, "Email opened"],
  [one.clicked_at, "Link followed"],
  [one.failed_at, `Email failed: ${failureText(one.failure_reason)}`],
  [one.cancelled_at, "Invitation cancelled"],
]

/** The first email of each invitation is shown by the invitation's own times. */
const ofMail = ({ created_at, error, kind, sent_at, state }: PastMail): Dated => {
  const name = kind === "invitation" ? "Email" : `Email “${mailName(kind)}”`
  if (state === "sent") return [sent_at, `${name} sent`]
  if (state === "failed")
    return [created_at, html`${name} not sent${error === null ? null : html`: <bdi>${error.slice(0, 200)}</bdi>`}`]
  return [created_at, state === "queued" ? `${name} is waiting to be sent` : `${name} cancelled`]
}

const isDecision = Schema.is(Decision)

const memberOf = ({ member }: PastChange["detail"]): string => (typeof member === "string" ? member : "a colleague")

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
    case "submission.assign":
      return html`<bdi>${memberOf(detail)}</bdi> asked for a review`
    case "submission.unassign":
      return html`<bdi>${memberOf(detail)}</bdi> no longer asked for a review`
    case "submission.comment":
      return "Comment"
    case "submission.share":
      return "Shared by a link"
    case "submission.revoke_link":
      return "Link revoked"
    case "submission.read_shared":
      return "Opened"
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
    case "invitation.resend":
      return "Invitation sent again"
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
    case "evaluation.override":
      return detail.after == null ? "Override removed" : "Score overridden"
    default:
      return null
  }
}

const reasonText = ({ action, detail }: PastChange): Html | null => {
  const reason = action === "submission.decide" ? detail.after?.reason : null
  return typeof reason === "string" ? html` – <bdi>${reason}</bdi>` : null
}

const ofChange = (change: PastChange): ReadonlyArray<Dated> => {
  const text = changeText(change)
  return text === null
    ? []
    : [[change.at, html`${text} by <bdi>${change.by ?? "the service"}</bdi>${reasonText(change)}`]]
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
    [cv?.read_at, cv?.state === "failed" ? "CV could not be read" : "CV read"],
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
    ],
    ...evaluationsOf(view)
      .toReversed()
      .map(
        ({ evaluated_at, evaluation_type }) => [evaluated_at, `${evaluationNames[evaluation_type]} evaluated`] as const,
      ),
    ...history.changes.flatMap(ofChange),
    [
      detail.status_text === "need_interview" || detail.status_text === "initiated" ? facts.expires_at : null,
      "Deadline to start",
    ],
    [detail.status_text === "started" ? facts.answer_until : null, "Time ends"],
    [
      detail.completed_at === null ? null : facts.improvement_until,
      facts.improvement_until !== null && new Date(facts.improvement_until) > view.now
        ? "Answers can be improved until"
        : "Answers are final",
    ],
  ]
  return all
    .flatMap(([at, text]) => (at == null ? [] : [{ at: new Date(at), text }]))
    .toReversed()
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
}

export const timeline = (view: SubmissionView): Html => {
  const all = steps(view)
  const last = all.find(({ at }) => at <= view.now)
  return foldedPart(
    { id: "timeline", title: "Timeline", note: last === undefined ? null : html`last ${moment(last.at, "short")}` },
    html`<ol class="timeline">${all.map(
      ({ at, text }) =>
        html`<li${at > view.now ? html` class="ahead"` : null}><span>${text}</span> ${moment(at, "short")}</li>\n`,
    )}</ol>`,
  )
}
