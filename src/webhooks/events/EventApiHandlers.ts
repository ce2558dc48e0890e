import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../../accounts/api-keys/AuthenticationApi.ts"
import { unprocessable } from "../../platform/http/ApiRequests.ts"
import { cursorRefused } from "../../platform/http/CursorFilters.ts"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import { pageLimit } from "../../values/Cursor.ts"
import { Invalid } from "../../values/Problem.ts"
import * as Contract from "./EventApi.ts"
import { Events } from "./Events.ts"
import { eventPositionOf } from "./WebhookEvent.ts"

const combinedStarts = (names: ReadonlyArray<string>) =>
  unprocessable(
    new Invalid({
      errors: names.map((name) => ({
        pointer: `#/${name}`,
        code: "invalid",
        message: "cannot be combined: send only one of cursor, since and from",
      })),
    }),
  )

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Events),
  "events",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* Events
    return handlers.handle(
      "list",
      Effect.fnUntraced(function* ({ query: { cursor, from, limit = pageLimit.default, since, ...filter } }) {
        const principal = yield* CurrentPrincipal
        const after = cursor === undefined ? undefined : eventPositionOf(cursor)
        if (cursor !== undefined && after === undefined) return yield* cursorRefused
        const starts = Object.entries({ cursor, since, from }).filter(([, value]) => value !== undefined)
        if (starts.length > 1) return yield* combinedStarts(starts.map(([name]) => name))
        const start = from ?? (since === undefined ? undefined : new Date(since))
        return yield* events.read(principal, { ...filter, limit, after, start })
      }),
    )
  }),
)
