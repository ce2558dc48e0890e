/** Submissions as hiring systems read them: one with all there is to say (contract, Submission detail), and in lists. */
import { Schema } from "effect"
import { Criterion, EvaluationResult, EvaluationType } from "../evaluations/Evaluation.ts"
import { Override } from "../evaluations/Override.ts"
import { ScoreStatus } from "../evaluations/Score.ts"
import { InterviewSetRef } from "../interview-sets/InterviewSet.ts"
import { InvitationId, QuestionId, SubmissionId } from "../values/Ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { CandidateRef } from "./Candidate.ts"
import { InvitationStatus } from "./InvitationStatus.ts"
import { SubmissionStatus } from "./Submission.ts"

const Text = Schema.NullOr(Schema.String)
const Moment = Schema.NullOr(Timestamp)

export const EvaluationDetail = Schema.Struct({
  evaluation_type: EvaluationType,
  ...EvaluationResult.fields,
  evaluator: Text.annotate({ description: "Who rated, with its version; null: nobody was asked, or nobody answered" }),
  evaluated_at: Moment,
  held_until: Moment.annotate({
    description: "The event is held until the candidate can improve no more; null: it was not held",
  }),
  override: Schema.NullOr(Override).annotate({
    description: "A person's own score with its reason, beside the evaluator's; null: there is none",
  }),
}).annotate({ identifier: "Evaluation" })
export type EvaluationDetail = typeof EvaluationDetail.Type

const AnswerDetail = Schema.Struct({
  question_id: QuestionId,
  title: Text,
  attempt: Schema.Int.annotate({ description: "1 is the first; the last one counts" }),
  content: Text.annotate({ description: "What the candidate wrote" }),
  options: Schema.Array(Schema.Struct({ id: Schema.Union([Schema.String, Schema.Int]), title: Text })).annotate({
    description: "What the candidate chose",
  }),
  file: Schema.NullOr(
    Schema.Struct({ name: Text, type: Text, size: Schema.Int.annotate({ description: "Bytes" }) }),
  ).annotate({ description: "What the candidate uploaded" }),
}).annotate({ identifier: "Answer" })

/** What a submission's detail and its line in a list begin with. */
const head = {
  id: SubmissionId,
  submission_url: Schema.String.annotate({ description: "Where recruiters read about it", format: "uri" }),
  status_text: SubmissionStatus,
  interview_set: InterviewSetRef,
  candidate: CandidateRef,
  invitation: Schema.NullOr(
    Schema.Struct({ id: InvitationId, status_text: InvitationStatus }).annotate({ identifier: "InvitationRef" }),
  ).annotate({
    description: "The newest one; null: nobody was invited",
  }),
  score: Schema.NullOr(Schema.Finite).annotate({
    description: "Out of 10, of the holistic evaluation, else of the interview's, else of the CV's; null unless scored",
  }),
  score_status: ScoreStatus.annotate({
    description:
      "scored: there is a number; cannot_evaluate: the evaluator could rate nothing, which is not a zero; not_scored: there is no score yet",
  }),
}

const steps = {
  initiated_at: Moment,
  started_at: Moment,
  completed_at: Moment,
  declined_at: Moment.annotate({ description: "The candidate said no; the submission is then withdrawn" }),
}

/** A submission as lists show it. */
export const SubmissionSummary = Schema.Struct({ ...head, created_at: Timestamp, ...steps }).annotate({
  identifier: "SubmissionSummary",
})
export type SubmissionSummary = typeof SubmissionSummary.Type

export const SubmissionDetail = Schema.Struct({
  ...head,
  summary: Text.annotate({ description: "The evaluation in words; null: there is none" }),
  strengths: Schema.Array(Schema.String),
  gaps: Schema.Array(Schema.String),
  recommendations: Schema.Array(Schema.String).annotate({ description: "What to ask next" }),
  criteria: Schema.Array(Criterion).annotate({ description: "One for each requirement of the set" }),
  evaluations: Schema.Array(EvaluationDetail).annotate({ description: "At most one of each type" }),
  answers: Schema.Array(AnswerDetail).annotate({ description: "Those of every attempt that was submitted" }),
  cv_notes: Schema.Array(Schema.String).annotate({
    description: "What to know of how the CV was read, for people: that hidden text was left out, for example",
  }),
  ...steps,
  candidate_entry_error_message: Schema.optionalKey(Schema.String).annotate({
    description: "Why the CV could not be fetched or read, and what to do; left out unless that failed",
  }),
}).annotate({ identifier: "SubmissionDetail" })
export type SubmissionDetail = typeof SubmissionDetail.Type

/** Whose figures stand at the top: the first of these that there is. */
export const leadingTypes: ReadonlyArray<EvaluationType> = ["holistic", "interview", "cv"]

/** The evaluation whose figures stand at the top; none has score_status not_scored. */
export const leading = (evaluations: ReadonlyArray<EvaluationDetail>): EvaluationResult =>
  evaluations.toSorted(
    (a, b) => leadingTypes.indexOf(a.evaluation_type) - leadingTypes.indexOf(b.evaluation_type),
  )[0] ?? {
    score: null,
    score_status: "not_scored",
    summary: "",
    strengths: [],
    gaps: [],
    recommendations: [],
    criteria: [],
  }
