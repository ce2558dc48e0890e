import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { foundAs, inputRefusals, listed, performedAs } from "../accounts/api-keys/OperationHandlers.ts"
import { answer, notFound, unprocessable } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import type { InterviewSetId } from "../values/Ids.ts"
import { CreateInterviewSet, InterviewSetDetail, UpdateInterviewSet } from "./InterviewSet.ts"
import * as Contract from "./InterviewSetApi.ts"
import { InterviewSets } from "./InterviewSets.ts"

interface ForOneSet {
  readonly params: { readonly id: InterviewSetId }
}

const sets = HttpApiBuilder.group(
  integrationApi(Contract.InterviewSets),
  "interviewSets",
  Effect.fnUntraced(function* (handlers) {
    const interviewSets = yield* InterviewSets
    const payload = Body.request(CreateInterviewSet)
    const created = answer(InterviewSetDetail, 201)
    const detailed = answer(InterviewSetDetail)
    return handlers
      .handleRaw(
        "create",
        performedAs(created, payload, (principal, request) =>
          interviewSets.create(principal, request).pipe(Effect.catchTag("Invalid", unprocessable)),
        ),
      )
      .handleAll({
        list: listed("interview-sets", (principal, { query }, page) => interviewSets.list(principal, query, page)),
        read: foundAs(detailed, (principal, { params }) => interviewSets.detail(principal, params.id)),
      })
  }),
)

const changes = HttpApiBuilder.group(
  integrationApi(Contract.InterviewSetChanges),
  "interviewSetChanges",
  Effect.fnUntraced(function* (handlers) {
    const interviewSets = yield* InterviewSets
    const payload = Body.request(UpdateInterviewSet)
    const changed = answer(InterviewSetDetail)

    const setArchived = (archived: boolean) =>
      performedAs(changed, Body.none, (principal, _, { params: { id } }: ForOneSet) =>
        Effect.andThen(interviewSets.archive(principal, id, archived), interviewSets.detail(principal, id)).pipe(
          Effect.catchTags({ NotAllowed: notFound, NotFound: notFound }),
        ),
      )

    return handlers
      .handleRaw(
        "update",
        performedAs(changed, payload, (principal, request, { params }) =>
          interviewSets.update(principal, params.id, request).pipe(Effect.catchTags(inputRefusals)),
        ),
      )
      .handleAll({
        archive: setArchived(true),
        unarchive: setArchived(false),
      })
  }),
)

export const layer = Layer.merge(sets, changes)
