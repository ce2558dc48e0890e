import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { found, listed, performed } from "../../accounts/api-keys/OperationHandlers.ts"
import { conflict, notFound } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import * as Contract from "./RehearsalApi.ts"
import { Rehearsals } from "./Rehearsals.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.WebhookRehearsals),
  "webhookRehearsals",
  Effect.fnUntraced(function* (handlers) {
    const rehearsals = yield* Rehearsals
    return handlers.handleAll({
      begin: performed(Body.none, (principal, _, { params }) =>
        rehearsals.begin(principal, params.id).pipe(
          Effect.flatMap((id) => rehearsals.find(principal, params.id, id)),
          Effect.catchTags({ Conflict: conflict, NotFound: notFound }),
        ),
      ),
      list: listed("webhook-rehearsals", (principal, { params }, page) =>
        rehearsals.list(principal, params.id, page).pipe(Effect.catchTag("NotFound", notFound)),
      ),
      read: found((principal, { params }) => rehearsals.find(principal, params.id, params.rehearsal)),
    })
  }),
)
