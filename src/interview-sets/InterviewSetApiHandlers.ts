import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { listed } from "../accounts/api-keys/ReadHandlers.ts"
import { answer, conflict, notFound, unprocessable } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import type { InterviewSetId } from "../values/Ids.ts"
import { CreateInterviewSet, InterviewSetDetail, UpdateInterviewSet } from "./InterviewSet.ts"
import * as Contract from "./InterviewSetApi.ts"
import { InterviewSets } from "./InterviewSets.ts"

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
        Effect.fnUntraced(
          function* () {
            const { request, warnings } = yield* payload
            return created(yield* interviewSets.create(yield* CurrentPrincipal, request), warnings)
          },
          Effect.catchTag("Invalid", unprocessable),
        ),
      )
      .handleAll({
        list: listed("interview-sets", (principal, { query }, page) => interviewSets.list(principal, query, page)),
        read: Effect.fnUntraced(
          function* ({ params }) {
            const results = yield* interviewSets.detail(yield* CurrentPrincipal, params.id)
            return detailed(results, yield* Body.unknownParameters)
          },
          Effect.catchTag("NotFound", notFound),
        ),
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

    const setArchived = Effect.fnUntraced(
      function* (id: InterviewSetId, archived: boolean) {
        const warnings = yield* Body.none
        const principal = yield* CurrentPrincipal
        yield* interviewSets.archive(principal, id, archived)
        return changed(yield* interviewSets.detail(principal, id), warnings)
      },
      Effect.catchTags({ NotAllowed: notFound, NotFound: notFound }),
    )

    return handlers
      .handleRaw(
        "update",
        Effect.fnUntraced(
          function* ({ params }) {
            const { request, warnings } = yield* payload
            return changed(yield* interviewSets.update(yield* CurrentPrincipal, params.id, request), warnings)
          },
          Effect.catchTags({ Conflict: conflict, Invalid: unprocessable, NotAllowed: notFound, NotFound: notFound }),
        ),
      )
      .handleAll({
        archive: ({ params }) => setArchived(params.id, true),
        unarchive: ({ params }) => setArchived(params.id, false),
      })
  }),
)

export const layer = Layer.merge(sets, changes)
