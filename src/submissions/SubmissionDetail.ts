/** Submissions in API responses. */
import { Schema } from "effect"
import { CandidateRef } from "../candidates/Candidate.ts"
import { Criterion, EvaluationResult, EvaluationType } from "../evaluations/Evaluation.ts"
import { Override } from "../evaluations/Override.ts"
import { ScoreStatus } from "../evaluations/Score.ts"
import { InterviewSetRef, StoredOption } from "../interview-sets/InterviewSet.ts"
import { integer, outOf10 } from "../values/Fields.ts"
import { InvitationId, QuestionId, SubmissionId } from "../values/Ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { evaluationWarnings } from "../values/Warning.ts"
import { SubmissionDecision } from "./Decision.ts"
import { HiringStageRef } from "./HiringStage.ts"
import { InvitationStatus } from "./InvitationStatus.ts"
import { SubmissionStatus } from "./Submission.ts"
import { TagRef } from "./Tag.ts"

const Text = Schema.NullOr(Schema.String)
const Moment = Schema.NullOr(Timestamp)

/** Where a submission stands after a decision or a move. */
export const SubmissionStanding = Schema.Struct({
  id: SubmissionId,
  decision: SubmissionDecision,
  decision_version: integer(0).annotate({ description: "Name it in the next request to decide" }),
  stage: Schema.NullOr(HiringStageRef).annotate({ description: "null: none" }),
  stage_version: integer(0).annotate({ description: "Name it in the next request to move" }),
}).annotate({ identifier: "SubmissionStanding" })
export type SubmissionStanding = typeof SubmissionStanding.Type

export const EvaluationDetail = Schema.Struct({
  evaluation_type: EvaluationType,
  ...EvaluationResult.fields,
  evaluator: Text.annotate({ description: "The evaluator with its version; null: none was asked, or none answered" }),
  evaluated_at: Moment,
  held_until: Moment.annotate({
    description: "The event is held until the candidate can no longer improve the answers; null: it was not held",
  }),
  override: Schema.NullOr(Override).annotate({
    description: "A recruiter's score with its reason, which replaces the evaluator's; null: there is none",
  }),
}).annotate({ identifier: "Evaluation" })
export type EvaluationDetail = typeof EvaluationDetail.Type

const AnswerDetail = Schema.Struct({
  question_id: QuestionId,
  title: Text,
  attempt: integer(1).annotate({ description: "1 is the first; the last one is evaluated" }),
  content: Text.annotate({ description: "What the candidate wrote" }),
  options: Schema.Array(
    Schema.Struct({
      id: StoredOption.fields.id,
      title: Text,
      is_knock_out: Schema.Boolean.annotate({
        description: "Whether the question's attributes name it in knock_out; nothing follows from it by itself",
      }),
    }),
  ).annotate({
    description: "What the candidate chose",
  }),
  file: Schema.NullOr(
    Schema.Struct({
      name: Text,
      type: Text,
      size: integer(0).annotate({ description: "Bytes" }),
      url: Schema.String.annotate({ description: "Where getAnswerFile sends it; needs an API key", format: "uri" }),
    }),
  ).annotate({ description: "What the candidate uploaded" }),
  recording: Schema.optionalKey(
    Schema.Struct({
      duration_seconds: Schema.NullOr(integer(0)).annotate({ description: "Rounded; null: it is not measured yet" }),
      content_type: Text.annotate({ description: "Media type, such as audio/webm or video/mp4" }),
      url: Schema.String.annotate({ description: "Where getRecording sends it; needs an API key", format: "uri" }),
    }),
  ).annotateKey({
    description: "The candidate's spoken answer; absent without one, and once it was deleted because of its age",
  }),
  transcript: Schema.optionalKey(Text).annotateKey({
    description:
      "What the candidate said in the recording, as transcribed or as the candidate corrected it; null: it is not transcribed; absent without a recording",
  }),
}).annotate({ identifier: "Answer" })

/** Of the operation getRecording. */
export const recordingPath = (
  submission: SubmissionId,
  { attempt, question_id }: Pick<typeof AnswerDetail.Type, "attempt" | "question_id">,
): string =>
  `/company/integration/hiring/submissions/${submission}/answers/${question_id}/recording/v1?attempt=${attempt}`

/** Of the operation getAnswerFile. */
export const answerFilePath = (
  submission: SubmissionId,
  { attempt, question_id }: Pick<typeof AnswerDetail.Type, "attempt" | "question_id">,
): string => `/company/integration/hiring/submissions/${submission}/answers/${question_id}/file/v1?attempt=${attempt}`

/** Of the operation getCv. */
export const cvPath = (submission: SubmissionId): string =>
  `/company/integration/hiring/submissions/${submission}/cv/v1`

const head = {
  id: SubmissionId,
  submission_url: Schema.String.annotate({ description: "The submission's page for recruiters", format: "uri" }),
  status_text: SubmissionStatus,
  interview_set: InterviewSetRef,
  candidate: CandidateRef,
  invitation: Schema.NullOr(
    Schema.Struct({ id: InvitationId, status_text: InvitationStatus }).annotate({ identifier: "InvitationRef" }),
  ).annotate({
    description: "The newest one; null: there is none",
  }),
  score: Schema.NullOr(outOf10).annotate({
    description: "Out of 10, of the holistic evaluation, else of the interview's, else of the CV's; null unless scored",
  }),
  score_status: ScoreStatus.annotate({
    description:
      "scored: there is a number; cannot_evaluate: the evaluator found nothing to rate, which is not a zero; not_scored: there is no score yet",
  }),
  warnings: evaluationWarnings,
  decision: SubmissionDecision.annotateKey({
    description: "The decision of a member of the organization, or of an API key",
  }),
  decision_version: integer(0).annotate({
    description: "Changes with each decision; 0: there never was one. A request to decide names it",
  }),
  stage: Schema.NullOr(HiringStageRef).annotate({
    description: "The organization's own stage to which a member moved the candidate; null: none",
  }),
  stage_version: integer(0).annotate({
    description: "Changes with each move; 0: there never was one. A request to move names it",
  }),
  has_knock_out: Schema.Boolean.annotate({
    description:
      "In the last submitted answers, an option was chosen that the question's attributes name in knock_out; nothing follows from it by itself",
  }),
  tags: Schema.Array(TagRef).annotate({ description: "The organization's own tags, by name" }),
}

const steps = {
  initiated_at: Moment,
  started_at: Moment,
  completed_at: Moment,
  declined_at: Moment.annotate({ description: "When the candidate declined, which withdraws the submission" }),
  decline_reason: Text.annotate({ description: "In the candidate's words, or chosen from the organization's list" }),
}

export const SubmissionSummary = Schema.Struct({
  ...head,
  created_at: Timestamp,
  updated_at: Timestamp.annotate({
    description: "When its status, times, external_id, metadata, score, decision, stage or tags last changed",
  }),
  ...steps,
}).annotate({
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
  answers: Schema.Array(AnswerDetail).annotate({ description: "The answers of all submitted attempts" }),
  cv_notes: Schema.Array(Schema.String).annotate({
    description: "Notes for people about reading the CV, for example that hidden text was left out",
  }),
  cv_file: Schema.NullOr(
    Schema.Struct({
      type: Text.annotate({ description: "Media type, such as application/pdf" }),
      size: integer(0).annotate({ description: "Bytes" }),
      url: Schema.String.annotate({ description: "Where getCv sends it; needs an API key", format: "uri" }),
    }),
  ).annotate({ description: "The CV; null: there is none, it was not fetched, or it was deleted because of its age" }),
  ...steps,
  candidate_entry_error_message: Schema.optionalKey(Schema.String).annotate({
    description: "Why the CV could not be fetched or read, and what to do; absent unless that failed",
  }),
}).annotate({ identifier: "SubmissionDetail" })
export type SubmissionDetail = typeof SubmissionDetail.Type

/** The first type that has an evaluation supplies the top-level figures. */
export const leadingTypes: ReadonlyArray<EvaluationType> = ["holistic", "interview", "cv"]

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
