/** Events over REST. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../api/Authentication.ts"
import { pageLimit } from "../domain/Page.ts"
import { eventPositionOf } from "../domain/WebhookEvent.ts"
import { Events } from "../service/Events.ts"
import { cursorRefused } from "./Requests.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* Events
    return handlers.handle(
      "list",
      Effect.fnUntraced(function* ({ query: { cursor, limit = pageLimit.usual, ...filter } }) {
        const { organizationId } = yield* CurrentPrincipal
        const after = cursor === undefined ? undefined : eventPositionOf(cursor)
        if (cursor !== undefined && after === undefined) return yield* cursorRefused
        return yield* events.read(organizationId, { ...filter, limit, after })
      }),
    )
  }),
)
