import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { listed } from "../accounts/api-keys/ReadHandlers.ts"
import { notFound, unprocessable } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { optionalWarnings } from "../values/Warning.ts"
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
        Effect.fnUntraced(
          function* () {
            const principal = yield* CurrentPrincipal
            const { request, warnings } = yield* address
            const results = yield* suppressions.suppress(principal, request.email)
            return { results, ...optionalWarnings(warnings) }
          },
          Effect.catchTag("Invalid", unprocessable),
        ),
      )
      .handleAll({
        list: listed("suppressions", (principal, { query }, page) => suppressions.page(principal, query, page)),
        release: Effect.fnUntraced(
          function* ({ params }) {
            const warnings = yield* Body.surplus
            const id = yield* suppressions.release(yield* CurrentPrincipal, params.id)
            return { results: { id, deleted: true as const }, ...optionalWarnings(warnings) }
          },
          Effect.catchTag("NotFound", notFound),
        ),
      })
  }),
)
