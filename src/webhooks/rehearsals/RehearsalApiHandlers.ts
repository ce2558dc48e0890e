import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../../accounts/api-keys/AuthenticationApi.ts"
import { found, listed } from "../../accounts/api-keys/ReadHandlers.ts"
import { conflict, notFound } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
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
      list: listed("webhook-rehearsals", (principal, { params }, page) =>
        rehearsals.list(principal, params.id, page).pipe(Effect.catchTag("NotFound", notFound)),
      ),
      read: found((principal, { params }) => rehearsals.find(principal, params.id, params.rehearsal)),
    })
  }),
)
