import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { foundAs, listed } from "../accounts/api-keys/OperationHandlers.ts"
import { answer } from "../platform/http/ApiRequests.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import * as Contract from "./SubmissionApi.ts"
import { SubmissionDetail } from "./SubmissionDetail.ts"
import { Submissions } from "./Submissions.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Submissions),
  "submissions",
  Effect.fnUntraced(function* (handlers) {
    const submissions = yield* Submissions
    return handlers.handleAll({
      detail: foundAs(answer(SubmissionDetail), (principal, { params }) => submissions.detail(principal, params.id)),
      list: listed("submissions", (principal, { query }, page) => submissions.list(principal, query, page)),
    })
  }),
)
