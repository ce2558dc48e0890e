import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Principal } from "../../accounts/api-keys/ApiKey.ts"
import { CurrentPrincipal } from "../../accounts/api-keys/AuthenticationApi.ts"
import { found, listed } from "../../accounts/api-keys/ReadHandlers.ts"
import { Config } from "../../config/Config.ts"
import { conflict, notFound, unprocessable } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import { pageAs } from "../../values/Cursor.ts"
import type { EndpointId } from "../../values/Ids.ts"
import { Conflict } from "../../values/Problem.ts"
import { optionalWarnings } from "../../values/Warning.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
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
      .handleAll({
        list: listed("webhook-endpoints", (principal, _, page) =>
          Effect.map(endpoints.listPage(principal, page), pageAs(detailOf)),
        ),
        read: found((principal, { params }) => Effect.map(endpoints.show(principal, params.id), detailOf)),
        remove: Effect.fnUntraced(
          function* ({ params }) {
            const warnings = yield* Body.surplus
            const principal = yield* CurrentPrincipal
            const id = yield* endpoints.remove(principal, params.id)
            return { results: { id, deleted: true as const }, ...optionalWarnings(warnings) }
          },
          Effect.catchTag("NotFound", notFound),
        ),
      })
  }),
)
