/**
 * Submissions: one candidate's way through one interview set.
 *
 * ```
 * need_interview ─→ initiated ─→ started ─→ completed ─→ evaluated
 *       │               │           │           └──→ started       (improvement window: reopened, a retake spent)
 *       └───────────────┴──→ expired                withdrawn ends any state before completed
 * cv_processing ─→ evaluated                                       (a CV set, or nobody to invite)
 * ```
 * Every arrow is one guarded UPDATE, so of two callers who race one makes the step and its event.
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

/** The submission that something belongs to, as answers about it show it. */
export const SubmissionRef = Schema.Struct({ id: SubmissionId, status_text: SubmissionStatus }).annotate({
  identifier: "SubmissionRef",
})

/** Whether the candidate is asked to answer, or only a CV is evaluated. One person may have one of each to a set. */
export type SubmissionFlow = "interview" | "cv"

/** While it is in one of these, its candidate has something left to answer. */
const answerable: ReadonlyArray<SubmissionStatus> = ["need_interview", "initiated", "started"]

export const isAnswerable = (status: SubmissionStatus): boolean => answerable.includes(status)
