import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { notFound } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { pageRequest } from "../../platform/http/CursorFilters.ts"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import { ApiKeyId, parseId } from "../../values/Ids.ts"
import { optionalWarnings } from "../../values/Warning.ts"
import { CurrentPrincipal } from "../api-keys/AuthenticationApi.ts"
import { RequestLog, resultOf } from "./RequestLog.ts"
import * as Contract from "./RequestLogApi.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.RequestLogGroup),
  "requests",
  Effect.fnUntraced(function* (handlers) {
    const requestLog = yield* RequestLog
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { api_key_id, cursor: _, limit: __, ...others } = query
        const filter = { ...others, api_key_id: parseId(ApiKeyId, api_key_id) }
        const page = yield* pageRequest("requests", query)
        const found = yield* requestLog.list(yield* CurrentPrincipal, filter, page)
        return { ...found, results: found.results.map(resultOf) }
      }),
      read: Effect.fnUntraced(
        function* ({ params }) {
          const row = yield* requestLog.findByRequestId(yield* CurrentPrincipal, params.request_id)
          return { results: resultOf(row), ...optionalWarnings(yield* Body.unknownParameters) }
        },
        Effect.catchTag("NotFound", notFound),
      ),
    })
  }),
)
