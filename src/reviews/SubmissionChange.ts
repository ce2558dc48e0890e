/** Requests of the API that decide about a submission or move its candidate. */
import { Schema } from "effect"
import { Decision, maxDecisionReason } from "../submissions/Decision.ts"
import { HiringStageRef } from "../submissions/HiringStage.ts"
import { integer, optional, text, uuid } from "../values/Fields.ts"
import { CommentId, HiringStageId, MemberId, QuestionId } from "../values/Ids.ts"
import { Timestamp } from "../values/Timestamp.ts"

const confirm_warnings = optional(
  Schema.Boolean,
  "true: you have read the `warnings` of the score. Without it, advancing or rejecting a candidate whose score has warnings gets 409",
)

const version = (name: string) =>
  integer(0).annotate({
    description: `The submission's ${name} that you have read; 0: there never was one. 409 when it has changed since`,
  })

export const DecideSubmission = Schema.Struct({
  decision: Schema.NullOr(Decision).annotateKey({ description: "null clears the decision" }),
  reason: optional(text(maxDecisionReason), "Members see it; it is not sent to the candidate. Ignored when cleared"),
  version: version("decision_version"),
  confirm_warnings,
}).annotate({ identifier: "DecideSubmission" })
export type DecideSubmission = typeof DecideSubmission.Type

export const UndoDecision = Schema.Struct({ version: version("decision_version") }).annotate({
  identifier: "UndoDecision",
})
export type UndoDecision = typeof UndoDecision.Type

export const MoveSubmission = Schema.Struct({
  stage_id: Schema.NullOr(uuid).annotateKey({
    description: "The stage; null moves the candidate out of the stages, and leaves the decision",
  }),
  version: version("stage_version"),
  decision_version: version("decision_version"),
  confirm_warnings,
}).annotate({ identifier: "MoveSubmission" })
export type MoveSubmission = typeof MoveSubmission.Type

export const Stage = Schema.Struct({
  ...HiringStageRef.fields,
  id: HiringStageId,
  decision: Schema.NullOr(Decision).annotate({
    description: "Made when a candidate is moved to the stage; null: none",
  }),
}).annotate({ identifier: "HiringStage" })

export const SubmissionComment = Schema.Struct({
  id: CommentId,
  author: Schema.Struct({
    id: MemberId,
    name: Schema.String.annotate({ description: "The member's name, else the address they sign in with" }),
  }).annotate({ description: "The member who wrote it" }),
  question_id: Schema.NullOr(QuestionId).annotate({
    description: "The question whose answer it is about; null: the submission",
  }),
  text: Schema.String,
  created_at: Timestamp,
  changed_at: Schema.NullOr(Timestamp).annotate({ description: "null: it was not changed" }),
}).annotate({ identifier: "SubmissionComment" })
