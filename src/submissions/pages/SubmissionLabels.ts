/** Labels of submissions and evaluations. */

import type { EvaluationType } from "../../evaluations/Evaluation.ts"
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
