import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { listed } from "../accounts/api-keys/ReadHandlers.ts"
import { answer, conflict, notFound, unprocessable } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { SubmissionStanding } from "../submissions/SubmissionDetail.ts"
import { optionalWarnings } from "../values/Warning.ts"
import { Comments } from "./Comments.ts"
import * as Contract from "./DecisionApi.ts"
import { HiringStages } from "./HiringStages.ts"
import { DecideSubmission, MoveSubmission, UndoDecision } from "./SubmissionChange.ts"
import { SubmissionChanges } from "./SubmissionChanges.ts"
import { Tags } from "./Tags.ts"

const refusals = { Conflict: conflict, Invalid: unprocessable, NotFound: notFound }

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
        Effect.fnUntraced(function* ({ params }) {
          const { request, warnings } = yield* decision
          return standing(yield* submissionChanges.decide(yield* CurrentPrincipal, params.id, request), warnings)
        }, Effect.catchTags(refusals)),
      )
      .handleRaw(
        "undo",
        Effect.fnUntraced(
          function* ({ params }) {
            const { request, warnings } = yield* undone
            return standing(yield* submissionChanges.undo(yield* CurrentPrincipal, params.id, request), warnings)
          },
          Effect.catchTags({ Conflict: conflict, NotFound: notFound }),
        ),
      )
      .handleRaw(
        "move",
        Effect.fnUntraced(function* ({ params }) {
          const { request, warnings } = yield* movement
          return standing(yield* submissionChanges.move(yield* CurrentPrincipal, params.id, request), warnings)
        }, Effect.catchTags(refusals)),
      )
      .handleAll({
        comments: listed("comments", (principal, { params }, page) =>
          comments
            .listPage(principal, params.id, page)
            .pipe(Effect.catchTags({ NotAllowed: notFound, NotFound: notFound })),
        ),
        stages: Effect.fnUntraced(function* () {
          const results = yield* hiringStages.list(yield* CurrentPrincipal)
          return { results, ...optionalWarnings(yield* Body.unknownParameters) }
        }),
        tags: Effect.fnUntraced(function* () {
          const results = yield* tags.list(yield* CurrentPrincipal)
          return { results, ...optionalWarnings(yield* Body.unknownParameters) }
        }),
      })
  }),
)
