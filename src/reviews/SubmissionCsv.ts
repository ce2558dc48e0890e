/** Lines of the CSV export of submissions. */
import { hiringSystemFields } from "../candidates/Candidate.ts"
import type { EmailLinks } from "../emails/EmailLinks.ts"
import { isByKeywords } from "../evaluations/Evaluation.ts"
import { wordIn } from "../platform/http/PageParts.ts"
import { decisionNames, scoreNames, statusName } from "../submissions/pages/SubmissionLabels.ts"
import type { NamedSubmission } from "../submissions/Submissions.ts"

export const csvColumns = [
  "Candidate",
  "E-mail",
  ...hiringSystemFields.map(({ label }) => label),
  "Interview set",
  "State",
  "Score",
  "Own score",
  "Score state",
  "Invited (UTC)",
  "Started (UTC)",
  "Submitted (UTC)",
  "Address",
  "Score type",
  "Decision",
  "Reason",
  "Decided by",
  "Decided at (UTC)",
  "Reviewers",
]

const momentOf = (at: string | null): string | null => (at === null ? null : at.slice(0, 19).replace("T", " "))

export const csvLine = (links: EmailLinks["Service"], one: NamedSubmission): ReadonlyArray<string | number | null> => {
  const { decided_at, decided_by, decision, reason } = one.decision
  const isDecided = decision !== null
  return [
    one.candidate.name,
    one.candidate.email,
    ...hiringSystemFields.map(({ of }) => of(one.candidate)),
    one.interview_set.title,
    statusName(one.status_text, one.declined_at, one.invitation?.status ?? null, one.is_being_evaluated),
    one.score,
    one.override_score,
    wordIn(scoreNames, one.score_status),
    momentOf(one.created_at),
    momentOf(one.started_at),
    momentOf(one.completed_at),
    links.submission(one.id),
    one.score === null ? null : one.evaluators.some(isByKeywords) ? "keyword match" : "score",
    isDecided ? decisionNames[decision] : null,
    reason,
    isDecided ? (decided_by?.name ?? null) : null,
    isDecided ? momentOf(decided_at) : null,
    one.reviewers.join(", "),
  ]
}
