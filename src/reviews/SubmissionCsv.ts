/** Rows of the exports of submissions, CSV and XLSX. */
import { cut } from "../accounts/pages/WorkspacePage.ts"
import { hiringSystemFields } from "../candidates/Candidate.ts"
import type { EmailLinks } from "../emails/EmailLinks.ts"
import { isByKeywords } from "../evaluations/Evaluation.ts"
import { outcomeOf, outcomes } from "../evaluations/Score.ts"
import type { InterviewSet, Requirement } from "../interview-sets/InterviewSet.ts"
import { wordIn } from "../platform/http/PageParts.ts"
import { decidedNames, evaluationWarningNames, scoreNames, stateOfLine } from "../submissions/pages/SubmissionLabels.ts"
import type { NamedSubmission } from "../submissions/Submissions.ts"
import type { TableCell } from "../values/Csv.ts"

interface Column {
  readonly name: string
  readonly of: (one: NamedSubmission, links: EmailLinks["Service"]) => TableCell
}

const momentOf = (at: string | null): Date | null => (at === null ? null : new Date(at))

const outcomeColumns = outcomes.map(
  (outcome): Column => ({
    name: `Requirements ${outcome}`,
    of: ({ requirement_scores: all }) =>
      all.length === 0 ? null : all.filter(({ score }) => outcomeOf(score) === outcome).length,
  }),
)

const before: ReadonlyArray<Column> = [
  { name: "Candidate", of: ({ candidate }) => candidate.name },
  { name: "Email address", of: ({ candidate }) => candidate.email },
  ...hiringSystemFields.map(({ label, of }): Column => ({ name: label, of: ({ candidate }) => of(candidate) })),
  { name: "Interview set", of: ({ interview_set }) => interview_set.title },
  {
    name: "State",
    of: (line) => stateOfLine(line).name,
  },
  { name: "Score", of: ({ score }) => score },
  { name: "Override", of: ({ override_score }) => override_score },
  {
    name: "Score state",
    of: ({ is_score_hidden, score_status }) =>
      is_score_hidden ? "Hidden until you send a review" : wordIn(scoreNames, score_status),
  },
  {
    name: "Score type",
    of: ({ evaluators, score }) => (score === null ? null : evaluators.some(isByKeywords) ? "keyword match" : "score"),
  },
  {
    name: "Warnings",
    of: ({ warnings }) => warnings.map((code) => wordIn(evaluationWarningNames, code)).join(", ") || null,
  },
  ...outcomeColumns,
  { name: "Decision", of: ({ decision: { decision } }) => (decision === null ? null : decidedNames[decision]) },
  { name: "Reason", of: ({ decision: { reason } }) => reason },
  {
    name: "Decided by",
    of: ({ decision: { decided_by, decision } }) => (decision === null ? null : (decided_by?.name ?? null)),
  },
  { name: "Knock-out answer", of: ({ has_knock_out }) => (has_knock_out ? "yes" : null) },
  { name: "Tags", of: ({ tags }) => tags.map(({ name }) => name).join(", ") || null },
  { name: "Reviewers", of: ({ reviewers }) => reviewers.join(", ") },
  { name: "Link", of: ({ id }, links) => links.submission(id) },
]

const dates: ReadonlyArray<Column> = [
  { name: "Invited (UTC)", of: ({ created_at }) => momentOf(created_at) },
  { name: "Started (UTC)", of: ({ started_at }) => momentOf(started_at) },
  { name: "Submitted (UTC)", of: ({ completed_at }) => momentOf(completed_at) },
  {
    name: "Decided at (UTC)",
    of: ({ decision: { decided_at, decision } }) => (decision === null ? null : momentOf(decided_at)),
  },
]

/** The number keeps requirements with equal titles apart. */
const requirementColumn = ({ content, title }: Pick<Requirement, "title" | "content">, index: number): Column => ({
  name: `Requirement ${index + 1}: ${cut(title?.trim() || content?.trim() || "Untitled", 200)}`,
  of: ({ requirement_scores }) => {
    const rating = requirement_scores[index]
    return rating === undefined ? null : outcomeOf(rating.score)
  },
})

/** `set`: the set of all exported submissions, whose requirements get a column each; undefined: there are several. */
export const csvColumns = (set: Pick<InterviewSet, "iai_requirements"> | undefined): ReadonlyArray<Column> => [
  ...before,
  ...(set?.iai_requirements ?? []).map(requirementColumn),
  ...dates,
]

export const csvHeader = (columns: ReadonlyArray<Column>): ReadonlyArray<string> => columns.map(({ name }) => name)

export const csvLine = (
  columns: ReadonlyArray<Column>,
  links: EmailLinks["Service"],
  one: NamedSubmission,
): ReadonlyArray<TableCell> => columns.map(({ of }) => of(one, links))
