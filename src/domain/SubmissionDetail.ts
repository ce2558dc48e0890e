/** The answer of the submission detail operation (contract, Submission detail). */
import { Schema } from "effect"
import { Criterion, EvaluationResult, EvaluationType } from "./Evaluation.ts"
import { AtsCandidateId, CandidateId, InterviewSetId, InvitationId, QuestionId, SubmissionId } from "./Ids.ts"
import { InvitationStatus } from "./Invitation.ts"
import { ScoreStatus } from "./Score.ts"
import { SubmissionStatus } from "./Submission.ts"

const Text = Schema.NullOr(Schema.String)
/** ISO 8601, UTC, milliseconds. */
const Timestamp = Schema.NullOr(Schema.String)

export const EvaluationDetail = Schema.Struct({
  evaluation_type: EvaluationType,
  ...EvaluationResult.fields,
  evaluator: Text,
  evaluated_at: Timestamp,
  held_until: Timestamp,
  override: Schema.NullOr(Schema.Json),
})
export type EvaluationDetail = typeof EvaluationDetail.Type

const AnswerDetail = Schema.Struct({
  question_id: QuestionId,
  title: Text,
  attempt: Schema.Int,
  content: Text,
  options: Schema.Array(Schema.Struct({ id: Schema.Union([Schema.String, Schema.Int]), title: Text })),
  file: Schema.NullOr(Schema.Struct({ name: Text, type: Text, size: Schema.Int })),
})

export const SubmissionDetail = Schema.Struct({
  id: SubmissionId,
  submission_url: Schema.String,
  status_text: SubmissionStatus,
  interview_set: Schema.Struct({ id: InterviewSetId, title: Schema.String }),
  candidate: Schema.Struct({
    id: CandidateId,
    ats_candidate_id: Schema.NullOr(AtsCandidateId),
    email: Text,
    name: Text,
  }),
  invitation: Schema.NullOr(Schema.Struct({ id: InvitationId, status_text: InvitationStatus })),
  score: Schema.NullOr(Schema.Finite),
  score_status: ScoreStatus,
  summary: Text,
  strengths: Schema.Array(Schema.String),
  gaps: Schema.Array(Schema.String),
  recommendations: Schema.Array(Schema.String),
  criteria: Schema.Array(Criterion),
  evaluations: Schema.Array(EvaluationDetail),
  answers: Schema.Array(AnswerDetail),
  initiated_at: Timestamp,
  started_at: Timestamp,
  completed_at: Timestamp,
})
export type SubmissionDetail = typeof SubmissionDetail.Type

const rank: ReadonlyArray<EvaluationType> = ["holistic", "interview", "cv"]

/** The evaluation whose figures stand at the top: holistic, else interview, else cv; none has score_status not_scored. */
export const leading = (evaluations: ReadonlyArray<EvaluationDetail>): EvaluationResult =>
  evaluations.toSorted((a, b) => rank.indexOf(a.evaluation_type) - rank.indexOf(b.evaluation_type))[0] ?? {
    score: null,
    score_status: "not_scored",
    summary: "",
    strengths: [],
    gaps: [],
    recommendations: [],
    criteria: [],
  }
