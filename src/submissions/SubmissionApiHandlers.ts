import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { listed } from "../accounts/api-keys/ReadHandlers.ts"
import { answer, notFound } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import * as Contract from "./SubmissionApi.ts"
import { SubmissionDetail } from "./SubmissionDetail.ts"
import { Submissions } from "./Submissions.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Submissions),
  "submissions",
  Effect.fnUntraced(function* (handlers) {
    const submissions = yield* Submissions
    const found = answer(SubmissionDetail)
    return handlers.handleAll({
      detail: Effect.fnUntraced(
        function* ({ params }) {
          const results = yield* submissions.detail(yield* CurrentPrincipal, params.id)
          return found(results, yield* Body.unknownParameters)
        },
        Effect.catchTag("NotFound", notFound),
      ),
      list: listed("submissions", (principal, { query }, page) => submissions.list(principal, query, page)),
    })
  }),
)
