import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listed, performed } from "../accounts/api-keys/OperationHandlers.ts"
import { notFound, unprocessable } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { SuppressAddress } from "./Suppression.ts"
import * as Contract from "./SuppressionApi.ts"
import { Suppressions } from "./Suppressions.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Suppressions),
  "suppressions",
  Effect.fnUntraced(function* (handlers) {
    const suppressions = yield* Suppressions
    const address = Body.request(SuppressAddress)
    return handlers
      .handleRaw(
        "suppress",
        performed(address, (principal, { email }) =>
          suppressions.suppress(principal, email).pipe(Effect.catchTag("Invalid", unprocessable)),
        ),
      )
      .handleAll({
        list: listed("suppressions", (principal, { query }, page) => suppressions.page(principal, query, page)),
        release: performed(Body.surplus, (principal, _, { params }) =>
          suppressions.release(principal, params.id).pipe(
            Effect.map((id) => ({ id, deleted: true as const })),
            Effect.catchTag("NotFound", notFound),
          ),
        ),
      })
  }),
)
