import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { answer, notFound, unprocessable } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { pageRequest } from "../platform/http/CursorFilters.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { optionalWarnings } from "../values/Warning.ts"
import { CreateInterviewSet, InterviewSet } from "./InterviewSet.ts"
import * as Contract from "./InterviewSetApi.ts"
import { InterviewSets } from "./InterviewSets.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.InterviewSets),
  "interviewSets",
  Effect.fnUntraced(function* (handlers) {
    const interviewSets = yield* InterviewSets
    const payload = Body.request(CreateInterviewSet)
    const created = answer(InterviewSet, 201)
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
        list: Effect.fnUntraced(function* ({ query }) {
          return yield* interviewSets.list(yield* CurrentPrincipal, query, yield* pageRequest("interview-sets", query))
        }),
        read: Effect.fnUntraced(
          function* ({ params }) {
            const results = yield* interviewSets.find(yield* CurrentPrincipal, params.id)
            return { results, ...optionalWarnings(yield* Body.unknownParameters) }
          },
          Effect.catchTag("NotFound", notFound),
        ),
      })
  }),
)
