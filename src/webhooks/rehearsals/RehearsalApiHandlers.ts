import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../../accounts/api-keys/AuthenticationApi.ts"
import { conflict, notFound } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { pageRequest } from "../../platform/http/CursorFilters.ts"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import { optionalWarnings } from "../../values/Warning.ts"
import * as Contract from "./RehearsalApi.ts"
import { Rehearsals } from "./Rehearsals.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.WebhookRehearsals),
  "webhookRehearsals",
  Effect.fnUntraced(function* (handlers) {
    const rehearsals = yield* Rehearsals
    return handlers.handleAll({
      begin: Effect.fnUntraced(
        function* ({ params }) {
          const warnings = yield* Body.none
          const principal = yield* CurrentPrincipal
          const id = yield* rehearsals.begin(principal, params.id)
          return { results: yield* rehearsals.find(principal, params.id, id), ...optionalWarnings(warnings) }
        },
        Effect.catchTags({ Conflict: conflict, NotFound: notFound }),
      ),
      list: Effect.fnUntraced(
        function* ({ params, query }) {
          const principal = yield* CurrentPrincipal
          return yield* rehearsals.list(principal, params.id, yield* pageRequest("webhook-rehearsals", query))
        },
        Effect.catchTag("NotFound", notFound),
      ),
      read: Effect.fnUntraced(
        function* ({ params }) {
          const principal = yield* CurrentPrincipal
          const results = yield* rehearsals.find(principal, params.id, params.rehearsal)
          return { results, ...optionalWarnings(yield* Body.unknownParameters) }
        },
        Effect.catchTag("NotFound", notFound),
      ),
    })
  }),
)
