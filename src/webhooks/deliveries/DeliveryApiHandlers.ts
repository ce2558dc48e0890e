import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../../accounts/api-keys/AuthenticationApi.ts"
import { performed } from "../../accounts/api-keys/OperationHandlers.ts"
import { conflict, notFound } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { cursorRefused, filtersOf } from "../../platform/http/CursorFilters.ts"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import { cursorAt, pageLimit, placeOf } from "../../values/Cursor.ts"
import { DeliveryId, parseId } from "../../values/Ids.ts"
import { Deliveries } from "./Deliveries.ts"
import { type DeliveryDetail, ResendFailed } from "./Delivery.ts"
import * as Contract from "./DeliveryApi.ts"
import type { DeliveryRow } from "./DeliveryRepository.ts"

const timestamp = (at: Date | null): string | null => at?.toISOString() ?? null

const deliveryOf = (row: DeliveryRow): DeliveryDetail => ({
  id: row.id,
  state: row.state,
  event_id: row.event_id,
  event: row.event_type === null ? null : `${row.event_type}.${row.event_status}`,
  attempts: row.attempt_log,
  created_at: row.created_at.toISOString(),
  next_attempt_at: timestamp(row.due_at),
  finished_at: timestamp(row.finished_at),
  resent_at: timestamp(row.resent_at),
})

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.WebhookDeliveries),
  "webhookDeliveries",
  Effect.fnUntraced(function* (handlers) {
    const deliveries = yield* Deliveries
    const failedChoice = Body.request(ResendFailed)
    return handlers
      .handleRaw(
        "resendFailed",
        performed(failedChoice, (principal, { event_types, since, until }, { params }) => {
          const filter = {
            since: new Date(since),
            until: until == null ? undefined : new Date(until),
            event_types: event_types ?? undefined,
          }
          return deliveries
            .resendOldestFailed(principal, params.id, filter)
            .pipe(Effect.catchTags({ Conflict: conflict, NotFound: notFound }))
        }),
      )
      .handleAll({
        list: Effect.fnUntraced(
          function* ({ params, query: { cursor, limit = pageLimit.default, state } }) {
            const principal = yield* CurrentPrincipal
            const filters = filtersOf({ state })
            const before =
              cursor === undefined ? undefined : parseId(DeliveryId, placeOf("webhook-deliveries", cursor, filters))
            if (cursor !== undefined && before === undefined) return yield* cursorRefused
            const found = yield* deliveries.list(principal, params.id, { state, before }, limit + 1)
            const shown = found.slice(0, limit)
            const last = shown.at(-1)
            const next_cursor =
              found.length > limit && last !== undefined ? cursorAt("webhook-deliveries", last.id, filters) : null
            return { results: shown.map(deliveryOf), next_cursor }
          },
          Effect.catchTag("NotFound", notFound),
        ),
        resend: performed(Body.none, (principal, _, { params: { delivery, id: endpoint } }) =>
          deliveries.resend(principal, delivery, { endpoint }).pipe(
            Effect.flatMap((id) => deliveries.find(principal, id)),
            Effect.map(deliveryOf),
            Effect.catchTags({ Conflict: conflict, NotFound: notFound }),
          ),
        ),
      })
  }),
)
