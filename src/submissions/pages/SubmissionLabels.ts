/** Labels of submissions and evaluations. */

import type { EvaluationType } from "../../evaluations/Evaluation.ts"
import { countOutcomes, type Outcome, outcomeOf } from "../../evaluations/Score.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import type { Decision } from "../Decision.ts"
import type { InvitationStatus } from "../InvitationStatus.ts"
import type { SubmissionStatus } from "../Submission.ts"

export const evaluationNames: Readonly<Record<EvaluationType, string>> = {
  holistic: "CV and interview",
  interview: "Interview",
  cv: "CV",
}

const statuses: Readonly<Record<SubmissionStatus, string>> = {
  need_interview: "Waiting for the candidate",
  cv_processing: "Reading the CV",
  initiated: "Opened, not started",
  started: "Answering",
  completed: "Answered",
  evaluated: "Evaluated",
  withdrawn: "Withdrawn",
  expired: "Expired",
}

export const statusNames: ReadonlyArray<readonly [string, string]> = Object.entries(statuses)

export const scoreNames: ReadonlyArray<readonly [string, string]> = [
  ["scored", "With a score"],
  ["cannot_evaluate", "Cannot be evaluated"],
  ["not_scored", "Without a score"],
]

export const orderNames: ReadonlyArray<readonly [string, string]> = [
  ["newest", "Newest first"],
  ["best", "Best score first"],
  ["weakest", "Weakest score first"],
]

/** No email has reached the candidate. */
export const isUnreached = (status: SubmissionStatus, invitation: InvitationStatus | null): boolean =>
  status === "need_interview" && invitation === "failed"

export const statusName = (
  status: SubmissionStatus,
  declinedAt: string | null,
  invitation: InvitationStatus | null,
): string => {
  if (declinedAt !== null) return "Declined"
  return isUnreached(status, invitation) ? "Invitation failed" : statuses[status]
}

export const decisionNames: Readonly<Record<Decision, string>> = { advance: "Advance", hold: "Hold", reject: "Reject" }

const dots: Readonly<Record<Outcome, string>> = {
  met: "●",
  "partly met": "◐",
  "no match found": "○",
  "not rated": "–",
}

/** A sign for each requirement, in the given order; read aloud as counts of outcomes. */
export const requirementDots = (scores: ReadonlyArray<{ readonly score: number | null }>): Html | null =>
  scores.length === 0
    ? null
    : html`<span class="dots"><span aria-hidden="true">${scores.map(({ score }) => html`<span class="dot ${outcomeOf(score).replaceAll(" ", "-")}">${dots[outcomeOf(score)]}</span>`)}</span><span class="unseen">${countOutcomes(scores)}</span></span>`

export const scoreText = (score: number): string => score.toFixed(1)

export const nameOf = ({ email, name }: { readonly email: string | null; readonly name: string | null }): string =>
  name?.trim() || email || "Candidate without a name"

const failures: Readonly<Record<string, string>> = {
  invalid_email: "the address cannot receive email",
  unsubscribed: "the candidate unsubscribed from this organization's emails",
  bounce: "the email bounced",
  dropped: "the email provider did not send it",
}

export const failureText = (reason: string | null): string => (reason === null ? "" : (failures[reason] ?? reason))
