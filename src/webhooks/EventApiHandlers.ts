/** Events over REST. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/AuthenticationApi.ts"
import { cursorRefused } from "../platform/http/ApiRequests.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { pageLimit } from "../values/Page.ts"
import * as Contract from "./EventApi.ts"
import { Events } from "./Events.ts"
import { eventPositionOf } from "./WebhookEvent.ts"

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Events),
  "events",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* Events
    return handlers.handle(
      "list",
      Effect.fnUntraced(function* ({ query: { cursor, limit = pageLimit.default, ...filter } }) {
        const { organizationId } = yield* CurrentPrincipal
        const after = cursor === undefined ? undefined : eventPositionOf(cursor)
        if (cursor !== undefined && after === undefined) return yield* cursorRefused
        return yield* events.read(organizationId, { ...filter, limit, after })
      }),
    )
  }),
)
