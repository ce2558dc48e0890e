/**
 * A submission is a candidate's pass through an interview set.
 *
 * ```
 * need_interview ─→ initiated ─→ started ─→ completed ─→ evaluated
 *       │               │           │           └──→ started       (a retake within the improvement window)
 *       └───────────────┴──→ expired                withdrawn ends any state before completed
 * cv_processing ─→ evaluated                                       (a CV set, or a candidate without an address)
 * ```
 * Each arrow is one UPDATE that checks the status: of concurrent callers, one makes the step and its event.
 */
import { Schema } from "effect"
import { SubmissionId } from "../values/Ids.ts"

export const SubmissionStatus = Schema.Literals([
  "need_interview",
  "cv_processing",
  "initiated",
  "started",
  "completed",
  "evaluated",
  "withdrawn",
  "expired",
]).annotate({ identifier: "SubmissionStatus" })
export type SubmissionStatus = typeof SubmissionStatus.Type

export const SubmissionRef = Schema.Struct({ id: SubmissionId, status_text: SubmissionStatus }).annotate({
  identifier: "SubmissionRef",
})

/** A candidate may have one submission of each flow to a set. */
export type SubmissionFlow = "interview" | "cv"

/**
 * What happens to an interview, in order. The index of the last milestone is `milestone` of a submission (sql/06_submissions.sql), the
 * index of the last one up to "submitted" is its `candidate_milestone` (sql/06_submissions.sql).
 */
export const milestones = ["invited", "opened", "started", "submitted", "reviewed", "decided"] as const
export type Milestone = (typeof milestones)[number]

/** For SQL as a literal: the conditions of partial indexes name it (sql/06_submissions.sql). */
export const milestoneNumber = (milestone: Milestone): number => milestones.indexOf(milestone)

const answerable: ReadonlyArray<SubmissionStatus> = ["need_interview", "initiated", "started"]

export const isAnswerable = (status: SubmissionStatus): boolean => answerable.includes(status)

/** Answers were submitted; a retake may still replace them. */
export const isSubmitted = (status: SubmissionStatus): boolean => status === "completed" || status === "evaluated"

export const isRetake = (attempt: number): boolean => attempt > 1
