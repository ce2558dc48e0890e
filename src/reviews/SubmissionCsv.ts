/** Lines of the CSV export of submissions. */
import { hiringSystemFields } from "../candidates/Candidate.ts"
import type { EmailLinks } from "../emails/EmailLinks.ts"
import { isByKeywords } from "../evaluations/Evaluation.ts"
import { wordIn } from "../platform/http/PageParts.ts"
import { decisionNames, scoreNames, statusName } from "../submissions/pages/SubmissionLabels.ts"
import type { NamedSubmission } from "../submissions/Submissions.ts"

type Cell = string | number | null

interface Column {
  readonly name: string
  readonly of: (one: NamedSubmission, links: EmailLinks["Service"]) => Cell
}

const momentOf = (at: string | null): string | null => (at === null ? null : at.slice(0, 19).replace("T", " "))

const columns: ReadonlyArray<Column> = [
  { name: "Candidate", of: ({ candidate }) => candidate.name },
  { name: "E-mail", of: ({ candidate }) => candidate.email },
  ...hiringSystemFields.map(({ label, of }): Column => ({ name: label, of: ({ candidate }) => of(candidate) })),
  { name: "Interview set", of: ({ interview_set }) => interview_set.title },
  {
    name: "State",
    of: ({ declined_at, invitation, is_being_evaluated, status_text }) =>
      statusName(status_text, declined_at, invitation?.status ?? null, is_being_evaluated),
  },
  { name: "Score", of: ({ score }) => score },
  { name: "Own score", of: ({ override_score }) => override_score },
  { name: "Score state", of: ({ score_status }) => wordIn(scoreNames, score_status) },
  { name: "Invited (UTC)", of: ({ created_at }) => momentOf(created_at) },
  { name: "Started (UTC)", of: ({ started_at }) => momentOf(started_at) },
  { name: "Submitted (UTC)", of: ({ completed_at }) => momentOf(completed_at) },
  { name: "Address", of: ({ id }, links) => links.submission(id) },
  {
    name: "Score type",
    of: ({ evaluators, score }) => (score === null ? null : evaluators.some(isByKeywords) ? "keyword match" : "score"),
  },
  { name: "Decision", of: ({ decision: { decision } }) => (decision === null ? null : decisionNames[decision]) },
  { name: "Reason", of: ({ decision: { reason } }) => reason },
  {
    name: "Decided by",
    of: ({ decision: { decided_by, decision } }) => (decision === null ? null : (decided_by?.name ?? null)),
  },
  {
    name: "Decided at (UTC)",
    of: ({ decision: { decided_at, decision } }) => (decision === null ? null : momentOf(decided_at)),
  },
  { name: "Reviewers", of: ({ reviewers }) => reviewers.join(", ") },
]

export const csvColumns: ReadonlyArray<string> = columns.map(({ name }) => name)

export const csvLine = (links: EmailLinks["Service"], one: NamedSubmission): ReadonlyArray<Cell> =>
  columns.map(({ of }) => of(one, links))
