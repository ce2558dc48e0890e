import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listed, performed, performedAs } from "../accounts/api-keys/OperationHandlers.ts"
import { answer, conflict, notFound, unprocessable } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { SubmissionStanding } from "../submissions/SubmissionDetail.ts"
import { Comments } from "./Comments.ts"
import * as Contract from "./DecisionApi.ts"
import { HiringStages } from "./HiringStages.ts"
import { DecideSubmission, MoveSubmission, UndoDecision } from "./SubmissionChange.ts"
import { SubmissionChanges } from "./SubmissionChanges.ts"
import { Tags } from "./Tags.ts"

const refusals = { Conflict: conflict, NotFound: notFound }
const inputRefusals = { ...refusals, Invalid: unprocessable }

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Decisions),
  "decisions",
  Effect.fnUntraced(function* (handlers) {
    const comments = yield* Comments
    const hiringStages = yield* HiringStages
    const submissionChanges = yield* SubmissionChanges
    const tags = yield* Tags
    const decision = Body.request(DecideSubmission)
    const undone = Body.request(UndoDecision)
    const movement = Body.request(MoveSubmission)
    const standing = answer(SubmissionStanding)
    return handlers
      .handleRaw(
        "decide",
        performedAs(standing, decision, (principal, request, { params }) =>
          submissionChanges.decide(principal, params.id, request).pipe(Effect.catchTags(inputRefusals)),
        ),
      )
      .handleRaw(
        "undo",
        performedAs(standing, undone, (principal, request, { params }) =>
          submissionChanges.undo(principal, params.id, request).pipe(Effect.catchTags(refusals)),
        ),
      )
      .handleRaw(
        "move",
        performedAs(standing, movement, (principal, request, { params }) =>
          submissionChanges.move(principal, params.id, request).pipe(Effect.catchTags(inputRefusals)),
        ),
      )
      .handleAll({
        comments: listed("comments", (principal, { params }, page) =>
          comments
            .listPage(principal, params.id, page)
            .pipe(Effect.catchTags({ NotAllowed: notFound, NotFound: notFound })),
        ),
        stages: performed(Body.parameters, (principal) => hiringStages.list(principal)),
        tags: performed(Body.parameters, (principal) => tags.list(principal)),
      })
  }),
)
