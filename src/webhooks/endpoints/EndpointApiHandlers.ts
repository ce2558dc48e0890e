import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Principal } from "../../accounts/api-keys/ApiKey.ts"
import { CurrentPrincipal } from "../../accounts/api-keys/AuthenticationApi.ts"
import { Config } from "../../config/Config.ts"
import { conflict, notFound, unprocessable } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { cursorRefused, filtersOf, pageRequest } from "../../platform/http/CursorFilters.ts"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import { cursorAt, pageLimit, placeOf } from "../../values/Cursor.ts"
import { DeliveryId, type EndpointId, parseId } from "../../values/Ids.ts"
import { Conflict } from "../../values/Problem.ts"
import { optionalWarnings } from "../../values/Warning.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import { type DeliveryDetail, ResendFailed } from "../deliveries/Delivery.ts"
import type { DeliveryRow } from "../deliveries/DeliveryRepository.ts"
import {
  CreateEndpoint,
  type EndpointDetail,
  endpointErrors,
  RotateSecret,
  TestEndpoint,
  UpdateEndpoint,
} from "./Endpoint.ts"
import * as Contract from "./EndpointApi.ts"
import { EndpointSecrets } from "./EndpointSecrets.ts"
import { Endpoints, type EndpointView } from "./Endpoints.ts"
import { maskedValue } from "./StaticHeaders.ts"
import { TestDeliveries } from "./TestDeliveries.ts"

const timestamp = (at: Date | null): string | null => at?.toISOString() ?? null

const detailOf = (view: EndpointView): EndpointDetail => ({
  id: view.id,
  name: view.name,
  url: view.url,
  description: view.description,
  events: view.events,
  headers: view.header_names.map((name) => ({ name, value: maskedValue })),
  max_per_minute: view.max_per_minute,
  interview_set_ids: view.interview_set_ids,
  project_ids: view.project_ids,
  status: view.status,
  deactivated_at: timestamp(view.deactivated_at),
  inactive_reason: view.inactive_reason,
  next_probe_at: timestamp(view.next_probe_at),
  consecutive_failures: view.consecutive_failures,
  last_success_at: timestamp(view.last_success_at),
  last_failure_at: timestamp(view.last_failure_at),
  last_error: view.last_error,
  secret_since: view.secret_since.toISOString(),
  previous_secret_until: timestamp(view.previous_secret_until),
  created_at: view.created_at.toISOString(),
})

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
  integrationApi(Contract.WebhookEndpoints),
  "webhookEndpoints",
  Effect.fnUntraced(function* (handlers) {
    const endpoints = yield* Endpoints
    const endpointSecrets = yield* EndpointSecrets
    const deliveries = yield* Deliveries
    const testDeliveries = yield* TestDeliveries
    const { outboundAllow } = yield* Config
    /** Checks for conflicts before the first change. */
    const update = Effect.fnUntraced(function* (principal: Principal, given: EndpointId, change: UpdateEndpoint) {
      const { end_old_secret, send_parked, status, ...fields } = change
      const { id, next_probe_at, status: statusBefore } = yield* endpoints.show(principal, given)
      const sendsParked = send_parked === true
      if (sendsParked && (status ?? statusBefore) !== "active") {
        return yield* new Conflict({ reason: "the webhook endpoint is inactive: set its status to active" })
      }
      yield* endpoints.update(principal, id, fields)
      const endsProbes = status === "inactive" && next_probe_at !== null
      // an unchanged status gets no audit entry
      if (status != null && (status !== statusBefore || endsProbes)) {
        yield* status === "active" ? endpoints.enable(principal, id) : endpoints.disable(principal, id)
      }
      if (end_old_secret === true) yield* endpointSecrets.removePrevious(principal, id)
      if (sendsParked) yield* deliveries.sendParked(principal, id)
      return yield* endpoints.show(principal, id)
    })

    const errorsOf = (request: object) => endpointErrors(request, outboundAllow)
    const creation = Body.request(CreateEndpoint, errorsOf)
    const changeRequest = Body.request(UpdateEndpoint, errorsOf)
    const chosenEvent = Body.optionalRequest(TestEndpoint)
    const rotation = Body.optionalRequest(RotateSecret)
    const failedChoice = Body.request(ResendFailed)
    return handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(
          function* () {
            const principal = yield* CurrentPrincipal
            const { request, warnings } = yield* creation
            const { id, secret } = yield* endpoints.create(principal, request)
            const view = yield* Effect.orDie(endpoints.show(principal, id))
            return { results: { ...detailOf(view), secret: Redacted.value(secret) }, ...optionalWarnings(warnings) }
          },
          Effect.catchTag("Invalid", unprocessable),
        ),
      )
      .handleRaw(
        "update",
        Effect.fnUntraced(
          function* ({ params }) {
            const { request, warnings } = yield* changeRequest
            const view = yield* update(yield* CurrentPrincipal, params.id, request)
            return { results: detailOf(view), ...optionalWarnings(warnings) }
          },
          Effect.catchTags({
            Conflict: conflict,
            Invalid: unprocessable,
            NotFound: notFound,
            UnreadableSecret: ({ message }) => conflict(new Conflict({ reason: message })),
          }),
        ),
      )
      .handleRaw(
        "rotateSecret",
        Effect.fnUntraced(
          function* ({ params }) {
            const principal = yield* CurrentPrincipal
            const { request, warnings } = yield* rotation
            const options = { endsOld: request.end_old_secret === true }
            const secret = yield* endpointSecrets.regenerate(principal, params.id, options)
            const view = yield* endpoints.show(principal, params.id)
            return { results: { ...detailOf(view), secret: Redacted.value(secret) }, ...optionalWarnings(warnings) }
          },
          Effect.catchTags({ Conflict: conflict, NotFound: notFound }),
        ),
      )
      .handleRaw(
        "test",
        Effect.fnUntraced(
          function* ({ params }) {
            const principal = yield* CurrentPrincipal
            const { request, warnings } = yield* chosenEvent
            const sent = yield* testDeliveries.send(principal, params.id, request.event ?? undefined)
            return { results: { delivered: sent.attempt.error === null, ...sent }, ...optionalWarnings(warnings) }
          },
          Effect.catchTags({
            Invalid: unprocessable,
            NotFound: notFound,
            UnreadableSecret: ({ message }) => conflict(new Conflict({ reason: message })),
          }),
        ),
      )
      .handleRaw(
        "resendFailed",
        Effect.fnUntraced(
          function* ({ params }) {
            const principal = yield* CurrentPrincipal
            const { request, warnings } = yield* failedChoice
            const filter = {
              since: new Date(request.since),
              until: request.until == null ? undefined : new Date(request.until),
              event_types: request.event_types ?? undefined,
            }
            const results = yield* deliveries.resendOldestFailed(principal, params.id, filter)
            return { results, ...optionalWarnings(warnings) }
          },
          Effect.catchTags({ Conflict: conflict, NotFound: notFound }),
        ),
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const principal = yield* CurrentPrincipal
          const found = yield* endpoints.listPage(principal, yield* pageRequest("webhook-endpoints", query))
          return { ...found, results: found.results.map(detailOf) }
        }),
        read: Effect.fnUntraced(
          function* ({ params }) {
            const principal = yield* CurrentPrincipal
            const results = detailOf(yield* endpoints.show(principal, params.id))
            return { results, ...optionalWarnings(yield* Body.unknownParameters) }
          },
          Effect.catchTag("NotFound", notFound),
        ),
        remove: Effect.fnUntraced(
          function* ({ params }) {
            const warnings = yield* Body.surplus
            const principal = yield* CurrentPrincipal
            const id = yield* endpoints.remove(principal, params.id)
            return { results: { id, deleted: true as const }, ...optionalWarnings(warnings) }
          },
          Effect.catchTag("NotFound", notFound),
        ),
        deliveries: Effect.fnUntraced(
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
        resend: Effect.fnUntraced(
          function* ({ params }) {
            const principal = yield* CurrentPrincipal
            const { delivery, id: endpoint } = params
            const warnings = yield* Body.none
            const id = yield* deliveries.resend(principal, delivery, { endpoint })
            return { results: deliveryOf(yield* deliveries.find(principal, id)), ...optionalWarnings(warnings) }
          },
          Effect.catchTags({ Conflict: conflict, NotFound: notFound }),
        ),
      })
  }),
)
