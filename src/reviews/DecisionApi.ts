/** The API of decisions, stages, comments and tags. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../accounts/api-keys/IdempotencyApi.ts"
import { page, pageQuery, results } from "../platform/http/IntegrationApi.ts"
import { bodyProblems, Conflict, NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { SubmissionStanding } from "../submissions/SubmissionDetail.ts"
import { TagRef } from "../submissions/Tag.ts"
import { SubmissionId } from "../values/Ids.ts"
import { DecideSubmission, MoveSubmission, Stage, SubmissionComment, UndoDecision } from "./SubmissionChange.ts"

const params = { id: SubmissionId.annotateKey({ description: "The submission's id" }) }
const onePath = "/hiring/submissions/:id"
const errors = [...bodyProblems, NotFound, Conflict] as const
const success = results(SubmissionStanding, "Where the submission stands now")

const decide = HttpApiEndpoint.post("decide", `${onePath}/decision/v1`, {
  params,
  payload: DecideSubmission,
  success,
  error: errors,
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "decideSubmission",
      summary: "Decide about a candidate",
      description:
        "Advances, holds or rejects the candidate, or clears the decision, as a member does. It sends nothing to the candidate, and cancels letters about an earlier decision that have not left; the event `submission.decision.update` follows. `decided_by` names the API key. 409 when the decision has changed since `version`, when the score has warnings that are not confirmed, and after an erasure. The same decision with the same reason succeeds without a change. Needs the scope `review_submissions`.",
    }),
  )

const undo = HttpApiEndpoint.post("undo", `${onePath}/decision/undo/v1`, {
  params,
  payload: UndoDecision,
  success,
  error: errors,
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "undoDecision",
      summary: "Undo the last decision",
      description:
        "Restores the decision before the last one, once. 409 when the decision has changed since `version`, and when there is nothing to undo. Needs the scope `review_submissions`.",
    }),
  )

const move = HttpApiEndpoint.post("move", `${onePath}/stage/v1`, {
  params,
  payload: MoveSubmission,
  success,
  error: errors,
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "moveSubmission",
      summary: "Move a candidate to a stage",
      description:
        "Moves the candidate as a member does, and makes the decision of the stage, if it has one; a move to a stage without one clears a rejection. It sends nothing to the candidate; the event `submission.stage.update` follows. 409 when the stage has changed since `version`, or the decision since `decision_version`. Needs the scope `review_submissions`.",
    }),
  )

const comments = HttpApiEndpoint.get("comments", `${onePath}/comments/v1`, {
  params,
  query: pageQuery,
  success: page(SubmissionComment, "comments"),
  error: [NotFound, Unprocessable],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listComments",
    summary: "List comments",
    description:
      "What members wrote to each other about a submission, newest first. Needs the scope `read` or `review_submissions`.",
  }),
)

const stages = HttpApiEndpoint.get("stages", "/hiring/stages/v1", {
  success: results(Schema.Array(Stage), "All stages, in their order, without archived ones"),
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listStages",
    summary: "List stages",
    description:
      "The organization's own stages after the interview, at most 30. Needs the scope `read` or `review_submissions`.",
  }),
)

const tags = HttpApiEndpoint.get("tags", "/hiring/tags/v1", {
  success: results(Schema.Array(TagRef), "All tags, by name"),
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listTags",
    summary: "List tags",
    description:
      "The words by which members mark candidates, at most 200. Needs the scope `read` or `review_submissions`.",
  }),
)

export const Decisions = HttpApiGroup.make("decisions")
  .add(decide, undo, move, comments, stages, tags)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Decisions",
      description: "Decisions about candidates, their stages, and what members say about them.",
    }),
  )
