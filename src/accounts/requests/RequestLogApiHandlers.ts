import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import { pageAs } from "../../values/Cursor.ts"
import { ApiKeyId, parseId } from "../../values/Ids.ts"
import { found, listed } from "../api-keys/OperationHandlers.ts"
import { RequestLog, resultOf } from "./RequestLog.ts"
import * as Contract from "./RequestLogApi.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.RequestLogGroup),
  "requests",
  Effect.fnUntraced(function* (handlers) {
    const requestLog = yield* RequestLog
    return handlers.handleAll({
      list: listed("requests", (principal, { query: { api_key_id, cursor: _, limit: __, ...others } }, page) => {
        const filter = { ...others, api_key_id: parseId(ApiKeyId, api_key_id) }
        return Effect.map(requestLog.list(principal, filter, page), pageAs(resultOf))
      }),
      read: found((principal, { params }) =>
        Effect.map(requestLog.findByRequestId(principal, params.request_id), resultOf),
      ),
    })
  }),
)
